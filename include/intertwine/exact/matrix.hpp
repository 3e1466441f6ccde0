// Dense matrices of integers and of rational numbers.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

struct FlintMatrix;  // the entries, as FLINT keeps them; src/exact/flint_matrix.hpp

/// A dense matrix of integers, row-major, 0-based. A value: copies are deep, small entries take one word.
class IntegerMatrix {
 public:
  /// The 0 x 0 matrix.
  IntegerMatrix();
  /// The zero matrix. \throws LimitError if rows * cols exceeds 2^40.
  IntegerMatrix(std::size_t rows, std::size_t cols);
  /// \param entries  row-major. \throws DomainError unless there are rows * cols of them.
  IntegerMatrix(std::size_t rows, std::size_t cols, std::span<const Integer> entries);
  IntegerMatrix(std::initializer_list<std::initializer_list<long>> rows);
  static IntegerMatrix identity(std::size_t n);
  IntegerMatrix(const IntegerMatrix&);
  IntegerMatrix(IntegerMatrix&&) noexcept;
  IntegerMatrix& operator=(IntegerMatrix) noexcept;
  ~IntegerMatrix();

  std::size_t rows() const;
  std::size_t cols() const;
  /// Entry (i, j). \throws DomainError if it is out of range (also set).
  Integer operator()(std::size_t i, std::size_t j) const;
  /// The entry is 0, +1, -1, ...: nothing is allocated. The sign of entry (i, j).
  int sign(std::size_t i, std::size_t j) const;
  void set(std::size_t i, std::size_t j, const Integer& value);
  void set(std::size_t i, std::size_t j, long value);

  IntegerMatrix transpose() const;
  /// The rows (columns) with these numbers, in this order; repetition is allowed. \throws DomainError
  IntegerMatrix select_rows(std::span<const std::size_t> rows) const;
  IntegerMatrix select_cols(std::span<const std::size_t> cols) const;
  /// The block of `rows` x `cols` entries whose first is (i, j). \throws DomainError
  IntegerMatrix block(std::size_t i, std::size_t j, std::size_t rows, std::size_t cols) const;
  /// The matrix of another shape with these entries in row-major order. \throws DomainError unless the sizes agree.
  IntegerMatrix reshape(std::size_t rows, std::size_t cols) const;
  bool is_zero() const;
  /// max |entry|.
  Integer height() const;
  /// The number of entries that are not 0.
  std::size_t nonzeros() const;
  /// The greatest common divisor of all entries; 0 for the zero matrix.
  Integer content() const;
  Integer trace() const;
  /// "[[1, 2], [3, 4]]".
  std::string to_string() const;

  /// \throws DomainError on a shape mismatch (also below).
  friend IntegerMatrix operator*(const IntegerMatrix& A, const IntegerMatrix& B);
  friend IntegerMatrix operator+(const IntegerMatrix& A, const IntegerMatrix& B);
  friend IntegerMatrix operator-(const IntegerMatrix& A, const IntegerMatrix& B);
  friend IntegerMatrix operator*(const Integer& c, const IntegerMatrix& A);
  friend bool operator==(const IntegerMatrix& A, const IntegerMatrix& B);
  /// Every entry divided by c. \throws DomainError if c = 0 or some entry is no multiple of c.
  friend IntegerMatrix exact_quotient(const IntegerMatrix& A, const Integer& c);

  const FlintMatrix& flint() const { return *data_; }
  FlintMatrix& flint() { return *data_; }

 private:
  std::unique_ptr<FlintMatrix> data_;
};

/// A dense matrix of rational numbers: integers over one common denominator, in lowest terms. A value.
class RationalMatrix {
 public:
  RationalMatrix() = default;
  /// The zero matrix.
  RationalMatrix(std::size_t rows, std::size_t cols) : numerator_(rows, cols) {}
  RationalMatrix(std::size_t rows, std::size_t cols, std::span<const Rational> entries);
  /// Implicit: an integer matrix is a rational one.
  RationalMatrix(IntegerMatrix A) : numerator_(std::move(A)) {}  // NOLINT(google-explicit-constructor)
  /// numerator / denominator, reduced. \throws DomainError if the denominator is 0.
  RationalMatrix(IntegerMatrix numerator, Integer denominator);
  static RationalMatrix identity(std::size_t n) { return IntegerMatrix::identity(n); }

  std::size_t rows() const { return numerator_.rows(); }
  std::size_t cols() const { return numerator_.cols(); }
  Rational operator()(std::size_t i, std::size_t j) const;
  /// All entries times denominator(); they have no common factor with it.
  const IntegerMatrix& numerator() const { return numerator_; }
  /// Positive.
  const Integer& denominator() const { return denominator_; }
  bool is_integral() const { return denominator_ == 1; }

  RationalMatrix transpose() const;
  RationalMatrix select_rows(std::span<const std::size_t> rows) const;
  RationalMatrix select_cols(std::span<const std::size_t> cols) const;
  RationalMatrix block(std::size_t i, std::size_t j, std::size_t rows, std::size_t cols) const;
  RationalMatrix reshape(std::size_t rows, std::size_t cols) const;
  bool is_zero() const { return numerator_.is_zero(); }
  Rational trace() const;
  /// "[[1, 1/2], [0, -3]]".
  std::string to_string() const;

  friend RationalMatrix operator*(const RationalMatrix& A, const RationalMatrix& B);
  friend RationalMatrix operator+(const RationalMatrix& A, const RationalMatrix& B);
  friend RationalMatrix operator-(const RationalMatrix& A, const RationalMatrix& B);
  friend RationalMatrix operator*(const Rational& c, const RationalMatrix& A);
  friend bool operator==(const RationalMatrix& A, const RationalMatrix& B) = default;

 private:
  IntegerMatrix numerator_;
  Integer denominator_ = 1;
};

/// The matrices on top of each other (side by side). \throws DomainError unless the widths (heights) agree;
/// an empty list gives the 0 x 0 matrix.
IntegerMatrix vertical_stack(std::span<const IntegerMatrix> parts);
IntegerMatrix horizontal_stack(std::span<const IntegerMatrix> parts);
RationalMatrix vertical_stack(std::span<const RationalMatrix> parts);
RationalMatrix horizontal_stack(std::span<const RationalMatrix> parts);
/// Block diagonal.
RationalMatrix direct_sum(std::span<const RationalMatrix> parts);
/// The Kronecker product: entry (i r + k, j s + l) is A(i, j) B(k, l), B being r x s.
IntegerMatrix kronecker_product(const IntegerMatrix& A, const IntegerMatrix& B);
RationalMatrix kronecker_product(const RationalMatrix& A, const RationalMatrix& B);

}  // namespace intertwine
