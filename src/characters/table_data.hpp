// Tables on their way, and the finished data.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/modular_characters.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

/// All irreducible characters modulo p, in any order.
using ModularTable = std::vector<ModularCharacters::Vector>;
/// The irreducible characters of degree 1.
ModularTable linear_characters(const ModularCharacters& space, const Task& task);
/// These add the irreducible characters to `known` as they are found, so that these stay when a limit stops the work:
/// those orthogonal to what is known already.
void irreducibles_by_class_matrices(const ModularCharacters& space, const Task& task, ModularTable& known);
void irreducibles_by_induction(const ModularCharacters& space, const Task& task, ModularTable& known);
/// Class matrices as long as few products of elements are enough, and induction then.
void irreducibles_by_small_classes(const ModularCharacters& space, const Task& task, ModularTable& known);

/// A table with its rows and columns in any order. Values are numbers of `pool`.
struct RawTable {
  std::vector<Cyclotomic> pool;
  std::vector<std::uint32_t> values;  ///< values[row * size + column]
  std::vector<RowLabel> labels;       ///< the labels of rows; empty if there are none
};

RawTable lifted(const ModularCharacters& space, const ModularTable& rows);

/// Families by formula; nothing if G is none of them.
std::optional<RawTable> table_by_formula(const ConjugacyClasses& classes, const Task& task);

/// From monomial representations; nothing if G is not supersolvable. \throws LimitError
std::optional<RawTable> supersolvable_table(const ConjugacyClasses& classes, const Task& task);

/// Mulliken's symbols of the rows, in their order, for the named point groups, and the names of the rows of their double groups; empty for other groups.
std::vector<RowLabel> mulliken_labels(const CharacterTable::Data& data, const Task& task);

/// The order of columns that DESIGN asks for.
std::vector<std::uint32_t> canonical_columns(const ConjugacyClasses& classes,
                                             const std::map<std::uint32_t, std::vector<std::uint32_t>>& power_maps,
                                             const RawTable& table, const Task& task);

struct CharacterTable::Data {
  ConjugacyClasses classes;
  std::map<std::uint32_t, std::vector<std::uint32_t>> power_maps;
  std::vector<Cyclotomic> pool;  ///< different values, increasing
  std::vector<std::uint32_t> values;
  std::vector<int> indicators;
  std::vector<RowLabel> labels;
};

/// Checks the values as `verify` promises; every table passes it before it is returned.
void verify_values(const CharacterTable::Data& data, const Task& task);

}  // namespace intertwine
