// Irrational numbers in the notations of the ATLAS and of GAP.
#include "intertwine/io/irrationalities.hpp"
#include "intertwine/exact/number_theory.hpp"

#include <fmt/format.h>

#include <numeric>

namespace intertwine {

namespace {

/// "3+2r5", "-b7", "r2": an integer and a multiple of a symbol.
std::string sum_of(const Integer& constant, const Integer& factor, const std::string& symbol) {
  std::string text = constant == 0 ? "" : constant.str();
  if (factor > 0 && !text.empty()) text += "+";
  if (factor == -1)
    text += "-";
  else if (factor != 1)
    text += factor.str();
  return text + symbol;
}

std::string symbol(const std::string& letter, const Integer& n, bool latex) {
  return letter + (latex ? "_{" + n.str() + "}" : n.str());
}

std::optional<std::string> quadratic_in_atlas(const QuadraticForm& q, bool latex) {
  const Integer n = abs(q.d), residue = n % 4;
  if (q.z == 1) {
    if (q.d == -1) return sum_of(q.x, q.y, "i");
    return sum_of(q.x, q.y, symbol(q.d > 0 ? "r" : "i", n, latex));
  }
  // (x + y sqrt(d)) / 2 = (x + y) / 2 + y (-1 + sqrt(d)) / 2
  if (q.z == 2 && residue == (q.d > 0 ? 1 : 3)) return sum_of((q.x + q.y) / 2, q.y, symbol("b", n, latex));
  return std::nullopt;
}

std::string conjugate_symbol(const char* letter, std::uint64_t n, std::uint64_t k, bool latex) {
  return symbol(letter, Integer(n), latex) + (k == 1 ? "" : "*" + std::to_string(k));
}

/// +-zN*k and +-yN*k.
std::optional<std::string> root_in_atlas(const Cyclotomic& a, bool latex) {
  const std::uint32_t n = a.conductor();
  if (n > 1000) return std::nullopt;
  for (const bool minus : {false, true}) {
    const Cyclotomic b = minus ? -a : a;
    for (std::uint32_t k = 1; k < n; ++k) {
      if (std::gcd(k, n) != 1) continue;
      const std::string sign = minus ? "-" : "";
      const Cyclotomic z = Cyclotomic::root_of_unity(n, k);
      if (b == z) return sign + conjugate_symbol("z", n, k, latex);
      if (2 * k < n && b == z + z.conjugate()) return sign + conjugate_symbol("y", n, k, latex);
    }
  }
  return std::nullopt;
}

std::string with_square_root(const QuadraticForm& q, bool latex) {
  const std::string root = latex ? "\\sqrt{" + q.d.str() + "}" : "ER(" + q.d.str() + ")";
  const Integer size = abs(q.y);
  std::string text = q.x == 0 ? "" : q.x.str();
  text += q.y < 0 ? "-" : text.empty() ? "" : "+";
  if (size != 1) text += size.str() + (latex ? "" : "*");
  text += root;
  if (q.z == 1) return text;
  if (latex) return "\\frac{" + text + "}{" + q.z.str() + "}";
  return (q.x == 0 ? text : "(" + text + ")") + "/" + q.z.str();
}

std::optional<std::string> special_form(const Cyclotomic& a, IrrationalNotation notation, bool latex) {
  if (notation == IrrationalNotation::gap || a.is_rational()) return std::nullopt;
  if (const auto q = quadratic_form(a)) {
    if (notation == IrrationalNotation::square_roots) return with_square_root(*q, latex);
    if (auto text = quadratic_in_atlas(*q, latex)) return text;
  }
  return notation == IrrationalNotation::atlas ? root_in_atlas(a, latex) : std::nullopt;
}

}  // namespace

std::optional<QuadraticForm> quadratic_form(const Cyclotomic& a) {
  if (a.is_rational()) return std::nullopt;
  const auto conjugates = a.conjugates();
  if (conjugates.size() != 2) return std::nullopt;
  const Cyclotomic difference = a - conjugates[1];
  const Rational sum = (a + conjugates[1]).to_rational(), square = (difference * difference).to_rational();
  // difference = +- sqrt(square), square = p / q = p q / q^2
  const Integer p = numerator(square), q = denominator(square);
  const auto [s, d] = square_part(p * q);
  const Cyclotomic upper = d > 0 ? difference : difference * Cyclotomic::root_of_unity(4, -1);
  const Rational x = sum / 2, y = Rational(s * upper.sign(), q * 2);
  const Integer z = lcm(denominator(x), denominator(y));
  return QuadraticForm{numerator(x * z), numerator(y * z), z, d};
}

std::string in_notation(const Cyclotomic& a, IrrationalNotation notation) {
  const auto text = special_form(a, notation, false);
  return text ? *text : to_string(a);
}

std::string latex_in_notation(const Cyclotomic& a, IrrationalNotation notation) {
  const auto text = special_form(a, notation, true);
  return text ? *text : to_latex(a);
}

}  // namespace intertwine
