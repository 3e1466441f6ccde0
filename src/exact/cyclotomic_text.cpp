// Cyclotomic numbers as text.
#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic_inverse.hpp"
#include "intertwine/exact/exact_offer.hpp"
#include "intertwine/exact/square_root.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_text = std::size_t{1} << 20;

/// Sums of products: what is one term c zeta_n^k stays one, so that long sums cost no more than their length.
class Reader : TextCursor {
 public:
  Reader(std::string_view text, const Task& task) : TextCursor(text), task_(task) {}

  Cyclotomic read() {
    if (text_.size() > max_text) throw LimitError("parse_cyclotomic: the text is longer than 1 MiB");
    Cyclotomic result = sum();
    if (!at_end()) fail("expected +, - or * in a cyclotomic number", at_);
    return result;
  }

 private:
  struct Term {
    std::uint64_t n, k;  // zeta_n^k
    Rational c;
  };

  Cyclotomic sum() {
    bool negative = accept('-');
    if (!negative) accept('+');
    std::uint64_t n = 1;
    std::vector<Term> terms;
    do {
      task_.poll();
      product(negative, n, terms);
      if (terms.size() % many_terms == many_terms - 1) ask_for(terms.size() + many_terms);
      if (terms.size() > most_terms + 2 * n) {
        const Cyclotomic so_far = collected(n, terms);
        terms.clear();
        add(so_far, n, terms);
      }
      negative = peek('-');
    } while (accept('-') || accept('+'));
    return collected(n, terms);
  }

  /// By halves: the denominators of long sums grow as large as the text, and few sums are of numbers of that size.
  Cyclotomic collected(std::uint64_t n, std::span<const Term> terms) const {
    task_.poll();
    const std::size_t half = terms.size() / 2;
    if (half > 32 + n) return collected(n, terms.first(half)) + collected(n, terms.subspan(half));
    std::vector<std::pair<std::int64_t, Rational>> all;
    for (const Term& term : terms) all.emplace_back(static_cast<std::int64_t>(term.k * (n / term.n)), term.c);
    return Cyclotomic::from_terms(static_cast<std::uint32_t>(n), all);
  }

  /// Adds a product to the sum, n being the common order of its roots of unity.
  void product(bool negative, std::uint64_t& n, std::vector<Term>& sum) {
    Term term{1, 0, negative ? -1 : 1};
    std::optional<Cyclotomic> rest;  // of factors that are no single term
    bool divide = false;
    do {
      const std::size_t where = (skip(), at_);
      if (accept("sqrt") || accept("ER"))
        multiply(rest, square_root_of_sum(), divide, where);
      else if (accept("cos"))
        multiply(rest, cosine(angle()), divide, where);
      else if (accept("sin"))
        multiply(rest, cosine(angle() - Rational(1, 2)), divide, where);
      else if (accept('('))
        multiply(rest, inner(), divide, where);
      else if (accept('E'))
        root(term, divide);
      else if (accept('i'))
        times_root(term, 4, divide ? 3 : 1);
      else
        rational(term, divide);
      divide = peek('/');
    } while (accept('*') || accept('/'));
    if (!rest) {
      n = common(n, term.n);
      sum.push_back(std::move(term));
      return;
    }
    const Cyclotomic value =
        Cyclotomic::root_of_unity(static_cast<std::uint32_t>(term.n), static_cast<std::int64_t>(term.k)) *
        Cyclotomic(term.c) * *rest;
    spend(value.conductor());
    add(value, n, sum);
  }

  void add(const Cyclotomic& value, std::uint64_t& n, std::vector<Term>& sum) const {
    n = common(n, value.conductor());
    const auto small = value.small_terms();
    ask_for(sum.size() + (small ? small->exponents.size() : value.conductor()));
    for (const auto& [k, c] : value.terms()) sum.push_back({value.conductor(), k, c});
  }

  /// Before terms are added, or so many more may be.
  void ask_for(std::uint64_t terms) const {
    constexpr std::uint64_t bytes_of_term = 250;  // of its two numbers and of a copy
    if (terms < many_terms) return;
    task_.require_memory(terms * bytes_of_term, "the terms of a cyclotomic number");
  }

  void rational(Term& term, bool divide) {
    skip();
    const std::size_t where = at_;
    const Integer number(natural());
    if (divide && number == 0) fail("division by zero", where);
    if (divide)
      term.c /= number;
    else
      term.c *= number;
  }

  void root(Term& term, bool divide) {
    expect('(', "expected ( after E");
    skip();
    const std::size_t where = at_;
    const Integer n(natural());
    if (n < 1) fail("E(n) needs a positive n", where);
    const std::uint64_t m = conductor(n);
    expect(')', "expected ) after E(n");
    Integer k = 1;
    if (accept('^')) {
      const bool negative = accept('-');
      k = Integer(natural());
      if (negative) k = -k;
    }
    if (divide) k = -k;
    times_root(term, m, mpz_fdiv_ui(k.backend().data(), m));
  }

  /// The term times zeta_m^r.
  static void times_root(Term& term, std::uint64_t m, std::uint64_t r) {
    const std::uint64_t all = common(term.n, m);
    term.k = (term.k * (all / term.n) + r * (all / m)) % all;
    term.n = all;
  }

  void multiply(std::optional<Cyclotomic>& product, Cyclotomic factor, bool divide, std::size_t where) {
    const auto steps = [](const Cyclotomic& a) { return std::uint64_t{a.conductor()}; };
    const auto by_size = [](const Cyclotomic& a) { return 1 + words(a) / 8; };
    task_.poll();
    if (divide) {
      if (factor.is_zero()) fail("division by zero", where);
      if (!factor.is_rational())
        spend(steps(factor) * steps(factor) * by_size(factor), steps(factor));  // its conjugates
      factor = inverse(factor, task_);
    }
    if (product && !product->is_rational() && !factor.is_rational())
      spend((steps(*product) * steps(factor) + common(steps(*product), steps(factor))) *
            (by_size(*product) + by_size(factor) - 1));
    product = product ? *product * factor : factor;
  }

  /// Bounds the words that the numerators and the common denominator have together.
  static std::uint64_t words(const Cyclotomic& a) {
    if (a.small_terms()) return 1;
    std::uint64_t bits = 0;
    for (const auto& [e, c] : a.terms()) bits += msb(Integer(abs(numerator(c)))) + msb(denominator(c));
    return 1 + bits / 64;
  }

  /// A sum in parentheses, behind the first of them.
  Cyclotomic inner() {
    if (++depth_ > max_depth) fail("parentheses are nested too deeply here", at_);
    Cyclotomic value = sum();
    expect(')', "expected )");
    --depth_;
    spend(value.conductor());
    return value;
  }

  Cyclotomic square_root_of_sum() {
    expect('(', "expected ( after sqrt");
    skip();
    const std::size_t where = at_;
    const Cyclotomic value = inner();
    if (value.is_rational())
      spend(std::uint64_t{1} << 20, value.to_rational().str().size() / 16 + 1);
    else
      spend(std::uint64_t{value.conductor()} * value.conductor());
    try {
      if (auto root = cyclotomic_square_root(value, task_)) {
        spend(root->conductor());
        return std::move(*root);
      }
    } catch (const DomainError& e) {
      fail(e.what(), where);
    }
    fail("this square root lies in no cyclotomic field", where);
  }

  /// r of the angle r pi.
  Rational angle() {
    expect('(', "expected ( after cos and sin");
    Rational r = accept('-') ? -1 : 1;
    std::size_t pies = 0;
    bool divide = false;
    do {
      if (accept("pi")) {
        pies += divide ? 2 : 1;
      } else {
        Term term{1, 0, r};
        rational(term, divide);
        r = term.c;
        if (accept("pi")) ++pies;  // 2pi/5
      }
      divide = peek('/');
    } while (accept('*') || accept('/'));
    if (pies != 1) fail("expected a rational multiple of pi, as in cos(2*pi/5)", at_);
    expect(')', "expected ) after a multiple of pi");
    return r;
  }

  /// cos(r pi)
  Cyclotomic cosine(const Rational& r) {
    const Rational turns = r / 2;
    const std::uint64_t n = conductor(denominator(turns));
    spend(n);
    const auto k = static_cast<std::int64_t>(mpz_fdiv_ui(Integer(numerator(turns)).backend().data(), n));
    const std::pair<std::int64_t, Rational> terms[] = {{k, Rational(1, 2)}, {-k, Rational(1, 2)}};
    return Cyclotomic::from_terms(static_cast<std::uint32_t>(n), terms);
  }

  static std::uint64_t conductor(const Integer& n) {
    if (n > Cyclotomic::max_conductor)
      throw LimitError(fmt::format("E({}): the conductor exceeds the limit of {}", n.str().substr(0, 40),
                                   Cyclotomic::max_conductor));
    return n.convert_to<std::uint64_t>();
  }

  static std::uint64_t common(std::uint64_t a, std::uint64_t b) { return conductor(Integer(std::lcm(a, b))); }

  std::string natural() {
    skip();
    if (const auto decimal = leading_decimal(text_.substr(at_))) fail(decimal_refusal(*decimal), at_);
    std::string result(digits());
    if (result.empty()) fail("expected a number, E(n), sqrt(n), cos(2*pi*k/n) or sin(2*pi*k/n)", at_);
    result.erase(0, std::min(result.find_first_not_of('0'), result.size() - 1));  // 010 is ten here
    return result;
  }

  /// Short texts stand for large numbers: what products and roots take is counted beforehand.
  void spend(std::uint64_t steps, std::uint64_t times = 1) {
    if (steps > left_ / times)
      throw LimitError("the products and roots in this number take too many steps; write it as a sum of E(n)^k");
    left_ -= steps * times;
  }

  static constexpr std::size_t max_depth = 100, most_terms = 100'000,  // of sums, before they are collected
      many_terms = 8192;
  const Task& task_;
  std::size_t depth_ = 0;
  std::uint64_t left_ = std::uint64_t{1} << 25;
};

/// The terms with signs between them; root(e) writes zeta^e, e > 0, coefficient(c) a positive rational, `times`
/// stands between them.
template <class Root, class Coefficient>
std::string written(const Cyclotomic& a, Root root, Coefficient coefficient, const std::string& times) {
  std::string text;
  for (const auto& [e, c] : a.terms()) {
    const Rational size = abs(c);
    text += c < 0 ? "-" : text.empty() ? "" : "+";
    if (e == 0)
      text += coefficient(size);
    else
      text += size == 1 ? root(e) : coefficient(size) + times + root(e);
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::string to_string(const Cyclotomic& a) {
  const std::uint32_t n = a.conductor();
  return written(
      a, [n](std::uint32_t e) { return e == 1 ? fmt::format("E({})", n) : fmt::format("E({})^{}", n, e); },
      [](const Rational& c) { return c.str(); }, "*");
}

std::string to_latex(const Cyclotomic& a) {
  const std::uint32_t n = a.conductor();
  return written(
      a,
      [n](std::uint32_t e) {
        return e == 1 ? fmt::format("\\zeta_{{{}}}", n) : fmt::format("\\zeta_{{{}}}^{{{}}}", n, e);
      },
      [](const Rational& c) {
        return denominator(c) == 1 ? c.str()
                                   : fmt::format("\\frac{{{}}}{{{}}}", numerator(c).str(), denominator(c).str());
      },
      "");
}

Cyclotomic parse_cyclotomic(std::string_view text, const Task& task) { return Reader(text, task).read(); }

}  // namespace intertwine
