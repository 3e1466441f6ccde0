// Quotients of a permutation group that its orbits and blocks show, without its elements.
#pragma once
#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// The rank over GF(2) of the signs of G on its orbits and on their blocks, block systems of blocks, ...: G has a quotient
/// that is elementary abelian of order 2^rank.
std::size_t rank_of_signs(const FiniteGroup& G, const Task& task);

}  // namespace intertwine
