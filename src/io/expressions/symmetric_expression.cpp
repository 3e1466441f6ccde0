// Parses symmetric functions.
#include "intertwine/io/symmetric_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/error.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

constexpr int max_written_degree = 1000, max_nesting = 200;
constexpr unsigned max_exponent = 1000;

class Parser : TextCursor {
 public:
  Parser(std::string_view text, const Task& task) : TextCursor(text), task_(task) {}

  SymmetricFunction parse() {
    SymmetricFunction result = sum();
    if (!at_end())
      fail(fmt::format("did not expect '{}'; elements are written s[2,1], h[2] or p[3] and joined by + - *", letter()),
           at_);
    return result;
  }

 private:
  SymmetricFunction sum() {
    if (++depth_ > max_nesting) throw LimitError(fmt::format("more than {} nested brackets", max_nesting));
    SymmetricFunction result;
    bool minus = accept('-');
    if (!minus) accept('+');
    for (;;) {
      add_multiple(result, minus ? -1 : 1, term(), task_);
      if (accept('+'))
        minus = false;
      else if (accept('-'))
        minus = true;
      else
        break;
    }
    --depth_;
    return result;
  }

  SymmetricFunction term() {
    SymmetricFunction result = factor();
    for (;;) {
      if (accept('*')) {
        result = result.times(factor(), task_);
      } else if (accept('/')) {
        skip();
        const std::size_t start = at_;
        const Integer divisor = integer();
        if (divisor == 0) fail("division by 0", start);
        result = multiple(Rational(1, divisor), result);
      } else {
        return result;
      }
    }
  }

  SymmetricFunction factor() {
    SymmetricFunction base = atom();
    if (!accept('^')) return base;
    skip();
    const std::size_t start = at_;
    const Integer exponent = integer();
    if (exponent > max_exponent) fail(fmt::format("an exponent is at most {}", max_exponent), start);
    return base.power(static_cast<unsigned>(exponent), task_);
  }

  /// With the plethysms behind it: f[g] and f∘g.
  SymmetricFunction atom() {
    SymmetricFunction result = operand();
    for (;;) {
      SymmetricFunction inner;
      if (accept("∘")) {
        inner = operand();
      } else if (accept('[')) {
        inner = sum();
        expect(']', "expected ']' to close the plethysm");
      } else {
        return result;
      }
      result = plethysm(result, inner, task_);
    }
  }

  SymmetricFunction operand() {
    skip();
    const std::size_t start = at_;
    if (peek_digit()) return multiple(Rational(integer()), intertwine::basis_element(SymmetricBasis::schur, {}));
    if (!accept('(')) return basis_element(start);
    SymmetricFunction result = sum();
    expect(')', "expected ')' to close the parenthesis");
    return result;
  }

  SymmetricFunction basis_element(std::size_t start) {
    const char letter = at_ < text_.size() ? text_[at_] : ' ';
    if (std::string_view("sphemf").find(letter) == std::string_view::npos)
      fail("expected a number, '(' or one of s[...], p[...], h[...], e[...], m[...], f[...]", start);
    ++at_;
    if (at_ < text_.size() && text_[at_] == '_') ++at_;  // s_21, s_{2,1}
    if (!peek('[') && !peek('(') && !peek('{') && !peek_digit())
      fail("expected a partition in brackets, as in s[2,1]", at_);
    const std::size_t open = at_;
    const char closing = text_[open] == '[' ? ']' : text_[open] == '(' ? ')' : '}';
    std::size_t close = is_digit(text_[open]) ? std::min(text_.find_first_not_of("0123456789", open), text_.size()) - 1
                                              : text_.find(closing, open);
    if (close == std::string_view::npos) fail("the bracket is not closed", open);
    std::string written(text_.substr(open, close + 1 - open));
    if (closing == '}' && written[0] == '{') written.front() = ' ', written.back() = ' ';
    Partition lambda;
    try {
      lambda = parse_partition(written);
    } catch (const ParseError& e) {
      fail(e.what(), open + e.position());
    }
    if (lambda.weight() > max_written_degree) fail(fmt::format("degrees are at most {}", max_written_degree), open);
    at_ = close + 1;
    return in_basis(intertwine::basis_element(symmetric_basis(letter), lambda), SymmetricBasis::schur, task_);
  }

  Integer integer() {
    const std::size_t start = at_;
    const std::string_view number = digits();
    if (number.empty()) fail("expected a whole number", start);
    if (number.size() > 10'000) fail("a number has at most 10000 digits", start);
    return numerator(parse_rational(std::string(number)));
  }

  const Task& task_;
  int depth_ = 0;
};

}  // namespace

SymmetricFunction parse_symmetric_function(std::string_view text, const Task& task) {
  return Parser(text, task).parse();
}

}  // namespace intertwine
