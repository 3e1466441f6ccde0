// General bases: W = sum_k theta_k B_k with sparse B_k whose entries are any numbers and may overlap. The two maps
// theta -> W and dW -> dtheta, beside those of tied_pattern.hpp and in the same shapes.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "intertwine/numeric/tied_pattern.hpp"

namespace intertwine {

/// Immutable, cheap to copy, safe to use from many threads. Memory: 32 bytes an entry.
class SparseBasis {
 public:
  /// Element k has the value val[e] at (row[e], col[e]) for ptr[k] <= e < ptr[k + 1]; an entry that occurs twice counts
  /// twice. As `weight.basis_ptr`, `_row`, `_col` and `_val` of a table file have them.
  /// \throws DomainError if ptr does not run from 0 to the number of entries without decreasing, the arrays differ in
  /// length, or an index lies outside rows x cols.
  SparseBasis(std::uint64_t rows, std::uint64_t cols, std::span<const std::int64_t> ptr,
              std::span<const std::int32_t> row, std::span<const std::int32_t> col,
              std::span<const double> val);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  std::uint64_t entries() const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// W [out, M, in, N] from theta [P, out, in]; T is float or double. Each entry is summed in double, in the order of k, and
/// rounded once. \throws DomainError for arrays of other sizes. Cost: one pass over W and over the entries a pair of channels.
template <class T>
void materialise(const SparseBasis& basis, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 unsigned threads = 1);

/// dtheta from dW, the adjoint: each sum in double, by rows and columns, rounded once. NaN and infinities reach the parameters
/// that have the entry. \throws DomainError as materialise
template <class T>
void reduce(const SparseBasis& basis, Multiplicity channels, std::span<const T> dW, std::span<T> dtheta,
            unsigned threads = 1);

}  // namespace intertwine
