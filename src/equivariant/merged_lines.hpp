// Lines that any permutation of equals may move among themselves, merged to one each.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// Which "full" lines make which merged line. With signs every line x has the two points 2x and 2x + 1 (its negative), otherwise the one point x.
struct MergedLines {
  std::uint32_t width = 1;                          ///< points of a line: 2 with signs
  std::size_t full_lines = 0;                       ///< of the table before merging
  std::vector<std::vector<std::uint32_t>> members;  ///< by merged line: its full lines, ascending
  std::vector<std::uint8_t>
      negative;  ///< by full line: it is minus the first of its class; none given: none is
  std::vector<std::vector<std::uint32_t>>
      zeros;  ///< classes of lines of zeros, which are left out and may change sign

  std::size_t full_points() const { return width * full_lines; }
  /// An automorphism of the merged points, by those that it moves and their images, as one of the full ones: members of classes in order.
  Permutation lifted(std::span<const std::pair<Point, Point>> g) const;
  /// Generators of the permutations of full points that fix every merged point, and their number.
  std::vector<Permutation> kernel_generators() const;
  Integer kernel_order() const;
  std::uint64_t kernel_bytes() const;  ///< at most, of the generators

 private:
  std::uint32_t sign(std::uint32_t line) const { return negative.empty() ? 0U : negative[line]; }
};

}  // namespace intertwine
