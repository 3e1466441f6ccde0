// Permutations that fix most of many points.
#include "intertwine/combinatorics/moved_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

std::string to_cycles(const MovedPoints& g, std::span<const std::string> names) {
  std::vector<std::size_t> next;  // by places in the list
  for (const auto& [point, image] : g) {
    const auto at = std::ranges::lower_bound(g, image, {}, &MovedPoints::value_type::first);
    if (at == g.end() || at->first != image)
      throw DomainError(fmt::format("to_cycles: {} is the image of {} and not moved", image, point));
    next.push_back(static_cast<std::size_t>(at - g.begin()));
  }
  std::vector<std::uint8_t> seen(g.size(), 0);
  std::string text;
  for (std::size_t start = 0; start < g.size(); ++start) {
    if (seen[start] != 0) continue;
    for (std::size_t k = start; seen[k] == 0; k = next[k]) {
      seen[k] = 1;
      text += (k == start ? "(" : ",") + (names.empty() ? std::to_string(g[k].first + 1) : names[g[k].first]);
    }
    text += ')';
  }
  return text.empty() ? "()" : text;
}

Permutation to_permutation(std::size_t degree, const MovedPoints& g) {
  const Permutation identity = Permutation::identity(degree);
  std::vector<Point> images(identity.images().begin(), identity.images().end());
  for (const auto& [point, image] : g) {
    if (point >= degree)
      throw DomainError(fmt::format("to_permutation: point {} is moved, but the degree is {}", point, degree));
    images[point] = image;
  }
  return Permutation(std::move(images));
}

std::vector<std::vector<Point>> sparse_orbits(std::size_t degree, std::span<const MovedPoints> generators) {
  std::vector<Point> least(degree);  // a lesser point of the same orbit, or itself
  std::iota(least.begin(), least.end(), Point{0});
  const auto root = [&](Point x) {
    while (least[x] != x) x = least[x] = least[least[x]];
    return x;
  };
  for (const MovedPoints& g : generators)
    for (const auto& [point, image] : g) {
      if (std::max(point, image) >= degree)
        throw DomainError(
            fmt::format("sparse_orbits: point {} is moved to {}, but the degree is {}", point, image, degree));
      const auto [a, b] = std::minmax({root(point), root(image)});
      least[b] = a;
    }
  std::vector<std::size_t> place(degree);
  std::vector<std::vector<Point>> orbits;
  for (Point x = 0; x < degree; ++x) {
    if (least[x] == x) {
      place[x] = orbits.size();
      orbits.emplace_back();
    }
    orbits[place[x] = place[root(x)]].push_back(x);
  }
  return orbits;
}

}  // namespace intertwine
