// Orbits and transversals of permutation actions given by the images of generators.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

/// The orbits on {0, ..., degree-1} under the generators: the least point of every point's orbit. O(degree *
/// generators).
std::vector<Point> orbit_minima(std::size_t degree, std::span<const Permutation> generators);

/// The orbits as lists, each in increasing order, ordered by their least points.
std::vector<std::vector<Point>> orbits(std::size_t degree, std::span<const Permutation> generators);

/// The orbit of one point, breadth-first, with the tree that reaches it.
struct OrbitTree {
  std::vector<Point> points;  ///< points[0] is the root
  std::vector<std::int32_t>
      generator;  ///< for every point of the domain: generator whose image it is, -1 root, -2 outside
  std::vector<Point> parent;  ///< for every point of the domain reached: the point it is the image of
  bool contains(Point x) const { return generator[x] != -2; }
};
OrbitTree orbit_tree(Point root, std::size_t degree, std::span<const Permutation> generators);

/// A group element taking the root to x: the product of the generators along the tree. \throws DomainError if
/// x is not reached.
Permutation transversal_element(const OrbitTree& tree, Point x, std::span<const Permutation> generators);

}  // namespace intertwine
