// Makes strings fit for messages, and aligns tables of cells.
#include "io/containers/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace intertwine {

std::string shown(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text.substr(0, limit)) out += c < 32 || c > 126 ? '?' : c;
  if (text.size() > limit) out += "...";
  return out;
}

std::string shown_path(const std::filesystem::path& path) {
  std::string out = path.string();
  for (char& c : out)
    if ((c >= 0 && c < 32) || c == 127) c = '?';
  return out;
}

char32_t next_code_point(std::string_view text, std::size_t& position) {
  constexpr char32_t malformed = 0xFFFD;
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(position++);
  if (first < 0x80) return first;
  unsigned more = 0;
  char32_t point = 0;
  char32_t least = 0;
  if (first >= 0xC2 && first < 0xE0) {
    more = 1, point = first & 0x1F, least = 0x80;
  } else if (first >= 0xE0 && first < 0xF0) {
    more = 2, point = first & 0x0F, least = 0x800;
  } else if (first >= 0xF0 && first < 0xF5) {
    more = 3, point = first & 0x07, least = 0x10000;
  } else {
    return malformed;
  }
  if (text.size() - position < more) return malformed;
  for (unsigned k = 0; k < more; ++k) {
    const unsigned next = byte(position + k);
    if ((next & 0xC0) != 0x80) return malformed;
    point = (point << 6) | (next & 0x3F);
  }
  if (point < least || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return malformed;
  position += more;
  return point;
}

bool is_utf8(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t start = position;
    // A real U+FFFD takes three bytes; a malformed byte is reported with one.
    if (next_code_point(text, position) == 0xFFFD && position - start != 3) return false;
  }
  return true;
}

namespace {

/// How many columns a terminal takes for it: one for every character.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::size_t> widths_of(const Cells& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  return widths;
}

std::string padded(const std::string& cell, std::size_t width, bool left) {
  const std::string blanks(width - width_of(cell), ' ');
  return left ? cell + blanks : blanks + cell;
}

std::string without_blanks_at_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string aligned(const Cells& rows) {
  const auto widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += "  " + padded(row[c], widths[c], c == 0);
    text += without_blanks_at_end(line);
  }
  return text;
}

std::string in_blocks(const Cells& rows, std::size_t head, unsigned width, const std::string& alignment,
                      std::size_t gap) {
  const auto widths = widths_of(rows);
  const auto left = [&](std::size_t c) { return alignment[std::min(c, alignment.size() - 1)] == 'l'; };
  std::string text;
  for (std::size_t from = 1; from < widths.size();) {
    std::size_t to = from, used = widths[0];
    while (to < widths.size() && (to == from || width == 0 || used + gap + widths[to] <= width))
      used += gap + widths[to++];
    if (!text.empty()) text += "\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::string line = padded(rows[r][0], widths[0], left(0));
      for (std::size_t c = from; c < to; ++c) line += std::string(gap, ' ') + padded(rows[r][c], widths[c], left(c));
      text += without_blanks_at_end(line);
      if (r + 1 == head) text += "\n";
    }
    from = to;
  }
  return text;
}

std::string to_csv(const Cells& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += c == 0 ? "" : ",";
      if (row[c].find_first_of(",\"\n") == std::string::npos) {
        text += row[c];
        continue;
      }
      text += '"';
      for (const char letter : row[c]) text.append(letter == '"' ? 2 : 1, letter);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

std::string shortened(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

std::string title_name(const std::string& expression) {
  std::string title;
  for (std::size_t at = 0; at < expression.size();) {
    const std::size_t name = std::min(expression.find('@', at), expression.size());
    title += expression.substr(at, std::min(name + 1, expression.size()) - at);
    if (name == expression.size()) break;
    at = name + 1;
    const bool quoted = at < expression.size() && expression[at] == '"';
    const std::size_t end = quoted ? std::min(expression.find('"', at + 1), expression.size())
                                   : std::min(expression.find_first_of(" \t\r\n()<>,", at), expression.size());
    if (const std::size_t slash = expression.substr(0, end).rfind('/'); slash != std::string::npos && slash >= at) {
      if (quoted) title += '"';
      at = slash + 1;
    }
  }
  return shortened(title);
}

std::string listed(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

std::string counted(const std::string& number, const std::string& one, const std::string& many) {
  return number + " " + (number == "1" ? one : many);
}

}  // namespace intertwine
