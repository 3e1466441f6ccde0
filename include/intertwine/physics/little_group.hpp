// Representations of space groups at a wave vector: the small representations of its little group, exactly.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The operations of a space group that leave a wave vector where it is modulo the reciprocal lattice, and their irreducible
/// representations in which a translation t is exp(-2 pi i k.t). A value.
struct LittleGroup {
  SpaceGroup group;
  /// In the basis dual to the edges of the group's cell.
  std::array<Rational, 3> k;
  std::vector<SpaceOperation> operations;  ///< modulo translations, the identity first; of group.operations()
  std::uint64_t star;                      ///< how many vectors the group makes of k
  struct Irrep {
    unsigned degree;
    std::vector<Cyclotomic> characters;  ///< of `operations`
  };
  /// By degree, then by the character table of the extension. The squares of their degrees add up to the number of operations.
  std::vector<Irrep> irreps;
};

/// \par Method  On the operations modulo translations these representations are projective. They are ordinary ones of a central
///              extension by the roots of unity exp(-2 pi i k.t) of the translations t in products of operations; its character
///              table is found, and of its rows those are taken in which the roots are themselves. [Bradley & Cracknell 1972]
/// \par Cost    a character table of a group of at most 48 m elements, where m is the order of these roots.
/// \throws DomainError for rods and layers; LimitError where the extension has more than 20,000 elements
LittleGroup little_group(const SpaceGroup& group, const std::array<Rational, 3>& k, const Task& task = {});

}  // namespace intertwine
