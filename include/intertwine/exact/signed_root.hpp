// Real numbers whose squares are rational: +-sqrt(p/q).
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// sign * sqrt(square) with a rational square: what coupling coefficients and norms of rational vectors are. Products and
/// quotients stay of this form, sums do not. A value, in one form only: equal numbers have equal squares and signs.
class SignedRoot {
 public:
  SignedRoot() = default;
  /// The rational number itself.
  SignedRoot(const Rational& value);  // NOLINT(google-explicit-constructor)
  /// sign(s) sqrt(|s|).
  static SignedRoot of_signed_square(const Rational& s);

  int sign() const { return signed_square_.sign(); }
  /// Not negative.
  Rational square() const { return abs(signed_square_); }
  /// sign * square: the one number that holds both.
  const Rational& signed_square() const { return signed_square_; }
  bool is_zero() const { return signed_square_ == 0; }
  /// The number itself where it is rational.
  std::optional<Rational> to_rational() const;
  /// The double nearest to it, halves to even; 0 and infinity beyond the range of doubles.
  double to_double() const;

  SignedRoot operator-() const { return of_signed_square(-signed_square_); }
  friend SignedRoot operator*(const SignedRoot& a, const SignedRoot& b);
  /// \throws DomainError for b = 0.
  friend SignedRoot operator/(const SignedRoot& a, const SignedRoot& b);
  friend bool operator==(const SignedRoot& a, const SignedRoot& b) { return a.signed_square_ == b.signed_square_; }

 private:
  Rational signed_square_ = 0;
};

/// "0", "-2/3" where it is rational, "sqrt(3/10)", "-sqrt(2)".
std::string to_string(const SignedRoot& a);

}  // namespace intertwine
