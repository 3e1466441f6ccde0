// Double groups of point groups.
#pragma once
#include <string_view>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The double group of a point group G: the pairs (g, q), q in SU(2) one of the two over the rotation det(g) g. It is a central extension of G by the
/// turn by 2 pi, of order 2 |G|; an inversion in G is (-1, 1) there, of order 2, so that spinors are even under it. Permutations of its elements by left
/// multiplication (structure::DoubleGroup), two points for every element of G, exchanged by the turn; generator k lies over generator k of G, with a q of trace >= 0, and the turn by 2 pi is added where they do not generate it.
/// \throws DomainError as point_group; LimitError for groups of more than max_doubled_order elements, or through `task`
/// \par Cost  products of quaternions over the field of the coordinates of G, one for every element and generator
FiniteGroup double_group(std::string_view schoenflies, const Task& task = {});
constexpr unsigned max_doubled_order = 2000;

}  // namespace intertwine
