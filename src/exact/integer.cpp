#include "intertwine/exact/integer.hpp"

#include <gmp.h>

#include <cctype>

#include "intertwine/error.hpp"

namespace intertwine {

Integer factorial(unsigned long n) {
  Integer result;
  mpz_fac_ui(result.backend().data(), n);
  return result;
}

Integer binomial(unsigned long n, unsigned long k) {
  Integer result;
  mpz_bin_uiui(result.backend().data(), n, k);
  return result;
}

namespace {

/// Reads an optional sign (if allowed) and digits; advances `at`.
Integer read_integer(const std::string& text, std::size_t& at, bool allow_sign) {
  const std::size_t start = at;
  bool negative = false;
  if (allow_sign && at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  const std::size_t digits = at;
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
  if (at == digits) throw ParseError("expected a rational number like 3 or -5/2", text, start);
  const Integer value(text.substr(digits, at - digits));
  return negative ? Integer(-value) : value;
}

}  // namespace

Rational parse_rational(const std::string& text) {
  std::size_t at = 0;
  const Integer numerator = read_integer(text, at, true);
  Integer denominator = 1;
  if (at < text.size() && text[at] == '/') {
    ++at;
    denominator = read_integer(text, at, false);
    if (denominator == 0) throw ParseError("the denominator is zero", text, at - 1);
  }
  if (at != text.size()) throw ParseError("unexpected text after the rational number", text, at);
  return Rational(numerator, denominator);
}

}  // namespace intertwine
