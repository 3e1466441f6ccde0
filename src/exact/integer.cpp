// Integers of any size as text.
#include "intertwine/exact/integer.hpp"

#include <fmt/format.h>
#include <gmp.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/exact/exact_offer.hpp"

namespace intertwine {

Integer factorial(unsigned long n) {
  if (n > max_factorial) throw LimitError(fmt::format("factorial: {} exceeds the limit of {}", n, max_factorial));
  Integer result;
  mpz_fac_ui(result.backend().data(), n);
  return result;
}

Integer binomial(unsigned long n, unsigned long k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  if (k > max_factorial)
    throw LimitError(fmt::format("binomial: {} choose {} exceeds the limit of {} factors", n, k, max_factorial));
  Integer result;
  mpz_bin_uiui(result.backend().data(), n, k);
  return result;
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads an optional sign (if allowed) and decimal digits; advances `at`.
Integer read_integer(const std::string& text, std::size_t& at, bool allow_sign) {
  bool negative = false;
  if (allow_sign && at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  const std::size_t digits = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == digits) throw ParseError("expected a rational number like 3 or -5/2", text, at);
  // Not the constructor from text: it would take a leading zero for octal.
  Integer value;
  mpz_set_str(value.backend().data(), text.substr(digits, at - digits).c_str(), 10);
  return negative ? Integer(-value) : value;
}

}  // namespace

Rational parse_rational(const std::string& text) {
  if (const auto decimal = leading_decimal(text)) throw ParseError(decimal_refusal(*decimal), text, 0);
  std::size_t at = 0;
  const Integer numerator = read_integer(text, at, true);
  Integer denominator = 1;
  if (at < text.size() && text[at] == '/') {
    const std::size_t start = ++at;
    denominator = read_integer(text, at, false);
    if (denominator == 0) throw ParseError("the denominator is zero", text, start);
  }
  if (at != text.size()) throw ParseError("unexpected text after the rational number", text, at);
  return Rational(numerator, denominator);
}

}  // namespace intertwine
