// Random exact matrices of a stated rank at most, with entries of many sizes.
#pragma once
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/random.hpp"

namespace test_exact {

/// Mostly 0, +-1 and other small numbers, now and then one of several words.
inline intertwine::Integer random_integer(intertwine::Rng& rng) {
  intertwine::Integer a = rng.below(3) == 0 ? 0 : static_cast<long>(rng.below(7)) - 3;
  if (rng.below(12) == 0)
    for (std::uint64_t words = rng.below(3); words > 0; --words) a = (a << 64) + intertwine::Integer(rng());
  return rng.below(2) == 0 ? intertwine::Integer(-a) : a;
}

inline intertwine::IntegerMatrix random_integral(intertwine::Rng& rng, std::size_t rows, std::size_t cols) {
  std::vector<intertwine::Integer> entries;
  for (std::size_t k = 0; k < rows * cols; ++k) entries.push_back(random_integer(rng));
  return {rows, cols, entries};
}

inline intertwine::RationalMatrix random_any(intertwine::Rng& rng, std::size_t rows, std::size_t cols) {
  std::vector<intertwine::Rational> entries;
  for (std::size_t k = 0; k < rows * cols; ++k)
    entries.emplace_back(random_integer(rng), intertwine::Integer(1 + rng.below(rng.below(2) == 0 ? 1 : 9)));
  return {rows, cols, entries};
}

/// A product through dimension `rank`, so that the rank is at most that.
inline intertwine::RationalMatrix random_rational(intertwine::Rng& rng, std::size_t rows, std::size_t cols,
                                                  std::size_t rank) {
  return random_any(rng, rows, rank) * random_any(rng, rank, cols);
}

}  // namespace test_exact
