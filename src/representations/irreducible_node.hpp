// An irreducible representation under the name of its row in the character table.
#pragma once
#include "intertwine/characters/character_table.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// R, whose character is row number `row` of the table, as "irrep(k)", k = row + 1: its traces are read from the table.
Representation named_irreducible(const Representation& R, const CharacterTable& table, std::size_t row);

}  // namespace intertwine
