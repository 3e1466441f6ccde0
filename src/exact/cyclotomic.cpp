// Cyclotomic numbers: arithmetic.
#include "intertwine/exact/cyclotomic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "cyclic_product.hpp"
#include "exact/cyclotomic_data.hpp"
#include "exact/cyclotomic_expansion.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic_inverse.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

using detail::Big, detail::canonical, detail::Checked, detail::Expansion, detail::is_small, detail::Overflow,
    detail::small_bound, detail::Unbounded, detail::View, detail::word_fractions;
using Data = CyclotomicArithmetic::Data;

std::uint32_t checked_conductor(std::uint64_t n) {
  if (n > Cyclotomic::max_conductor)
    throw LimitError(fmt::format("the conductor {} exceeds the limit of {}", n, Cyclotomic::max_conductor));
  return static_cast<std::uint32_t>(n);
}

std::uint32_t common_conductor(const View& a, const View& b) {
  return checked_conductor(std::lcm(std::uint64_t{a.conductor()}, std::uint64_t{b.conductor()}));
}

int bits(std::int64_t positive) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(positive))); }

/// Will words do, as far as lengths tell before anything is computed? Of integers that is tried.
bool sum_fits(View& a, View& b) {
  if (!a.scale() || !b.scale()) return false;
  if (!a.has_fractions() && !b.has_fractions()) return true;
  const std::int64_t common = std::gcd(a.denominator(), b.denominator());
  const int left = bits(b.denominator() / common), right = bits(a.denominator() / common);
  return bits(a.denominator()) + left <= 62 && std::max(a.bits() + left, b.bits() + right) <= 60;
}

bool product_fits(View& a, View& b) {
  if (!a.scale() || !b.scale()) return false;
  if (!a.has_fractions() && !b.has_fractions()) return true;
  const auto pairs = static_cast<int>(std::bit_width(std::min(a.size(), b.size())));
  return bits(a.denominator()) + bits(b.denominator()) <= 62 && a.bits() + b.bits() + pairs <= 61;
}

template <class C>
Cyclotomic sum(const View& a, const View& b, bool minus) {
  Expansion<C> x(common_conductor(a, b));
  const auto place = [&](const View& v, std::size_t i) -> C& {
    return x[std::size_t{v.exponent(i)} * (x.n() / v.conductor())];
  };
  if constexpr (std::is_same_v<C, Checked>) {
    const std::int64_t common = std::gcd(a.denominator(), b.denominator());
    const Checked left{b.denominator() / common}, right{a.denominator() / common * (minus ? -1 : 1)};
    for (std::size_t i = 0; i < a.size(); ++i) place(a, i) += left * a.coefficient<C>(i);
    for (std::size_t i = 0; i < b.size(); ++i) place(b, i) += right * b.coefficient<C>(i);
    return canonical(x, (Checked{a.denominator()} * left).value);
  } else {
    for (std::size_t i = 0; i < a.size(); ++i) place(a, i) += a.coefficient<C>(i);
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (minus)
        place(b, i) -= b.coefficient<C>(i);
      else
        place(b, i) += b.coefficient<C>(i);
    }
    return canonical(x);
  }
}

/// The common denominator of all coefficients; none where it is much longer than each of theirs, as with many different
/// primes.
std::optional<Integer> common_denominator(const View& a) {
  Integer common = 1;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Integer d = denominator(a.coefficient<Big>(i).value);
    if (d == 1) continue;
    longest = std::max<std::size_t>(longest, msb(d));
    common = lcm(common, d);
    if (msb(common) > 128 + 4 * longest) return std::nullopt;
  }
  return common;
}

/// The coefficients of 1, zeta_n, ..., zeta_n^(n-1), times this multiple of their denominators.
std::vector<Integer> over_denominator(const View& a, std::uint32_t n, const Integer& common) {
  std::vector<Integer> result(n);
  for (std::size_t i = 0; i < a.size(); ++i)
    result[std::size_t{a.exponent(i)} * (n / a.conductor())] =
        numerator(Rational(a.coefficient<Big>(i).value * common));
  return result;
}

/// \param task  polled for every term of a, if given
template <class C>
Cyclotomic product(const View& a, const View& b, const Task* task = nullptr) {
  const std::uint32_t n = common_conductor(a, b);
  // Pairs of terms for each power of the root; a product by polynomials takes some 1.5 microseconds for a power.
  constexpr std::uint64_t many = std::is_same_v<C, Checked> ? 600 : 8;
  if (std::uint64_t{a.size()} * b.size() > many * n)
    if (const auto left = common_denominator(a), right = common_denominator(b); left && right) {
      // Both factors and their product as polynomials, and the sum over the basis.
      if (task != nullptr) task->require_memory(std::uint64_t{n} * 320, "a product of cyclotomic numbers");
      return CyclotomicArithmetic::from_integers(
          cyclic_product(over_denominator(a, n, *left), over_denominator(b, n, *right)), *left * *right);
    }
  Expansion<C> x(n);
  const std::uint64_t da = n / a.conductor(), db = n / b.conductor();
  const std::size_t terms = b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (task != nullptr) task->poll();
    const C ca = a.coefficient<C>(i);
    const std::uint64_t shift = a.exponent(i) * da;
    for (std::size_t j = 0; j < terms; ++j) {
      const std::uint64_t e = shift + b.exponent(j) * db;
      x[e >= n ? e - n : e] += ca * b.coefficient<C>(j);
    }
  }
  return canonical(x, (Checked{a.denominator_of<C>()} * Checked{b.denominator_of<C>()}).value);
}

/// f with checked 64-bit coefficients, if those it starts from are `small` over one denominator; if they overflow, with rational ones.
template <class F>
Cyclotomic widening(bool small, F f) {
  if (small) try {
      return f(Checked{});
    } catch (const Overflow&) {
    }
  return f(Big{});
}

/// r >= 0 with r = k mod n.
std::uint32_t residue(std::int64_t k, std::uint32_t n) {
  const std::int64_t r = k % static_cast<std::int64_t>(n);
  return static_cast<std::uint32_t>(r < 0 ? r + n : r);
}

}  // namespace

Cyclotomic CyclotomicArithmetic::from_integers(std::vector<Integer> coefficients, const Integer& denominator) {
  Expansion<Unbounded<Integer>> x(static_cast<std::uint32_t>(coefficients.size()));
  for (std::size_t e = 0; e < coefficients.size(); ++e) x[e].value = std::move(coefficients[e]);
  return canonical(x, denominator);
}

Cyclotomic::Cyclotomic(const Integer& value) {
  if (is_small(value.backend().data()))
    integer_ = mpz_get_si(value.backend().data());
  else
    *this = Cyclotomic(Rational(value));
}

Cyclotomic::Cyclotomic(const Rational& value) {
  if (is_small(value)) {
    integer_ = mpz_get_si(mpq_numref(value.backend().data()));
  } else {
    data_ = std::make_shared<const Data>(Data{1, {0}, {}, {value}});
  }
}

Cyclotomic Cyclotomic::root_of_unity(std::uint32_t n, std::int64_t k) {
  if (n == 0) throw DomainError("root_of_unity: n must be positive");
  checked_conductor(n);
  Expansion<Checked> x(n);
  x[residue(k, n)].value = 1;
  return canonical(x);
}

Cyclotomic Cyclotomic::from_terms(std::uint32_t n, std::span<const std::pair<std::int64_t, Rational>> terms) {
  if (n == 0) throw DomainError("a sum of powers of E(n) needs n >= 1, not 0");
  checked_conductor(n);
  const auto small = word_fractions(
      terms.size(), [&](std::size_t i) -> auto& { return terms[i].second; });
  return widening(small.has_value(), [&]<class C>(C) {
    Expansion<C> x(n);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if constexpr (std::is_same_v<C, Checked>)
        x[residue(terms[i].first, n)] += C{small->numerators[i]};
      else
        x[residue(terms[i].first, n)].value += terms[i].second;
    }
    if constexpr (std::is_same_v<C, Checked>)
      return canonical(x, small->denominator);
    else
      return canonical(x);
  });
}

Cyclotomic Cyclotomic::from_coefficients(std::uint32_t n, std::span<const std::int64_t> coefficients) {
  if (n == 0) throw DomainError("a sum of powers of E(n) needs n >= 1, not 0");
  if (coefficients.size() > n)
    throw DomainError(
        fmt::format("{} coefficients are too many for E({}), which has {} powers", coefficients.size(), n, n));
  checked_conductor(n);
  return widening(true, [&]<class C>(C) {
    Expansion<C> x(n);
    for (std::size_t k = 0; k < coefficients.size(); ++k) x[k].value = coefficients[k];
    return canonical(x);
  });
}

std::uint32_t Cyclotomic::conductor() const { return data_ ? data_->conductor : 1; }

std::vector<std::pair<std::uint32_t, Rational>> Cyclotomic::terms() const {
  const View view(*this);
  std::vector<std::pair<std::uint32_t, Rational>> result;
  for (std::size_t i = 0; i < view.size(); ++i) result.emplace_back(view.exponent(i), view.coefficient<Big>(i).value);
  return result;
}

std::optional<Cyclotomic::SmallTerms> Cyclotomic::small_terms() const {
  static constexpr std::uint32_t constant = 0;
  const std::size_t count = integer_ != 0 ? 1 : 0;
  if (!data_) return SmallTerms{{&constant, count}, {&integer_, count}};
  if (data_->small.empty()) return std::nullopt;
  return SmallTerms{data_->exponents, data_->small};
}

bool Cyclotomic::is_integer() const { return !data_ || (data_->conductor == 1 && denominator(data_->big[0]) == 1); }

bool Cyclotomic::is_real() const { return is_rational() || conjugate() == *this; }

Rational Cyclotomic::to_rational() const {
  if (!data_) return Rational(integer_);
  if (data_->conductor != 1) throw DomainError(to_string(*this) + " is not rational");
  return data_->big[0];
}

Integer Cyclotomic::to_integer() const {
  if (!is_integer()) throw DomainError(to_string(*this) + " is not an integer");
  return data_ ? Integer(numerator(data_->big[0])) : Integer(integer_);
}

Cyclotomic Cyclotomic::galois_conjugate(std::int64_t k) const {
  if (is_rational()) return *this;
  const std::uint32_t n = conductor(), r = residue(k, n);
  if (std::gcd(r, n) != 1)
    throw DomainError(fmt::format("galois_conjugate: {} is not coprime to the conductor {}", k, n));
  View view(*this);
  return widening(view.scale(), [&]<class C>(C) {
    Expansion<C> x(n);
    for (std::size_t i = 0; i < view.size(); ++i) x[std::uint64_t{view.exponent(i)} * r % n] += view.coefficient<C>(i);
    return canonical(x, view.denominator_of<C>());
  });
}

Cyclotomic Cyclotomic::power(std::int64_t k, const Task& task) const {
  if (k < 0 && is_zero()) throw DomainError("division by zero: 0 has no negative powers");
  const std::uint64_t exponent = k < 0 ? 0 - static_cast<std::uint64_t>(k) : static_cast<std::uint64_t>(k);
  // Over one denominator: fractions would be reduced in every product.
  struct Growing {
    Cyclotomic numerator;
    Integer denominator = 1;
    void multiply(const Growing& b, const Task& watch) {
      View left(numerator), right(b.numerator);
      numerator = widening(product_fits(left, right), [&]<class C>(C) { return product<C>(left, right, &watch); });
      denominator *= b.denominator;
    }
  };
  Growing base{k < 0 ? intertwine::inverse(*this, task) : *this}, result{1};
  if (base.numerator.data_)
    for (const Rational& c : base.numerator.data_->big)
      base.denominator = lcm(base.denominator, boost::multiprecision::denominator(c));
  if (base.denominator != 1) base.numerator *= Cyclotomic(base.denominator);
  constexpr std::uint64_t most = std::uint64_t{1} << 23;
  for (std::uint64_t left = exponent; left > 0; left >>= 1) {
    task.poll();
    if (left & 1) result.multiply(base, task);
    if (left == 1) break;
    std::uint64_t bits = msb(base.denominator);
    if (base.numerator.data_)
      for (const Rational& c : base.numerator.data_->big) bits += msb(Integer(abs(numerator(c))));
    if (bits > most) throw LimitError(fmt::format("the power with exponent {} has more than five million digits", k));
    base.multiply(base, task);
  }
  if (result.denominator != 1) result.numerator *= Cyclotomic(Rational(1, result.denominator));
  return result.numerator;
}

Cyclotomic Cyclotomic::operator-() const {
  if (!data_) return Cyclotomic(static_cast<long>(-integer_));
  Data negative = *data_;  // in the basis as it is
  for (std::int64_t& c : negative.small) c = -c;
  for (Rational& c : negative.big) c = -c;
  return CyclotomicArithmetic::make(std::make_shared<const Data>(std::move(negative)));
}

Cyclotomic operator+(const Cyclotomic& a, const Cyclotomic& b) {
  if (!a.data_ && !b.data_) {
    const std::int64_t c = a.integer_ + b.integer_;  // both are below 2^62
    if (c < small_bound && c > -small_bound) return Cyclotomic(static_cast<long>(c));
  }
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.is_rational() && b.is_rational()) return a.to_rational() + b.to_rational();
  View va(a), vb(b);
  return widening(sum_fits(va, vb), [&]<class C>(C) { return sum<C>(va, vb, false); });
}

Cyclotomic operator-(const Cyclotomic& a, const Cyclotomic& b) {
  if (!a.data_ && !b.data_) {
    const std::int64_t c = a.integer_ - b.integer_;
    if (c < small_bound && c > -small_bound) return Cyclotomic(static_cast<long>(c));
  }
  if (b.is_zero()) return a;
  if (a.is_rational() && b.is_rational()) return a.to_rational() - b.to_rational();
  View va(a), vb(b);
  return widening(sum_fits(va, vb), [&]<class C>(C) { return sum<C>(va, vb, true); });
}

Cyclotomic operator*(const Cyclotomic& a, const Cyclotomic& b) {
  if (a.is_zero() || b.is_zero()) return {};
  if (!a.data_ && !b.data_) {
    std::int64_t c = 0;
    if (!__builtin_mul_overflow(a.integer_, b.integer_, &c) && c < small_bound && c > -small_bound)
      return Cyclotomic(static_cast<long>(c));
  }
  if (!a.data_ && a.integer_ == 1) return b;
  if (!b.data_ && b.integer_ == 1) return a;
  if (a.is_rational() && b.is_rational()) return a.to_rational() * b.to_rational();
  View va(a), vb(b);
  return widening(product_fits(va, vb), [&]<class C>(C) { return product<C>(va, vb); });
}

bool operator==(const Cyclotomic& a, const Cyclotomic& b) {
  if (!a.data_ || !b.data_) return !a.data_ && !b.data_ && a.integer_ == b.integer_;
  return a.data_ == b.data_ || *a.data_ == *b.data_;
}

std::strong_ordering operator<=>(const Cyclotomic& a, const Cyclotomic& b) {
  if (!a.data_ && !b.data_) return a.integer_ <=> b.integer_;
  const View va(a), vb(b);
  if (const auto c = va.conductor() <=> vb.conductor(); c != 0) return c;
  const bool small = va.is_small() && vb.is_small();
  for (std::size_t i = 0; i < va.size() && i < vb.size(); ++i) {
    if (const auto c = va.exponent(i) <=> vb.exponent(i); c != 0) return c;
    if (small) {
      if (const auto c = va.coefficient<Checked>(i).value <=> vb.coefficient<Checked>(i).value; c != 0) return c;
      continue;
    }
    const int c = va.coefficient<Big>(i).value.compare(vb.coefficient<Big>(i).value);
    if (c != 0) return c <=> 0;
  }
  if (va.conductor() == 1 && va.size() != vb.size())  // one of them is 0
    return va.size() == 0 ? 0 <=> vb.coefficient<Big>(0).value.compare(Rational(0))
                          : va.coefficient<Big>(0).value.compare(Rational(0)) <=> 0;
  return va.size() <=> vb.size();
}

std::size_t Cyclotomic::hash() const noexcept {
  const auto mix = [](std::size_t h, std::size_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
    return h ^ (h >> 29);
  };
  if (!data_) return mix(1, static_cast<std::size_t>(integer_));
  std::size_t h = mix(2, data_->conductor);
  for (const std::uint32_t e : data_->exponents) h = mix(h, e);
  for (const std::int64_t c : data_->small) h = mix(h, static_cast<std::size_t>(c));
  for (const Rational& c : data_->big) {
    h = mix(h, mpz_get_ui(mpq_numref(c.backend().data())));
    h = mix(h, mpz_get_ui(mpq_denref(c.backend().data())));
  }
  return h;
}

}  // namespace intertwine
