// General bases: W = sum_k theta_k B_k with sparse B_k whose entries are any numbers and may overlap. The two maps
// theta -> W and dW -> dtheta, beside those of tied_pattern.hpp and in the same shapes.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/numeric/tied_pattern.hpp"
#include "intertwine/tables/weight_table.hpp"

namespace intertwine {

/// Immutable, cheap to copy, safe to use from many threads. Memory: 32 bytes an entry; for project() also params^2 numbers.
class SparseBasis {
 public:
  /// Element k has the value val[e] at (row[e], col[e]) for ptr[k] <= e < ptr[k + 1]; an entry that occurs twice counts
  /// twice. As `weight.basis_ptr`, `_row`, `_col` and `_val` of a table file have them.
  /// \throws DomainError if ptr does not run from 0 to the number of entries without decreasing, the arrays differ in
  /// length, or an index lies outside rows x cols.
  SparseBasis(std::uint64_t rows, std::uint64_t cols, std::span<const std::int64_t> ptr,
              std::span<const std::int32_t> row, std::span<const std::int32_t> col,
              std::span<const double> val);
  /// The weights of a table, as the doubles that it has.
  static SparseBasis weights(const WeightTable& table);
  /// The bias of a table, as a basis of one column.
  static SparseBasis bias(const WeightTable& table);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  std::uint64_t entries() const;
  /// |B_k|^2, the sum of the squares of the entries: what the orbit size is for tied entries.
  std::span<const double> squared_norms() const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// W from theta. T is float, double, Bf16 or Half. Each entry is summed in double, in the order of k, and rounded once (to the
/// types of 16 bits by way of float).
/// \param W           out * M rows of in * N entries, `row_stride` entries apart; what lies between rows is not touched
/// \param row_stride  0 for contiguous rows
/// \throws DomainError if theta is not [P, out, in] or W is too short.
/// \par Cost  one pass over W and over the entries a pair of channels.
template <class T>
void materialise(const SparseBasis& basis, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 std::uint64_t row_stride = 0, unsigned threads = 1);

/// dtheta from dW, the adjoint: each sum in double, by rows and columns, rounded once. NaN and infinities reach the parameters
/// that have the entry. \throws DomainError as materialise
template <class T>
void reduce(const SparseBasis& basis, Multiplicity channels, std::span<const T> dW,
            std::span<SumOf<T>> dtheta, std::uint64_t row_stride = 0, unsigned threads = 1);

/// As initial_variance() of tied_pattern.hpp, with |B_k|^2 in the place of the orbit size.
std::vector<double> initial_variance(const SparseBasis& basis, Multiplicity channels, double gain = 1,
                                     InitialVariance kind = InitialVariance::by_orbit);

/// The nearest W of the basis, in the Frobenius norm, to a dense W: the elements are not orthogonal, so their Gram matrix
/// is factored, once for each basis.
/// \throws DomainError as reduce, or if the elements are linearly dependent; LimitError for more than 16384 parameters.
template <class T>
Projection project(const SparseBasis& basis, Multiplicity channels, std::span<const T> W,
                   unsigned threads = 1);

}  // namespace intertwine
