// The axes of one letter, and how many diagrams and maps there are on them: what the enumeration of diagrams and their proof share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "intertwine/tables/diagram_table.hpp"

namespace intertwine {

/// The places of the axes of a letter, and what the diagrams look at there: whether signs act on the axis, for S(n) none; for groups with
/// duals 1 for vectors and -1 for duals, those of inputs the other way round.
struct LetterAxes {
  std::vector<std::size_t> places;
  std::vector<int> signs;
};
LetterAxes axes_of(const std::vector<DiagramAxis>& axes, std::size_t letter, const DiagramGroup& group);

/// Counts are exact below this; it stands for all that are not.
constexpr std::uint64_t most_counted = std::uint64_t{1} << 62;
std::uint64_t counted_sum(std::uint64_t a, std::uint64_t b);
std::uint64_t counted_product(std::uint64_t a, std::uint64_t b);

/// How many diagrams there are, in closed form; 0 where determinants have to be listed.
std::uint64_t number_of_diagrams(const DiagramGroup& group, const std::vector<int>& signs);
/// How many independent equivariant maps there are at a size, without diagrams (verify(DiagramTable) says how).
std::uint64_t number_of_maps(const DiagramGroup& group, const std::vector<int>& signs, std::uint64_t size,
                             const Task& task);

}  // namespace intertwine
