// Vectors with short orbits under a group whose permutation action is known.
#pragma once
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Vectors that elements of the stabilizers of a point, of two points, ... fix, one a row: their orbits are no longer
/// than those of the points where the elements found generate the stabilizer. A few for each stabilizer. A heuristic:
/// the answer depends on random elements and proves nothing.
IntegerMatrix vectors_fixed_by_stabilizers(const FiniteGroup& G, const std::vector<RationalMatrix>& images,
                                           const Task& task);

}  // namespace intertwine
