// Finds primes, factorizations and residues.
#include "intertwine/exact/number_theory.hpp"

#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>
#include <flint/ulong_extras.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "exact/flint_matrix.hpp"
#include "exact/square_part.hpp"

namespace intertwine {

bool is_prime(std::uint64_t n) { return n_is_prime(n) != 0; }  // a proof for all words, says FLINT's manual

std::vector<PrimePower> factorization(std::uint64_t n) {
  std::vector<PrimePower> result;
  std::uint64_t p = 2;  // FLINT's table of primes costs milliseconds when it is first used
  for (; p <= n / p && p < 1000; p += p == 2 ? 1 : 2) {
    if (n % p != 0) continue;
    result.push_back({p, 0});
    for (; n % p == 0; n /= p) ++result.back().exponent;
  }
  if (n == 1) return result;
  if (p > n / p) {
    result.push_back({n, 1});
    return result;
  }
  const std::size_t small = result.size();
  n_factor_t factors;
  n_factor_init(&factors);
  n_factor(&factors, n, 1);
  for (int k = 0; k < factors.num; ++k) result.push_back({factors.p[k], static_cast<unsigned>(factors.exp[k])});
  std::ranges::sort(result.begin() + static_cast<std::ptrdiff_t>(small), result.end(), {}, &PrimePower::prime);
  return result;
}

std::vector<std::uint64_t> prime_divisors(std::uint64_t n) {
  std::vector<std::uint64_t> result;
  for (const PrimePower& power : factorization(n)) result.push_back(power.prime);
  return result;
}

std::vector<std::uint32_t> small_prime_divisors(const Integer& n) {
  std::vector<std::uint32_t> result;
  Integer rest = n;
  for (std::uint32_t p = 2; rest > 1; ++p) {
    if (mpz_divisible_ui_p(rest.backend().data(), p) == 0) continue;
    result.push_back(p);
    while (mpz_divisible_ui_p(rest.backend().data(), p) != 0) rest /= p;
  }
  return result;
}

std::optional<std::uint64_t> find_prime_divisor(const Integer& n) {
  for (std::uint64_t p = 2; p < 100'000; ++p)
    if (mpz_divisible_ui_p(n.backend().data(), p) != 0) return p;
  constexpr slong bits = 35;
  fmpz_factor_t factors;
  fmpz_factor_init(factors);
  fmpz_factor_smooth(factors, FlintInteger(n), bits, 0);
  std::optional<std::uint64_t> result;
  for (slong k = 0; k < factors->num; ++k)
    if (fmpz_bits(factors->p + k) <= 62 && fmpz_is_probabprime(factors->p + k) != 0)
      result = std::min(result.value_or(~std::uint64_t{0}), std::uint64_t{fmpz_get_ui(factors->p + k)});
  fmpz_factor_clear(factors);
  return result;
}

std::optional<PrimePower> prime_power(std::uint64_t q) {
  if (q < 2) return std::nullopt;
  const std::vector<PrimePower> factors = factorization(q);
  return factors.size() == 1 ? std::optional(factors[0]) : std::nullopt;
}

std::vector<std::uint64_t> divisors(std::uint64_t n) {
  std::vector<std::uint64_t> result{1};
  for (const auto& [p, exponent] : factorization(n)) {
    const std::size_t before = result.size();
    for (std::size_t k = 0; k < before * exponent; ++k) result.push_back(result[k] * p);
  }
  std::ranges::sort(result);
  return result;
}

namespace {

/// The parts of n > 0 that divisors up to `most` show; what is left, of larger primes alone, is taken for squarefree where it
/// is no square. It is, if the loop ends at the cube root: two primes at most are left.
SquarePart parts_up_to(Integer n, std::uint64_t most) {
  SquarePart part{1, 1};
  const auto cube_root = [&] {
    Integer root;
    mpz_root(root.backend().data(), n.backend().data(), 3);
    return root;
  };
  Integer last = cube_root();
  for (std::uint64_t q = 2; q <= most && q <= last; q += q == 2 ? 1 : 2) {
    if (mpz_divisible_ui_p(n.backend().data(), q) == 0) continue;
    bool once = false;
    for (; mpz_divisible_ui_p(n.backend().data(), q) != 0; once = !once) {
      n /= q;
      if (once) part.root *= q;
    }
    if (once) part.squarefree *= q;
    last = cube_root();
  }
  const Integer root = sqrt(n);
  (root * root == n ? part.root : part.squarefree) *= root * root == n ? root : n;
  return part;
}

}  // namespace

SquarePart square_part(Integer n) {
  if (n == 0) return {1, 0};
  SquarePart part = parts_up_to(abs(n), std::numeric_limits<std::uint64_t>::max());
  if (n < 0) part.squarefree = -part.squarefree;
  return part;
}

std::optional<SquarePart> square_part(const Integer& n, std::uint64_t most) {
  SquarePart part = parts_up_to(abs(n), most);
  if (part.squarefree > most) return {};
  if (n < 0) part.squarefree = -part.squarefree;
  return part;
}

std::vector<std::uint32_t> units(std::uint32_t n) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t k = 1; k < std::max(n, 2U); ++k)
    if (std::gcd(k, n) == 1) result.push_back(k);
  return result;
}

std::uint64_t totient(std::uint64_t n) {
  for (const std::uint64_t p : prime_divisors(n)) n -= n / p;
  return n;
}

std::vector<std::uint64_t> unit_generators(std::uint64_t n) {
  std::vector<std::uint64_t> generators;
  for (const auto& [q, exponent] : factorization(n)) {
    std::uint64_t power = 1;
    for (unsigned k = 0; k < exponent; ++k) power *= q;
    const std::uint64_t other = n / power;
    const auto lift = [&](std::uint64_t k) {  // k modulo the power of q, 1 modulo the rest
      while (k % other != 1 % other) k += power;
      return k % n;
    };
    if (q == 2) {
      if (power >= 4) generators.push_back(lift(power - 1));
      if (power >= 8) generators.push_back(lift(5));
      continue;
    }
    const std::uint64_t phi = power / q * (q - 1);
    const auto primes = prime_divisors(phi);
    std::uint64_t g = 2;
    while (g % q == 0 ||
           std::ranges::any_of(primes, [&](std::uint64_t r) { return power_modulo(g, phi / r, power) == 1; }))
      ++g;
    generators.push_back(lift(g));
  }
  return generators;
}

int moebius(std::uint64_t n) {
  int result = 1;
  for (const PrimePower& power : factorization(n)) result = power.exponent > 1 ? 0 : -result;
  return result;
}

std::uint64_t power_modulo(std::uint64_t a, std::uint64_t k, std::uint64_t n) {
  return n_powmod2_ui_preinv(a % n, k, n, n_preinvert_limb(n));
}

std::uint64_t inverse_modulo(std::uint64_t a, std::uint64_t n) { return n_invmod(a % n, n); }

std::optional<std::uint64_t> prime_with_roots(std::uint64_t e, const Integer& least) {
  constexpr std::uint64_t bound = std::uint64_t{1} << 62;
  const Integer steps = (least + Integer(e) - 2) / Integer(e);
  Integer start = (steps < 1 ? Integer(1) : steps) * Integer(e) + 1;
  if (e % 2 == 1 && start % 2 == 0) start += e;
  if (start >= Integer(bound)) return std::nullopt;
  const std::uint64_t step = e % 2 == 1 ? 2 * e : e;
  for (auto p = start.convert_to<std::uint64_t>(); p < bound; p += step)
    if (p > 2 && is_prime(p)) return p;
  return std::nullopt;
}

}  // namespace intertwine
