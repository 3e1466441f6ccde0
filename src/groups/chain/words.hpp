// Words in generators and their inverses, for messages that name elements and relations.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace intertwine {

/// Letters k + 1 for generator k and -(k + 1) for its inverse, freely reduced.
using Word = std::vector<std::int32_t>;

inline void append(Word& word, std::int32_t letter) {
  if (!word.empty() && word.back() == -letter)
    word.pop_back();
  else
    word.push_back(letter);
}

inline Word product(Word a, const Word& b) {
  for (const std::int32_t letter : b) append(a, letter);
  return a;
}

inline Word inverse(const Word& a) {
  Word result(a.rbegin(), a.rend());
  for (std::int32_t& letter : result) letter = -letter;
  return result;
}

/// "a^2*b^-1"; the generators are a, b, c, ..., or g1, g2, ... when there are more than 26. `single` says
/// whether it is one letter to the power 1.
inline std::string word_text(const Word& word, std::size_t generators, bool* single = nullptr) {
  std::string text;
  for (std::size_t i = 0; i < word.size();) {
    std::size_t j = i;
    while (j < word.size() && word[j] == word[i]) ++j;
    const auto k = static_cast<std::size_t>(std::abs(word[i]) - 1);
    const auto exponent = static_cast<std::int64_t>(j - i) * (word[i] > 0 ? 1 : -1);
    text += (i == 0 ? "" : "*");
    text += generators <= 26 ? std::string(1, static_cast<char>('a' + k)) : fmt::format("g{}", k + 1);
    if (exponent != 1) text += fmt::format("^{}", exponent);
    i = j;
  }
  if (single != nullptr) *single = word.size() == 1 && word[0] > 0;
  return text;
}

}  // namespace intertwine
