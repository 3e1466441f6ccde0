// The numbers that a text writes: from them a target sees what an expression asks for before the library computes it. An honest request for
// something large is no finding, and a minute of computing shows nothing of the reader.
#pragma once
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <vector>

/// In their order; from 10^18 on all count as that.
inline std::vector<std::uint64_t> numbers_in(std::string_view text) {
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
