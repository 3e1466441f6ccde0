// Lines that any permutation of equals may move among themselves, merged to one each.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Which "full" lines make which merged line. With signs every line x has the two points 2x and 2x + 1 (its negative), otherwise the one point x.
struct MergedLines {
  std::uint32_t width = 1;                          ///< points of a line: 2 with signs
  std::size_t full_lines = 0;                       ///< the lines of the table before merging
  std::vector<std::vector<std::uint32_t>> members;  ///< by merged line: its full lines, ascending
  std::vector<std::uint8_t> negative;  ///< by full line: it is minus the first of its class; none given: none is
  std::vector<std::vector<std::uint32_t>> zeros;  ///< classes of lines of zeros, which are left out and may change sign

  std::size_t full_points() const { return width * full_lines; }
  /// The automorphisms of the full points that permute classes as these do the merged ones, members of classes in order, and those that fix every merged point.
  Automorphisms lifted(Automorphisms merged, const Task& task) const;

 private:
  MovedPoints lifted(const MovedPoints& g) const;
  /// lines[k] -> lines[(k + 1) % count], with the signs that carry equal vectors to one another
  MovedPoints cycle(std::span<const std::uint32_t> lines) const;
  void add_kernel(Automorphisms& found) const;
  std::uint64_t images(
      const Automorphisms& merged) const;  ///< at most so many images of generators, lifted and of the kernel
  std::uint32_t sign(std::uint32_t line) const { return negative.empty() ? 0U : negative[line]; }
};

}  // namespace intertwine
