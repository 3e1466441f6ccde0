// The words of a CIF, and its data blocks by tags. [HallAllenBrown1991]
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/error.hpp"

namespace intertwine::cif {

/// A value or a word of the format, and the line where it begins, from 1.
struct CifToken {
  std::string_view text;
  std::size_t line = 0;
  bool quoted = false;  ///< in quotation marks, or a text between semicolons: never a tag or a keyword

  bool is_tag() const { return !quoted && text.starts_with('_'); }
  bool is_missing() const { return !quoted && (text == "?" || text == "."); }
};

std::string lower_case(std::string_view text);
bool begins_with(std::string_view text, std::string_view word);

class CifTokens {
 public:
  CifTokens(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  /// The next token; nothing at the end.
  std::optional<CifToken> next() {
    skip();
    if (at_ == text_.size()) return {};
    CifToken token{{}, line_, true};
    const char c = text_[at_];
    if (c == ';' && (at_ == 0 || text_[at_ - 1] == '\n')) {
      const std::size_t end = text_.find("\n;", at_);
      if (end == std::string_view::npos) refuse(line_, "the text that begins with ';' has no line with ';' at its end");
      token.text = text_.substr(at_ + 1, end - at_ - 1);
      advance(end + 2);
    } else if (c == '\'' || c == '"') {
      std::size_t end = at_;
      do {
        end = text_.find(c, end + 1);
        if (end == std::string_view::npos || text_.find('\n', at_) < end)
          refuse(line_, fmt::format("the value that begins with {} has no {} at its end", c, c));
      } while (end + 1 < text_.size() && !is_blank(text_[end + 1]));
      token.text = text_.substr(at_ + 1, end - at_ - 1);
      advance(end + 1);
    } else {
      std::size_t end = at_;
      while (end < text_.size() && !is_blank(text_[end])) ++end;
      token.text = text_.substr(at_, end - at_);
      token.quoted = false;
      advance(end);
    }
    return token;
  }
  [[noreturn]] void refuse(std::size_t line, const std::string& why) const {
    throw FileError(fmt::format("{}: line {}: {}", name_, line, why));
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void advance(std::size_t to) {
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (is_blank(text_[at_]))
        advance(at_ + 1);
      else
        break;
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1;
};

/// The values of a data block by their tags: in lower case, with _ for the dots of newer dictionaries.
struct CifBlock {
  std::size_t line = 1;
  std::map<std::string, std::vector<CifToken>> values;

  /// The values of the first of these tags that has any; a loop may have no row.
  const std::vector<CifToken>* find(std::initializer_list<const char*> tags) const {
    for (const char* tag : tags)
      if (const auto found = values.find(tag); found != values.end() && !found->second.empty()) return &found->second;
    return nullptr;
  }
  /// A single value that is said.
  std::optional<CifToken> one(std::initializer_list<const char*> tags) const {
    for (const char* tag : tags)
      if (const auto found = values.find(tag);
          found != values.end() && found->second.size() == 1 && !found->second[0].is_missing())
        return found->second[0];
    return {};
  }
};

std::string tag_name(std::string_view tag);
/// All data blocks of the file. \throws FileError naming the line.
std::vector<CifBlock> read_blocks(CifTokens& tokens);

}  // namespace intertwine::cif
