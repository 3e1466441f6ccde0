// The common part of the readers of numbers and expressions: a place in a text, read from left to right.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "intertwine/error.hpp"

namespace intertwine {

class TextCursor {
 protected:
  explicit TextCursor(std::string_view text) : text_(text) {}

  [[noreturn]] void fail(const std::string& message, std::size_t position) const {
    throw ParseError(message, std::string(text_), position);
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  /// The next character that is no space, 0 at the end.
  char peek() { return at_end() ? char{0} : text_[at_]; }
  bool peek(char c) { return !at_end() && text_[at_] == c; }
  bool peek_digit() { return is_digit(peek()); }
  bool accept(char c) {
    if (!peek(c)) return false;
    ++at_;
    return true;
  }
  /// The whole letter that stands here, of one byte or several, as errors quote it.
  std::string_view letter() const {
    std::size_t end = std::min(at_ + 1, text_.size());
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return text_.substr(at_, end - at_);
  }
  /// A word of several bytes, such as ⊗.
  bool accept(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(char c, const std::string& message) {
    if (!accept(c)) fail(message, at_);
  }
  /// The digits that stand here, perhaps none; spaces are not skipped.
  std::string_view digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  /// Their value; nothing if it is larger than `most`.
  std::optional<std::uint64_t> number(std::uint64_t most) {
    std::uint64_t value = 0;
    for (const char c : digits()) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (digit > most || value > (most - digit) / 10) return {};
      value = 10 * value + digit;
    }
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace intertwine
