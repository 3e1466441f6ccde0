// Random changes of basis that hide the structure of a representation.
#pragma once
#include <vector>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/random.hpp"

namespace test_basis {

/// A product of 3 n random elementary matrices: determinant 1, small entries.
inline intertwine::RationalMatrix random_unimodular(std::size_t n, intertwine::Rng& rng) {
  intertwine::IntegerMatrix T = intertwine::IntegerMatrix::identity(n);
  for (std::size_t step = 0; n > 1 && step < 3 * n; ++step) {
    const std::size_t i = rng.below(n), j = (i + 1 + rng.below(n - 1)) % n;
    const long c = rng.below(2) == 0 ? 1 : -1;
    for (std::size_t k = 0; k < n; ++k) T.set(i, k, T(i, k) + c * T(j, k));
  }
  return T;
}

/// A diagonal matrix of rationals from 1/1000 to 10^6.
inline intertwine::RationalMatrix random_scaling(std::size_t n, intertwine::Rng& rng) {
  std::vector<intertwine::Rational> entries(n * n);
  for (std::size_t i = 0; i < n; ++i)
    entries[i * n + i] =
        intertwine::Rational(intertwine::Integer(1 + rng.below(1'000'000)), intertwine::Integer(1 + rng.below(1000)));
  return {n, n, entries};
}

/// T A T^{-1} for every A.
inline std::vector<intertwine::RationalMatrix> conjugated(const std::vector<intertwine::RationalMatrix>& list,
                                                          const intertwine::RationalMatrix& T) {
  const intertwine::RationalMatrix back = intertwine::inverse(T);
  std::vector<intertwine::RationalMatrix> result;
  for (const intertwine::RationalMatrix& A : list) result.push_back(T * A * back);
  return result;
}

}  // namespace test_basis
