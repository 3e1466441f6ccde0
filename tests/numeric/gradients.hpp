// Gradients against central differences.
#pragma once
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "support/random.hpp"

namespace test_gradients {

/// Central differences of scalar() in ten of the values, one after the other, agree with its gradient in them to 1e-7.
template <class Scalar>
void require_gradient(std::vector<double>& values, const std::vector<double>& gradient, const Scalar& scalar,
                      intertwine::Rng& rng) {
  for (int trial = 0; trial < 10; ++trial) {
    const std::size_t k = rng.below(values.size());
    const double kept = values[k], h = 1e-4;
    values[k] = kept + h;
    const double above = scalar();
    values[k] = kept - h;
    const double below = scalar();
    values[k] = kept;
    REQUIRE(std::abs((above - below) / (2 * h) - gradient[k]) <= 1e-7 * (1 + std::abs(gradient[k])));
  }
}

}  // namespace test_gradients
