// Offers exact numbers for decimals.
#include "intertwine/exact/exact_offer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

namespace {

constexpr std::size_t most_characters = 1000;
constexpr int most_exponent = 400;  // beyond all doubles

bool goes_on(char c) { return c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A decimal by its parts: c 10^-places.
struct Decimal {
  Integer c = 0;
  int places = 0;          ///< behind the point, less the exponent
  std::size_t digits = 0;  ///< without zeros in front

  explicit Decimal(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::string digits_alone;
    bool behind = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == 'e' || text[at] == 'E') {
        const double exponent = std::strtod(std::string(text.substr(at + 1)).c_str(), nullptr);
        places -= static_cast<int>(std::clamp<double>(exponent, -most_exponent, most_exponent));
        break;
      }
      if (text[at] == '.') {
        behind = true;
        continue;
      }
      digits_alone += text[at];
      if (behind) ++places;
    }
    const std::size_t first = std::min(digits_alone.find_first_not_of('0'), digits_alone.size());
    digits = digits_alone.size() - first;
    if (digits > 0) c = Integer(digits_alone.substr(first));
    if (negative) c = -c;
  }
  Rational value() const {
    const Integer power = pow(Integer(10), static_cast<unsigned>(std::abs(places)));
    return places < 0 ? Rational(c * power) : Rational(c, power);
  }
};

/// The fraction of a denominator up to `most` that is nearest, by continued fractions.
Rational nearest_fraction(const Rational& x, const Integer& most) {
  if (denominator(x) <= most) return x;
  Integer p0 = 0, q0 = 1, p1 = 1, q1 = 0, n = abs(numerator(x)), d = denominator(x);
  while (d != 0) {
    const Integer a = n / d, q2 = q0 + a * q1;
    if (q2 > most) break;
    const Integer p2 = p0 + a * p1, rest = n - a * d;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2, n = d, d = rest;
  }
  const Integer k = (most - q0) / q1;
  const Rational size = abs(x), low(p0 + k * p1, q0 + k * q1), high(p1, q1);
  const Rational best = abs(Rational(high - size)) <= abs(Rational(low - size)) ? high : low;
  return x < 0 ? Rational(-best) : best;
}

struct Offer {
  std::string text;
  double value;
};

/// p sqrt(n)/q, (p ± sqrt(n))/q and cos(2 pi k/n) of about this size.
std::vector<Offer> surds(double size) {
  std::vector<Offer> result;
  for (const int n : {2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19, 21}) {
    const double root = std::sqrt(n);
    for (int q = 1; q <= 12; ++q) {
      const std::string under = q > 1 ? fmt::format("/{}", q) : "";
      const double times = std::round(size * q / root);
      if (times >= 1 && times < 1e9 && std::gcd(static_cast<long>(times), static_cast<long>(q)) == 1)
        result.push_back(
            {times > 1 ? fmt::format("{:.0f}*sqrt({}){}", times, n, under) : fmt::format("sqrt({}){}", n, under),
             times * root / q});
      for (const int sign : {1, -1}) {
        const double p = std::round(size * q - sign * root);
        if (p == 0 || std::abs(p) > 20) continue;
        const std::string whole = fmt::format("{:.0f}{}sqrt({})", p, sign > 0 ? '+' : '-', n);
        result.push_back({under.empty() ? whole : fmt::format("({}){}", whole, under), (p + sign * root) / q});
      }
    }
  }
  for (int n = 7; n <= 40; ++n) {
    if (n == 8 || n == 10 || n == 12) continue;  // those have square roots
    const auto k = static_cast<int>(std::round(std::acos(std::min(size, 1.0)) * n / (2 * std::numbers::pi)));
    if (k == 0 || std::gcd(k, n) != 1) continue;
    result.push_back({n % 2 == 1 ? fmt::format("cos({}*pi/{})", 2 * k, n)
                      : k > 1    ? fmt::format("cos({}*pi/{})", k, n / 2)
                                 : fmt::format("cos(pi/{})", n / 2),
                      std::cos(2 * std::numbers::pi * k / n)});
  }
  return result;
}

}  // namespace

std::optional<std::string_view> leading_decimal(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  const std::size_t before = digits();
  bool decimal = false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    decimal = digits() + before > 0;
  }
  if (before == 0 && !decimal) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t end = at;
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() > 0)
      decimal = true;
    else
      at = end;
  }
  if (!decimal || at > most_characters || (at < text.size() && goes_on(text[at]))) return std::nullopt;
  return text.substr(0, at);
}

std::string exact_offer(std::string_view decimal) {
  constexpr std::size_t of_a_double = 15;
  const Decimal written(decimal);
  const Rational exact = written.value();
  const double value = static_cast<double>(exact);
  const double size = std::abs(value);
  // Full doubles were computed; others were cut off, or rounded to a shorter type.
  const bool full = written.digits >= of_a_double;
  const double slack = full ? 4 * (std::nextafter(size, std::numeric_limits<double>::infinity()) - size)
                            : 1.5 * std::pow(10.0, -written.places);
  std::vector<std::string> found;
  constexpr int most_denominator = 1000;
  const Rational simple =
      !full && denominator(exact) <= most_denominator ? exact : nearest_fraction(exact, most_denominator);
  // Some fraction of a large denominator is near every number, and says nothing.
  const double q = static_cast<double>(Integer(denominator(simple)));
  constexpr double chance = 0.05;
  if (std::abs(static_cast<double>(Rational(simple - exact))) <= slack && size < 1e16 && (simple != 0 || exact == 0) &&
      (simple == exact || 2 * slack * q * q < chance))
    found.push_back(to_string(simple));
  constexpr std::size_t fewest_digits = 6;  // with less, something near is found for every number
  if (written.digits >= fewest_digits && std::isfinite(size))
    for (const Offer& offer : surds(size))
      if (std::abs(offer.value - size) <= slack)
        found.push_back(value >= 0                                              ? offer.text
                        : offer.text[0] == '-'                                  ? fmt::format("-({})", offer.text)
                        : offer.text.find_first_of("+-") < offer.text.find('(') ? fmt::format("-({})", offer.text)
                                                                                : "-" + offer.text);
  if (found.empty()) return to_string(exact);
  return *std::ranges::min_element(found, {}, &std::string::size);  // a fraction before roots
}

std::string decimal_refusal(std::string_view decimal) {
  return fmt::format("the number {} is a decimal, and only exact ones are taken here; write {} if that is meant",
                     decimal, exact_offer(decimal));
}

}  // namespace intertwine
