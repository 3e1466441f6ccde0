// Computes modulo one prime after another until the answer is known.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// take(image(0)), take(image(1)), ... in this order, until it returns true. The images are computed side by side on
/// the threads of the task: where k were not enough, as many again at once, so that what is computed in vain at the
/// end takes less than what was needed. image() must not depend on what was taken.
template <class Image, class Take>
void take_prime_images(const Image& image, const Take& take, const Task& task) {
  for (std::size_t k = 0, count = 1;; k += count, count = std::min<std::size_t>(k, task.threads())) {
    std::vector<std::optional<std::invoke_result_t<Image, std::size_t>>> images(count);
    task.share(count, 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) images[i].emplace(image(k + i));
    });
    for (auto& next : images) {
      task.poll();
      if (take(std::move(*next))) return;
    }
  }
}

}  // namespace intertwine
