// Block systems of transitive permutation groups.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// The finest partition of {0, ..., degree-1} that the generators preserve and that puts x and y into one
/// part, for generators of a transitive group: for every point the number of its block, blocks numbered by
/// their least points. Cost: O(degree * generators) up to the inverse Ackermann function. [Atkinson 1975]
std::vector<Point> block_system(std::size_t degree, std::span<const Permutation> generators, Point x, Point y);

/// A block system of the transitive group G that no other refines to a proper one from above (the action on
/// its blocks is primitive), or the numbers 0, ..., degree-1 if G is primitive. \throws DomainError if G is
/// not transitive.
std::vector<Point> maximal_block_system(const FiniteGroup& G, const Task& task = {});

/// Transitive, on more than one point, with no blocks but single points and everything.
bool is_primitive(const FiniteGroup& G, const Task& task = {});

/// The action of G on a union of parts: block[x] is the part of point x, and G permutes the parts. Generator
/// k of the result is the image of generator k of G. Acting on an orbit: see restriction.
FiniteGroup action_on_blocks(const FiniteGroup& G, std::span<const Point> block);

/// The action of G on an invariant list of points, renumbered by their place in the list; generator k is the
/// image of generator k. \throws DomainError if the points are not invariant.
FiniteGroup restriction(const FiniteGroup& G, std::span<const Point> points);

}  // namespace intertwine
