#include "merged_lines.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace intertwine {

namespace {

/// i -> i
std::vector<Point> identity_images(std::size_t n) {
  std::vector<Point> images(n);
  std::iota(images.begin(), images.end(), Point{0});
  return images;
}

}  // namespace

Permutation MergedLines::lifted(std::span<const std::pair<Point, Point>> g) const {
  std::vector<Point> images = identity_images(full_points());
  for (const auto& [point, image] : g) {
    if (point % width != 0) continue;  // its negative tells
    const auto& from = members[point / width];
    const auto& to = members[image / width];
    for (std::size_t k = 0; k < from.size(); ++k) {
      const std::uint32_t flip = width == 2 ? (image & 1U) ^ sign(from[k]) ^ sign(to[k]) : 0U;
      for (std::uint32_t s = 0; s < width; ++s) images[width * from[k] + s] = width * to[k] + (s ^ flip);
    }
  }
  return Permutation(std::move(images));
}

std::vector<Permutation> MergedLines::kernel_generators() const {
  std::vector<Permutation> generators;
  // lines[k] -> lines[(k + 1) % count], with the signs that carry equal vectors to one another
  const auto add_cycle = [&](std::span<const std::uint32_t> lines) {
    std::vector<Point> images = identity_images(full_points());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const std::uint32_t from = lines[k], to = lines[(k + 1) % lines.size()], flip = sign(from) ^ sign(to);
      for (std::uint32_t s = 0; s < width; ++s) images[width * from + s] = width * to + (s ^ flip);
    }
    generators.push_back(Permutation(std::move(images)));
  };
  const auto add_symmetric = [&](std::span<const std::uint32_t> lines) {
    if (lines.size() > 1) add_cycle(lines.first(2));
    if (lines.size() > 2) add_cycle(lines);
  };
  for (const auto& lines : members) add_symmetric(lines);
  for (const auto& lines : zeros) {
    if (lines.empty()) continue;
    add_symmetric(lines);
    std::vector<Point> images = identity_images(full_points());
    std::swap(images[2 * lines.front()], images[2 * lines.front() + 1]);
    generators.push_back(Permutation(std::move(images)));
  }
  return generators;
}

Integer MergedLines::kernel_order() const {
  Integer order = 1;
  for (const auto& lines : members)
    if (lines.size() > 1) order *= factorial(lines.size());
  for (const auto& lines : zeros)
    order = (order * factorial(lines.size())) << static_cast<unsigned>(lines.size());
  return order;
}

std::uint64_t MergedLines::kernel_bytes() const {
  std::uint64_t generators = zeros.size();
  for (const auto* classes : {&members, &zeros})
    for (const auto& lines : *classes)
      generators += std::min<std::size_t>(lines.size() - (lines.empty() ? 0 : 1), 2);
  return generators * full_points() * sizeof(Point);
}

}  // namespace intertwine
