// Lines that any permutation may move among themselves, merged to one each.
#include "merged_lines.hpp"

#include <algorithm>
#include <utility>

#include "intertwine/exact/integer_product.hpp"

namespace intertwine {

MovedPoints MergedLines::lifted(const MovedPoints& g) const {
  MovedPoints moved;
  for (const auto& [point, image] : g) {
    if (point % width != 0) continue;  // its negative tells
    const auto& from = members[point / width];
    const auto& to = members[image / width];
    for (std::size_t k = 0; k < from.size(); ++k) {
      const std::uint32_t flip = width == 2 ? (image & 1U) ^ sign(from[k]) ^ sign(to[k]) : 0U;
      for (std::uint32_t s = 0; s < width; ++s) moved.emplace_back(width * from[k] + s, width * to[k] + (s ^ flip));
    }
  }
  std::ranges::sort(moved);
  return moved;
}

MovedPoints MergedLines::cycle(std::span<const std::uint32_t> lines) const {
  MovedPoints moved;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::uint32_t from = lines[k], to = lines[(k + 1) % lines.size()], flip = sign(from) ^ sign(to);
    for (std::uint32_t s = 0; s < width; ++s) moved.emplace_back(width * from + s, width * to + (s ^ flip));
  }
  return moved;
}

void MergedLines::add_kernel(Automorphisms& found) const {
  const auto add_symmetric = [&](std::span<const std::uint32_t> lines) {
    if (lines.size() > 1) found.generators.push_back(cycle(lines.first(2)));
    if (lines.size() > 2) found.generators.push_back(cycle(lines));
  };
  for (const auto& lines : members) add_symmetric(lines);
  for (const auto& lines : zeros) {
    if (lines.empty()) continue;
    add_symmetric(lines);
    const Point first = 2 * lines.front();
    found.generators.push_back({{first, first + 1}, {first + 1, first}});
  }
}

std::uint64_t MergedLines::images(const Automorphisms& merged) const {
  std::uint64_t lines = 0;
  for (const MovedPoints& g : merged.generators)
    for (const auto& [point, image] : g) lines += point % width == 0 ? members[point / width].size() : 0;
  for (const auto* classes : {&members, &zeros})
    for (const auto& list : *classes) lines += list.size() > 1 || classes == &zeros ? list.size() + 3 : 0;
  return width * lines;
}

Automorphisms MergedLines::lifted(Automorphisms merged, const Task& task) const {
  task.require_memory(sizeof(MovedPoints::value_type) * images(merged), "the generators of the automorphisms");
  Automorphisms found{full_points(), {}, std::move(merged.order)};
  add_kernel(found);
  for (MovedPoints& g : merged.generators) {
    task.poll();
    found.generators.push_back(lifted(g));
    g = {};
  }
  std::vector<Integer> factors{std::move(found.order)};
  for (const auto& lines : members)
    if (lines.size() > 1) factors.push_back(factorial(lines.size()));
  for (const auto& lines : zeros) factors.push_back(factorial(lines.size()) << static_cast<unsigned>(lines.size()));
  found.order = product_of(std::move(factors));
  return found;
}

}  // namespace intertwine
