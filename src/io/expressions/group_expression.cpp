// Group expressions: products, semidirect products, powers, brackets, generators and files.
#include "intertwine/io/group_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/presentation.hpp"
#include "intertwine/io/graph_file.hpp"
#include "io/expressions/group_parser.hpp"
#include "io/expressions/presentation_parser.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_operators = 1000;
constexpr std::uint64_t max_power = 10'000;

}  // namespace

FiniteGroup GroupParser::parse() {
  const std::string_view whole = trimmed();
  if (const std::string_view known = known_name_of(whole); known != whole) {
    try {
      return GroupParser(known, task_).parse();
    } catch (const ParseError& e) {  // errors are of the text as it was written
      fail(e.what(), 0);
    }
  }
  if (whole.ends_with(".json") && whole.find_first_of("@( ") == std::string_view::npos)
    fail(fmt::format("a file is written with @ before its name, as in @{}", whole), 0);
  if (const std::string plain = with_plain_digits(whole); plain != whole) return GroupParser(plain, task_).parse();
  if (const std::string what = space_group_written(whole); !what.empty()) fail(what, 0);
  if (const std::string what = foreign_name(whole); !what.empty()) fail(what, 0);
  FiniteGroup G = product();
  if (at_end()) return G;
  if (peek() == ')' || peek() == '>' || peek() == ']')
    fail(fmt::format("'{}' closes a bracket that was not opened", peek()), at_);
  if (peek() == '*') fail("the direct product is written x, as in C2 x C3", at_);
  fail("expected 'x', 'wr', '^' or the end of the group expression; put spaces around x, wr and o", at_);
}

bool GroupParser::accept_operator(std::string_view word) {
  peek();
  const std::string_view rest = text_.substr(at_);
  if (rest.substr(0, word.size()) != word) return false;
  const char next = rest.size() > word.size() ? rest[word.size()] : ' ';
  if (!is_space(next) && !is_upper(next) && next != '(' && next != '<' && next != '@') return false;
  count_operator();
  at_ += word.size();
  return true;
}

void GroupParser::count_operator() {
  if (++operators_ > max_operators)
    throw LimitError(fmt::format("a group expression may have at most {} operators x, wr, : and o", max_operators));
}

FiniteGroup GroupParser::product() {
  std::vector<FiniteGroup> factors{wreath()};
  while (accept_operator("x") || accept_operator("\xc3\x97")) factors.push_back(wreath());
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

FiniteGroup GroupParser::tight() {
  FiniteGroup G = power();
  while (true) {
    peek();
    const std::size_t at = at_;
    if (accept(':') || accept("⋊")) {
      count_operator();
      G = semidirect_product(G, at);
    } else if (accept_operator("o") || accept_operator("∘") || accept_operator("○")) {
      G = central_product(G, at);
    } else {
      return G;
    }
  }
}

FiniteGroup GroupParser::semidirect_product(const FiniteGroup& N, std::size_t at) {
  const auto trivial = [](const FiniteGroup& G) {
    return std::all_of(G.generators().begin(), G.generators().end(),
                       [](const Permutation& g) { return g.is_identity(); });
  };
  const auto order_if_cyclic = [](const FiniteGroup& G) {
    const auto* cyclic = G.structure().as<structure::Cyclic>();
    return cyclic == nullptr ? std::size_t{0} : cyclic->n;
  };
  if (!is_digit(peek())) {
    const FiniteGroup H = power();
    const std::size_t n = order_if_cyclic(N), m = order_if_cyclic(H);
    if (n * m != 0 && peek() == '(') {
      const std::size_t opened = at_++;
      peek();
      const std::uint64_t exponent = number();
      expect(')', opened);
      return built(at, [&] { return metacyclic_group(n, m, exponent); });
    }
    if (trivial(N) || trivial(H)) return spent(direct_product({N, H}));
    if (n * m != 0 || N.order(task_) <= largest_tabled_order) {
      const auto found = semidirect_products(N, H, task_);
      if (found.empty())
        fail(fmt::format("{0}:{1} is the direct product, however {1} acts on {0}: write {0} x {1}",
                         named::tight_operand(N), named::tight_operand(H, true)),
             at);
      return the_one(found, named::tight_operand(N) + ":" + named::tight_operand(H, true),
                     "how the second acts on the first", at);
    }
  }
  fail(
      "G : H is ambiguous, it does not say how H acts on G; write C7:C3(2) where the generator of C3 takes "
      "x to x^2, generators <...>, or x, wr or AGL",
      at);
}

FiniteGroup GroupParser::central_product(const FiniteGroup& A, std::size_t at) {
  const FiniteGroup B = power();
  const auto found = central_products(A, B, task_);
  if (found.empty())
    fail(fmt::format("{0} and {1} have no central elements of one order but 1: write {0} x {1}",
                     named::tight_operand(A), named::tight_operand(B, true)),
         at);
  return the_one(found, named::tight_operand(A) + " o " + named::tight_operand(B, true),
                 "which central elements are identified", at);
}

FiniteGroup GroupParser::the_one(const std::vector<FiniteGroup>& found, const std::string& written, std::string_view by,
                                 std::size_t at) {
  if (found.size() == 1) return spent(named::called(found.front(), written));
  constexpr std::size_t most_named = 12;
  std::string names;
  for (const FiniteGroup& G : found) {
    if (G.name() == found.back().name() && &G != &found.back())  // built, without names of their own
      fail(fmt::format("{} is one of {} groups, by {}: give generators <...> of the one that is meant", written,
                       found.size(), by),
           at);
    const auto k = static_cast<std::size_t>(&G - found.data());
    if (k >= most_named && k + 1 < found.size()) continue;
    names += (k == 0                          ? ""
              : k + 1 < found.size()          ? ", "
              : found.size() > most_named + 1 ? ", ... or "
                                              : " or ") +
             G.name();
  }
  fail(fmt::format("{} is {}, by {}: name one of them", written, names, by), at);
}

FiniteGroup GroupParser::wreath() {
  FiniteGroup G = tight();
  while (accept_operator("wr") || accept_operator("≀")) {
    const FiniteGroup H = tight();
    G = spent(wreath_product(G, H));
  }
  return G;
}

FiniteGroup GroupParser::product_action(std::size_t start) {
  const std::size_t opened = open("product_action", start);
  FiniteGroup G = tight();
  if (!accept_operator("wr"))
    fail("expected 'wr': product_action is applied to a wreath product, product_action(G wr H)", at_);
  FiniteGroup H = tight();
  while (accept_operator("wr")) {
    G = spent(wreath_product(G, H));
    H = tight();
  }
  expect(')', opened);
  --depth_;
  return spent(wreath_product_in_product_action(G, H));
}

FiniteGroup GroupParser::power() {
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

FiniteGroup GroupParser::operand() {
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
  if (is_digit(c)) {
    if (auto E = extraspecial(start)) return *std::move(E);
    if (auto cover = central_extension(start)) return *std::move(cover);
  }
  if (c == '2')
    for (const std::string_view cover : {"2.A4", "2.A5", "2.A6", "2.S4", "2T", "2O", "2I"})
      if (const std::size_t end = at_ + cover.size();
          text_.substr(at_).starts_with(cover) &&
          (end == text_.size() || text_[end] == 'x' || (!is_letter(text_[end]) && !is_digit(text_[end])))) {
        at_ = end;
        return GroupParser(known_name_of(cover), task_).parse();
      }
  for (const auto& [twisted, family] : {std::pair{"3D4", "3D4"}, {"2G2", "Ree"}, {"2B2", "Sz"}})
    if (text_.substr(at_).starts_with(twisted)) {
      at_ += 3;
      return function(start, family);
    }
  if (at_ == text_.size()) fail("expected a group, for example S5, but the text ends", at_);
  if (is_digit(c)) {
    const std::string_view n = TextCursor::digits();
    if (peek() == '^' || peek() == ':' || at_end())
      fail(fmt::format("expected a group; the cyclic group of order {0} is written C{0}, as in C2^4:C5", n), start);
  }
  fail("expected a group, for example S5, PSL(2,7) or <(1,2,3),(1,2)>", start);
}

FiniteGroup GroupParser::bracketed() {
  const std::size_t opened = at_++;
  const std::size_t point = text_.find_first_not_of(" ", at_), behind = text_.find_first_not_of("0123456789", point);
  if (peek() == ')' || (is_digit(peek()) && (behind >= text_.size() || is_space(text_[behind]) ||
                                             text_[behind] == ',' || text_[behind] == ')')))
    fail("permutations that generate a group are written in angle brackets, as in <(1,2,3),(1,2)>", opened);
  deeper(opened);
  FiniteGroup G = product();
  expect(')', opened);
  --depth_;
  return G;
}

FiniteGroup GroupParser::permutations() {
  const std::size_t opened = at_++;
  std::vector<Permutation> generators = generator_list();
  expect('>', opened);
  return explicit_group(std::move(generators));
}

FiniteGroup GroupParser::presentation() {
  const std::size_t start = at_;
  PresentationParser parser(text_, at_);
  const Presentation P = parser.parse();
  at_ = parser.end();
  std::string name;
  for (const char c : text_.substr(start, at_ - start))
    if (!is_space(c) || (!name.empty() && name.back() != ' ')) name += is_space(c) ? ' ' : c;
  return built(start, [&] { return finitely_presented_group(P, name, task_); });
}

FiniteGroup GroupParser::gap_group(std::size_t start) {
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

FiniteGroup GroupParser::explicit_group(std::vector<Permutation> generators) {
  const std::size_t degree = generators.front().degree();
  if (generators.size() == 1 && generators.front().is_identity())
    generators.clear();  // <(3)>: as the text of no generators
  std::string name = explicit_group_expression(degree, generators);
  return spent(FiniteGroup(degree, std::move(generators), std::move(name)));
}

std::vector<Permutation> GroupParser::generator_list() {
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
      generators.push_back(parse_permutation(text_.substr(start, end - start), static_cast<std::size_t>(degree)));
    } catch (const ParseError& e) {
      fail(e.what(), start + e.position());
    }
  }
  return generators;
}

std::uint64_t GroupParser::skip_cycle() {
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

std::filesystem::path GroupParser::file_name() {
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
  return name;
}

FiniteGroup GroupParser::automorphisms(std::size_t start) {
  const std::size_t opened = open("aut", start);
  if (peek() != '@') {
    const std::string_view inside = text_.substr(at_, text_.find_first_of(",)", at_) - at_);
    const std::size_t dot = inside.rfind('.');
    if (dot < inside.size() - 1 && is_letter(inside[dot + 1]) && !is_upper(inside[dot + 1]))
      fail("aut takes a group, or a file with a graph or a matrix, as in aut(@graph.g6) and aut(@m.npy, rows)", at_);
    const FiniteGroup G = product();
    expect(')', opened);
    --depth_;
    return built(start, [&] { return group_of_automorphisms(G, task_); });
  }
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
  const FiniteGroup G = file_automorphisms(file, task_).group({}, Automorphisms::most_images, task_);
  named::require_size("the group of the graph", Integer(G.degree()), G.generators().size());
  return spent(FiniteGroup::with_known_order(G.degree(), G.generators(),
                                             explicit_group_expression(G.degree(), G.generators()), G.order()));
}

FiniteGroup parse_finite_group(std::string_view text, const Task& task) {
  refuse_infinite_groups(text, task);
  return GroupParser(text, task).parse();
}

}  // namespace intertwine
