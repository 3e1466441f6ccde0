#include "intertwine/io/row_name.hpp"

#include <algorithm>
#include <cctype>

namespace intertwine {

namespace {

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// "X.3", as rows of any table may be called.
std::optional<std::size_t> row_numbered(const CharacterTable& table, const std::string& name) {
  constexpr std::size_t longest = 11;
  if (!name.starts_with("X.") || name.size() < 3 || name.size() > longest) return std::nullopt;
  if (name.find_first_not_of("0123456789", 2) != std::string::npos) return std::nullopt;
  const unsigned long k = std::stoul(name.substr(2));
  return k > 0 && k <= table.size() ? std::optional<std::size_t>(k - 1) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> row_named(const CharacterTable& table, std::string_view name) {
  std::string wanted;
  for (const char c : name) wanted += c == '"' ? std::string("''") : std::string(1, c);
  std::optional<std::size_t> alike;
  std::size_t number_alike = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string known = table.name(row);
    if (known == wanted || known == "[" + wanted + "]") return row;
    if (in_small_letters(known) == in_small_letters(wanted)) alike = row, ++number_alike;
  }
  return number_alike == 1 ? alike : row_numbered(table, wanted);
}

std::string names_of_rows(const CharacterTable& table) {
  constexpr std::size_t shown = 12;
  std::string names;
  for (std::size_t row = 0; row < std::min(table.size(), shown); ++row)
    names += (row == 0 ? "" : ", ") + table.name(row);
  return names + (table.size() > shown ? ", ..." : "");
}

}  // namespace intertwine
