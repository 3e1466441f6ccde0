// Lists of words in one string, with single blanks between them: tables of names that are read at a glance.
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

namespace intertwine {

inline std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

inline bool is_listed(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The meaning of a word in a list of pairs word=meaning; empty where it is not among them.
inline std::string_view meaning_of(std::string_view pairs, std::string_view word) {
  for (const std::string_view pair : words_of(pairs))
    if (const std::size_t at = pair.find('='); pair.substr(0, at) == word) return pair.substr(at + 1);
  return {};
}

}  // namespace intertwine
