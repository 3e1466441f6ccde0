// Cyclotomic numbers: sums of roots of unity with rational coefficients.
#pragma once
#include <compare>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A number of Q(zeta_n), zeta_n = exp(2 pi i / n), in canonical form: n is the conductor (the smallest n whose
/// field contains it, never 2 mod 4), and the coefficients belong to the Zumbroich basis of Q(zeta_n), the one
/// GAP uses. Equal numbers have equal forms. Immutable; small integers are held without allocation, copies of
/// others share their data.
///
/// The basis: write zeta_n^e = prod zeta_q^(e_q) over the prime powers q exactly dividing n. For q a power of 2 the
/// exponents with 0 <= e_q < q/2 are in the basis, for q a power of an odd prime p those with e_q mod q outside
/// -(q/p-1)/2, ..., (q/p-1)/2. [Zumbroich 1989; Breuer 1997]
/// \par Cost  a sum or product O(n + terms^2) operations on coefficients, n the common conductor.
class Cyclotomic {
 public:
  /// No conductor exceeds this: operations that would need more throw LimitError.
  static constexpr std::uint32_t max_conductor = 1'000'000;

  Cyclotomic() = default;
  Cyclotomic(int value) : integer_(value) {}
  Cyclotomic(long value) : integer_(value) {}
  Cyclotomic(long long value) : integer_(value) {}
  Cyclotomic(const Integer& value);
  Cyclotomic(const Rational& value);
  /// zeta_n^k for any integer k. \throws DomainError if n = 0; LimitError if n > max_conductor.
  static Cyclotomic root_of_unity(std::uint32_t n, std::int64_t k = 1);
  /// sum of coefficient * zeta_n^exponent; exponents in any order, repetitions allowed, any size.
  static Cyclotomic from_terms(std::uint32_t n, std::span<const std::pair<std::int64_t, Rational>> terms);
  /// sum over k of coefficients[k] * zeta_n^k. \throws DomainError if n = 0 or there are more than n coefficients.
  static Cyclotomic from_coefficients(std::uint32_t n, std::span<const std::int64_t> coefficients);

  std::uint32_t conductor() const;
  /// The exponents of the basis with their non-zero coefficients, increasing; none for 0.
  std::vector<std::pair<std::uint32_t, Rational>> terms() const;
  /// The terms without a copy, for numbers whose coefficients are integers below 2^62 in size. The number must outlive
  /// them.
  struct SmallTerms {
    std::span<const std::uint32_t> exponents;
    std::span<const std::int64_t> coefficients;
  };
  std::optional<SmallTerms> small_terms() const;

  bool is_zero() const { return !data_ && integer_ == 0; }
  bool is_rational() const { return conductor() == 1; }
  /// A rational integer?
  bool is_integer() const;
  bool is_real() const;
  /// \throws DomainError unless the number is rational (an integer).
  Rational to_rational() const;
  Integer to_integer() const;
  /// The value of a small rational integer (below 2^62 in size), otherwise nothing.
  const std::int64_t* small_integer() const { return data_ ? nullptr : &integer_; }

  /// The image under zeta -> zeta^k. \throws DomainError unless k is coprime to the conductor.
  Cyclotomic galois_conjugate(std::int64_t k) const;
  /// The complex conjugate.
  Cyclotomic conjugate() const { return galois_conjugate(-1); }
  /// Every different conjugate, this number first.
  std::vector<Cyclotomic> conjugates() const;
  /// Product and sum of the phi(n) images of this number under the Galois group of Q(zeta_n), n the conductor.
  Rational norm() const;
  Rational trace() const;
  /// \throws DomainError for 0.
  /// \par Cost  that of inverse(a, task) in cyclotomic_inverse.hpp: a few conjugates are multiplied, larger fields are
  /// computed modulo primes. That function keeps to limits; this one and norm() have none.
  Cyclotomic inverse() const;
  /// a^k; a^0 = 1. \throws DomainError for 0^k, k < 0; LimitError if the coefficients of the answer would have more
  /// than some five million digits in all.
  Cyclotomic power(std::int64_t k, const Task& task = {}) const;

  /// The sign of a real number: equality with 0 is decided by the canonical form, the rest by interval evaluation
  /// with growing precision. \throws DomainError if it is not real.
  int sign() const;
  /// Real and imaginary part, each the double nearest to it (halves to even).
  std::complex<double> to_complex() const;
  /// Real and imaginary part in scientific notation, "1.61803398874989484820e+00", each the decimal number of so many
  /// significant digits nearest to it (halves to even). \throws DomainError unless 1 <= digits <= 1,000,000.
  std::pair<std::string, std::string> to_decimal(std::size_t digits) const;

  Cyclotomic operator-() const;
  friend Cyclotomic operator+(const Cyclotomic& a, const Cyclotomic& b);
  friend Cyclotomic operator-(const Cyclotomic& a, const Cyclotomic& b);
  friend Cyclotomic operator*(const Cyclotomic& a, const Cyclotomic& b);
  friend Cyclotomic operator/(const Cyclotomic& a, const Cyclotomic& b) { return a * b.inverse(); }
  Cyclotomic& operator+=(const Cyclotomic& b) { return *this = *this + b; }
  Cyclotomic& operator-=(const Cyclotomic& b) { return *this = *this - b; }
  Cyclotomic& operator*=(const Cyclotomic& b) { return *this = *this * b; }

  friend bool operator==(const Cyclotomic& a, const Cyclotomic& b);
  /// A total order for sorting, by conductor, then exponents and coefficients; rationals come first, in their
  /// order, but otherwise it has nothing to do with size: see compare_real.
  friend std::strong_ordering operator<=>(const Cyclotomic& a, const Cyclotomic& b);

  std::size_t hash() const noexcept;

 private:
  struct Data;
  friend struct CyclotomicArithmetic;
  explicit Cyclotomic(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::int64_t integer_ = 0;          // the value if there is no data; then below 2^62 in size
  std::shared_ptr<const Data> data_;  // everything else
};

/// Numerical comparison of real numbers, exact. \throws DomainError if one is not real.
std::strong_ordering compare_real(const Cyclotomic& a, const Cyclotomic& b);

/// The number in GAP's notation: "-E(3)^2", "E(5)+E(5)^4", "1/2", "-2*E(8)+1/3*E(8)^3".
std::string to_string(const Cyclotomic& a);
/// LaTeX: "-\zeta_{3}^{2}", "\frac{1}{2}".
std::string to_latex(const Cyclotomic& a);

/// Reads what to_string writes and expressions as "(1+sqrt(5))/2*E(3)^-1 - i*cos(2*pi/7)"; sqrt(a) as in square_root.hpp.
/// \throws ParseError with the position; LimitError for a conductor above max_conductor, more than 1 MiB of text, or
///         products and roots that take too many steps, which are counted by conductors and lengths beforehand.
/// \par Cost  so bounded, a second or two for the longest texts; the task is asked at every term and factor.
Cyclotomic parse_cyclotomic(std::string_view text, const Task& task = {});

}  // namespace intertwine

template <>
struct std::hash<intertwine::Cyclotomic> {
  std::size_t operator()(const intertwine::Cyclotomic& a) const noexcept { return a.hash(); }
};
