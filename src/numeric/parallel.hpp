// A loop on several threads. Which thread does what never shows in the results.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace intertwine::numeric_detail {

/// body(k) for k in [0, count), on at most `threads` threads, in any order. The first exception is rethrown.
template <class Body>
void parallel_for(unsigned threads, std::uint64_t count, const Body& body) {
  const std::uint64_t wanted = std::min<std::uint64_t>(threads, count);
  if (wanted <= 1) {
    for (std::uint64_t k = 0; k < count; ++k) body(k);
    return;
  }
  std::atomic<std::uint64_t> next{0};
  std::exception_ptr failure;
  std::mutex failed;
  const auto work = [&] {
    try {
      for (std::uint64_t k = next++; k < count; k = next++) body(k);
    } catch (...) {
      next = count;
      const std::lock_guard lock(failed);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::uint64_t t = 1; t < wanted; ++t) others.emplace_back(work);
    } catch (const std::system_error&) {  // fewer threads than asked for do the same work
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace intertwine::numeric_detail
