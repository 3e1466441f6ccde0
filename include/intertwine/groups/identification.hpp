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
/// \par Example identify(parse_group("S4"))->number;  // 12
std::optional<structure::SmallGroup> identify(const FiniteGroup& G, const Task& task = {});

}  // namespace intertwine
