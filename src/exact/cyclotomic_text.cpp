// Cyclotomic numbers as text.
#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "exact/text_cursor.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_text = std::size_t{1} << 20;

class Reader : TextCursor {
 public:
  explicit Reader(std::string_view text) : TextCursor(text) {}

  Cyclotomic read() {
    if (text_.size() > max_text) throw LimitError("parse_cyclotomic: the text is longer than 1 MiB");
    bool negative = accept('-');
    if (!negative) accept('+');
    do {
      product(negative);
      negative = peek('-');
    } while (accept('-') || accept('+'));
    if (!at_end()) fail("expected +, - or * in a cyclotomic number", at_);
    std::vector<std::pair<std::int64_t, Rational>> terms;
    for (auto& term : terms_) terms.emplace_back(static_cast<std::int64_t>(term.k * (n_ / term.n)), term.c);
    return Cyclotomic::from_terms(static_cast<std::uint32_t>(n_), terms) + irrational_;
  }

 private:
  struct Term {
    std::uint64_t n, k;  // zeta_n^k
    Rational c;
  };

  /// A product of rationals, roots of unity and square roots: one term where there are none of these.
  void product(bool negative) {
    Term term{1, 0, negative ? -1 : 1};
    std::optional<Cyclotomic> roots;
    do {
      if (accept("sqrt") || accept("ER"))
        roots = roots ? *roots * square_root_here() : square_root_here();
      else if (accept('E'))
        root(term);
      else if (accept('i'))
        times_root(term, 4, 1);
      else
        term.c *= natural_number();
      while (accept('/')) term.c /= divisor();
    } while (accept('*'));
    if (roots) {
      irrational_ += *roots * (term.c * Cyclotomic::root_of_unity(static_cast<std::uint32_t>(term.n),
                                                                  static_cast<std::int64_t>(term.k)));
      return;
    }
    n_ = common(n_, term.n);
    terms_.push_back(std::move(term));
  }

  Cyclotomic square_root_here() {
    expect('(', "expected ( after sqrt");
    const bool negative = accept('-');
    const Integer n(natural());
    expect(')', "expected ) after sqrt(n");
    constexpr long most = 1'000'000, most_squarefree = 10'000;  // of a text there may be many
    if (n > most || square_part(n).squarefree > most_squarefree)
      throw LimitError(fmt::format(
          "sqrt({}): square roots are read of numbers up to 10^6 with a squarefree part up to 10^4",
          n.str().substr(0, 40)));
    return square_root(negative ? Integer(-n) : n);
  }

  void root(Term& term) {
    expect('(', "expected ( after E");
    skip();
    const std::size_t where = at_;
    const Integer n(natural());
    if (n < 1) fail("E(n) needs a positive n", where);
    if (n > Cyclotomic::max_conductor)
      throw LimitError(fmt::format("E({}): the conductor exceeds the limit of {}", n.str().substr(0, 40),
                                   Cyclotomic::max_conductor));
    expect(')', "expected ) after E(n");
    Integer k = 1;
    if (accept('^')) {
      const bool negative = accept('-');
      k = Integer(natural());
      if (negative) k = -k;
    }
    const auto m = n.convert_to<std::uint64_t>();
    times_root(term, m, mpz_fdiv_ui(k.backend().data(), m));
  }

  /// The term times zeta_m^r.
  void times_root(Term& term, std::uint64_t m, std::uint64_t r) const {
    const std::uint64_t all = common(term.n, m);
    term.k = (term.k * (all / term.n) + r * (all / m)) % all;
    term.n = all;
  }

  std::uint64_t common(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t n = std::lcm(a, b);
    if (n > Cyclotomic::max_conductor)
      throw LimitError(fmt::format("parse_cyclotomic: the conductor {} exceeds the limit of {}", n,
                                   Cyclotomic::max_conductor));
    return n;
  }

  Rational natural_number() { return Integer(natural()); }
  Rational divisor() {
    skip();
    const std::size_t where = at_;
    const Integer q(natural());
    if (q == 0) fail("division by zero", where);
    return q;
  }

  std::string natural() {
    skip();
    std::string result(digits());
    if (result.empty()) fail("expected a number or E(n)", at_);
    result.erase(0, std::min(result.find_first_not_of('0'), result.size() - 1));  // 010 is ten here
    return result;
  }

  std::uint64_t n_ = 1;
  std::vector<Term> terms_;
  Cyclotomic irrational_;  ///< the products with square roots
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
        return denominator(c) == 1
                   ? c.str()
                   : fmt::format("\\frac{{{}}}{{{}}}", numerator(c).str(), denominator(c).str());
      },
      "");
}

Cyclotomic parse_cyclotomic(std::string_view text) { return Reader(text).read(); }

}  // namespace intertwine
