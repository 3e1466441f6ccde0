// The ring Z[phi], phi = (1 + sqrt 5) / 2: what the icosahedral root systems need, exactly.
#pragma once
#include <compare>
#include <cstdint>

#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine::named {

/// a + b phi. Compared lexicographically as a pair, for use as a key only.
struct GoldenInteger {
  std::int64_t a = 0;
  std::int64_t b = 0;

  friend GoldenInteger operator+(GoldenInteger x, GoldenInteger y) { return {x.a + y.a, x.b + y.b}; }
  friend GoldenInteger operator-(GoldenInteger x, GoldenInteger y) { return {x.a - y.a, x.b - y.b}; }
  friend GoldenInteger operator-(GoldenInteger x) { return {-x.a, -x.b}; }
  /// phi^2 = phi + 1.
  friend GoldenInteger operator*(GoldenInteger x, GoldenInteger y) {
    return {x.a * y.a + x.b * y.b, x.a * y.b + x.b * y.a + x.b * y.b};
  }
  /// phi = -E(5)^2-E(5)^3.
  Cyclotomic to_cyclotomic() const {
    const auto root = [](std::int64_t k) { return Cyclotomic::root_of_unity(5, k); };
    return Cyclotomic(static_cast<long>(a)) - Cyclotomic(static_cast<long>(b)) * (root(2) + root(3));
  }

  friend auto operator<=>(const GoldenInteger&, const GoldenInteger&) = default;
};

}  // namespace intertwine::named
