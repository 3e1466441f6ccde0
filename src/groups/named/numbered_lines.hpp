// The tools that the readers of the embedded lists of groups share.
#pragma once
#include <charconv>
#include <cstddef>
#include <string_view>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine::named {

/// The number at the front, which it takes off with one blank behind it.
inline unsigned taken_number(std::string_view& text) {
  unsigned value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return value;
}

/// The word before the first comma, which it takes off with the comma.
inline std::string_view taken_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(','));
  text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
  return word;
}

/// The line at the front, which it takes off.
inline std::string_view taken_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// Generators in cycles, "(1,2),(2,3)(4,5)"; none for an empty text.
inline std::vector<Permutation> generators_in_cycles(std::string_view text, std::size_t degree) {
  std::vector<Permutation> generators;
  while (!text.empty()) {
    // Generators are separated by ",(" behind a bracket.
    const std::size_t end = text.find("),(");
    generators.push_back(parse_permutation(text.substr(0, end == std::string_view::npos ? end : end + 1), degree));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  }
  return generators;
}

}  // namespace intertwine::named
