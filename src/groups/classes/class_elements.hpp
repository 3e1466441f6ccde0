// The elements of one conjugacy class, listed.
#pragma once
#include "groups/chain/flat_index.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The lists of images of all conjugates of g, g first.
///
/// Cost: for every conjugate and generator of G one list. \throws LimitError beyond 2^31 - 1 of them, or through `task`.
FlatIndex<Point> class_elements(const FiniteGroup& G, const Permutation& g, const Task& task);

}  // namespace intertwine
