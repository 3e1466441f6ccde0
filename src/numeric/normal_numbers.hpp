// Independent normal numbers for parameters.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "intertwine/random.hpp"

namespace intertwine {

/// `each` numbers of every variance, a function of the seed.
template <class T>
std::vector<T> normal_numbers(const std::vector<double>& variances, std::uint64_t each, std::uint64_t seed) {
  Rng rng(seed);
  const auto uniform = [&] { return (static_cast<double>(rng() >> 11) + 0.5) / 9007199254740992.0; };
  std::vector<T> numbers(variances.size() * each);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    // One after the other: the operands of a product are evaluated in any order.
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    numbers[k] = static_cast<T>(std::sqrt(variances[k / each]) * (radius * std::cos(angle)));
  }
  return numbers;
}

}  // namespace intertwine
