// Random elements of a group known by generators only: product replacement with an accumulator ("rattle")
// [Celler, Leedham-Green, Murray, Niemeyer & O'Brien 1995; Leedham-Green & Murray 2002]. They are nearly
// uniform, which makes algorithms fast; nothing is ever concluded from their distribution.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

template <class T>
class RandomWords {
 public:
  RandomWords(std::size_t degree, std::span<const Permutation> generators) : scratch_(degree) {
    for (const Permutation& g : generators) slots_.emplace_back(g.images().begin(), g.images().end());
    if (slots_.empty()) {
      slots_.emplace_back(degree);
      for (std::size_t i = 0; i < degree; ++i) slots_[0][i] = static_cast<T>(i);
    }
    for (std::size_t k = 0; slots_.size() < 8; ++k) slots_.push_back(slots_[k]);
    accumulator_ = slots_[0];
  }

  /// The next element; valid until the next call. Two products of permutations (more at the first call).
  const std::vector<T>& next(Rng& rng) {
    if (!warm_) {
      warm_ = true;
      for (std::size_t k = 0; k < 3 * slots_.size(); ++k) step(rng);
    }
    step(rng);
    return accumulator_;
  }

 private:
  void step(Rng& rng) {
    const std::uint64_t draw = rng();
    const std::size_t n = slots_.size();
    const std::size_t i = (draw & 0xffffffU) % n;
    const std::size_t j = (i + 1 + ((draw >> 24) & 0xffffffU) % (n - 1)) % n;
    if ((draw >> 63) != 0)
      multiply(slots_[i], slots_[j], slots_[i]);
    else
      multiply(slots_[j], slots_[i], slots_[i]);
    multiply(accumulator_, slots_[i], accumulator_);
  }

  /// target = a * b, that is i -> a[b[i]].
  void multiply(const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& target) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = a[b[i]];
    std::swap(scratch_, target);
  }

  std::vector<std::vector<T>> slots_;
  std::vector<T> accumulator_, scratch_;
  bool warm_ = false;
};

}  // namespace intertwine
