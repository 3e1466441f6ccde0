// The exact isotypic decomposition of two real representations as numbers for layers.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An irreducible representation over R of dimension `degree`, whose endomorphisms are R, C or H (division = 1, 2, 4),
/// copies_out times in U and copies_in times in V.
struct RealConstituent {
  std::size_t irrep;  ///< a row of the table: of a conjugate pair the first one
  std::uint64_t division, degree, copies_out, copies_in;
};

/// Changes of coordinates x' = T_in x and y' = T_out y in which every W of Hom_G(V, U) is made of one block for each
/// irreducible representation, as IsotypicDecomposition of the numeric layers wants them: constituents in order, their
/// copies, and of every copy the coordinates, real ones, complex ones (re, im) or quaternions (1, i, j, k), on which
/// endomorphisms act by multiplication from the right.
struct IsotypicForm {
  std::vector<RealConstituent> constituents;
  std::vector<double> T_out, T_in;  ///< dim U x dim U and dim V x dim V, row-major
};

/// \throws DomainError if the groups differ or a field is not real; LimitError as isotypic_maps, or if an irreducible
///         representation of real type is only known over a field that is not real.
/// \par Cost  as isotypic_maps for every constituent of V and U. The decomposition is exact and verified; its numbers are
///            rounded, and quaternionic structures are normalized in double precision.
IsotypicForm isotypic_form(const Representation& V, const Representation& U, const CharacterTable& table,
                           const Task& task = {});

}  // namespace intertwine
