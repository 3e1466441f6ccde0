// Products, inverses and texts of words in generators.
#include "intertwine/groups/words.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace intertwine::words {

void append(Word& word, std::int32_t letter) {
  if (!word.empty() && word.back() == -letter)
    word.pop_back();
  else
    word.push_back(letter);
}

Word product(Word a, const Word& b) {
  for (const std::int32_t letter : b) append(a, letter);
  return a;
}

Word inverse(const Word& a) {
  Word result(a.rbegin(), a.rend());
  for (std::int32_t& letter : result) letter = -letter;
  return result;
}

std::string text(const Word& word, std::size_t generators) {
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
  return text;
}

}  // namespace intertwine::words
