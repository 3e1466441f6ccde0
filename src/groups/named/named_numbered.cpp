// Transitive and primitive groups by their numbers: generators in texts that the build puts into the library.
#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "groups/named/named_support.hpp"
#include "groups/named/numbered_lines.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace embedded {
/// "degree number order generators" a line, by degree and number: scripts/group_libraries.py describes them.
extern const std::string_view transitive_groups_txt, primitive_groups_txt;
}  // namespace embedded

namespace {

/// By degree and number - 1: "order generators".
using NumberedLines = std::vector<std::vector<std::string_view>>;

NumberedLines lines_by_degree(std::string_view text) {
  NumberedLines lines{{}, {"1 "}};
  while (!text.empty()) {
    std::string_view line = named::taken_line(text);
    const unsigned degree = named::taken_number(line);
    named::taken_number(line);
    if (lines.size() <= degree) lines.resize(degree + 1);
    lines[degree].push_back(line);
  }
  return lines;
}

const NumberedLines& transitive_lines() {
  static const NumberedLines lines = lines_by_degree(embedded::transitive_groups_txt);
  return lines;
}
const NumberedLines& primitive_lines() {
  static const NumberedLines lines = lines_by_degree(embedded::primitive_groups_txt);
  return lines;
}

unsigned count_of(const NumberedLines& lines, std::string_view kind, std::string_view name, unsigned degree) {
  if (degree == 0 || degree >= lines.size())
    throw DomainError(
        fmt::format("{0} groups of degree {1} are not listed; {2}(degree, number) knows the "
                    "degrees from 1 to {3}",
                    kind, degree, name, lines.size() - 1));
  return static_cast<unsigned>(lines[degree].size());
}

/// The elements 0, 1, w, w^2, ... of Z/p for the least primitive root w.
std::vector<unsigned> field_by_powers(unsigned p) {
  for (unsigned w = 1;; ++w) {
    std::vector<unsigned> elements{0, 1};
    for (unsigned x = w % p; x != 1; x = x * w % p) elements.push_back(x);
    if (elements.size() == p) return elements;
  }
}

/// The affine map of GF(p)^d that takes the zero vector and the unit vectors to the points in the text.
Permutation affine_map(std::string_view text, unsigned degree) {
  const auto power = *prime_power(degree);
  const auto p = power.prime;
  const auto d = power.exponent;
  const std::vector<unsigned> field = field_by_powers(static_cast<unsigned>(p));
  std::vector<std::size_t> place(p),
      weight(d);  // of an element in the list, and of a coordinate in the number
  for (std::size_t k = 0; k < p; ++k) place[field[k]] = k;
  for (std::size_t k = d, w = 1; k-- > 0; w *= p) weight[k] = w;
  const auto vector = [&](std::size_t point) {
    std::vector<unsigned> v(d);
    for (std::size_t k = 0; k < d; ++k) v[k] = field[point / weight[k] % p];
    return v;
  };
  std::vector<std::vector<unsigned>> images;
  while (!text.empty()) {
    images.push_back(vector(named::taken_number(text)));
    if (!text.empty()) text.remove_prefix(1);  // ','
  }
  return named::permutation_by(degree, [&](std::size_t point) {
    const std::vector<unsigned> v = vector(point);
    std::size_t image = 0;
    for (std::size_t j = 0; j < d; ++j) {
      std::size_t x = images[0][j];
      for (std::size_t k = 0; k < d; ++k) x += v[k] * (images[k + 1][j] + p - images[0][j]);
      image += weight[j] * place[x % p];
    }
    return image;
  });
}

FiniteGroup numbered(const NumberedLines& lines, std::string_view kind, std::string_view name, unsigned degree,
                     unsigned number) {
  const unsigned count = count_of(lines, kind, name, degree);
  if (number == 0 || number > count)
    throw DomainError(count == 1 ? fmt::format("there is one {0} group of degree {1}, {2}({1},1)", kind, degree, name)
                                 : fmt::format("there are {0} {1} groups of degree {2}, {3}({2},1) to {3}({2},{0})",
                                               count, kind, degree, name));
  std::string_view line = lines[degree][number - 1];
  const std::size_t blank = line.find(' ');
  const Integer order(std::string(line.substr(0, blank)));
  line.remove_prefix(blank + 1);
  if (line == "S") return symmetric_group(degree);
  if (line == "A") return alternating_group(degree);
  std::vector<Permutation> generators;
  if (line.starts_with('=')) {
    while (!line.empty()) {
      const std::size_t end = line.find(",=");
      generators.push_back(affine_map(line.substr(1, end == std::string_view::npos ? end : end - 1), degree));
      line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    }
  } else {
    generators = named::generators_in_cycles(line, degree);
  }
  return FiniteGroup::with_known_order(degree, std::move(generators), fmt::format("{}({},{})", name, degree, number),
                                       order);
}

}  // namespace

unsigned number_of_transitive_groups(unsigned degree) {
  return count_of(transitive_lines(), "transitive", "TransitiveGroup", degree);
}
FiniteGroup transitive_group(unsigned degree, unsigned number) {
  return numbered(transitive_lines(), "transitive", "TransitiveGroup", degree, number);
}
unsigned number_of_primitive_groups(unsigned degree) {
  return count_of(primitive_lines(), "primitive", "PrimitiveGroup", degree);
}
FiniteGroup primitive_group(unsigned degree, unsigned number) {
  return numbered(primitive_lines(), "primitive", "PrimitiveGroup", degree, number);
}

}  // namespace intertwine
