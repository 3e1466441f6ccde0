// Finite fields by tables.
#include "intertwine/exact/finite_field.hpp"

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// GF(p)[x] / (x^k + c_(k-1) x^(k-1) + ... + c_0), a ring that need not be a field. Entry i is the
/// coefficient of x^i.
class PolynomialRing {
 public:
  using Polynomial = std::vector<std::uint32_t>;
  PolynomialRing(std::uint32_t prime, Polynomial lower) : prime_(prime), lower_(std::move(lower)) {}

  Polynomial one() const {
    Polynomial result(lower_.size(), 0);
    result[0] = 1;
    return result;
  }
  void multiply_by_x(Polynomial& f) const {
    const std::uint64_t top = f.back();
    for (std::size_t i = f.size(); i-- > 0;) {
      const std::uint64_t shifted = i == 0 ? 0 : f[i - 1];
      f[i] = static_cast<std::uint32_t>((shifted + (prime_ - lower_[i]) % prime_ * top) % prime_);
    }
  }
  Polynomial multiply(const Polynomial& f, const Polynomial& g) const {
    Polynomial result(lower_.size(), 0);
    for (std::size_t i = g.size(); i-- > 0;) {
      multiply_by_x(result);
      for (std::size_t j = 0; j < f.size(); ++j)
        result[j] = static_cast<std::uint32_t>((result[j] + std::uint64_t{f[j]} * g[i]) % prime_);
    }
    return result;
  }
  Polynomial power_of_x(std::uint32_t exponent) const {
    Polynomial square = one();
    multiply_by_x(square);
    Polynomial result = one();
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) result = multiply(result, square);
      square = multiply(square, square);
    }
    return result;
  }
  /// Does x have order p^k - 1? Then all non-zero elements are powers of x, and the ring is a field.
  bool x_is_primitive(std::uint32_t order, const std::vector<std::uint64_t>& primes) const {
    if (power_of_x(order) != one()) return false;
    return std::ranges::none_of(
        primes, [&](std::uint64_t r) { return power_of_x(static_cast<std::uint32_t>(order / r)) == one(); });
  }

 private:
  std::uint32_t prime_;
  Polynomial lower_;
};

/// Digits of `value` in the given base, the lowest first.
std::vector<std::uint32_t> digits_of(std::uint32_t value, std::uint32_t base, unsigned count) {
  std::vector<std::uint32_t> digits(count);
  for (unsigned i = 0; i < count; ++i, value /= base) digits[i] = value % base;
  return digits;
}

/// For k = 1 the ring GF(p)[x] / (x - w) is GF(p) with x = w, so that the least primitive root is found the
/// same way.
PolynomialRing primitive_ring(std::uint32_t q, std::uint32_t p, unsigned k) {
  const std::vector<std::uint64_t> primes = prime_divisors(q - 1);
  for (std::uint32_t code = 1; code < q; ++code) {
    PolynomialRing ring(p, digits_of(k == 1 ? p - code : code, p, k));
    if (ring.x_is_primitive(q - 1, primes)) return ring;
  }
  throw InternalError("GaloisField: no primitive polynomial found");
}

}  // namespace

GaloisField::GaloisField(std::uint32_t q) : size_(q) {
  const auto factors = prime_power(q);
  if (!factors) throw InternalError("GaloisField: the size is no prime power");
  prime_ = static_cast<std::uint32_t>(factors->prime);
  exponent_ = factors->exponent;
  const PolynomialRing ring = primitive_ring(q, prime_, exponent_);
  power_.resize(q - 1);
  logarithm_.assign(q, 0);
  PolynomialRing::Polynomial value = ring.one();
  for (std::uint32_t i = 0; i + 1 < q; ++i) {
    Element code = 0;
    for (std::size_t j = value.size(); j-- > 0;) code = code * prime_ + value[j];
    power_[i] = code;
    logarithm_[code] = i;
    ring.multiply_by_x(value);
  }
}

GaloisField::Element GaloisField::add_digits(Element a, Element b) const {
  if (prime_ == 2) return a ^ b;
  Element sum = 0;
  for (Element place = 1; a != 0 || b != 0; place *= prime_) {
    const std::uint64_t digit = std::uint64_t{a % prime_} + b % prime_;
    sum += static_cast<Element>(digit < prime_ ? digit : digit - prime_) * place;
    a /= prime_;
    b /= prime_;
  }
  return sum;
}

GaloisField::Element GaloisField::negative(Element a) const {
  Element result = 0;
  for (Element place = 1; a != 0; place *= prime_, a /= prime_)
    result += (a % prime_ == 0 ? 0 : prime_ - a % prime_) * place;
  return result;
}

}  // namespace intertwine
