#include "prime_field.hpp"

#include "intertwine/error.hpp"
#include "intertwine/exact/modular_polynomial.hpp"

namespace intertwine {

namespace {

/// Miller and Rabin's test with bases that decide up to 2^64 [Sinclair 2011].
bool is_prime(std::uint64_t n) {
  for (const std::uint64_t q : {2U, 3U, 5U, 7U, 11U, 13U, 17U, 19U, 23U, 29U, 31U, 37U})
    if (n % q == 0) return n == q;
  if (n < 37 * 37) return n > 1;
  const PrimeField field(n);  // its multiplication is right for any odd modulus
  const int twos = __builtin_ctzll(n - 1);
  const auto minus_one = field.negative(field.one());
  for (const std::int64_t base : {2L, 325L, 9375L, 28178L, 450775L, 9780504L, 1795265022L}) {
    auto x = field.power(field.from(base), (n - 1) >> twos);
    if (x == field.one() || x == minus_one || x == 0) continue;
    bool composite = true;
    for (int k = 1; k < twos && composite; ++k) {
      x = field.multiply(x, x);
      composite = x != minus_one;
    }
    if (composite) return false;
  }
  return true;
}

constexpr std::uint64_t bound = std::uint64_t{1} << 62;

}  // namespace

std::uint64_t PrimeField::prime(std::uint64_t e, const Integer& least) {
  const Integer steps = (least + Integer(e) - 2) / Integer(e);
  Integer start = (steps < 1 ? Integer(1) : steps) * Integer(e) + 1;
  if (e % 2 == 1 && start % 2 == 0) start += e;
  if (start >= Integer(bound))
    throw LimitError(
        "character_table: the exponent or the order of the group is too large for 62-bit primes");
  const std::uint64_t step = e % 2 == 1 ? 2 * e : e;
  for (auto p = start.convert_to<std::uint64_t>(); p < bound; p += step)
    if (p > 2 && is_prime(p)) return p;
  throw LimitError("character_table: no 62-bit prime for this exponent");
}

PrimeField::Element PrimeField::root_of_unity(std::uint64_t e) const {
  std::vector<std::uint64_t> primes;
  for (std::uint64_t q = 2, rest = e; rest > 1; ++q) {
    if (q > rest / q) q = rest;
    if (rest % q != 0) continue;
    primes.push_back(q);
    while (rest % q == 0) rest /= q;
  }
  for (std::int64_t a = 2;; ++a) {
    const Element z = power(from(a), (p_ - 1) / e);
    bool primitive = true;
    for (const std::uint64_t q : primes) primitive = primitive && power(z, e / q) != one_;
    if (primitive && z != 0) return z;
  }
}

std::vector<PrimeField::Element> roots(const PrimeField& field, const std::vector<PrimeField::Element>& f) {
  std::vector<PrimeField::Element> result;
  if (f.size() == 2) {
    result.push_back(field.multiply(field.negative(f[0]), field.inverse(f[1])));
    return result;
  }
  if (field.p() <= 4000) {
    PrimeField::Element x = 0;
    for (std::uint64_t k = 0; k < field.p() && result.size() + 1 < f.size();
         ++k, x = field.add(x, field.one())) {
      PrimeField::Element value = 0;
      for (std::size_t i = f.size(); i-- > 0;) value = field.add(field.multiply(value, x), f[i]);
      if (value == 0) result.push_back(x);
    }
    return result;
  }
  std::vector<std::uint64_t> coefficients;
  for (const auto c : f) coefficients.push_back(field.residue(c));
  for (const std::uint64_t r : modular_roots(field.p(), coefficients))
    result.push_back(field.from(static_cast<std::int64_t>(r)));
  return result;
}

}  // namespace intertwine
