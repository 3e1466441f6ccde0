// Union-find on points with signs.
#pragma once
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace intertwine {

/// Classes of points x ~ +-y. A class in which some x ~ -x is marked zero. The root of a class is its least
/// point.
class ParityUnion {
 public:
  explicit ParityUnion(std::size_t n) : parent_(n), negative_(n, 0), zero_(n, 0) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  /// The root of x, and whether x ~ -root.
  std::pair<std::uint32_t, bool> find(std::uint32_t x) {
    bool negative = false;
    while (parent_[x] != x) {
      const std::uint32_t up = parent_[x];
      negative_[x] = static_cast<std::uint8_t>(negative_[x] ^ negative_[up]);  // halving: x hangs from its grandparent
      parent_[x] = parent_[up];
      if (negative_[x] != 0) negative = !negative;
      x = parent_[x];
    }
    return {x, negative};
  }

  /// Notes x ~ y, or x ~ -y. True if anything was new.
  bool join(std::uint32_t x, std::uint32_t y, bool negative) {
    const auto [a, na] = find(x);
    const auto [b, nb] = find(y);
    const bool relation = (na != nb) != negative;
    if (a == b) {
      if (!relation || zero_[a] != 0) return false;
      zero_[a] = 1;
      return true;
    }
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    parent_[high] = low;
    negative_[high] = relation ? 1 : 0;
    zero_[low] = static_cast<std::uint8_t>(zero_[low] | zero_[high]);
    return true;
  }

  bool is_zero(std::uint32_t root) const { return zero_[root] != 0; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> negative_, zero_;
};

}  // namespace intertwine
