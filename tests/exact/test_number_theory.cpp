#include "intertwine/exact/number_theory.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

using namespace intertwine;

TEST_CASE("primes and factorizations agree with trial division", "[exact][quick]") {
  for (std::uint64_t n = 1; n <= 3000; ++n) {
    INFO(n);
    std::vector<std::uint64_t> divided;
    std::uint64_t coprime = 0;
    for (std::uint64_t d = 1; d <= n; ++d) {
      if (n % d == 0) divided.push_back(d);
      coprime += std::gcd(d, n) == 1;
    }
    REQUIRE(divisors(n) == divided);
    REQUIRE(is_prime(n) == (divided.size() == 2));
    REQUIRE(totient(n) == coprime);
    REQUIRE(units(static_cast<std::uint32_t>(n)).size() == coprime);
    std::uint64_t product = 1;
    bool squarefree = true;
    std::uint64_t before = 1;
    const auto factors = factorization(n);
    for (const auto& [p, exponent] : factors) {
      REQUIRE(p > before);
      before = p;
      for (unsigned k = 0; k < exponent; ++k) product *= p;
      squarefree = squarefree && exponent == 1;
    }
    REQUIRE(product == n);
    REQUIRE(prime_divisors(n).size() == factors.size());
    REQUIRE(small_prime_divisors(Integer(n)).size() == factors.size());
    REQUIRE(prime_power(n).has_value() == (factors.size() == 1));
    REQUIRE(moebius(n) == (!squarefree ? 0 : factors.size() % 2 == 0 ? 1 : -1));
    const SquarePart part = square_part(-Integer(n));
    REQUIRE(part.root * part.root * part.squarefree == -Integer(n));
    REQUIRE(moebius(static_cast<std::uint64_t>(abs(part.squarefree))) != 0);
  }
}

TEST_CASE("large primes are told from pseudoprimes", "[exact][quick]") {
  CHECK(is_prime(18446744073709551557U));  // the largest below 2^64
  CHECK_FALSE(is_prime(18446744073709551556U));
  CHECK_FALSE(is_prime(3825123056546413051U));  // a strong pseudoprime to the bases 2, ..., 23
  CHECK_FALSE(is_prime(0));
  CHECK(factorization(4294967291U * 4294967279U).size() == 2);
  CHECK(find_prime_divisor(Integer("1000000007") * Integer("170141183460469231731687303715884105727")) == 1000000007U);
  CHECK(find_prime_divisor(Integer("170141183460469231731687303715884105727") * 3) == 3U);
  CHECK_FALSE(find_prime_divisor(Integer("170141183460469231731687303715884105727")));  // a prime above 2^62
}

TEST_CASE("powers, inverses and generators of the units modulo n", "[exact][quick]") {
  CHECK(power_modulo(3, 0, 1) == 0);
  CHECK(power_modulo(5, 0, 2) == 1);
  CHECK(power_modulo(2, 61, (std::uint64_t{1} << 61) - 1) == 1);
  CHECK(inverse_modulo(8, 5) == 2);
  CHECK(unit_generators(9) == std::vector<std::uint64_t>{2});
  CHECK(unit_generators(41) == std::vector<std::uint64_t>{6});
  for (std::uint64_t n = 1; n <= 300; ++n) {
    INFO(n);
    std::vector<std::uint64_t> group{1 % n};
    for (const std::uint64_t g : unit_generators(n))
      for (std::size_t k = 0; k < group.size(); ++k)
        if (const std::uint64_t x = group[k] * g % n; std::ranges::find(group, x) == group.end()) group.push_back(x);
    REQUIRE(group.size() == totient(n));
    for (const std::uint64_t a : group) {
      if (n > 1) REQUIRE(a * inverse_modulo(a, n) % n == 1);
      REQUIRE(power_modulo(a, totient(n), n) == 1 % n);
    }
  }
}

TEST_CASE("primes with given roots of unity", "[exact][quick]") {
  CHECK(prime_with_roots(1, 0) == 3U);
  CHECK(prime_with_roots(12, 14) == 37U);
  CHECK(prime_with_roots(12, 13) == 13U);
  const auto p = prime_with_roots(60, Integer(1) << 60);
  REQUIRE(p);
  CHECK((*p % 60 == 1 && is_prime(*p) && *p >= std::uint64_t{1} << 60));
  CHECK_FALSE(prime_with_roots(7, Integer(1) << 62));
}
