// Numerical values of cyclotomic numbers with proved error bounds.
#include <mpfr.h>

#include <bit>
#include <string>

#include "exact/cyclotomic_data.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

class Real {
 public:
  explicit Real(mpfr_prec_t precision) { mpfr_init2(x_, precision), mpfr_set_zero(x_, 1); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(x_); }
  mpfr_ptr get() { return x_; }

 private:
  mpfr_t x_;
};

/// An interval that contains the real number a.
///
/// With u = 2^-precision: the rounded angle 2 pi k / n, below 7, is off by a relative 3.1 u (pi, product, quotient),
/// so its cosine by at most 22 u + u; the coefficient adds a relative u, the product another, hence at most 26 u |c|
/// for one term. The t partial sums stay below S = sum |c| (1 + 26 u) and each is rounded once. Together the error is
/// below (28 + 2 t) S u, computed here rounded upwards.
struct Interval {
  Real low, high;

  Interval(const Cyclotomic& a, mpfr_prec_t precision) : low(precision), high(precision) {
    if (a.is_rational()) {
      const Rational c = a.to_rational();
      mpfr_set_q(low.get(), c.backend().data(), MPFR_RNDD);
      mpfr_set_q(high.get(), c.backend().data(), MPFR_RNDU);
      return;
    }
    Real pi(precision), term(precision), c(precision), value(precision), size(precision), error(precision);
    mpfr_const_pi(pi.get(), MPFR_RNDN);
    const auto terms = a.terms();
    for (const auto& [e, coefficient] : terms) {
      mpfr_mul_ui(term.get(), pi.get(), 2UL * e, MPFR_RNDN);
      mpfr_div_ui(term.get(), term.get(), a.conductor(), MPFR_RNDN);
      mpfr_cos(term.get(), term.get(), MPFR_RNDN);
      mpfr_set_q(c.get(), coefficient.backend().data(), MPFR_RNDN);
      mpfr_mul(term.get(), term.get(), c.get(), MPFR_RNDN);
      mpfr_add(value.get(), value.get(), term.get(), MPFR_RNDN);
      mpfr_set_q(c.get(), coefficient.backend().data(), MPFR_RNDA);
      mpfr_abs(c.get(), c.get(), MPFR_RNDU);
      mpfr_add(size.get(), size.get(), c.get(), MPFR_RNDU);
    }
    mpfr_mul_ui(error.get(), size.get(), 28 + 2 * terms.size(), MPFR_RNDU);
    mpfr_mul_2si(error.get(), error.get(), -static_cast<long>(precision) + 1, MPFR_RNDU);
    mpfr_sub(low.get(), value.get(), error.get(), MPFR_RNDD);
    mpfr_add(high.get(), value.get(), error.get(), MPFR_RNDU);
  }
};

/// The double nearest to the real number a. Intervals shrink until both ends round to the same: an irrational number
/// is no midpoint of doubles, and a rational midpoint is held exactly.
double nearest_double(const Cyclotomic& a) {
  if (a.is_zero()) return 0;
  for (mpfr_prec_t precision = 96;; precision *= 2) {
    Interval x(a, precision);
    const double low = mpfr_get_d(x.low.get(), MPFR_RNDN), high = mpfr_get_d(x.high.get(), MPFR_RNDN);
    if (std::bit_cast<std::uint64_t>(low) == std::bit_cast<std::uint64_t>(high)) return low;
  }
}

/// The decimal text of a rational number, by integer division.
std::string rational_decimal(const Rational& a, std::size_t digits) {
  const Integer p = abs(numerator(a)), q = denominator(a);
  // 10^e <= p/q < 10^(e+1), from the numbers of digits, which leave two possibilities.
  long e = static_cast<long>(p.str().size()) - static_cast<long>(q.str().size());
  const auto power = [](long k) { return Integer(pow(Integer(10), static_cast<unsigned>(k))); };
  if (e >= 0 ? p < q * power(e) : p * power(-e) < q) --e;
  const long shift = static_cast<long>(digits) - 1 - e;
  const Integer top = shift >= 0 ? Integer(p * power(shift)) : p, bottom = shift >= 0 ? q : Integer(q * power(-shift));
  Integer mantissa = top / bottom;
  const Integer twice = 2 * (top % bottom);
  if (twice > bottom || (twice == bottom && mantissa % 2 != 0)) ++mantissa;
  if (mantissa == power(static_cast<long>(digits))) {
    mantissa /= 10;
    ++e;
  }
  std::string text = mantissa.str();
  if (digits > 1) text.insert(1, ".");
  const std::string exponent = std::to_string(e < 0 ? -e : e);
  return (a < 0 ? "-" : "") + text + (e < 0 ? "e-" : "e+") + (exponent.size() < 2 ? "0" : "") + exponent;
}

/// The nearest decimal number with so many digits: both ends of an interval round to the same as soon as it is short
/// enough, because an irrational number is no midpoint of decimal ones.
std::string nearest_decimal(const Cyclotomic& a, std::size_t digits) {
  const auto text = [&](mpfr_srcptr x) {
    char* raw = nullptr;
    if (mpfr_asprintf(&raw, "%.*RNe", static_cast<int>(digits - 1), x) < 0)
      throw InternalError("a cyclotomic number could not be printed");
    std::string result(raw);
    mpfr_free_str(raw);
    return result;
  };
  if (a.is_zero()) return text(Real(64).get());
  if (a.is_rational()) return rational_decimal(a.to_rational(), digits);
  for (auto precision = static_cast<mpfr_prec_t>(96 + 4 * digits);; precision *= 2) {
    Interval x(a, precision);
    const std::string low = text(x.low.get());
    if (low == text(x.high.get())) return low;
  }
}

}  // namespace

std::pair<std::string, std::string> Cyclotomic::to_decimal(std::size_t digits) const {
  if (digits < 1 || digits > 1'000'000)
    throw DomainError(std::to_string(digits) + " digits of a number are not to be had; ask for 1 to 1000000");
  if (is_rational()) return {nearest_decimal(*this, digits), nearest_decimal(Cyclotomic(), digits)};
  const Cyclotomic bar = conjugate(), half = Rational(1, 2);
  return {nearest_decimal(half * (*this + bar), digits),
          nearest_decimal(-half * root_of_unity(4) * (*this - bar), digits)};
}

int Cyclotomic::sign() const {
  if (!is_real()) throw DomainError(to_string(*this) + " is not real, and has no sign");
  if (is_rational()) return to_rational().sign();
  for (mpfr_prec_t precision = 96;; precision *= 2) {  // it is not 0, so this ends
    Interval x(*this, precision);
    if (mpfr_sgn(x.low.get()) > 0) return 1;
    if (mpfr_sgn(x.high.get()) < 0) return -1;
  }
}

std::complex<double> Cyclotomic::to_complex() const {
  if (is_rational()) return nearest_double(*this);
  const Cyclotomic bar = conjugate(), half = Rational(1, 2);
  return {nearest_double(half * (*this + bar)),
          nearest_double(-half * root_of_unity(4) * (*this - bar))};  // (a - bar a) / 2i
}

std::strong_ordering compare_real(const Cyclotomic& a, const Cyclotomic& b) {
  if (!a.is_real() || !b.is_real())
    throw DomainError("compare_real: " + to_string(a.is_real() ? b : a) + " is not real");
  return (a - b).sign() <=> 0;
}

}  // namespace intertwine
