// A product of groups, or of representations, as a text: its factors and where they begin.
#pragma once
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/error.hpp"

namespace intertwine {

constexpr unsigned deepest_continuous = 100;

/// A part of a text and where it begins there.
struct Excerpt {
  std::string_view text;
  std::size_t start;
};

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline Excerpt trimmed(Excerpt part) {
  while (!part.text.empty() && is_blank(part.text.front())) part.text.remove_prefix(1), ++part.start;
  while (!part.text.empty() && is_blank(part.text.back())) part.text.remove_suffix(1);
  return part;
}

/// The parts between the places outside of all brackets and quotes where `cut(i)` gives the length of a separator.
template <class Cut>
std::vector<Excerpt> split(Excerpt whole, Cut cut) {
  std::vector<Excerpt> parts;
  std::size_t from = 0, open = 0;
  bool quoted = false;
  const std::string_view text = whole.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '<' || c == '[' || c == '{') ++open;
    if ((c == ')' || c == '>' || c == ']' || c == '}') && open > 0) --open;
    if (open > 0) continue;
    if (const std::size_t length = cut(text, i); length > 0) {
      parts.push_back(trimmed({text.substr(from, i - from), whole.start + from}));
      i += length - 1;
      from = i + 1;
    }
  }
  parts.push_back(trimmed({text.substr(from), whole.start + from}));
  return parts;
}

/// The operator x, as parse_finite_group reads it.
inline std::size_t product_sign(std::string_view text, std::size_t i) {
  const std::string_view rest = text.substr(i);
  if (rest.starts_with("\xc3\x97")) return 2;
  if (!rest.starts_with('x') || i == 0 || std::isalpha(static_cast<unsigned char>(text[i - 1]))) return 0;
  const char next = rest.size() > 1 ? rest[1] : ' ';
  return is_blank(next) || std::isupper(static_cast<unsigned char>(next)) || next == '(' || next == '<' || next == '@'
             ? 1
             : 0;
}

/// Is the whole text one bracket?
inline bool is_bracket(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  std::size_t open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')' && --open == 0) return i + 1 == text.size();
  }
  return false;
}

/// Brackets that are nested too deep stay as they are: parse_finite_group refuses them.
inline void append_group_factors(Excerpt whole, std::vector<Excerpt>& out, unsigned depth) {
  for (const Excerpt& part : split(whole, product_sign)) {
    if (depth < deepest_continuous && is_bracket(part.text))
      append_group_factors(trimmed({part.text.substr(1, part.text.size() - 2), part.start + 1}), out, depth + 1);
    else
      out.push_back(part);
  }
}

inline std::vector<Excerpt> group_factors(std::string_view text) {
  std::vector<Excerpt> out;
  append_group_factors({text, 0}, out, 0);
  return out;
}

/// f(), its positions counted from where the part begins.
template <class F>
auto within(std::string_view text, const Excerpt& part, F f) {
  try {
    return f();
  } catch (const ParseError& e) {
    throw ParseError(e.what(), std::string(text), std::min(text.size(), part.start + e.position()));
  }
}

}  // namespace intertwine
