// Orbits and transversals of permutation actions given by the images of generators. Every function throws
// DomainError if a generator is not a permutation of `degree` points.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

/// The orbits on {0, ..., degree-1} under the generators: the least point of every point's orbit.
/// O(degree * generators).
std::vector<Point> orbit_minima(std::size_t degree, std::span<const Permutation> generators);

/// The orbits as lists, each in increasing order, ordered by their least points.
std::vector<std::vector<Point>> orbits(std::size_t degree, std::span<const Permutation> generators);

/// The orbit of one point, breadth-first, with the tree that reaches it.
struct OrbitTree {
  /// The orbit in the order of discovery; points[0] is the root.
  std::vector<Point> points;
  /// For every point of the domain: the number of the generator whose image it is, -1 at the root, -2 outside the orbit.
  std::vector<std::int32_t> generator;
  /// For every point of the orbit: the point that it is the image of; the root at the root.
  std::vector<Point> parent;
  /// x must be a point of the domain.
  bool contains(Point x) const { return generator[x] != -2; }
};
/// \throws DomainError if root is not below the degree.
OrbitTree orbit_tree(Point root, std::size_t degree, std::span<const Permutation> generators);

/// A group element taking the root to x: the product of the generators along the tree, O(degree) for each
/// edge. `generators` are those the tree was built with. \throws DomainError if x is not reached.
Permutation transversal_element(const OrbitTree& tree, Point x, std::span<const Permutation> generators);

}  // namespace intertwine
