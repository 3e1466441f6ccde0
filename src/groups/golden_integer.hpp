// The ring Z[phi], phi = (1 + sqrt 5) / 2: what the icosahedral root systems need, exactly.
#pragma once
#include <compare>
#include <cstdint>

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
  friend auto operator<=>(const GoldenInteger&, const GoldenInteger&) = default;
};

}  // namespace intertwine::named
