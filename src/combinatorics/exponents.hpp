// Monomials by their exponents.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// The exponents of n variables of degree d, x_1^d first, then by decreasing powers of x_1, x_2, ...
inline std::vector<std::vector<unsigned>> exponents_of(std::size_t n, std::uint64_t d) {
  std::vector<std::vector<unsigned>> all;
  std::vector<unsigned> exponents(n);
  const auto choose = [&](const auto& self, std::size_t i, unsigned rest) -> void {
    if (i + 1 == n) {
      exponents[i] = rest;
      all.push_back(exponents);
      return;
    }
    for (unsigned k = rest + 1; k-- > 0;) {
      exponents[i] = k;
      self(self, i + 1, rest - k);
    }
  };
  if (n > 0) choose(choose, 0, static_cast<unsigned>(d));
  return all;
}

/// Are these exponents_of(n, d)? They are counted first, so that a large d of a stranger costs nothing.
inline bool are_exponents_of(const std::vector<std::vector<unsigned>>& monomials, std::size_t n,
                             std::uint64_t d) {
  return n > 0 && binomial(d + n - 1, n - 1) == monomials.size() && monomials == exponents_of(n, d);
}

}  // namespace intertwine
