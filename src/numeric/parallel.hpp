// A loop on several threads. Which thread does what never shows in the results.
#pragma once
#include <algorithm>
#include <cstdint>

#include "intertwine/task.hpp"

namespace intertwine::numeric_detail {

/// body(k) for k in [0, count), on at most `threads` threads, in any order. The exception of the first k that failed is
/// rethrown.
template <class Body>
void parallel_for(unsigned threads, std::uint64_t count, const Body& body) {
  const auto range = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t k = first; k < last; ++k) body(k);
  };
  if (threads <= 1 || count <= 1)
    range(0, count);
  else
    Task(0, 0, {}, {}, threads).share(count, 1, range);
}

}  // namespace intertwine::numeric_detail
