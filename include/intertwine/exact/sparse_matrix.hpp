// Sparse matrices of rational numbers.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A sparse matrix: its non-zero entries in row-major order. Indices are 0-based.
class SparseMatrix {
 public:
  struct Entry {
    std::uint64_t row, col;
    Rational value;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  SparseMatrix() = default;
  /// Sorts the entries, adds those of equal place, drops zeros. \throws DomainError if an entry is out of
  /// range.
  SparseMatrix(std::uint64_t rows, std::uint64_t cols, std::vector<Entry> entries);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  std::span<const Entry> entries() const { return entries_; }
  /// The value at (i, j), 0 where nothing is stored. O(log entries). \throws DomainError if (i, j) is out of range.
  Rational operator()(std::uint64_t i, std::uint64_t j) const;
  SparseMatrix transpose() const;
  /// Matrix times vector. \throws DomainError unless v has cols() entries.
  std::vector<Rational> apply(std::span<const Rational> v) const;

  /// The product with B. O(entries times the mean row length of B). \throws DomainError on a shape mismatch.
  SparseMatrix times(const SparseMatrix& B, const Task& task) const;
  friend SparseMatrix operator*(const SparseMatrix& A, const SparseMatrix& B) { return A.times(B, {}); }
  /// \throws DomainError on a shape mismatch.
  friend SparseMatrix operator+(const SparseMatrix& A, const SparseMatrix& B);
  friend SparseMatrix operator*(const Rational& c, const SparseMatrix& A);
  friend bool operator==(const SparseMatrix&, const SparseMatrix&) = default;

 private:
  std::uint64_t rows_ = 0, cols_ = 0;
  std::vector<Entry> entries_;
};

/// The dense matrix with the entries of A and its zeros. \throws LimitError if the task does not allow the memory.
RationalMatrix to_dense(const SparseMatrix& A, const Task& task = {});

}  // namespace intertwine
