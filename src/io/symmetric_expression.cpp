#include "intertwine/io/symmetric_expression.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <string>

#include "exact/text_cursor.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr int max_written_degree = 1000, max_depth = 200;
constexpr unsigned max_exponent = 1000;
constexpr std::size_t max_bits = std::size_t{1} << 20;  // of a coefficient

/// Everything below is in the Schur basis.
using Terms = std::map<Partition, Rational>;

/// Powers of powers and plethysms of constants are short as text: (9^1000)^1000.
void require_size(const Integer& a) {
  if (a != 0 && msb(abs(a)) > max_bits)
    throw LimitError(
        fmt::format("a coefficient of more than 2^{} bits is asked for", std::bit_width(max_bits) - 1));
}

void add(Terms& sum, const Partition& lambda, const Rational& c) {
  if (c == 0) return;
  require_size(numerator(c));
  require_size(denominator(c));
  const auto at = sum.try_emplace(lambda, 0).first;
  at->second += c;
  if (at->second == 0) sum.erase(at);
}

void add(Terms& sum, const Terms& f, const Rational& c) {
  for (const auto& [lambda, a] : f) add(sum, lambda, c * a);
}

int degree(const Terms& f) {
  int result = 0;
  for (const auto& [lambda, c] : f) result = std::max(result, lambda.weight());
  return result;
}

/// f = sum / denominator with an integral sum.
struct Cleared {
  SchurSum sum;
  Integer denominator = 1;
};

Cleared cleared(const Terms& f) {
  Cleared result;
  for (const auto& [lambda, c] : f) {
    result.denominator = lcm(result.denominator, denominator(c));
    require_size(result.denominator);
  }
  std::vector<SchurTerm> terms;
  for (const auto& [lambda, c] : f)
    terms.push_back({lambda, Integer(numerator(c) * (result.denominator / denominator(c)))});
  result.sum = SchurSum(std::move(terms));
  return result;
}

Terms terms_of(const SchurSum& sum, const Rational& c) {
  Terms result;
  for (const SchurTerm& term : sum) add(result, term.partition, c * Rational(term.coefficient));
  return result;
}

Terms product(const Terms& f, const Terms& g, const Task& task) {
  if (degree(f) + degree(g) > max_written_degree)
    throw LimitError(fmt::format("a symmetric function of degree {} is asked for; the limit is {}",
                                 degree(f) + degree(g), max_written_degree));
  const Cleared a = cleared(f), b = cleared(g);
  return terms_of(schur_product(a.sum, b.sum, {}, task), Rational(1, a.denominator * b.denominator));
}

Terms composed(const Terms& f, const Terms& g, const Task& task) {
  const std::int64_t total = std::int64_t{degree(f)} * degree(g);
  if (total > max_written_degree)
    throw LimitError(
        fmt::format("a plethysm of degree {} is asked for; the limit is {}", total, max_written_degree));
  Terms result;
  if (g.size() == 1 && g.begin()->second == 1) {
    for (const auto& [lambda, c] : f)
      add(result, terms_of(plethysm(lambda, g.begin()->first, {}, task), c), 1);
    return result;
  }
  const SymmetricFunction powers = in_basis({SymmetricBasis::schur, f}, SymmetricBasis::power, task);
  for (const auto& [rho, c] : powers.terms) {
    Terms factor{{Partition(), 1}};
    for (const int k : rho) {
      Terms next;
      const Cleared known = cleared(factor);
      for (const auto& [mu, a] : g)  // p_k is linear over the rational numbers
        add(next,
            terms_of(multiply_by_power_plethysm(known.sum, k, mu, {}, task), Rational(1, known.denominator)),
            a);
      factor = std::move(next);
    }
    add(result, factor, c);
  }
  return result;
}

class Parser : TextCursor {
 public:
  Parser(std::string_view text, const Task& task) : TextCursor(text), task_(task) {}

  Terms parse() {
    Terms result = sum();
    if (!at_end()) fail(fmt::format("did not expect '{}'", text_[at_]), at_);
    return result;
  }

 private:
  Terms sum() {
    if (++depth_ > max_depth) throw LimitError(fmt::format("more than {} nested brackets", max_depth));
    Terms result;
    bool minus = accept('-');
    if (!minus) accept('+');
    for (;;) {
      add(result, term(), minus ? -1 : 1);
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

  Terms term() {
    Terms result = factor();
    for (;;) {
      if (accept('*')) {
        result = product(result, factor(), task_);
      } else if (accept('/')) {
        skip();
        const std::size_t start = at_;
        const Integer divisor = integer();
        if (divisor == 0) fail("division by 0", start);
        Terms quotient;
        add(quotient, result, Rational(1, divisor));
        result = std::move(quotient);
      } else {
        return result;
      }
    }
  }

  Terms factor() {
    Terms base = atom();
    if (!accept('^')) return base;
    skip();
    const std::size_t start = at_;
    const Integer exponent = integer();
    if (exponent > max_exponent) fail(fmt::format("an exponent is at most {}", max_exponent), start);
    Terms result{{Partition(), 1}};
    for (Integer k = 0; k < exponent; ++k) result = product(result, base, task_);
    return result;
  }

  Terms atom() {
    skip();
    const std::size_t start = at_;
    if (peek_digit()) return {{Partition(), Rational(integer())}};
    Terms result;
    if (accept('(')) {
      result = sum();
      expect(')', "expected ')' to close the parenthesis");
    } else {
      result = basis_element(start);
    }
    while (accept('[')) {
      const Terms inner = sum();
      expect(']', "expected ']' to close the plethysm");
      result = composed(result, inner, task_);
    }
    return result;
  }

  Terms basis_element(std::size_t start) {
    const char letter = at_ < text_.size() ? text_[at_] : ' ';
    if (std::string_view("sphem").find(letter) == std::string_view::npos)
      fail("expected a number, '(' or one of s[...], p[...], h[...], e[...], m[...]", start);
    ++at_;
    if (!peek('[')) fail("expected a partition in brackets, as in s[2,1]", at_);
    const std::size_t open = at_, close = text_.find(']', open);
    if (close == std::string_view::npos) fail("the bracket is not closed", open);
    Partition lambda;
    try {
      lambda = parse_partition(std::string(text_.substr(open, close + 1 - open)));
    } catch (const ParseError& e) {
      fail(e.what(), open + e.position());
    }
    if (lambda.weight() > max_written_degree)
      fail(fmt::format("degrees are at most {}", max_written_degree), open);
    at_ = close + 1;
    return in_basis(intertwine::basis_element(symmetric_basis(letter), lambda), SymmetricBasis::schur, task_)
        .terms;
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
  return {SymmetricBasis::schur, Parser(text, task).parse()};
}

SymmetricFunction plethysm(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task) {
  return {SymmetricBasis::schur, composed(in_basis(f, SymmetricBasis::schur, task).terms,
                                          in_basis(g, SymmetricBasis::schur, task).terms, task)};
}

}  // namespace intertwine
