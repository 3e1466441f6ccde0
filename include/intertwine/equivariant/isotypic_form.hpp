// The exact isotypic decomposition of two real representations as numbers for layers.
#pragma once
#include "intertwine/characters/character_table.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Changes of coordinates x' = T_in x and y' = T_out y in which every W of Hom_G(V, U) is made of one block for each
/// irreducible representation over R, in the order of the table (of a conjugate pair the first row): the blocks, their copies,
/// and of every copy the coordinates, real ones, complex ones (re, im) or quaternions (1, i, j, k), on which endomorphisms
/// act by multiplication from the right.
/// \throws DomainError if the groups differ or a field is not real; LimitError as isotypic_maps, or if an irreducible
///         representation of real type is only known over a field that is not real.
/// \par Cost  as isotypic_maps for every constituent of V and U. The decomposition is exact and verified, its quaternionic
///            structures too; numbers are rounded where they are written down.
IsotypicBlocks isotypic_form(const Representation& V, const Representation& U, const CharacterTable& table,
                             const Task& task = {});

}  // namespace intertwine
