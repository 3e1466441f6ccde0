// Characters under automorphisms of fields.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/abelian_field.hpp"

namespace intertwine {

/// The automorphisms of L that fix F, the identity first, as exponents of roots of unity (AbelianField::automorphisms).
std::vector<std::uint32_t> automorphisms_over(const AbelianField& L, const AbelianField& F);

/// The rows of the table that automorphisms, of a field with the values in it, make of row i, increasing.
/// \par Cost  for each automorphism the columns until one row is left: tables are complete, so that it is the conjugate
std::vector<std::size_t> conjugate_rows(const CharacterTable& table, std::size_t i,
                                        const std::vector<std::uint32_t>& automorphisms);

}  // namespace intertwine
