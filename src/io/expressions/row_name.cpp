// Finds rows of character tables by their names.
#include "intertwine/io/row_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "io/expressions/word_list.hpp"

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

/// Γ1, Γ2, ... of point groups and their double groups, by Mulliken's names without parity, as [Koster et al. 1963] number them; - where printed tables differ.
struct BetheNames {
  std::string_view groups, names;
};
constexpr BetheNames bethe_names[] = {{"O Td Oh", "A1 A2 E T1 T2 E1/2 E5/2 F3/2"},
                                      {"D4 C4v D2d D4h", "A1 A2 B1 B2 E E1/2 E3/2"},
                                      {"D3 C3v D3d", "A1 A2 E E1/2"},
                                      {"D6 C6v D6h", "A1 A2 - - E1 E2 E1/2 E5/2 E3/2"},
                                      {"D3h", "A1' A2' A1'' A2'' E'' E' E1/2 E5/2 E3/2"},
                                      {"D2 D2h", "A - - - E1/2"},
                                      {"C2v", "A1 - - - E1/2"},
                                      {"T Th", "A - - T E1/2"}};

/// Mulliken's name for Γ6, Γ6+ or Gamma6 of this group; the name itself where it is none of these.
std::string with_bethe_read(const CharacterTable& table, std::string_view name) {
  std::string_view rest = name;
  const auto taken = [&](std::string_view word) {
    const bool here = rest.starts_with(word);
    if (here) rest.remove_prefix(word.size());
    return here;
  };
  if (!taken("Γ") && !taken("Gamma") && !taken("G")) return std::string(name);
  taken("_");
  const auto* doubled = table.group().structure().as<structure::DoubleGroup>();
  const auto* base = doubled ? &doubled->base : table.group().structure().as<structure::PointGroup>();
  if (base == nullptr || rest.empty() || rest[0] < '1' || rest[0] > '9') return std::string(name);
  const auto number = static_cast<std::size_t>(rest[0] - '1');
  rest.remove_prefix(1);
  taken("^");
  const bool even = taken("+") || taken("⁺"), odd = !even && (taken("-") || taken("⁻") || taken("−"));
  if (!rest.empty()) return std::string(name);
  for (const BetheNames& known : bethe_names) {
    const auto names = words_of(known.names);
    if (!is_listed(known.groups, base->symbol()) || number >= names.size()) continue;
    const bool centred = is_listed("Oh D4h D3d D6h D2h Th", base->symbol());
    if (names[number] != "-" && centred == (even || odd))
      return std::string(names[number]) + (even ? "g" : odd ? "u" : "");
  }
  return std::string(name);
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
    for (std::size_t c = 0; c < classes.size() && same; ++c) same = table(other, classes[c]) == rotations(row, c);
    if (same) return other;
  }
  throw InternalError("rows_of_species: no row has the values of " + rotations.name(row));
}

}  // namespace

std::vector<std::size_t> rows_of_species(const CharacterTable& table, std::string_view name, const Task& task) {
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
  const std::string wanted = with_primes(with_bethe_read(table, name));
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

std::size_t irreducible_row(const CharacterTable& table, std::size_t k) {
  if (k == 0 || k > table.size())
    throw DomainError(
        fmt::format("{} has the irreducible characters 1 to {}, not {}", table.group().name(), table.size(), k));
  return k - 1;
}

std::size_t irreducible_row(const CharacterTable& table, const std::string& number_or_name) {
  if (number_or_name.starts_with("irrep(") && number_or_name.ends_with(')'))  // as in expressions
    return irreducible_row(table, number_or_name.substr(6, number_or_name.size() - 7));
  const bool number = !number_or_name.empty() && number_or_name.size() < 10 &&
                      number_or_name.find_first_not_of("0123456789") == std::string::npos;
  if (number) return irreducible_row(table, std::stoul(number_or_name));
  if (const auto row = row_named(table, number_or_name)) return *row;
  throw DomainError(fmt::format("no irreducible representation of {} is called '{}'; they are {}, by number 1 to {}",
                                table.group().name(), number_or_name, names_of_rows(table), table.size()));
}

}  // namespace intertwine
