// Arithmetic modulo primes just below 2^61.
#pragma once
#include <array>
#include <cstdint>

namespace intertwine::detail {

/// The eight largest primes below 2^61.
inline constexpr std::array<std::uint64_t, 8> word_primes = {
    2305843009213693951, 2305843009213693921, 2305843009213693907, 2305843009213693723,
    2305843009213693693, 2305843009213693669, 2305843009213693613, 2305843009213693561};

struct PrimeField {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t p;

  std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const {
    return static_cast<std::uint64_t>(Wide{a} * b % p);
  }
  std::uint64_t subtract(std::uint64_t a, std::uint64_t b) const { return a >= b ? a - b : a + p - b; }
  /// sum += sign * a.
  void accumulate(std::uint64_t& sum, std::uint64_t a, int sign) const {
    sum += sign > 0 ? a : p - a;
    if (sum >= p) sum -= p;
  }
  /// By Fermat; a is not divisible by p.
  std::uint64_t inverse(std::uint64_t a) const {
    std::uint64_t result = 1;
    for (std::uint64_t e = p - 2; e != 0; e >>= 1) {
      if (e & 1) result = multiply(result, a);
      a = multiply(a, a);
    }
    return result;
  }
};

}  // namespace intertwine::detail
