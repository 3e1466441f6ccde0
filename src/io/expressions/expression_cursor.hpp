// The common part of the readers of representations: operators as mathematicians and Python write them. ⊕ is +, ⊖ is -,
// ⊗ is *, ** is ^, V² is V^2, V^⊗2 and V^{2} likewise; V* and V^* are dual(V).
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/exact_offer.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"
#include "io/expressions/exact_entries.hpp"
#include "text_cursor.hpp"

namespace intertwine {

class ExpressionCursor : protected TextCursor {
 protected:
  using TextCursor::TextCursor;

  bool accept_plus() { return accept('+') || accept("⊕"); }
  bool accept_minus() { return accept('-') || accept("−") || accept("⊖"); }
  bool accept_times() {
    skip();
    return text_.substr(at_, 2) != "**" && (accept('*') || accept("⊗"));
  }
  bool accept_power() {
    skip();
    return accept('^') || accept("**");
  }
  /// The exponent behind ^: 2, ⊗2, {2} or {⊗2}. \param number  reads the number itself
  template <class Number>
  auto exponent(Number number) {
    const bool brace = accept('{');
    accept("⊗");
    const auto k = number();
    if (brace) expect('}', "expected '}' after the exponent");
    return k;
  }
  /// The number that stands above the line, as in V².
  std::optional<unsigned> superscript() {
    constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::optional<unsigned> value;
    const auto next = [&] {
      for (unsigned digit = 0; digit < 10; ++digit)
        if (text_.substr(at_).starts_with(digits[digit])) return std::optional(digit);
      return std::optional<unsigned>();
    };
    for (auto digit = next(); digit; digit = next()) {
      if (value.value_or(0) > 100'000'000) fail("the exponent is too large", at_);
      value = 10 * value.value_or(0) + *digit;
      at_ += digits[*digit].size();
    }
    return value;
  }
  /// ^* anywhere, and a star behind which the factor ends: "V*", "V* ⊗ W", "V* * W".
  bool accept_dual() {
    skip();
    if (accept("^*")) return true;
    if (text_.substr(at_, 1) != "*" || text_.substr(at_, 2) == "**" || !ends_factor(at_ + 1)) return false;
    ++at_;
    return true;
  }
  /// The powers and duals that stand behind V. \param number  reads an exponent
  template <class R, class Number>
  R with_powers(R V, Number number) {
    for (;;) {
      if (accept_dual())
        V = dual(V);
      else if (const auto k = superscript())
        V = tensor_power(V, *k);
      else if (accept_power())
        V = tensor_power(V, exponent(number));
      else
        return V;
    }
  }
  /// Does nothing of a factor stand from here on: the end, a closing bracket or an operator?
  bool ends_factor(std::size_t at) const {
    while (at < text_.size() && is_space(text_[at])) ++at;
    const std::string_view rest = text_.substr(at);
    if (rest.empty() || std::string_view("+-),#*").find(rest[0]) != std::string_view::npos) return true;
    return rest.starts_with("⊗") || rest.starts_with("⊕") || rest.starts_with("⊠") || rest.starts_with("−") ||
           rest.starts_with("⊖");
  }
  /// Directly behind a multiplicity: the name in 16perm, and not the x of 8x1o and 3 x 3.
  bool name_follows() const {
    const auto letter = [&](std::size_t at) {
      return at < text_.size() && ((text_[at] >= 'a' && text_[at] <= 'z') || (text_[at] >= 'A' && text_[at] <= 'Z'));
    };
    if (text_.substr(at_).starts_with("Λ")) return true;
    return letter(at_) && (text_[at_] != 'x' || letter(at_ + 1)) && !text_.substr(at_).starts_with("bar");
  }
  template <class F>
  void list(char open, char close, F element) {
    expect(open, fmt::format("expected '{}' to begin the list", open));
    if (accept(close)) return;
    do element();
    while (accept(','));
    expect(close, fmt::format("expected '{}' to end the list", close));
  }
  /// "[[0,-1],[1,-1/2*E(3)]]", a list of rows.
  FieldMatrix matrix(const Task& task) {
    const std::size_t start = (skip(), at_);
    std::size_t rows = 0, cols = 0;
    std::vector<Cyclotomic> entries;
    list('[', ']', [&] {
      const std::size_t before = entries.size(), position = (skip(), at_);
      list('[', ']', [&] { entries.push_back(exact_number(task)); });
      if (rows++ == 0) cols = entries.size();
      if (entries.size() - before != cols)
        fail(fmt::format("the rows have different lengths, {} and {}", cols, entries.size() - before), position);
    });
    if (rows != cols) fail(fmt::format("the matrix is {} x {}, not square", rows, cols), start);
    return matrix_of_entries(rows, cols, entries);
  }
  Cyclotomic exact_number(const Task& task) {
    task.poll();
    skip();
    const std::size_t start = at_;
    at_ = std::min(text_.find_first_of(",]", at_), text_.size());
    try {
      return parse_cyclotomic(text_.substr(start, at_ - start), task);
    } catch (const ParseError&) {
      if (const auto decimal = leading_decimal(text_.substr(start))) fail(decimal_refusal(*decimal), start);
      fail("expected an exact number p, p/q or a sum such as sqrt(3)/2 or E(5)+E(5)^4", start);
    }
  }
  /// Λ, as in Λ²V.
  bool accept_exterior() { return accept("Λ") || accept("⋀") || accept("∧"); }
};

}  // namespace intertwine
