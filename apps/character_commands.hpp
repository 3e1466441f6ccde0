// What commands that meet characters share.
#pragma once
#include "context.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine::app {

/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
Json to_json(const Cyclotomic& a);
/// A list of rows of such numbers.
Json to_json(const FieldMatrix& A);

/// Rows of cells as aligned columns, the first one to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// The table of the group, with the shape people call it by.
CharacterTable table_of(const FiniteGroup& G, const Context& context);

}  // namespace intertwine::app
