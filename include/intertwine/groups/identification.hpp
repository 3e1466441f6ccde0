// Which group is it? Isomorphism types of small groups.
#pragma once
#include <optional>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The number of G in the library of small groups (small_group): G is isomorphic to that group and to no other of the list.
/// \return nothing if |G| > 127.
/// \par Method  Colours of the elements are refined by products until groups of other types differ, and an isomorphism to what
///              is left is found by trying images of generators: the answer is proved by it.
/// \par Cost    that of the chain, and milliseconds.
/// \par Example identify(parse_finite_group("S4"))->number;  // 12
std::optional<structure::SmallGroup> identify(const FiniteGroup& G, const Task& task = {});

/// Are G and H isomorphic? Up to order largest_tabled_order a search for an isomorphism decides, and proves either answer. Above it
/// the answer is false where orders, those of derived subgroups or of centres differ, or, up to order 20,000, how many elements of each order lie
/// in classes of each size; it is true for the same permutations, for cyclic groups, and for abelian groups up to that order.
/// \return nothing where none of this decides
std::optional<bool> are_isomorphic(const FiniteGroup& G, const FiniteGroup& H, const Task& task = {});

}  // namespace intertwine
