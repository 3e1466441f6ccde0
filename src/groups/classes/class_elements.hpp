// Elements listed: those of one conjugacy class, and whether those of a group can be.
#pragma once
#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The lists of images of all conjugates of g, g first.
///
/// Cost: for every conjugate and generator of G one list. \throws LimitError beyond 2^31 - 1 of them, or through `task`.
FlatIndex<Point> class_elements(const FiniteGroup& G, const Permutation& g, const Task& task);

/// May all elements of G be listed? At most five millions, and their images in a quarter of the memory. The classes by orbits then
/// know the class of an element after one sift, where those by random elements may have to search.
bool elements_can_be_listed(const FiniteGroup& G, const Task& task);

}  // namespace intertwine
