// A family of weights made ready for numbers: the two linear maps theta -> W and dW -> dtheta, each the adjoint (and
// so the derivative) of the other.
//
// Shapes: the pattern has M rows (outputs), N columns (inputs) and P parameters; with multiplicities theta has shape
// [P, out, in] and W shape [out, M, in, N], row-major, so that W is the (out M) x (in N) matrix of y = W x for x of
// shape [in, N] and y of shape [out, M]. All indices are 0-based.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "intertwine/numeric/half.hpp"
#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

namespace numeric_detail {
class TiedPattern;
class SparseBasis;
}  // namespace numeric_detail

/// W = sum_k theta_k B_k with tied entries or general sparse elements, and the order in which gradients are summed.
/// Immutable, cheap to copy, safe to use from many threads. Memory: of tied entries about one to four bytes an entry, and up
/// to 1.5 more where rows resemble each other; of sparse elements 32 bytes an entry, for project() also P^2 numbers.
class PreparedPattern {
 public:
  /// The orbit sizes and the exact values of the pattern are not looked at. An entry that occurs twice in a sparse element
  /// counts twice.
  /// \throws DomainError if codes or entries are not as many as the sizes say, or lie outside
  /// \par Cost  a few passes over the codes or entries
  explicit PreparedPattern(const WeightPattern& pattern, const Task& task = {});
  PreparedPattern(numeric_detail::TiedPattern pattern);  // NOLINT(google-explicit-constructor)
  PreparedPattern(numeric_detail::SparseBasis basis);    // NOLINT(google-explicit-constructor)

  bool is_tied() const;
  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  /// [P] |B_k|^2, the sums of the squares of the entries: for tied entries the orbit sizes.
  std::vector<double> squared_norms() const;
  /// Bytes of the codes or of the entries, as products read them.
  std::uint64_t stored_bytes() const;
  /// How gradients are summed: "none", "bins", "runs", "tables" or "sequence" (docs/numeric.md), a function of the codes;
  /// "sparse" for sparse elements.
  std::string reduction() const;

  /// The data of which it is made. \throws DomainError if it is of the other kind.
  const numeric_detail::TiedPattern& tied() const;
  const numeric_detail::SparseBasis& sparse() const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// The type in which sums of numbers of type T are kept: float for bfloat16 and fp16, else T.
template <class T>
using SumOf = std::conditional_t<is_narrow<T>, float, T>;

/// W from theta. T is float, double, Bf16 or Half. Every tied entry is a bit-exact copy of a parameter, or of it with
/// the sign bit flipped, or +0; an entry of sparse elements is summed in double, in the order of k, and rounded once
/// (to the types of 16 bits by way of float).
/// \param W           out * M rows of in * N entries, `row_stride` entries apart; what lies between rows is not touched
/// \param row_stride  0 for contiguous rows
/// \throws DomainError if theta has not params * out * in entries, or W is too short.
/// \par Cost  one write of W, and one read of the codes or entries for each pair of channels.
template <class T>
void materialise(const PreparedPattern& pattern, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 std::uint64_t row_stride = 0, unsigned threads = 1);

/// dtheta from dW, the adjoint: the signed sum over the entries of each parameter; structural zeros are ignored. NaN and
/// infinities reach only the parameters that have the entry. The order of summation is a function of the pattern: the same
/// bits on every instruction-set level and for every number of threads. Sums of sparse elements are taken in double and
/// rounded once.
/// \throws DomainError as materialise
template <class T>
void reduce_gradient(const PreparedPattern& pattern, Multiplicity channels, std::span<const T> dW,
                     std::span<SumOf<T>> dtheta, std::uint64_t row_stride = 0, unsigned threads = 1);

/// How the variance of an output is shared among the parameters.
enum class InitialVariance {
  by_orbit,  ///< sigma_k^2 = gain^2 M / (in P |B_k|^2): each parameter moves the output equally, as if a dense
             ///< Gaussian matrix had been projected onto the layer
  uniform    ///< one sigma^2 = gain^2 M / (in * sum of all |B_k|^2)
};

/// Variances [P] of independent theta of mean zero for which outputs have, on average over the rows, the variance gain^2
/// when inputs are independent of variance 1. Zero for a parameter without entries.
std::vector<double> initial_variance(const PreparedPattern& pattern, Multiplicity channels, double gain = 1,
                                     InitialVariance kind = InitialVariance::by_orbit);

/// The nearest W of the family, in the Frobenius norm, to a dense W.
struct Projection {
  std::vector<double> theta;  ///< [P, out, in]: of tied entries signed means over the orbits; 0 for one without entries
  double residual = 0;        ///< |W - W(theta)|
  double norm = 0;            ///< |W|
};

/// Sparse elements are not orthogonal, so their Gram matrix is factored, once for each basis.
/// \throws DomainError as reduce_gradient, or if sparse elements are linearly dependent; LimitError for more than 16384
/// of them.
template <class T>
Projection project_weights(const PreparedPattern& pattern, Multiplicity channels, std::span<const T> W,
                           unsigned threads = 1);

}  // namespace intertwine
