// Permutations of many points that fix most of them: what is moved, and nothing else.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

/// The points that a permutation moves, ascending, and their images.
using MovedPoints = std::vector<std::pair<Point, Point>>;

/// Its cycles, as Permutation::to_string() writes them, or by names, one for every point up to the last that moves.
/// \throws DomainError if an image is not among the points
std::string to_cycles(const MovedPoints& g, std::span<const std::string> names = {});

/// The permutation of so many points. \throws DomainError if a point is out of range, or the whole is no bijection
Permutation to_permutation(std::size_t degree, const MovedPoints& g);

/// The orbits on {0, ..., degree-1} as orbits() has them, at the cost of the degree and of what is moved.
/// \throws DomainError for a point or an image out of range
std::vector<std::vector<Point>> sparse_orbits(std::size_t degree, std::span<const MovedPoints> generators);

}  // namespace intertwine
