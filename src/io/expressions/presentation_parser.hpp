// Presentations as people write them: "<a,b | a^2, b^3, (a*b)^7>".
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/groups/presentation.hpp"
#include "text_cursor.hpp"

namespace intertwine {

/// Generators are names; relations words or equations of words with commas between; words products with * (between names of
/// one letter it may be left out), powers a^2, a^-1, conjugates a^b = b^-1*a*b, commutators [a,b] = a^-1*b^-1*a*b, and 1.
class PresentationParser : TextCursor {
 public:
  /// The text from its '<' on.
  PresentationParser(std::string_view text, std::size_t at) : TextCursor(text) { at_ = at; }

  Presentation parse() {
    const std::size_t opened = at_++;
    do {
      const std::size_t start = (peek(), at_);
      std::string name(identifier());
      if (std::ranges::count(result_.generators, name) > 0) fail("the generator " + name + " is named twice", start);
      result_.generators.push_back(std::move(name));
    } while (accept(','));
    short_names_ = std::ranges::all_of(result_.generators, [](const std::string& g) { return g.size() == 1; });
    if (!accept('|')) fail("expected ',' or '|' after a generator, as in <a,b | a^2, b^3, (a*b)^7>", at_);
    if (!peek('>')) do {
        relation();
      } while (accept(','));
    if (at_end()) fail("this bracket is not closed with '>'", opened);
    if (!accept('>')) fail("expected ',', '=', '>' or a word in the generators", at_);
    return std::move(result_);
  }
  /// The place where the text goes on.
  std::size_t end() const { return at_; }

  static bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

 private:
  static constexpr std::size_t longest = 1'000'000;

  std::string_view identifier() {
    peek();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (begins_name(text_[at_]) || (at_ > start && (is_digit(text_[at_]) || text_[at_] == '_'))))
      ++at_;
    if (at_ == start) fail("expected the name of a generator", start);
    return text_.substr(start, at_ - start);
  }

  void relation() {
    const Word left = word();
    if (!peek('=')) result_.relators.push_back(left);
    while (accept('=')) result_.relators.push_back(product(left, inverse(word())));
  }
  Word word() {
    Word w = power();
    while (true) {
      const char c = peek();
      if (!accept('*') && !begins_name(c) && c != '(' && c != '[') return w;
      w = product(std::move(w), power());
    }
  }
  Word power() {
    Word w = atom();
    while (accept('^')) {
      peek();
      const std::size_t start = at_;
      const bool negative = accept('-');
      if (!negative && !peek_digit()) {
        const Word by = atom();
        w = product(inverse(by), product(std::move(w), by));
        continue;
      }
      if (!peek_digit()) fail("expected a whole number after '^-'", at_);
      const auto n = number(longest);
      if (!n || *n * w.size() > longest) too_long(start);
      if (negative) w = inverse(w);
      Word repeated;
      for (std::uint64_t k = 0; k < *n; ++k) repeated.insert(repeated.end(), w.begin(), w.end());
      w = std::move(repeated);
    }
    return w;
  }
  Word atom() {
    const char c = peek();
    const std::size_t start = at_;
    if (c == '(' || c == '[') {
      if (++depth_ > 100) fail("brackets are nested more than 100 deep", start);
      ++at_;
      Word w = word();
      if (c == '[') {
        if (!peek(',')) fail("expected ',': a commutator is written [a,b]", at_);
        while (accept(',')) {
          const Word v = word();
          w = product(product(inverse(w), inverse(v)), product(w, v));
        }
      }
      expect(c == '(' ? ')' : ']', std::string("expected '") + (c == '(' ? ')' : ']') + "'");
      --depth_;
      return w;
    }
    if (c == '1') {
      ++at_;
      return {};
    }
    if (!begins_name(c)) fail("expected a word in the generators, as in a*b^-1 or (a*b)^7", start);
    return letter(start);
  }
  Word letter(std::size_t start) {
    std::string_view name = identifier();
    auto found = std::ranges::find(result_.generators, name);
    if (found == result_.generators.end() && short_names_) {  // ab is a*b
      at_ = start + 1;
      name = name.substr(0, 1);
      found = std::ranges::find(result_.generators, name);
    }
    if (found == result_.generators.end())
      fail("'" + std::string(name) + "' is none of the generators before the '|'", start);
    return {static_cast<std::int32_t>(found - result_.generators.begin()) + 1};
  }

  [[noreturn]] void too_long(std::size_t at) const {
    fail("the word has more than " + std::to_string(longest) + " letters", at);
  }
  Word product(Word a, const Word& b) const {
    if (a.size() + b.size() > longest) too_long(at_);
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  static Word inverse(const Word& w) {
    Word v(w.rbegin(), w.rend());
    for (std::int32_t& x : v) x = -x;
    return v;
  }

  Presentation result_;
  bool short_names_ = false;
  int depth_ = 0;
};

}  // namespace intertwine
