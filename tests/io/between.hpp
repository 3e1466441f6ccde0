// A part of a text.
#pragma once
#include <catch2/catch.hpp>
#include <string>

// The text between `begin` and the next `end`.
inline std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t start = text.find(begin);
  REQUIRE(start != std::string::npos);
  return text.substr(start + begin.size(), text.find(end, start + begin.size()) - start - begin.size());
}
