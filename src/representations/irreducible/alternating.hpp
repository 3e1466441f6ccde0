// Irreducible matrices of the alternating groups from Specht modules.
#pragma once
#include "intertwine/characters/character_table.hpp"
#include "intertwine/representations/irreducible.hpp"

namespace intertwine {

/// Alt(n) on its n points, with a table whose rows are named by partitions of n.
bool is_natural_alternating(const CharacterTable& table);

/// Row number `row` of such a table, n > 2. A partition other than its conjugate: the Specht module of the one of both
/// that does not dominate the other, restricted. A partition equal to its conjugate: half of the Specht module over the
/// field of the character, an eigenspace of the map that sends the polytabloid g e to sgn(g) g u, where the column
/// stabilizer of the first tableau acts on e by the sign and fixes u.
///
/// \par Proof  The characters of Sym(n) restricted to Alt(n) [James & Kerber 1981, 2.5.7]; which half it is, by one trace.
///             The seed is fixed by the even column stabilizer C. Fixed vectors of C are those on which the column
///             stabilizer acts by the sign (one line, as a Kostka number of a partition with itself is 1) and the fixed ones
///             (none, or one line if the partition is its own conjugate: then one in each half).
IrreducibleRepresentation alternating_irreducible(const CharacterTable& table, std::size_t row, const Task& task);

}  // namespace intertwine
