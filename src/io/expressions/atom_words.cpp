// Words of files of atoms.
#include "io/expressions/atom_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "intertwine/physics/molecule.hpp"

namespace intertwine {

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string element_named(std::string_view word) {
  const bool number = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (number) {
    unsigned value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value >= 1 && value <= 118 ? element_symbol(value) : "";
  }
  std::string symbol(word.substr(0, word.find_first_of("0123456789")));
  if (symbol.size() != word.size() && word.find_first_not_of("0123456789", symbol.size()) != std::string_view::npos)
    return "";
  for (std::size_t i = 0; i < symbol.size(); ++i) {
    const auto c = static_cast<unsigned char>(symbol[i]);
    symbol[i] = static_cast<char>(i == 0 ? std::toupper(c) : std::tolower(c));
  }
  return atomic_number(symbol) != 0 ? symbol : "";
}

std::optional<double> decimal_number(std::string_view word) {
  std::string text(word.substr(word.starts_with('+') ? 1 : 0));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
  double value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || rest != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

}  // namespace intertwine
