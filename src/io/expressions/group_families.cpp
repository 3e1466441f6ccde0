// Groups by name in group expressions: families with their parameters, sporadic groups, covers and point groups.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/representations/double_group.hpp"
#include "io/expressions/crystal_parser.hpp"
#include "io/expressions/gap_parser.hpp"
#include "io/expressions/group_parser.hpp"
#include "io/expressions/orthogonal_parser.hpp"

namespace intertwine {

std::optional<FiniteGroup> GroupParser::central_extension(std::size_t start) {
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

bool GroupParser::is_point_group(std::string_view word) {
  if (is_polyhedral_or_small_point_group(word)) return true;
  return word.size() > 2 && (word[0] == 'C' || word[0] == 'D') &&
         std::string_view("vhd").find(word.back()) != std::string_view::npos &&
         std::all_of(word.begin() + 1, word.end() - 1, is_digit);
}

FiniteGroup GroupParser::double_cover(std::size_t start) {
  at_ += 4;
  const std::size_t opened = at_++;
  const unsigned q = small_number();
  expect(')', opened);
  if (q % 2 == 0)
    fail(fmt::format("SL(2,{0}) is L2({0}) itself{1}", q, q == 4 ? ", which is A5; 2.A5 is SL(2,5)" : ""),
         start);
  return built(start, [&] { return special_linear_group(2, q, task_); });
}

FiniteGroup GroupParser::named(std::size_t start) {
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

void GroupParser::take_rest_of_word() {
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

void GroupParser::unknown(std::size_t start, std::string_view word, std::string_view letters,
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

void GroupParser::ambiguous_dihedral(std::size_t start, std::string_view digits) {
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
  fail(
      fmt::format("Dih({}) is ambiguous: write D{} for the group of order {}, or D{} for the one of order {}",
                  n, n / 2, n, n, 2 * n),
      start);
}

FiniteGroup GroupParser::indexed(std::size_t start, std::string_view letters, std::size_t digits_at) {
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

FiniteGroup GroupParser::alias(std::size_t start, std::string_view family, std::string_view digits) {
  if (!digits.empty()) return indexed(start, family, static_cast<std::size_t>(digits.data() - text_.data()));
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

FiniteGroup GroupParser::family_with_dimension(std::size_t start, std::string_view letters,
                                               std::string_view dimension) {
  const TwoParameters make = family_of_matrices(letters);
  const std::size_t opened = open(letters, start);
  const unsigned q = small_number();
  expect(')', opened);
  --depth_;
  const unsigned n = dimension_of(dimension, start);
  return built(start, [&] { return make(n, q, task_); });
}

TwoParameters GroupParser::family_of_matrices(std::string_view letters) {
  while (letters.ends_with('_')) letters.remove_suffix(1);
  return letters == "SmallGroup" ? nullptr
                                 : family_of_two_parameters(letters == "L"   ? "PSL"
                                                            : letters == "U" ? "PSU"
                                                            : letters == "S" ? "PSp"
                                                                             : letters);
}

FiniteGroup GroupParser::orthogonal(std::size_t start, std::string_view letters, std::string_view dimension) {
  OrthogonalParser parser(text_, at_, task_);
  const std::function<FiniteGroup()> family = parser.parse(start, letters, dimension);
  at_ = parser.end();
  return built(start, family);
}

FiniteGroup GroupParser::function(std::size_t start, std::string_view word) {
  if (word == "Group") return gap_group(start);
  if (word == "product_action") return product_action(start);
  if (word == "aut") return automorphisms(start);
  const std::size_t opened = open(word, start);
  const std::function<FiniteGroup()> family = family_with_parameters(word);
  expect(')', opened);
  --depth_;
  return built(start, family);
}

std::function<FiniteGroup()> GroupParser::family_with_parameters(std::string_view word) {
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
    fail(fmt::format("over R and C {0}({1}) is continuous, and written without the field, as in decompose "
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

std::function<FiniteGroup()> GroupParser::young() {
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

}  // namespace intertwine
