// The free components of tensors under linear equations.
#include "intertwine/physics/component_form.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "intertwine/exact/signed_root.hpp"

namespace intertwine {

namespace {

/// Components in the order in which they are preferred as free.
std::vector<std::size_t> preference(std::size_t rows, std::size_t cols) {
  std::vector<std::size_t> order(rows * cols);
  std::iota(order.begin(), order.end(), 0U);
  const auto rank = [&](std::size_t at) {
    if (cols == 21) return 0;  // pairs of pairs have no diagonal
    const std::size_t i = at / cols, j = at % cols;
    return i == j && i < 3 ? 0 : i < 3 && j < 3 ? 1 : 2;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

/// The number where it is real and has a rational square.
std::optional<SignedRoot> root_of(const Cyclotomic& c) {
  const Cyclotomic square = c * c;
  if (!square.is_rational() || square.to_rational() < 0) return std::nullopt;
  return SignedRoot::of_signed_square(c.sign() * square.to_rational());
}

}  // namespace

ComponentForm component_form(std::size_t rows, std::size_t cols, std::vector<std::string> names,
                             const std::vector<FieldMatrix>& equations, const Task& task) {
  const std::vector<std::size_t> order = preference(rows, cols);
  const std::size_t n = rows * cols;
  const FieldMatrix solutions =
      equations.empty() ? FieldMatrix(RationalMatrix::identity(n)) : null_space(vertical_stack(equations), task);
  const FieldEchelon echelon = reduced_echelon(solutions.select_cols(order), task);
  const std::size_t free = echelon.pivots.size();
  std::vector<std::size_t> places(n), ranks(free);
  for (std::size_t k = 0; k < n; ++k) places[order[k]] = k;
  std::iota(ranks.begin(), ranks.end(), 0U);
  std::sort(ranks.begin(), ranks.end(),
            [&](std::size_t a, std::size_t b) { return order[echelon.pivots[a]] < order[echelon.pivots[b]]; });
  ComponentForm form{rows, cols, std::move(names), {}, {}};
  for (const std::size_t r : ranks) {
    const std::size_t at = order[echelon.pivots[r]];
    form.independent.emplace_back(at / cols, at % cols);
  }
  form.coefficients = echelon.matrix.select_rows(ranks).select_cols(places).transpose();
  return form;
}

RationalMatrix matrix_transposition(std::size_t n) {
  std::vector<Rational> entries(n * n * n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) entries[(i * n + j) * n * n + j * n + i] = 1;
  return {n * n, n * n, entries};
}

std::string ComponentForm::entry(std::size_t row, std::size_t col) const {
  const std::size_t at = row * cols + col;
  Integer denominator = 1;
  bool rational = true;
  std::size_t terms = 0;
  std::vector<Cyclotomic> numbers;
  for (std::size_t k = 0; k < independent.size(); ++k) {
    const Cyclotomic& c = numbers.emplace_back(coefficients(at, k));
    rational = rational && c.is_rational();
    terms += c.is_zero() ? 0 : 1;
    if (c.is_rational()) denominator = lcm(denominator, Integer(boost::multiprecision::denominator(c.to_rational())));
  }
  if (!rational) denominator = 1;
  std::string text;
  for (std::size_t k = 0; k < independent.size(); ++k) {
    const Cyclotomic c = Cyclotomic(Rational(denominator)) * numbers[k];
    if (c.is_zero()) continue;
    const std::string& name = component(independent[k].first, independent[k].second);
    const std::optional<SignedRoot> root = root_of(c);
    const bool minus = root && root->sign() < 0;
    text += text.empty() ? (minus ? "-" : "") : minus ? " - " : " + ";
    if (!root)
      text += "(" + to_string(c) + ") " + name;
    else
      text += root->square() == 1 ? name : to_string(minus ? -*root : *root) + " " + name;
  }
  if (terms == 0) return "0";
  if (denominator == 1) return text;
  return (terms == 1 ? text : "(" + text + ")") + "/" + denominator.str();
}

}  // namespace intertwine
