// Elementary number theory: primes, factorizations, residues.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// Proved for every number of 64 bits.
bool is_prime(std::uint64_t n);

struct PrimePower {
  std::uint64_t prime;
  unsigned exponent;
};
/// n > 0 as a product of powers of different primes, increasing; nothing for n = 1. By FLINT: seconds at most.
std::vector<PrimePower> factorization(std::uint64_t n);
/// The different primes that divide n > 0, increasing.
std::vector<std::uint64_t> prime_divisors(std::uint64_t n);
/// The prime divisors of n, none of them above 2^32: the order of a permutation group is such a number.
std::vector<std::uint32_t> small_prime_divisors(const Integer& n);
/// A prime divisor below 2^62 of n > 1: the least one if it is below 10^5; nothing where none is found (those of more
/// than some 35 bits may be overlooked). Whether it is prime is a strong guess.
std::optional<std::uint64_t> find_prime_divisor(const Integer& n);
/// Nothing if q is no power of a prime with a positive exponent.
std::optional<PrimePower> prime_power(std::uint64_t q);
/// The largest power of p > 1 that divides n > 0.
template <class Number, class Prime>
Number prime_part(Number n, Prime p) {
  Number part = 1;
  while (n % p == 0) n /= p, part *= p;
  return part;
}
/// All divisors of n > 0, increasing.
std::vector<std::uint64_t> divisors(std::uint64_t n);
/// n = s^2 t with t squarefree, s > 0. O(|n|^(1/3)).
struct SquarePart {
  Integer root;        ///< s
  Integer squarefree;  ///< t
};
SquarePart square_part(Integer n);

/// The numbers below n coprime to n; {1} for n = 1.
std::vector<std::uint32_t> units(std::uint32_t n);
/// Their number, n > 0.
std::uint64_t totient(std::uint64_t n);
/// Generators of the group of units modulo n > 0, below n: for an odd prime power in n the least primitive root, for
/// 2^k the numbers -1 and 5, and 1 modulo the rest.
std::vector<std::uint64_t> unit_generators(std::uint64_t n);
/// 0 if a square other than 1 divides n > 0, otherwise the sign of the parity of its number of primes.
int moebius(std::uint64_t n);
/// a^k modulo n > 0.
std::uint64_t power_modulo(std::uint64_t a, std::uint64_t k, std::uint64_t n);
/// The inverse of a modulo n > 1; a must be coprime to n.
std::uint64_t inverse_modulo(std::uint64_t a, std::uint64_t n);

/// The first odd prime p >= least with p = 1 mod e, e > 0; nothing if it is not below 2^62.
std::optional<std::uint64_t> prime_with_roots(std::uint64_t e, const Integer& least);

/// p(n), the number of partitions of n.
/// \par Cost  nearly linear in the digits of the answer, about 1.1 sqrt(n).
/// \par Source  FLINT's evaluation of the Hardy-Ramanujan-Rademacher series with error bounds [Johansson2012].
Integer partition_number(unsigned long n);

}  // namespace intertwine
