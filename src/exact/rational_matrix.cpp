// Matrices of rational numbers.
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <fmt/format.h>

#include <utility>

#include "exact/flint_matrix.hpp"
#include "exact/stacking.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/matrix.hpp"

namespace intertwine {

namespace {

std::string shape(const RationalMatrix& A) { return fmt::format("{} x {}", A.rows(), A.cols()); }

/// The least common multiple of the denominators, and every numerator over it, which combine() puts together.
template <class Combine>
RationalMatrix over_common_denominator(std::span<const RationalMatrix* const> parts, const Combine& combine) {
  Integer common = 1;
  for (const RationalMatrix* part : parts) common = lcm(common, part->denominator());
  std::vector<IntegerMatrix> multiplied;
  multiplied.reserve(parts.size());
  std::vector<const IntegerMatrix*> numerators;
  for (const RationalMatrix* part : parts) {
    if (part->denominator() != common) multiplied.push_back(Integer(common / part->denominator()) * part->numerator());
    numerators.push_back(part->denominator() == common ? &part->numerator() : &multiplied.back());
  }
  return {combine(numerators), common};
}

}  // namespace

RationalMatrix::RationalMatrix(std::size_t rows, std::size_t cols, std::span<const Rational> entries)
    : numerator_(rows, cols) {
  if (entries.size() != rows * cols)
    throw DomainError(fmt::format("RationalMatrix: {} entries for a {} x {} matrix", entries.size(), rows, cols));
  for (const Rational& a : entries) {
    const Integer d = boost::multiprecision::denominator(a);
    if (d != 1) denominator_ = lcm(denominator_, d);
  }
  // In lowest terms: a prime power that divides the common denominator exactly does so for some entry.
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Rational& a = entries[k];
    if (a == 0) continue;
    numerator_.set(
        k / cols, k % cols,
        Integer(boost::multiprecision::numerator(a) * (denominator_ / boost::multiprecision::denominator(a))));
  }
}

RationalMatrix::RationalMatrix(IntegerMatrix numerator, Integer denominator)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  if (denominator_ == 0) throw DomainError("RationalMatrix: the denominator is 0");
  if (denominator_ == 1) return;
  FlintMatrix& N = numerator_.flint();
  FlintInteger divisor(abs(denominator_));
  bool zero = true;
  for (std::size_t i = 0; i < rows() && !fmpz_is_one(divisor); ++i)
    for (std::size_t j = 0; j < cols() && !fmpz_is_one(divisor); ++j) {
      if (fmpz_is_zero(N.entry(i, j))) continue;
      zero = false;
      fmpz_gcd(divisor, divisor, N.entry(i, j));
    }
  if (zero && !fmpz_is_one(divisor)) {
    denominator_ = 1;
    return;
  }
  if (denominator_ < 0) fmpz_neg(divisor, divisor);
  if (fmpz_is_one(divisor)) return;
  fmpz_mat_scalar_divexact_fmpz(N.m, N.m, divisor);
  denominator_ /= integer_from(divisor);
}

Rational RationalMatrix::operator()(std::size_t i, std::size_t j) const { return {numerator_(i, j), denominator_}; }

RationalMatrix RationalMatrix::transpose() const {
  RationalMatrix result(numerator_.transpose());
  result.denominator_ = denominator_;
  return result;
}

RationalMatrix RationalMatrix::select_rows(std::span<const std::size_t> chosen) const {
  return {numerator_.select_rows(chosen), denominator_};
}

RationalMatrix RationalMatrix::select_cols(std::span<const std::size_t> chosen) const {
  return {numerator_.select_cols(chosen), denominator_};
}

RationalMatrix RationalMatrix::block(std::size_t i, std::size_t j, std::size_t height, std::size_t width) const {
  return {numerator_.block(i, j, height, width), denominator_};
}

RationalMatrix RationalMatrix::reshape(std::size_t new_rows, std::size_t new_cols) const {
  RationalMatrix result(numerator_.reshape(new_rows, new_cols));
  result.denominator_ = denominator_;
  return result;
}

Rational RationalMatrix::trace() const { return {numerator_.trace(), denominator_}; }

std::string RationalMatrix::to_string() const { return matrix_text(*this); }

RationalMatrix operator*(const RationalMatrix& A, const RationalMatrix& B) {
  return {A.numerator_ * B.numerator_, A.denominator_ * B.denominator_};
}

RationalMatrix operator+(const RationalMatrix& A, const RationalMatrix& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw DomainError(fmt::format("sum of a {} and a {} matrix", shape(A), shape(B)));
  if (A.denominator_ == B.denominator_) return {A.numerator_ + B.numerator_, A.denominator_};
  const Integer common = lcm(A.denominator_, B.denominator_);
  return {Integer(common / A.denominator_) * A.numerator_ + Integer(common / B.denominator_) * B.numerator_, common};
}

RationalMatrix operator-(const RationalMatrix& A, const RationalMatrix& B) { return A + Rational(-1) * B; }

RationalMatrix operator*(const Rational& c, const RationalMatrix& A) {
  return {boost::multiprecision::numerator(c) * A.numerator_, boost::multiprecision::denominator(c) * A.denominator_};
}

RationalMatrix stacked(Stacking way, std::span<const RationalMatrix* const> parts) {
  return over_common_denominator(
      parts, [&](const std::vector<const IntegerMatrix*>& numerators) { return stacked(way, numerators); });
}

RationalMatrix vertical_stack(std::span<const RationalMatrix> parts) {
  return stacked(Stacking::vertical, pointers_to(parts));
}

RationalMatrix horizontal_stack(std::span<const RationalMatrix> parts) {
  return stacked(Stacking::horizontal, pointers_to(parts));
}

RationalMatrix direct_sum(std::span<const RationalMatrix> parts) {
  return over_common_denominator(pointers_to(parts), [](const std::vector<const IntegerMatrix*>& blocks) {
    std::size_t rows = 0, cols = 0;
    for (const IntegerMatrix* block : blocks) {
      rows += block->rows();
      cols += block->cols();
    }
    IntegerMatrix result(rows, cols);
    std::size_t top = 0, left = 0;
    for (const IntegerMatrix* block : blocks) {
      for (std::size_t i = 0; i < block->rows(); ++i)
        for (std::size_t j = 0; j < block->cols(); ++j)
          copy_fresh(result.flint().entry(top + i, left + j), block->flint().entry(i, j));
      top += block->rows();
      left += block->cols();
    }
    return result;
  });
}

RationalMatrix kronecker_product(const RationalMatrix& A, const RationalMatrix& B) {
  return {kronecker_product(A.numerator(), B.numerator()), A.denominator() * B.denominator()};
}

}  // namespace intertwine
