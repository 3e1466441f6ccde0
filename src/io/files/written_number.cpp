// Numbers of files, read and written exactly.
#include "io/files/written_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "intertwine/error.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

constexpr long most_decimal_exponent = 400;

}  // namespace

std::optional<Rational> written_number(std::string_view text) {
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;
  std::string digits;
  long scale = 0;
  bool point = false, any = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      digits += c;
      any = true;
      if (point) --scale;
    } else {
      break;
    }
  }
  if (!any || digits.size() > 4000) return std::nullopt;
  const auto whole = [](const std::string& word) {
    const std::size_t first = std::min(word.find_first_not_of('0'), word.size());
    return first == word.size() ? Integer(0) : Integer(word.substr(first));
  };
  Rational value(whole(digits));
  if (at < text.size() && text[at] == '/' && !point) {
    const std::string below(text.substr(at + 1));
    if (below.empty() || below.size() > 4000 || below.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    const Integer q = whole(below);
    if (q == 0) return std::nullopt;
    value = Rational(value / q);
    at = text.size();
  } else if (at < text.size() && (text[at] == 'e' || text[at] == 'E' || text[at] == 'd' || text[at] == 'D')) {
    ++at;
    long sign = 1, exponent = 0;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) sign = text[at++] == '-' ? -1 : 1;
    const std::size_t begin = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      exponent = std::min(exponent * 10 + (text[at] - '0'), 100000L);
    if (at == begin) return std::nullopt;
    scale += sign * exponent;
  }
  if (at != text.size() || std::abs(scale) > most_decimal_exponent + 4000) return std::nullopt;
  const Integer power = boost::multiprecision::pow(Integer(10), static_cast<unsigned>(std::abs(scale)));
  value = scale < 0 ? Rational(value / power) : Rational(value * power);
  return negative ? Rational(-value) : value;
}

std::string decimal_text(const Rational& value) {
  const auto nearest = value.convert_to<double>();
  if (!std::isfinite(nearest))
    throw DomainError(fmt::format("the number {} is too large for a file of doubles", shown(value.str(), 40)));
  const std::string short_text = fmt::format("{}", nearest);
  const auto written = written_number(short_text);
  return written && *written == value ? short_text : fmt::format("{:.17g}", nearest);
}

}  // namespace intertwine
