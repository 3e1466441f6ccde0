// General bases: W = sum_k theta_k B_k with sparse B_k whose entries are any numbers and may overlap.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "intertwine/numeric/prepared_pattern.hpp"

namespace intertwine::numeric_detail {

/// Immutable, cheap to copy, safe to use from many threads.
class SparseBasis {
 public:
  /// Element k has the value val[e] at (row[e], col[e]) for ptr[k] <= e < ptr[k + 1]; an entry that occurs twice counts
  /// twice.
  /// \throws DomainError if ptr does not run from 0 to the number of entries without decreasing, the arrays differ in
  /// length, or an index lies outside rows x cols.
  SparseBasis(std::uint64_t rows, std::uint64_t cols, std::span<const std::int64_t> ptr,
              std::span<const std::int32_t> row, std::span<const std::int32_t> col, std::span<const double> val);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  std::uint64_t entries() const;
  std::span<const double> squared_norms() const;
  std::string reduction() const { return "sparse"; }
  std::uint64_t stored_bytes() const { return 16 * entries(); }
  /// right [P, width] becomes G^{-1} right, G the Gram matrix of the elements.
  /// \throws DomainError if they are linearly dependent; LimitError for more than 16384 of them.
  void solve_gram(std::vector<double>& right, std::uint64_t width) const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

struct SparseBasis::Data {
  struct Entry {
    std::uint32_t row, col;
    double value;
  };
  struct Term {
    std::uint32_t col, parameter;
    double value;
  };
  struct Rows {
    std::vector<std::uint64_t> ptr;
    std::vector<Term> terms;  ///< the terms of row i: [ptr[i], ptr[i + 1]), by columns and parameters
  };
  std::uint64_t rows = 0, cols = 0;
  std::vector<std::uint64_t> element_ptr;
  /// The entries of element k: [element_ptr[k], element_ptr[k + 1]), by rows and columns.
  std::vector<Entry> entries;
  std::vector<double> squared_norms;

  std::uint64_t params() const { return element_ptr.size() - 1; }

  const Rows& by_row() const { return by_row_; }
  /// The rows of the transpose, made on first use.
  const Rows& by_column() const;

  /// The Cholesky factor of the Gram matrix, made on first use.
  struct Factor;
  const Factor& factor() const;

 private:
  friend class SparseBasis;
  Rows rows_of(bool transpose) const;
  Rows by_row_;
  mutable std::once_flag factor_once_, column_once_;
  mutable Rows by_column_;
  mutable std::shared_ptr<const Factor> factor_;
};

/// materialise() and reduce_gradient() for arrays whose sizes were checked.
template <class T>
void write_weights(const SparseBasis& basis, Multiplicity channels, const T* theta, T* W, std::uint64_t row_stride,
                   unsigned threads);
template <class T>
void sum_gradients(const SparseBasis& basis, Multiplicity channels, const T* dW, SumOf<T>* dtheta,
                   std::uint64_t row_stride, unsigned threads);

}  // namespace intertwine::numeric_detail
