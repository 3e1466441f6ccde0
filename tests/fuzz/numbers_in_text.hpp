// The numbers that a text writes: from them a target sees what an expression asks for before the library computes it. An honest request for
// something large is no finding, and a minute of computing shows nothing of the reader.
#pragma once
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Raised and lowered digits as plain ones, apart from the plain ones beside them: 29 and 2 of 29².
inline std::string with_plain_digits(std::string_view text) {
  std::string plain;
  bool other = false;  // was the last digit raised or lowered?
  const auto add = [&](char c, bool now_other) {
    const auto is_digit = [](char x) { return x >= '0' && x <= '9'; };
    if (!plain.empty() && is_digit(plain.back()) && is_digit(c) && other != now_other) plain += ' ';
    plain += c;
    other = now_other;
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::string_view two = text.substr(k, 2);
    const auto third = k + 2 < text.size() ? static_cast<unsigned char>(text[k + 2]) : 0;
    if (two == "\xc2\xb9" || two == "\xc2\xb2" || two == "\xc2\xb3") {
      add(two[1] == '\xb9' ? '1' : two[1] == '\xb2' ? '2' : '3', true);
      k += 1;
    } else if (two == "\xe2\x81" && (third == 0xb0 || (third >= 0xb4 && third <= 0xb9))) {
      add(static_cast<char>('0' + (third - 0xb0)), true);
      k += 2;
    } else if (two == "\xe2\x82" && third >= 0x80 && third <= 0x89) {
      add(static_cast<char>('0' + (third - 0x80)), true);
      k += 2;
    } else {
      add(text[k], false);
    }
  }
  return plain;
}

/// In their order; from 10^18 on all count as that.
inline std::vector<std::uint64_t> numbers_in(std::string_view written) {
  const std::string text = with_plain_digits(written);
  constexpr std::uint64_t most = 1'000'000'000'000'000'000;
  std::vector<std::uint64_t> found;
  bool inside = false;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && !inside) found.push_back(0);
    if (digit) found.back() = std::min(most, found.back() * 10 + static_cast<std::uint64_t>(c - '0'));
    inside = digit;
  }
  return found;
}

/// How much an expression may ask for: of the terms that + and - outside of brackets separate the largest product of the numbers, each but 0
/// counted as 2 at least, and of a 2 for every '*'. Degrees of symmetric functions are at most that.
inline double largest_term(std::string_view written) {
  const std::string text = with_plain_digits(written);
  double largest = 1, product = 1;
  int open = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : '+';
    open += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (k == text.size() || (open <= 0 && (c == '+' || c == '-'))) {
      largest = std::max(largest, product);
      product = 1;
    } else if (c == '*') {
      product *= 2;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", k), text.size());
      if (const auto n = numbers_in(std::string_view(text).substr(k, end - k)).front(); n != 0)
        product *= std::max(2.0, static_cast<double>(n));
      k = end - 1;
    }
  }
  return largest;
}
