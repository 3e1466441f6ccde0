// Groups by name in group expressions: families with their parameters, sporadic groups, covers and point groups.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/representations/double_group.hpp"
#include "io/expressions/crystal_parser.hpp"
#include "io/expressions/gap_parser.hpp"
#include "io/expressions/group_parser.hpp"
#include "io/expressions/orthogonal_parser.hpp"

namespace intertwine {

std::optional<FiniteGroup> GroupParser::extraspecial(std::size_t start) {
  const std::size_t before = at_;
  const unsigned p = small_number();
  char sign = 0;
  const auto accept_sign = [&] {
    if (at_ < text_.size() && text_[at_] == '_') ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) sign = text_[at_++];
    return sign != 0;
  };
  accept_sign();
  const bool power = accept('^');
  const std::size_t opened = at_;
  const char closing = accept('(') ? ')' : accept('{') ? '}' : '\0';
  if (!power || TextCursor::digits() != "1" || !accept('+')) {
    at_ = before;
    return std::nullopt;
  }
  peek();
  const std::size_t exponent_at = at_;
  const unsigned exponent = small_number();
  if (closing != '\0') expect(closing, opened);
  if (sign == 0 && !accept_sign())
    fail(fmt::format("there are two: {0}^(1+{1})+ and {0}^(1+{1})-", p, exponent), start);
  if (exponent % 2 != 0) fail("an extraspecial group has the order p^(1+2n): the number is even", exponent_at);
  return built(start, [&] { return extraspecial_group(p, exponent / 2, sign == '+'); });
}

std::optional<FiniteGroup> GroupParser::central_extension(std::size_t start) {
  std::size_t end = at_;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
  std::string_view word = text_.substr(at_, end - at_);
  const auto& covers = names_of_covers();
  const auto is_cover = [&](std::string_view name) { return std::ranges::find(covers, name) != covers.end(); };
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
    fail(fmt::format("SL(2,{0}) is L2({0}) itself{1}", q, q == 4 ? ", which is A5; 2.A5 is SL(2,5)" : ""), start);
  return built(start, [&] { return special_linear_group(2, q, task_); });
}

FiniteGroup GroupParser::named(std::size_t start) {
  while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
  if (text_.substr(at_).starts_with("Γ"))  // PΓL
    for (at_ += 2; at_ < text_.size() && is_letter(text_[at_]);) ++at_;
  const std::string_view letters = text_.substr(start, at_ - start);
  const std::size_t digits_at = at_;
  const std::string_view digits = TextCursor::digits();
  if (OrthogonalParser(text_, at_, task_).names_group(letters, digits)) return orthogonal(start, letters, digits);
  bool suffix = false;
  if (!digits.empty() && at_ < text_.size() && std::string_view("vhdm").find(text_[at_]) != std::string_view::npos) {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    suffix = !is_letter(next) && !is_digit(next);
  }
  if (suffix) ++at_;
  take_rest_of_word();
  const std::string_view written = text_.substr(start, at_ - start), word = known_name_of(written);
  const bool plain = written.size() == letters.size() + digits.size();  // nothing behind the digits

  if (word.find('(') != std::string_view::npos) return GroupParser(word, task_).parse();
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
    if (doubled()) return built(start, [&] { return double_group(word, task_); });
    return built(start, [&] { return point_group(word); });
  }
  if (suffix && word.back() != 'm')
    return built(start, [&, twice = doubled()] { return twice ? double_group(word, task_) : point_group(word); });
  if (word == "M10") return built(start, [] { return mathieu_10_group(); });
  if (is_sporadic_name(word)) return built(start, [&] { return sporadic_group(word, task_); });
  if (is_indexed_family(letters) && plain) {
    if (digits.empty()) return alias(start, letters, digits);
    if (letters == "S" && (digits.back() - '0') % 2 == 0 && text_.substr(at_).starts_with('('))
      return family_with_dimension(start, letters, digits);  // S4(3), in the ATLAS
    return indexed(start, letters, digits_at);
  }
  if (const std::string_view family = family_by_order(letters); !family.empty() && plain) {
    if (!digits.empty() || (peek() == '(' && word != "F")) return alias(start, family, digits);
  }
  if (letters == "M" && plain && !digits.empty() && peek() == '(') {  // M4(2) of order 2^4
    const std::size_t opened = at_++;
    const unsigned p = small_number(), n = dimension_of(digits, start);
    expect(')', opened);
    constexpr unsigned most = 64;
    Integer order = n > most ? Integer(0) : pow(Integer(p), n);
    if (order > max_named_entries || !is_prime(p)) order = 0;
    return by_order(start, "Mod", order.convert_to<std::uint64_t>());
  }
  if (!example_of_function(word).empty() && (word != "G2" || peek() == '(')) return function(start, word);
  if (plain && !digits.empty() && peek() == '(' && family_of_matrices(letters))
    return family_with_dimension(start, letters, digits);
  if (const std::string_view family = family_of_alias(letters); !family.empty() && plain)
    return alias(start, family, digits);
  if (const std::string what = foreign_name(word); !what.empty()) fail(what, start);
  unknown(start, word, letters, digits);
}

bool GroupParser::doubled() {
  if (at_ >= text_.size() || text_[at_] != '*') return false;
  const std::size_t behind = at_ + 1;
  if (behind < text_.size() && !is_space(text_[behind]) && text_[behind] != ')') return false;
  at_ = behind;
  if (const char next = peek(); next == 0 || next == 'x' || next == ')') return true;
  at_ = behind - 1;  // Oh * C2 is no product here
  return false;
}

void GroupParser::take_rest_of_word() {
  while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view word : {"x", "wr", "o"})
      if (rest.starts_with(word) &&
          (rest.size() == word.size() || is_space(rest[word.size()]) || is_upper(rest[word.size()]) ||
           rest[word.size()] == '(' || rest[word.size()] == '<' || rest[word.size()] == '@'))
        return;
    ++at_;
  }
}

void GroupParser::unknown(std::size_t start, std::string_view word, std::string_view letters, std::string_view digits) {
  const std::string_view shown = word.substr(0, 40);
  const bool axial = (letters == "C" || letters == "D") && !digits.empty();
  const std::string nearest =
      axial ? fmt::format("{0}{1}, {0}{1}h, {0}{1}{2}", letters, digits, letters == "C" ? 'v' : 'd')
            : nearest_known_name(word, letters, digits);
  if (!nearest.empty()) fail(fmt::format("unknown group '{}'; did you mean {}?", shown, nearest), start);
  std::error_code ignored;
  if (text_.find_first_of("./") != text_.npos && std::filesystem::is_regular_file(std::string(text_), ignored))
    fail(fmt::format("'{0}' is a file; a group in a file is written @{0}", text_), start);
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
  fail(fmt::format("Dih({}) is ambiguous: write D{} for the group of order {}, or D{} for the one of order {}", n,
                   n / 2, n, n, 2 * n),
       start);
}

FiniteGroup GroupParser::indexed(std::size_t start, std::string_view letters, std::size_t digits_at) {
  at_ = digits_at;
  const auto n = static_cast<std::size_t>(number());
  if (!family_by_order(letters).empty()) return by_order(start, letters, n);
  if (letters == "Q" && (n < 8 || n % 4 != 0))
    fail(fmt::format("Q{}: the index of a quaternion group is its order, a multiple of 4 from 8 on", n), start);
  return built(start, [&] {
    if (letters == "S") return symmetric_group(n);
    if (letters == "A") return alternating_group(n);
    if (letters == "C") return cyclic_group(n);
    if (letters == "D") return dihedral_group(n);
    if (letters == "B") return hyperoctahedral_group(n);
    return dicyclic_group(letters == "Q" ? n / 4 : n);
  });
}

FiniteGroup GroupParser::by_order(std::size_t start, std::string_view family, std::uint64_t n) {
  const auto power = prime_power(n);
  const std::uint64_t p = power ? power->prime : 0, exponent = power ? power->exponent : 0;
  const auto metacyclic = [&](std::uint64_t top, std::uint64_t r) {
    return built(start, [&] {
      return named::called(metacyclic_group(static_cast<std::size_t>(n / top), static_cast<std::size_t>(top), r),
                           fmt::format("{}{}", family, n));
    });
  };
  if (family == "SD") {
    if (p == 2 && exponent > 3) return metacyclic(2, n / 4 - 1);
    fail("semidihedral groups have an order 2^k from 16 on, as SD16", start);
  }
  if (family == "Mod") {
    if (exponent > (p == 2 ? 3U : 2U)) return metacyclic(p, n / p / p + 1);
    fail("modular groups have an order p^k with k > 2, for p = 2 from 16 on, as Mod16 and M4(2)", start);
  }
  if (family == "He") {
    if (p > max_named_degree) fail("He<p> of such a prime has too many points", start);
    if (p > 2 && exponent == 1)
      return built(start, [&] { return extraspecial_group(static_cast<unsigned>(p), 1, true); });
    fail("He<p> is the group of order p^3 and exponent p, for primes p > 2, as He3; He alone is Held's group", start);
  }
  return frobenius(start, n);
}

FiniteGroup GroupParser::frobenius(std::size_t start, std::uint64_t n) {
  constexpr std::uint64_t least = 5, largest = 127;
  if (prime_power(n)) {
    if (n < least) fail(fmt::format("F{0} is a free group or AGL(1,{0}), which is meant from F5 on", n), start);
    if (n <= max_named_degree)
      return built(start, [&] { return affine_general_linear_group(1, static_cast<unsigned>(n), task_); });
  }
  if (n == 0 || n > largest)
    fail(fmt::format("Frobenius groups by their order are known up to {}; write the kernel and the "
                     "complement, as in C23:C11",
                     largest),
         start);
  const auto order = static_cast<unsigned>(n);
  auto found = frobenius_groups(order, task_);
  if (found.empty()) fail(fmt::format("there is no Frobenius group of order {}", n), start);
  // Dihedral groups are called so.
  if (found.size() > 1)
    std::erase_if(found, [dihedral = identify(dihedral_group(order / 2), task_)](const auto& G) {
      return G.number == dihedral->number;
    });
  std::vector<FiniteGroup> groups;
  for (const auto& G : found) groups.push_back(small_group(G.order, G.number));
  return the_one(groups, fmt::format("F{}", n), "kernel and complement", start);
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
  return letters.ends_with("Group") ? nullptr
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
  if (word == "point") return [type = point_symbol()] { return point_group(type); };
  if (word == "double") return [this, type = point_symbol()] { return double_group(type, task_); };
  if (word == "Rubik") return [size = small_number()] { return rubik_group(size); };
  if (word == "pixels") {
    const std::string_view kind = symbol();
    comma(word);
    const auto h = static_cast<std::size_t>(number());
    comma(word);
    return [=, w = static_cast<std::size_t>(number())] { return pixel_group(kind, h, w); };
  }
  if (word == "space" || word == "rod" || word == "layer") {
    CrystalParser parser(text_, at_, task_);
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
  if (word == "Hol") return [this, G = product()] { return holomorph(G, task_); };
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

std::string GroupParser::point_symbol() {
  skip();
  std::string_view written = text_.substr(at_, text_.find(')', at_) - at_);
  while (!written.empty() && is_space(written.back())) written.remove_suffix(1);
  std::string_view known = known_name_of(written);
  if (known.starts_with("point(")) known = known.substr(6, known.size() - 7);
  const bool axis = !written.empty() && std::all_of(written.begin(), written.end(), is_digit);
  if (known == written && !axis && written != "m") return std::string(symbol());
  at_ += written.size();
  if (known != written) return std::string(known);
  return axis ? "C" + std::string(written) : "Cs";
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
