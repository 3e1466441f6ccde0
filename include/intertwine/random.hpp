// The generator of random numbers that every randomized algorithm takes. Seeded, portable: the same seed
// gives the same run on every machine (std::uniform_int_distribution does not promise that, so it is not
// used).
#pragma once
#include <atomic>
#include <cstdint>

namespace intertwine {

/// The seed of generators whose numbers decide what an answer looks like: strong generators and with them the numbers of
/// elements, representatives, generators of subgroups, short vectors. Part of what the library answers: never changed.
inline constexpr std::uint64_t fixed_seed = 0x1a7e2714e;

/// The seed of generators made without one. Only for algorithms whose result is proved to be the same whatever they draw
/// (a dimension, a set of characters); results never depend on it, the course of the work does.
inline std::atomic<std::uint64_t> default_seed{fixed_seed};

/// xoshiro256** [Blackman & Vigna 2021], seeded by splitmix64. Models std::uniform_random_bit_generator.
class Rng {
 public:
  using result_type = std::uint64_t;
  Rng() : Rng(default_seed.load(std::memory_order_relaxed)) {}
  explicit Rng(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() {
    const std::uint64_t result = rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return result;
  }
  /// Uniform in [0, bound); bound > 0. Exactly uniform, by rejection.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = max() - max() % bound;
    std::uint64_t x = (*this)();
    while (x >= limit) x = (*this)();
    return x % bound;
  }

 private:
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4];
};

}  // namespace intertwine
