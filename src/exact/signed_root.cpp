// Signed square roots of rational numbers.
#include "intertwine/exact/signed_root.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// The root of a square; nothing for other numbers n >= 0.
std::optional<Integer> exact_root(const Integer& n) {
  Integer rest, root = boost::multiprecision::sqrt(n, rest);
  return rest == 0 ? std::optional(root) : std::nullopt;
}

}  // namespace

SignedRoot::SignedRoot(const Rational& value) : signed_square_(value * abs(value)) {}

SignedRoot SignedRoot::of_signed_square(const Rational& s) {
  SignedRoot a;
  a.signed_square_ = s;
  return a;
}

std::optional<Rational> SignedRoot::to_rational() const {
  const Rational s = square();
  const auto p = exact_root(numerator(s)), q = exact_root(denominator(s));
  if (!p || !q) return std::nullopt;
  return Rational(sign() < 0 ? Integer(-*p) : *p, *q);
}

double SignedRoot::to_double() const {
  if (is_zero()) return 0;
  // floor(sqrt(4^shift p / q)) with at least 64 bits, its last bit 1 if anything is left: halves are then told apart
  const Integer p = numerator(square()), q = denominator(square());
  const auto size = static_cast<long>(msb(p)) - static_cast<long>(msb(q));
  const long shift = 66 - size / 2;
  const Integer top = shift > 0 ? Integer(p << static_cast<unsigned long>(2 * shift)) : p,
                bottom = shift < 0 ? Integer(q << static_cast<unsigned long>(-2 * shift)) : q;
  Integer rest, root = boost::multiprecision::sqrt(Integer(top / bottom), rest);
  if (rest != 0 || top % bottom != 0) root |= 1;
  // root has 65 to 68 bits: take 53 of them, or fewer where the double is subnormal
  const long exponent = static_cast<long>(msb(root)) - shift;  // of the leading bit
  const long bits = std::min<long>(53, exponent + 1075);
  if (bits < 0) return sign() < 0 ? -0.0 : 0.0;
  const auto drop = static_cast<unsigned long>(static_cast<long>(msb(root)) + 1 - bits);
  const Integer half = Integer(1) << (drop - 1), low = root & ((Integer(1) << drop) - 1);
  Integer kept = root >> drop;
  if (low > half || (low == half && (kept & 1) != 0)) ++kept;
  const double value = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(kept)),
                                  static_cast<int>(static_cast<long>(drop) - shift));
  return sign() < 0 ? -value : value;
}

SignedRoot operator*(const SignedRoot& a, const SignedRoot& b) {
  return SignedRoot::of_signed_square(a.signed_square_ * b.signed_square_);
}

SignedRoot operator/(const SignedRoot& a, const SignedRoot& b) {
  if (b.is_zero()) throw DomainError("a root is divided by 0");
  return SignedRoot::of_signed_square(a.signed_square_ / b.signed_square_);
}

std::string to_string(const SignedRoot& a) {
  if (const auto value = a.to_rational()) return to_string(*value);
  return fmt::format("{}sqrt({})", a.sign() < 0 ? "-" : "", to_string(a.square()));
}

}  // namespace intertwine
