// Colours of classes: numbers for keys in their order, and how powers refine them. What orders classes and columns.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

using Colours = std::vector<std::uint32_t>;

/// Keys to colours in their order: the number of keys that are smaller.
template <class Key>
Colours ranked(const std::vector<Key>& keys) {
  Colours order(keys.size()), result(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && keys[order[i - 1]] < keys[order[i]]) rank = static_cast<std::uint32_t>(i);
    result[order[i]] = rank;
  }
  return result;
}

/// How many colours there are.
inline std::size_t cells(Colours colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

/// Refined once by p-th powers and p-th roots. \param maps  a range of power maps, one a prime
template <class Maps>
Colours power_step(const Colours& colours, const Maps& maps, const Task& task) {
  const std::size_t n = colours.size();
  std::vector<Colours> key(n);
  for (std::size_t c = 0; c < n; ++c) {
    task.poll();
    key[c].push_back(colours[c]);
    for (const Colours& map : maps) key[c].push_back(colours[map[c]]);
  }
  for (const Colours& map : maps) {
    std::vector<Colours> roots(n);
    for (std::size_t c = 0; c < n; ++c) roots[map[c]].push_back(colours[c]);
    for (std::size_t c = 0; c < n; ++c) {
      std::sort(roots[c].begin(), roots[c].end());
      key[c].push_back(static_cast<std::uint32_t>(roots[c].size()));
      key[c].insert(key[c].end(), roots[c].begin(), roots[c].end());
    }
  }
  return ranked(key);
}

/// The same until nothing changes.
template <class Maps>
Colours refined_by_powers(Colours colours, const Maps& maps, const Task& task) {
  for (std::size_t before = 0, now = cells(colours); before != now && now != colours.size();
       now = cells(colours)) {
    before = now;
    colours = power_step(colours, maps, task);
  }
  return colours;
}

}  // namespace intertwine
