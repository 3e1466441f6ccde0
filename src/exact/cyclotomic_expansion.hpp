// The coefficients of cyclotomic numbers, of 64 bits or without a bound, on their way to the canonical form.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "exact/cyclotomic_data.hpp"
#include "intertwine/exact/integer.hpp"

namespace intertwine::detail {

inline constexpr std::int64_t small_bound = std::int64_t{1} << 62;

/// Thrown inside when 64 bits do not suffice; the work is then done with rational numbers.
struct Overflow {};

/// Coefficients of 64 bits, checked.
struct Checked {
  std::int64_t value = 0;
  bool is_zero() const { return value == 0; }
  Checked operator-() const { return Checked{} -= *this; }
  Checked& operator+=(Checked b) {
    if (__builtin_add_overflow(value, b.value, &value)) throw Overflow{};
    return *this;
  }
  Checked& operator-=(Checked b) {
    if (__builtin_sub_overflow(value, b.value, &value)) throw Overflow{};
    return *this;
  }
  friend Checked operator*(Checked a, Checked b) {
    Checked c;
    if (__builtin_mul_overflow(a.value, b.value, &c.value)) throw Overflow{};
    return c;
  }
  friend bool operator==(Checked, Checked) = default;
};

template <class Number>
struct Unbounded {
  Number value = 0;
  bool is_zero() const { return value == 0; }
  Unbounded operator-() const { return {Number(-value)}; }
  Unbounded& operator+=(const Unbounded& b) { return value += b.value, *this; }
  Unbounded& operator-=(const Unbounded& b) { return value -= b.value, *this; }
  friend Unbounded operator*(const Unbounded& a, const Unbounded& b) { return {Number(a.value * b.value)}; }
  friend bool operator==(const Unbounded&, const Unbounded&) = default;
};
using Big = Unbounded<Rational>;

/// A vector of coefficients of 1, zeta_n, ..., zeta_n^(n-1) on its way to the canonical form.
template <class C>
class Expansion {
 public:
  explicit Expansion(std::uint32_t n) : n_(n), at_(n) {}
  C& operator[](std::size_t e) { return at_[e]; }
  std::uint32_t n() const { return n_; }

  /// Rewrites in the basis of Q(zeta_n), prime by prime.
  void to_basis() {
    std::uint32_t rest = n_;
    if (rest % 2 == 0) {
      std::uint32_t q = rest & -rest;
      rest /= q;
      // zeta^(k + n/2) = -zeta^k
      for (std::uint32_t a = 0; a < n_; a += q)
        for (std::uint32_t b = q / 2; b < q; ++b) {
          const std::uint32_t k = place(a, b, q), l = k >= n_ / 2 ? k - n_ / 2 : k + n_ / 2;
          if (at_[k].is_zero()) continue;
          at_[l] -= at_[k];
          at_[k] = C{};
        }
    }
    for (std::uint32_t p = 3; rest > 1; p += 2) {
      if (p > rest / p) p = rest;  // no divisor is left: rest is prime
      if (rest % p != 0) continue;
      std::uint32_t q = 1;
      for (; rest % p == 0; rest /= p) q *= p;
      reduce_odd(p, q);
    }
  }

  /// Assumes the basis; replaces n by the smallest conductor.
  void shrink() {
    std::uint32_t rest = n_;
    for (std::uint32_t p = 2; rest > 1; p = p == 2 ? 3 : p + 2) {
      if (p > rest / p) p = rest;
      if (rest % p != 0) continue;
      while (rest % p == 0) rest /= p;
      while (n_ % p == 0 && shrink_by(p)) {
      }
    }
  }

 private:
  /// The exponent a + b n/q mod n.
  std::uint32_t place(std::uint64_t a, std::uint64_t b, std::uint32_t q) const {
    return static_cast<std::uint32_t>((a + b * (n_ / q)) % n_);
  }

  /// zeta^k = - sum_{j=1}^{p-1} zeta^(k + j n/p) for the exponents outside the basis.
  void reduce_odd(std::uint32_t p, std::uint32_t q) {
    const std::uint32_t half = (q / p - 1) / 2, step = n_ / p;
    for (std::uint32_t a = 0; a < n_; a += q)
      for (std::uint32_t b = 0; b < q / p; ++b) {
        const std::uint32_t k = place(a, b + q - half, q);
        if (at_[k].is_zero()) continue;
        const C c = at_[k];
        at_[k] = C{};
        std::uint32_t l = k;
        for (std::uint32_t j = 1; j < p; ++j) {
          l = l + step >= n_ ? l + step - n_ : l + step;
          at_[l] -= c;
        }
      }
  }

  bool shrink_by(std::uint32_t p) {
    const std::uint32_t m = n_ / p;
    if (m % p == 0 || p == 2) {  // then zeta_m^e = zeta_n^(pe) are basis elements of both fields, or n = 2 mod 4
      for (std::uint32_t k = 0; k < n_; ++k)
        if (k % p != 0 && !at_[k].is_zero()) return false;
      std::vector<C> next(m);
      for (std::uint32_t k = 0; k < m; ++k) next[k] = std::move(at_[std::size_t{k} * p]);
      at_ = std::move(next);
      n_ = m;
      return true;
    }
    // p divides n once: the number lies in Q(zeta_m) when coefficients are constant along k + n/p, k + 2n/p, ...
    for (std::uint32_t k = 0; k < n_; k += p) {
      const C& first = at_[(k + m) % n_];
      for (std::uint32_t j = 2; j < p; ++j)
        if (!(at_[(k + std::uint64_t{j} * m) % n_] == first)) return false;
    }
    std::vector<C> next(m);
    for (std::uint32_t k = 0; k < n_; k += p) next[k / p] = -at_[(k + m) % n_];
    at_ = std::move(next);
    n_ = m;
    return true;
  }

  std::uint32_t n_;
  std::vector<C> at_;
};

using Data = CyclotomicArithmetic::Data;

inline bool is_small(mpz_srcptr a) { return mpz_cmpabs_ui(a, small_bound) < 0; }
inline bool is_small(const Rational& c) {
  mpq_srcptr q = c.backend().data();
  return mpz_cmp_ui(mpq_denref(q), 1) == 0 && is_small(mpq_numref(q));
}

inline Cyclotomic finished(Data data) {
  if (data.exponents.empty()) return {};
  if (data.conductor == 1) {
    if (!data.small.empty()) return Cyclotomic(static_cast<long>(data.small[0]));
  }
  return CyclotomicArithmetic::make(std::make_shared<const Data>(std::move(data)));
}

inline Cyclotomic canonical(Expansion<Checked>& x, std::int64_t denominator = 1) {
  x.to_basis();
  x.shrink();
  Data data;
  data.conductor = x.n();
  for (std::uint32_t e = 0; e < x.n(); ++e) {
    if (x[e].is_zero()) continue;
    if (x[e].value >= small_bound || x[e].value <= -small_bound) throw Overflow{};
    data.exponents.push_back(e);
    data.small.push_back(x[e].value);
  }
  if (denominator != 1) {
    std::int64_t common = denominator;
    for (std::size_t i = 0; i < data.small.size() && common != 1; ++i) common = std::gcd(common, data.small[i]);
    for (std::int64_t& c : data.small) c /= common;
    denominator /= common;
  }
  if (denominator != 1) {
    for (const std::int64_t c : data.small) data.big.emplace_back(c, denominator);
    data.small.clear();
  }
  return finished(std::move(data));
}

template <class Number>
Cyclotomic canonical(Expansion<Unbounded<Number>>& x, const Integer& denominator = 1) {
  x.to_basis();
  x.shrink();
  Data data;
  data.conductor = x.n();
  bool small = true;
  for (std::uint32_t e = 0; e < x.n(); ++e) {
    if (x[e].is_zero()) continue;
    data.exponents.push_back(e);
    data.big.push_back(denominator == 1 ? Rational(x[e].value) : Rational(x[e].value) / denominator);
    small = small && is_small(data.big.back());
  }
  if (small) {
    for (const Rational& c : data.big) data.small.push_back(numerator(c).convert_to<std::int64_t>());
    data.big.clear();
  }
  return finished(std::move(data));
}

/// Rational numbers as integers of 64 bits over one denominator.
struct WordFractions {
  std::vector<std::int64_t> numerators;
  std::int64_t denominator = 1;
};

/// The fractions coefficient(0), ..., coefficient(count - 1); nothing if they do not fit.
template <class Coefficient>
std::optional<WordFractions> word_fractions(std::size_t count, const Coefficient& coefficient) {
  WordFractions result;
  const auto word = [](mpz_srcptr a) -> std::optional<std::int64_t> {
    if (mpz_fits_slong_p(a) == 0) return std::nullopt;
    return mpz_get_si(a);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Rational& c = coefficient(i);
    const auto d = word(mpq_denref(c.backend().data()));
    if (!d || __builtin_mul_overflow(result.denominator, *d / std::gcd(result.denominator, *d), &result.denominator))
      return std::nullopt;
  }
  for (std::size_t i = 0; i < count; ++i) {
    mpq_srcptr c = coefficient(i).backend().data();
    const auto numerator = word(mpq_numref(c));
    std::int64_t value = 0;
    if (!numerator || __builtin_mul_overflow(*numerator, result.denominator / mpz_get_si(mpq_denref(c)), &value))
      return std::nullopt;
    result.numerators.push_back(value);
  }
  return result;
}

/// Reading access to a number, small integers included.
class View {
 public:
  explicit View(const Cyclotomic& a) : data_(CyclotomicArithmetic::data(a)) {
    if (!data_) integer_ = *a.small_integer();
    if (data_) exponents_ = data_->exponents.data();
    if (is_small()) numerators_ = data_ ? data_->small.data() : &integer_;
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  std::uint32_t conductor() const { return data_ ? data_->conductor : 1; }
  std::size_t size() const { return data_ ? data_->exponents.size() : integer_ != 0; }
  std::uint32_t exponent(std::size_t i) const { return exponents_[i]; }
  bool is_small() const { return !data_ || !data_->small.empty(); }
  /// Are the coefficients, or can they be made, integers of 64 bits over one denominator?
  bool scale() {
    if (numerators_ != nullptr) return true;
    words_ = word_fractions(
        data_->big.size(), [&](std::size_t i) -> auto& { return data_->big[i]; });
    if (words_) numerators_ = words_->numerators.data();
    return words_.has_value();
  }
  std::int64_t denominator() const { return words_ ? words_->denominator : 1; }
  /// The denominator of the numbers that coefficient<C>() gives.
  template <class C>
  std::int64_t denominator_of() const {
    return std::is_same_v<C, Checked> ? denominator() : 1;
  }
  bool has_fractions() const { return words_.has_value(); }
  /// The length of the longest numerator in bits; after scale().
  int bits() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < size(); ++i)
      all |= numerators_[i] < 0 ? 0 - static_cast<std::uint64_t>(numerators_[i])
                                : static_cast<std::uint64_t>(numerators_[i]);
    return static_cast<int>(std::bit_width(all));
  }
  /// \param C  Checked, times denominator(), only if is_small() or after scale()
  template <class C>
  C coefficient(std::size_t i) const {
    if constexpr (std::is_same_v<C, Checked>) {
      return {numerators_[i]};
    } else {
      if (!data_) return {Rational(integer_)};
      return {data_->small.empty() ? data_->big[i] : Rational(data_->small[i])};
    }
  }

 private:
  static constexpr std::uint32_t constant = 0;
  const Data* data_;
  std::int64_t integer_ = 0;
  const std::uint32_t* exponents_ = &constant;
  std::optional<WordFractions> words_;
  const std::int64_t* numerators_ = nullptr;
};

}  // namespace intertwine::detail
