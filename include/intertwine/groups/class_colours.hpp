// Colours of classes: numbers for keys in their order, and how powers refine them. Colours order classes and columns.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine::class_colours {

using Colours = std::vector<std::uint32_t>;

/// Places 0 to n - 1 to colours in the order that less tells: the number of places that come before.
template <class Less>
Colours ranked_by(std::size_t n, const Less& less) {
  Colours order(n), result(n);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), less);
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && less(order[i - 1], order[i])) rank = static_cast<std::uint32_t>(i);
    result[order[i]] = rank;
  }
  return result;
}

/// Keys to colours in their order: the number of keys that are smaller.
template <class Key>
Colours ranked(const std::vector<Key>& keys) {
  return ranked_by(keys.size(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
}

/// How many colours there are: they are numbers below that of the places.
inline std::size_t cells(const Colours& colours) {
  std::vector<char> seen(colours.size(), 0);
  std::size_t count = 0;
  for (const std::uint32_t c : colours) count += 1 - std::exchange(seen[c], 1);
  return count;
}

/// Refined once by p-th powers and p-th roots. \param maps  a range of power maps, one a prime
template <class Maps>
Colours power_step(const Colours& colours, const Maps& maps, const Task& task) {
  // A key: the colour, those of the powers, and for every prime the number of roots and their colours in order. All
  // keys in one list.
  const std::size_t n = colours.size(), count = std::size(maps);
  std::vector<std::uint32_t> begin(n + 1, 0), roots(n * count, 0);
  std::size_t p = 0;
  for (const Colours& map : maps) {
    for (std::size_t c = 0; c < n; ++c) ++roots[map[c] * count + p];
    ++p;
  }
  for (std::size_t c = 0; c < n; ++c) {
    begin[c + 1] = begin[c] + static_cast<std::uint32_t>(1 + 2 * count);
    for (p = 0; p < count; ++p) begin[c + 1] += roots[c * count + p];
  }
  Colours key(begin[n]), end(begin.begin(), begin.end() - 1);
  for (std::size_t c = 0; c < n; ++c) {
    task.poll();
    key[end[c]++] = colours[c];
    for (const Colours& map : maps) key[end[c]++] = colours[map[c]];
  }
  p = 0;
  for (const Colours& map : maps) {
    for (std::size_t c = 0; c < n; ++c) key[end[c]++] = roots[c * count + p];
    for (std::size_t c = 0; c < n; ++c) key[end[map[c]]++] = colours[c];
    for (std::size_t c = 0; c < n; ++c) std::sort(key.begin() + (end[c] - roots[c * count + p]), key.begin() + end[c]);
    ++p;
  }
  return ranked_by(n, [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(key.begin() + begin[a], key.begin() + begin[a + 1], key.begin() + begin[b],
                                        key.begin() + begin[b + 1]);
  });
}

/// Repeats power_step() until nothing changes.
template <class Maps>
Colours refined_by_powers(Colours colours, const Maps& maps, const Task& task) {
  for (std::size_t before = 0, now = cells(colours); before != now && now != colours.size(); now = cells(colours)) {
    before = now;
    colours = power_step(colours, maps, task);
  }
  return colours;
}

}  // namespace intertwine::class_colours
