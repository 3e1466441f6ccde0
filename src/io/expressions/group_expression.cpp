#include "intertwine/io/group_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "groups/named/named_support.hpp"
#include "intertwine/equivariant/automorphism_group.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/representations/double_group.hpp"
#include "io/expressions/crystal_parser.hpp"
#include "io/expressions/gap_parser.hpp"
#include "io/expressions/group_names.hpp"
#include "io/expressions/orthogonal_parser.hpp"
#include "io/expressions/presentation_parser.hpp"
#include "io/files/graph_file.hpp"
#include "io/files/group_file.hpp"

namespace intertwine {

namespace {

constexpr int max_depth = 100;
constexpr std::size_t max_operators = 1000;
constexpr std::uint64_t max_power = 10'000;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_'; }

/// Recursive descent over: product = wreath {"x" wreath}; wreath = power {"wr" power}; power = operand ["^" number];
/// operand = "(" product ")" | "<" permutations or a presentation ">" | "@" file | "aut(@" file ")" | name [parameters].
class GroupParser : GroupCursor {
 public:
  GroupParser(std::string_view text, const std::filesystem::path& directory, const Task& task)
      : GroupCursor(text), directory_(directory), task_(task) {}

  FiniteGroup parse() {
    const std::string_view whole = trimmed();
    if (const std::string_view known = known_name_of(whole); known != whole)
      return GroupParser(known, directory_, task_).parse();
    if (const std::string what = space_group_written(whole); !what.empty()) fail(what, 0);
    if (const std::string what = foreign_name(whole); !what.empty()) fail(what, 0);
    if (whole.ends_with(".json") && whole.find_first_of("@( ") == std::string_view::npos)
      fail(fmt::format("a file is written with @ before its name, as in @{}", whole), 0);
    FiniteGroup G = product();
    if (at_end()) return G;
    if (peek() == ')' || peek() == '>' || peek() == ']')
      fail(fmt::format("'{}' closes a bracket that was not opened", peek()), at_);
    if (peek() == '*') fail("the direct product is written x, as in C2 x C3", at_);
    fail("expected 'x', 'wr', '^' or the end of the group expression; put spaces around x and wr", at_);
  }

 private:
  std::string_view trimmed() const {
    std::string_view whole = text_;
    while (!whole.empty() && is_space(whole.front())) whole.remove_prefix(1);
    while (!whole.empty() && is_space(whole.back())) whole.remove_suffix(1);
    return whole;
  }
  void expect(char c, std::size_t opened) {
    if (accept(c)) return;
    if (at_ == text_.size()) fail(fmt::format("this bracket is not closed with '{}'", c), opened);
    fail(fmt::format("expected '{}'", c), at_);
  }
  /// The operator `word`, unless it is the beginning of a longer word.
  bool accept_operator(std::string_view word) {
    peek();
    const std::string_view rest = text_.substr(at_);
    if (rest.substr(0, word.size()) != word) return false;
    const char next = rest.size() > word.size() ? rest[word.size()] : ' ';
    if (!is_space(next) && !is_upper(next) && next != '(' && next != '<' && next != '@') return false;
    if (++operators_ > max_operators)
      throw LimitError(
          fmt::format("a group expression may have at most {} operators x and wr", max_operators));
    at_ += word.size();
    return true;
  }

  /// What was built so far counts against one limit, so that a short text cannot ask for much work.
  FiniteGroup spent(FiniteGroup G) {
    entries_ += G.degree() * std::max<std::size_t>(1, G.generators().size());
    if (entries_ > 2 * max_named_entries)
      throw LimitError(
          fmt::format("the parts of the group expression need more than the limit of {} images in all",
                      2 * max_named_entries));
    return G;
  }

  FiniteGroup product() {
    std::vector<FiniteGroup> factors{wreath()};
    while (true) {
      peek();
      const std::size_t at = at_;
      if (accept_operator("x") || accept_operator("\xc3\x97")) {
        factors.push_back(wreath());
      } else if (accept(':')) {
        split_extension(factors, at);
      } else {
        break;
      }
    }
    if (factors.size() == 1) return factors.front();
    Integer degree = 0;
    std::uint64_t generators = 0;
    for (const FiniteGroup& factor : factors) {
      degree += Integer(factor.degree());
      generators += factor.generators().size();
    }
    named::require_size("the direct product", degree, generators);
    return spent(direct_product(factors));
  }

  /// `G : H` is the direct product if a factor is trivial, C7:C3(2) says how the generator of C3 acts; otherwise the action is not determined.
  void split_extension(std::vector<FiniteGroup>& factors, std::size_t at) {
    const auto trivial = [](const FiniteGroup& G) {
      return std::all_of(G.generators().begin(), G.generators().end(),
                         [](const Permutation& g) { return g.is_identity(); });
    };
    if (++operators_ <= max_operators && !is_digit(peek())) {
      FiniteGroup H = wreath();
      const auto order_if_cyclic = [](const FiniteGroup& G) {
        const auto* cyclic = G.structure().as<structure::Cyclic>();
        return cyclic == nullptr ? std::size_t{0} : cyclic->n;
      };
      if (const std::size_t n = order_if_cyclic(factors.back()), m = order_if_cyclic(H);
          n * m != 0 && peek() == '(') {
        const std::size_t opened = at_++;
        peek();
        const std::uint64_t power = number();
        expect(')', opened);
        factors.back() = built(at, [&] { return metacyclic_group(n, m, power); });
        return;
      }
      if (trivial(H) || std::all_of(factors.begin(), factors.end(), trivial)) {
        factors.push_back(std::move(H));
        return;
      }
      if (factors.size() == 1 && semidirect_by_name(factors.front(), H, at)) return;
    }
    fail(
        "G : H is ambiguous, it does not say how H acts on G; write C7:C3(2) where the generator of C3 takes "
        "x to x^2, generators <...>, or x, wr or AGL",
        at);
  }

  /// The one semidirect product of two small groups that is not direct: C7:C3, C2^3:C7.
  bool semidirect_by_name(FiniteGroup& N, const FiniteGroup& H, std::size_t at) {
    constexpr std::size_t small = 127;
    if (N.degree() > small || H.degree() > small || N.order(task_) * H.order(task_) > small) return false;
    std::vector<structure::SmallGroup> found;
    try {
      found = semidirect_products(N, H, task_);
    } catch (const DomainError&) {
      return false;
    }
    if (found.empty())
      fail(fmt::format("{0} acts on {1} in no way but the trivial one: write {1} x {0}", H.name(), N.name()),
           at);
    if (found.size() == 1) {
      N = spent(small_group(found.front().order, found.front().number));
      return true;
    }
    std::string names;
    for (const auto& G : found)
      names += (names.empty()         ? ""
                : &G == &found.back() ? " or "
                                      : ", ") +
               fmt::format("SmallGroup({},{})", G.order, G.number);
    const auto operand_name = [](const FiniteGroup& G) {
      return G.name().find(' ') == std::string::npos ? G.name() : "(" + G.name() + ")";
    };
    fail(fmt::format("{}:{} is {}, by how the second acts on the first: name one of them", operand_name(N),
                     operand_name(H), names),
         at);
  }

  FiniteGroup wreath() {
    FiniteGroup G = power();
    while (accept_operator("wr") || accept_operator("≀")) {
      const FiniteGroup H = power();
      G = spent(wreath_product(G, H));
    }
    return G;
  }

  /// product_action(G wr H): in a longer chain the last wr is the one meant.
  FiniteGroup product_action(std::size_t start) {
    const std::size_t opened = open("product_action", start);
    FiniteGroup G = power();
    if (!accept_operator("wr"))
      fail("expected 'wr': product_action is applied to a wreath product, product_action(G wr H)", at_);
    FiniteGroup H = power();
    while (accept_operator("wr")) {
      G = spent(wreath_product(G, H));
      H = power();
    }
    expect(')', opened);
    --depth_;
    return spent(wreath_product_in_product_action(G, H));
  }

  FiniteGroup power() {
    FiniteGroup G = operand();
    if (!accept('^')) return G;
    peek();
    const std::size_t start = at_;
    const std::uint64_t n = number();
    if (n == 0) fail("a direct power has at least one factor, as in S4^3", start);
    if (peek() == '^') fail("put brackets around a power of a power, as in (C2^2)^3", at_);
    if (n > max_power) throw LimitError(fmt::format("a direct power may have at most {} factors", max_power));
    named::require_size("the direct power", Integer(G.degree()) * n, G.generators().size() * n);
    return n == 1 ? G : spent(direct_product(std::vector<FiniteGroup>(static_cast<std::size_t>(n), G)));
  }

  FiniteGroup operand() {
    const char c = peek();
    const std::size_t start = at_;
    if (const std::string what = type_not_here(text_.substr(at_)); !what.empty()) fail(what, start);
    if (c == '(') return bracketed();
    if (c == '<') {
      ++at_;
      const bool letters = PresentationParser::begins_name(peek());
      at_ = start;
      return letters ? presentation() : permutations();
    }
    if (c == '@') return file();
    if (is_letter(c) || static_cast<unsigned char>(c) == 0xCE) return named(start);  // ΓL
    if (text_.substr(at_).starts_with("2.L2(")) return double_cover(start);
    if (is_digit(c))
      if (auto cover = central_extension(start)) return *std::move(cover);
    if (c == '2')
      for (const std::string_view cover : {"2.A4", "2.A5", "2.A6", "2.S4", "2T", "2O", "2I"})
        if (const std::size_t end = at_ + cover.size();
            text_.substr(at_).starts_with(cover) &&
            (end == text_.size() || text_[end] == 'x' || (!is_letter(text_[end]) && !is_digit(text_[end])))) {
          at_ = end;
          return GroupParser(known_name_of(cover), directory_, task_).parse();
        }
    for (const auto& [twisted, family] : {std::pair{"3D4", "3D4"}, {"2G2", "Ree"}, {"2B2", "Sz"}})
      if (text_.substr(at_).starts_with(twisted)) {
        at_ += 3;
        return function(start, family);
      }
    if (at_ == text_.size()) fail("expected a group, for example S5, but the text ends", at_);
    fail("expected a group, for example S5, PSL(2,7) or <(1,2,3),(1,2)>", at_);
  }

  /// 2.A7, 3.A6, 2.S5-, 2.M12; 2.Oh is double(Oh).
  std::optional<FiniteGroup> central_extension(std::size_t start) {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
    std::string_view word = text_.substr(at_, end - at_);
    const auto& covers = names_of_covers();
    const auto is_cover = [&](std::string_view name) {
      return std::ranges::find(covers, name) != covers.end();
    };
    if (is_cover(std::string(word) + "+")) {  // of symmetric groups
      if (end == text_.size() || (text_[end] != '+' && text_[end] != '-')) {
        if (word == "2.S4") return std::nullopt;
        fail(fmt::format("there are two: {0}+, where transpositions are covered by involutions, and {0}-, "
                         "where by elements "
                         "of order 4",
                         word),
             start);
      }
      word = text_.substr(at_, ++end - at_);
    }
    if (is_cover(word)) {
      at_ = end;
      return built(start, [&] { return cover_by_name(word, task_); });
    }
    if (!word.starts_with("2.") || !is_point_group(word.substr(2))) return std::nullopt;
    at_ = end;
    return built(start, [&] { return double_group(word.substr(2), task_); });
  }
  /// Is it a Schoenflies symbol that names no other group?
  static bool is_point_group(std::string_view word) {
    if (is_polyhedral_or_small_point_group(word)) return true;
    return word.size() > 2 && (word[0] == 'C' || word[0] == 'D') &&
           std::string_view("vhd").find(word.back()) != std::string_view::npos &&
           std::all_of(word.begin() + 1, word.end() - 1, is_digit);
  }

  /// 2.L2(7) is SL(2,7).
  FiniteGroup double_cover(std::size_t start) {
    at_ += 4;
    const std::size_t opened = at_++;
    const unsigned q = small_number();
    expect(')', opened);
    if (q % 2 == 0)
      fail(fmt::format("SL(2,{0}) is L2({0}) itself{1}", q, q == 4 ? ", which is A5; 2.A5 is SL(2,5)" : ""),
           start);
    return built(start, [&] { return special_linear_group(2, q, task_); });
  }

  FiniteGroup bracketed() {
    const std::size_t opened = at_++;
    if (is_digit(peek()) || peek() == ')')
      fail("permutations that generate a group are written in angle brackets, as in <(1,2,3),(1,2)>", opened);
    deeper(opened);
    FiniteGroup G = product();
    expect(')', opened);
    --depth_;
    return G;
  }
  void deeper(std::size_t at) {
    if (++depth_ > max_depth) fail(fmt::format("brackets are nested more than {} deep", max_depth), at);
  }
  std::size_t open(std::string_view word, std::size_t start) {
    if (peek() != '(')
      fail(fmt::format("{} needs its parameters in parentheses, for example {}", word,
                       example_of_function(word)),
           start);
    deeper(at_);
    return at_++;
  }

  FiniteGroup permutations() {
    const std::size_t opened = at_++;
    std::vector<Permutation> generators = generator_list();
    expect('>', opened);
    return explicit_group(std::move(generators));
  }
  /// <a,b | a^2, b^3, (a*b)^7>: its name is what was typed, without needless spaces.
  FiniteGroup presentation() {
    const std::size_t start = at_;
    PresentationParser parser(text_, at_);
    const Presentation P = parser.parse();
    at_ = parser.end();
    std::string name;
    for (const char c : text_.substr(start, at_ - start))
      if (!is_space(c) || (!name.empty() && name.back() != ' ')) name += is_space(c) ? ' ' : c;
    return built(start, [&] { return finitely_presented_group(P, name, task_); });
  }
  FiniteGroup gap_group(std::size_t start) {
    const std::size_t opened = open("Group", start);
    peek();
    const std::size_t list = at_;
    const bool bracket = accept('[');
    std::vector<Permutation> generators = generator_list();
    if (bracket) expect(']', list);
    expect(')', opened);
    --depth_;
    return explicit_group(std::move(generators));
  }
  FiniteGroup explicit_group(std::vector<Permutation> generators) {
    const std::size_t degree = generators.front().degree();
    if (generators.size() == 1 && generators.front().is_identity())
      generators.clear();  // <(3)>: as the text of no generators
    std::string name = explicit_group_expression(degree, generators);
    return spent(FiniteGroup(degree, std::move(generators), std::move(name)));
  }

  /// Permutations with commas between. The largest point is found before anything of its size is allocated.
  std::vector<Permutation> generator_list() {
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    std::uint64_t degree = 1;
    do {
      if (peek() != '(') fail("expected a permutation in cycles, for example (1,2,3)(4,5)", at_);
      const std::size_t start = at_;
      while (peek() == '(') degree = std::max(degree, skip_cycle());
      spans.emplace_back(start, at_);
    } while (accept(','));
    named::require_size("the group with these generators", Integer(degree), spans.size());
    std::vector<Permutation> generators;
    for (const auto& [start, end] : spans) {
      try {
        generators.push_back(
            parse_permutation(text_.substr(start, end - start), static_cast<std::size_t>(degree)));
      } catch (const ParseError& e) {
        fail(e.what(), start + e.position());
      }
    }
    return generators;
  }
  /// Skips one cycle and returns the largest point in it.
  std::uint64_t skip_cycle() {
    const std::size_t opened = at_++;
    std::uint64_t largest = 0;
    while (peek() != ')') {
      if (at_ == text_.size()) fail("the cycle is not closed with ')'", opened);
      if (is_digit(text_[at_])) {
        largest = std::max(largest, number());
      } else if (!accept(',')) {
        fail("expected a point, ',' or ')' in a cycle", at_);
      }
    }
    ++at_;
    return largest;
  }

  /// A name after @, in quotes where it has spaces or brackets.
  std::filesystem::path file_name() {
    const std::size_t start = at_++;
    std::string name;
    if (at_ < text_.size() && text_[at_] == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) fail("the file name is not closed with '\"'", at_);
      name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n()<>,", at_), text_.size());
      name = text_.substr(at_, end - at_);
      at_ = end;
    }
    if (name.empty()) fail("expected a file name after @", start);
    if (name.find('\0') != std::string::npos) fail("the file name contains a zero byte", start);
    return directory_ / name;
  }
  FiniteGroup file() { return spent(read_group_file(file_name(), task_)); }

  /// aut(@graph): its name is that of the generators, since files change.
  FiniteGroup automorphisms(std::size_t start) {
    const std::size_t opened = open("aut", start);
    if (peek() != '@')
      fail("aut takes a file with a graph or a matrix, as in aut(@graph.g6) and aut(@m.npy, rows)", at_);
    const std::filesystem::path path = file_name();
    bool rows = false, signs = false;
    while (accept(',')) {
      peek();
      const std::size_t at = at_;
      const std::string_view word =
          text_.substr(at).starts_with("rows") || text_.substr(at).starts_with("signs") ? symbol() : "";
      bool& option = word == "rows" ? rows : signs;
      if ((word != "rows" && word != "signs") || option || (word == "signs" && !rows))
        fail(
            "behind the file comes rows, for a matrix whose rows and columns are permuted apart, and then "
            "signs, if they may change them: aut(@m.npy, rows, signs)",
            at);
      option = true;
    }
    expect(')', opened);
    --depth_;
    const GraphFile file = rows ? read_matrix_graph(path, signs, task_) : read_graph_file(path, task_);
    const FiniteGroup G = automorphism_group_on(file.graph, file.points, task_);
    named::require_size("the group of the graph", Integer(G.degree()), G.generators().size());
    return spent(FiniteGroup::with_known_order(
        G.degree(), G.generators(), explicit_group_expression(G.degree(), G.generators()), G.order()));
  }

  /// Letters and digits, for parameters such as E6 and C3v.
  std::string_view symbol() {
    peek();
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (at_ == start) fail("expected a symbol", start);
    return text_.substr(start, at_ - start);
  }

  /// A family's own refusal of its parameters becomes a ParseError at `start`.
  template <class F>
  FiniteGroup built(std::size_t start, F family) {
    try {
      return spent(family());
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  FiniteGroup named(std::size_t start) {
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    if (text_.substr(at_).starts_with("Γ"))  // PΓL
      for (at_ += 2; at_ < text_.size() && is_letter(text_[at_]);) ++at_;
    const std::string_view letters = text_.substr(start, at_ - start);
    const std::size_t digits_at = at_;
    const std::string_view digits = TextCursor::digits();
    if (OrthogonalParser(text_, at_, task_).names_group(letters, digits))
      return orthogonal(start, letters, digits);
    bool suffix = false;
    if (!digits.empty() && at_ < text_.size() &&
        std::string_view("vhdm").find(text_[at_]) != std::string_view::npos) {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
      suffix = !is_letter(next) && !is_digit(next);
    }
    if (suffix) ++at_;
    take_rest_of_word();
    const std::string_view written = text_.substr(start, at_ - start), word = known_name_of(written);
    const bool plain = written.size() == letters.size() + digits.size();  // nothing behind the digits

    if (word.find('(') != std::string_view::npos) return GroupParser(word, directory_, task_).parse();
    if (GapParser::names_group(word)) {
      GapParser parser(text_, at_, task_);
      const std::function<FiniteGroup()> family = parser.parse(start, word);
      at_ = parser.end();
      return built(start, family);
    }
    if (letters.substr(0, 3) == "Dih") ambiguous_dihedral(start, digits);
    if (is_polyhedral_or_small_point_group(word)) {
      if (peek() == '(') {  // O(3) is of another kind
        const std::string what = foreign_name(std::string(word) + "3");
        fail(what.empty() ? fmt::format("{} is a point group, and takes nothing in brackets; the "
                                        "translations of an 8 x 8 torus are p1(8,8)",
                                        word)
                          : what,
             start);
      }
      return built(start, [&] { return point_group(word); });
    }
    if (suffix && word.back() != 'm') return built(start, [&] { return point_group(word); });
    if (word == "M10") return built(start, [] { return mathieu_10_group(); });
    if (is_sporadic_name(word)) return built(start, [&] { return sporadic_group(word, task_); });
    if (is_indexed_family(letters) && plain) {
      if (digits.empty()) return alias(start, letters, digits);
      if (letters == "S" && (digits.back() - '0') % 2 == 0 && text_.substr(at_).starts_with('('))
        return family_with_dimension(start, letters, digits);  // S4(3), in the ATLAS
      return indexed(start, letters, digits_at);
    }
    if (!example_of_function(word).empty() && (word != "G2" || peek() == '(')) return function(start, word);
    if (plain && !digits.empty() && peek() == '(' && family_of_matrices(letters))
      return family_with_dimension(start, letters, digits);
    if (const std::string_view family = family_of_alias(letters); !family.empty() && plain)
      return alias(start, family, digits);
    if (const std::string what = foreign_name(word); !what.empty()) fail(what, start);
    unknown(start, word, letters, digits);
  }

  /// Letters and digits that follow without a space, but for an operator as in C2xC3: p4g is not p4 and g.
  void take_rest_of_word() {
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
      const std::string_view rest = text_.substr(at_);
      for (const std::string_view word : {"x", "wr"})
        if (rest.starts_with(word) &&
            (rest.size() == word.size() || is_space(rest[word.size()]) || is_upper(rest[word.size()]) ||
             rest[word.size()] == '(' || rest[word.size()] == '<' || rest[word.size()] == '@'))
          return;
      ++at_;
    }
  }

  [[noreturn]] void unknown(std::size_t start, std::string_view word, std::string_view letters,
                            std::string_view digits) {
    const std::string_view shown = word.substr(0, 40);
    const bool axial = (letters == "C" || letters == "D") && !digits.empty();
    const std::string nearest =
        axial ? fmt::format("{0}{1}, {0}{1}h, {0}{1}{2}", letters, digits, letters == "C" ? 'v' : 'd')
              : nearest_known_name(word, letters, digits);
    if (!nearest.empty()) fail(fmt::format("unknown group '{}'; did you mean {}?", shown, nearest), start);
    fail(fmt::format("unknown group '{}'; groups are written as S5, A5, C12, D4, Q8, PSL(2,7), M24, Oh, "
                     "W(E8), p4m(8,8), <(1,2,3),(1,2)> or @file.json",
                     shown),
         start);
  }

  [[noreturn]] void ambiguous_dihedral(std::size_t start, std::string_view digits) {
    if (digits.empty() && accept('(')) {
      peek();
      digits = TextCursor::digits();
    }
    std::uint64_t n = 0;
    const auto [rest, status] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (digits.empty() || status != std::errc() || n == 0 || n > max_named_degree)
      fail("a dihedral group is written D<n> by its polygon, of order 2n: D4 has order 8", start);
    if (n % 2 == 1)
      fail(fmt::format("a dihedral group is written D<n> by its polygon: D{} of order {}", n, 2 * n), start);
    fail(fmt::format(
             "Dih({}) is ambiguous: write D{} for the group of order {}, or D{} for the one of order {}", n,
             n / 2, n, n, 2 * n),
         start);
  }

  FiniteGroup indexed(std::size_t start, std::string_view letters, std::size_t digits_at) {
    at_ = digits_at;
    const auto n = static_cast<std::size_t>(number());
    if (letters == "Q" && (n < 8 || n % 4 != 0))
      fail(fmt::format("Q{}: the index of a quaternion group is its order, a multiple of 4 from 8 on", n),
           start);
    return built(start, [&] {
      if (letters == "S") return symmetric_group(n);
      if (letters == "A") return alternating_group(n);
      if (letters == "C") return cyclic_group(n);
      if (letters == "D") return dihedral_group(n);
      if (letters == "B") return hyperoctahedral_group(n);
      return dicyclic_group(letters == "Q" ? n / 4 : n);
    });
  }

  /// Z6, SymmetricGroup(4): the name of the group is the one that it has here.
  FiniteGroup alias(std::size_t start, std::string_view family, std::string_view digits) {
    if (!digits.empty())
      return indexed(start, family, static_cast<std::size_t>(digits.data() - text_.data()));
    if (accept('/')) {  // Z/6 and Z/6Z
      FiniteGroup G = indexed(start, family, at_);
      if (at_ < text_.size() && text_[at_] == 'Z') ++at_;
      return G;
    }
    if (peek() != '(') fail(fmt::format("{} needs its index, as in {}8", family, family), start);
    const std::size_t opened = at_++;
    peek();
    FiniteGroup G = indexed(start, family, at_);
    expect(')', opened);
    return G;
  }

  /// L2(7), PSL2(7), SL_2(5), U3(3), Sp4(3): the dimension before the bracket. L, U and S are the ATLAS's names of PSL, PSU and PSp.
  FiniteGroup family_with_dimension(std::size_t start, std::string_view letters, std::string_view dimension) {
    const TwoParameters make = family_of_matrices(letters);
    const std::size_t opened = open(letters, start);
    const unsigned q = small_number();
    expect(')', opened);
    --depth_;
    const unsigned n = dimension_of(dimension, start);
    return built(start, [&] { return make(n, q, task_); });
  }
  static TwoParameters family_of_matrices(std::string_view letters) {
    while (letters.ends_with('_')) letters.remove_suffix(1);
    return letters == "SmallGroup" ? nullptr
                                   : family_of_two_parameters(letters == "L"   ? "PSL"
                                                              : letters == "U" ? "PSU"
                                                              : letters == "S" ? "PSp"
                                                                               : letters);
  }

  FiniteGroup orthogonal(std::size_t start, std::string_view letters, std::string_view dimension) {
    OrthogonalParser parser(text_, at_, task_);
    const std::function<FiniteGroup()> family = parser.parse(start, letters, dimension);
    at_ = parser.end();
    return built(start, family);
  }

  FiniteGroup function(std::size_t start, std::string_view word) {
    if (word == "Group") return gap_group(start);
    if (word == "product_action") return product_action(start);
    if (word == "aut") return automorphisms(start);
    const std::size_t opened = open(word, start);
    const std::function<FiniteGroup()> family = family_with_parameters(word);
    expect(')', opened);
    --depth_;
    return built(start, family);
  }

  std::function<FiniteGroup()> family_with_parameters(std::string_view word) {
    if (word == "W") {
      peek();
      const std::size_t start = at_;
      const std::string_view type = symbol();
      unsigned rank = 0;
      const auto [rest, status] = std::from_chars(type.data() + 1, type.data() + type.size(), rank);
      if (is_digit(type[0]) || status != std::errc() || rest != type.data() + type.size())
        fail("expected the type of a root system, a letter and its rank as in W(E6)", start);
      return [=] { return weyl_group(type[0], rank); };
    }
    if (word == "point") return [type = symbol()] { return point_group(type); };
    if (word == "double") return [this, type = symbol()] { return double_group(type, task_); };
    if (word == "Rubik") return [size = small_number()] { return rubik_group(size); };
    if (word == "pixels") {
      const std::string_view kind = symbol();
      comma(word);
      const auto h = static_cast<std::size_t>(number());
      comma(word);
      return [=, w = static_cast<std::size_t>(number())] { return pixel_group(kind, h, w); };
    }
    if (word == "space" || word == "rod" || word == "layer") {
      CrystalParser parser(text_, at_);
      auto crystal = parser.parse(word);
      at_ = parser.end();
      return crystal;
    }
    if (word == "young") return young();
    if (word[0] == 'p' || word[0] == 'c') {
      const auto h = static_cast<std::size_t>(number());
      comma(word);
      return [=, w = static_cast<std::size_t>(number())] { return grid_group(word, h, w); };
    }
    if (word == "Sz") return [this, q = small_number()] { return suzuki_group(q, task_); };
    if (word == "G2") return [this, q = small_number()] { return g2_group(q, task_); };
    if (word == "3D4") return [this, q = small_number()] { return triality_group(q, task_); };
    if (word == "Ree") return [this, q = small_number()] { return ree_group(q, task_); };
    const unsigned n = small_number();
    comma(word);
    if (is_letter(peek()))
      fail(fmt::format(
               "over R and C {0}({1}) is continuous, and written without the field, as in decompose "
               "'{0}({1})' vector; a finite field is given by its number of elements, as in {0}({1},3)",
               word, n),
           at_);
    const unsigned q = small_number();
    if (q == 1 && word == "SU")
      fail(fmt::format("SU({0},1) is a pseudo-unitary group, which is not here; SU({1}) has the same complex "
                       "representations, and SU({1},q) is finite",
                       n, n + 1),
           at_);
    return [=, this, make = family_of_two_parameters(word)] { return make(n, q, task_); };
  }

  /// young([3,2]): S3 x S2.
  std::function<FiniteGroup()> young() {
    peek();
    const std::size_t start = at_;
    if (!accept('[')) fail("expected a list of sizes, as in young([3,2])", start);
    std::vector<FiniteGroup> factors;
    do {
      peek();
      const std::size_t at = at_;
      const auto n = static_cast<std::size_t>(number());
      if (n == 0) fail("the sizes are at least 1", at);
      factors.push_back(built(at, [&] { return symmetric_group(n); }));
    } while (accept(','));
    if (!accept(']')) fail("expected ',' or ']' in the list of sizes", at_);
    return [factors] { return factors.size() == 1 ? factors[0] : direct_product(factors); };
  }

  const std::filesystem::path& directory_;
  const Task& task_;
  int depth_ = 0;
  std::size_t operators_ = 0;
  std::uint64_t entries_ = 0;
};

}  // namespace

FiniteGroup parse_group(std::string_view text, const std::filesystem::path& directory, const Task& task) {
  refuse_infinite_groups(text, directory, task);
  return GroupParser(text, directory, task).parse();
}

}  // namespace intertwine
