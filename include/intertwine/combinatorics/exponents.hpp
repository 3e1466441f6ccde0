// Monomials by their exponents.
#pragma once
#include <cstdint>
#include <utility>
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

/// The monomials in the second derivatives of x^a: visit(i, b, a_i (a_i - 1)) for every i with a_i >= 2, b = a less 2
/// at i.
template <class Visit>
void for_each_second_derivative(std::vector<unsigned> a, Visit visit) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < 2) continue;
    const std::uint64_t factor = std::uint64_t{a[i]} * (a[i] - 1);
    a[i] -= 2;
    visit(i, std::as_const(a), factor);
    a[i] += 2;
  }
}

/// Are these exponents_of(n, d)? They are counted first, so that a large d of a stranger costs nothing.
inline bool are_exponents_of(const std::vector<std::vector<unsigned>>& monomials, std::size_t n, std::uint64_t d) {
  return n > 0 && binomial(d + n - 1, n - 1) == monomials.size() && monomials == exponents_of(n, d);
}

}  // namespace intertwine
