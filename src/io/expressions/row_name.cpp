#include "intertwine/io/row_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/physics/point_group_table.hpp"

namespace intertwine {

namespace {

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// "X.3", as rows of any table may be called.
std::optional<std::size_t> row_numbered(const CharacterTable& table, const std::string& name) {
  constexpr std::size_t longest = 11;
  if (!name.starts_with("X.") || name.size() < 3 || name.size() > longest) return std::nullopt;
  if (name.find_first_not_of("0123456789", 2) != std::string::npos) return std::nullopt;
  const unsigned long k = std::stoul(name.substr(2));
  return k > 0 && k <= table.size() ? std::optional<std::size_t>(k - 1) : std::nullopt;
}

/// With two primes for a quotation mark.
std::string with_primes(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '"' ? std::string("''") : std::string(1, c);
  return text;
}

/// The group as rotations: C<n> about an axis, D<n> with half turns; on the points of the polygon it does as the group itself.
std::optional<FiniteGroup> as_rotations(const FiniteGroup& G) {
  const auto* cyclic = G.structure().as<structure::Cyclic>();
  const auto* dihedral = G.structure().as<structure::Dihedral>();
  if (cyclic == nullptr && (dihedral == nullptr || dihedral->n < 3)) return {};
  return point_group(cyclic != nullptr ? fmt::format("C{}", cyclic->n) : fmt::format("D{}", dihedral->n));
}

/// The row of `table` with the values of a row of the table of the group as rotations.
std::size_t row_with_values(const CharacterTable& table, const CharacterTable& rotations, std::size_t row) {
  std::vector<std::size_t> classes;
  for (std::size_t c = 0; c < rotations.size(); ++c) {
    const Permutation& g = rotations.classes()[c].representative;
    std::vector<Point> images;
    for (std::size_t x = 0; x < table.group().degree(); ++x) images.push_back(g(static_cast<Point>(x)));
    classes.push_back(table.classes().index_of(Permutation(std::move(images))));
  }
  for (std::size_t other = 0; other < table.size(); ++other) {
    bool same = true;
    for (std::size_t c = 0; c < classes.size() && same; ++c)
      same = table(other, classes[c]) == rotations(row, c);
    if (same) return other;
  }
  throw InternalError("rows_of_species: no row has the values of " + rotations.name(row));
}

}  // namespace

std::vector<std::size_t> rows_of_species(const CharacterTable& table, std::string_view name,
                                         const Task& task) {
  std::optional<CharacterTable> rotations;
  if (!table.group().structure().as<structure::PointGroup>()) {
    const auto G = as_rotations(table.group());
    if (!G) return {};
    rotations = character_table(*G, task);
  }
  const CharacterTable& named = rotations ? *rotations : table;
  const std::string wanted = in_small_letters(with_primes(name));
  for (std::vector<std::size_t>& rows : species_rows(named)) {
    if (in_small_letters(to_string(RowLabel(species_label(named, rows)))) != wanted) continue;
    if (rotations)
      for (std::size_t& row : rows) row = row_with_values(table, named, row);
    return rows;
  }
  return {};
}

std::optional<std::size_t> row_named(const CharacterTable& table, std::string_view name) {
  const std::string wanted = with_primes(name);
  std::optional<std::size_t> alike;
  std::size_t number_alike = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string known = table.name(row);
    if (known == wanted || known == "[" + wanted + "]") return row;
    if (in_small_letters(known) == in_small_letters(wanted)) alike = row, ++number_alike;
  }
  return number_alike == 1 ? alike : row_numbered(table, wanted);
}

std::string names_of_rows(const CharacterTable& table) {
  constexpr std::size_t shown = 12;
  std::string names;
  for (std::size_t row = 0; row < std::min(table.size(), shown); ++row)
    names += (row == 0 ? "" : ", ") + table.name(row);
  return names + (table.size() > shown ? ", ..." : "");
}

}  // namespace intertwine
