#include "integral_form.hpp"

#include <algorithm>
#include <utility>

#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// The new vectors of a basis: (e_j + sum over f of x_jf e_f) / p for the pivots j; the others stay.
class Step {
 public:
  /// \param W  reduced echelon form modulo p
  Step(const ModularMatrix& W, std::vector<std::size_t> pivots)
      : p_(W.prime()), pivots_(std::move(pivots)), place_(W.cols()) {
    for (std::size_t j = 0; j < W.cols(); ++j)
      if (!std::ranges::binary_search(pivots_, j)) free_.push_back(j);
    IntegerMatrix x(pivots_.size(), free_.size());
    for (std::size_t i = 0; i < pivots_.size(); ++i)
      for (std::size_t f = 0; f < free_.size(); ++f)
        if (const std::uint64_t value = W(i, free_[f]); value != 0)
          x.set(i, f, value > p_ / 2 ? Integer(value) - p_ : Integer(value));
    for (std::size_t i = 0; i < pivots_.size(); ++i) place_[pivots_[i]] = i;
    for (std::size_t f = 0; f < free_.size(); ++f) place_[free_[f]] = pivots_.size() + f;
    sums_ = RationalMatrix(x.transpose());
  }

  /// A P
  RationalMatrix after(const RationalMatrix& A) const {
    const RationalMatrix rest = A.select_cols(free_);
    const RationalMatrix parts[] = {Rational(1, p_) * (A.select_cols(pivots_) + rest * sums_), rest};
    return horizontal_stack(parts).select_cols(place_);
  }
  /// P^-1 A
  RationalMatrix before(const RationalMatrix& A) const {
    const RationalMatrix led = A.select_rows(pivots_);
    const RationalMatrix parts[] = {Rational(p_) * led, A.select_rows(free_) - sums_ * led};
    return vertical_stack(parts).select_rows(place_);
  }

 private:
  std::uint64_t p_;
  std::vector<std::size_t> pivots_, free_,
      place_;            ///< place_: among pivots and free columns, one after the other
  RationalMatrix sums_;  ///< the x, transposed
};

}  // namespace

IntegralForm integral_form(std::vector<RationalMatrix> A, const Task& task) {
  IntegralForm result{std::move(A), {}};
  if (result.matrices.empty()) return result;
  result.change = RationalMatrix::identity(result.matrices[0].rows());
  constexpr int most_steps =
      1000;  // of finite groups: some for every power of a prime that divides the order
  for (int step = 0; step < most_steps; ++step) {
    Integer denominator = 1;
    for (const RationalMatrix& M : result.matrices) denominator = lcm(denominator, M.denominator());
    const auto p = denominator == 1 ? std::nullopt : find_prime_divisor(denominator);
    if (!p) return result;
    task.progress("integral bases", static_cast<std::uint64_t>(step), 0);
    const Integer largest = prime_part(denominator, *p);
    std::vector<ModularMatrix> columns;
    for (const RationalMatrix& M : result.matrices)
      if (prime_part(M.denominator(), *p) == largest)
        columns.push_back(ModularMatrix(*p, M.numerator()).transpose());
    std::vector<std::size_t> pivots;
    const ModularMatrix W = vertical_stack(columns).echelon(&pivots, task);
    const Step by(W, std::move(pivots));
    for (RationalMatrix& M : result.matrices) {
      task.poll();
      M = by.before(by.after(M));
    }
    result.change = by.after(result.change);
  }
  return result;
}

}  // namespace intertwine
