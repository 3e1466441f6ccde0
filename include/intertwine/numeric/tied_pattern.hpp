// A weight-tying table made ready for numbers: the two linear maps theta -> W and dW -> dtheta, each the adjoint (and
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
#include "intertwine/tables/weight_table.hpp"

namespace intertwine {

namespace numeric_detail {
struct PatternData;
}

/// The codes of one array of weights with the order in which its gradients are summed. Immutable, cheap to copy, safe
/// to use from many threads. Memory: about one to four bytes an entry, and up to 1.5 more where rows resemble each other.
class TiedPattern {
 public:
  /// `codes` as in WeightTable: 0, 1+k for +theta_k, 1+params+k for -theta_k.
  /// \throws DomainError if there are not rows * cols codes, or one is above 2 params.
  TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const Codes& codes);
  /// The weight codes of a table.
  static TiedPattern weights(const WeightTable& table);
  /// The bias codes, as a pattern of one column: a bias has shape [bias_params, out, 1].
  static TiedPattern bias(const WeightTable& table);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  bool has_signs() const;  ///< some entry is -theta_k
  std::span<const std::int64_t> orbit_size() const;
  /// 0-based. \throws DomainError outside the array.
  std::uint32_t code(std::uint64_t row, std::uint64_t col) const;
  /// How gradients are summed: "none", "bins", "runs", "tables" or "sequence" (docs/numeric.md). A function of the codes.
  std::string reduction() const;
  /// The pattern of the transposed array: the same parameters.
  TiedPattern transposed() const;

  const numeric_detail::PatternData& data() const { return *data_; }

 private:
  explicit TiedPattern(std::shared_ptr<const numeric_detail::PatternData> data) : data_(std::move(data)) {}
  std::shared_ptr<const numeric_detail::PatternData> data_;
};

/// What sums of numbers of type T are kept in: float for bfloat16 and fp16, else T.
template <class T>
using SumOf = std::conditional_t<is_narrow<T>, float, T>;

/// W from theta. T is float, double, Bf16 or Half; every entry is a bit-exact copy of a parameter, or of it with the sign bit
/// flipped, or +0.
/// \param W           out * M rows of in * N entries, `row_stride` entries apart; what lies between rows is not touched
/// \param row_stride  0 for contiguous rows
/// \throws DomainError if theta has not params * out * in entries, or W is too short.
/// \par Cost  one write of W, and one read of the codes for each pair of channels.
template <class T>
void materialise(const TiedPattern& pattern, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 std::uint64_t row_stride = 0, unsigned threads = 1);

/// dtheta from dW: the signed sum over the entries of each parameter; structural zeros are ignored. NaN and infinities
/// reach only their own parameter. The order of summation is a function of the codes: the same bits on every
/// instruction-set level and for every number of threads.
/// \throws DomainError as materialise
template <class T>
void reduce(const TiedPattern& pattern, Multiplicity channels, std::span<const T> dW,
            std::span<SumOf<T>> dtheta, std::uint64_t row_stride = 0, unsigned threads = 1);

/// How the variance of an output is shared among the parameters.
enum class InitialVariance {
  by_orbit,  ///< sigma_k^2 = gain^2 M / (in P |orbit_k|): each parameter moves the output equally, as if a dense
             ///< Gaussian matrix had been projected onto the layer
  uniform  ///< one sigma^2 = gain^2 M / (in * number of nonzero entries)
};

/// Variances [P] of independent theta of mean zero for which outputs have, on average over the rows, the variance gain^2
/// when inputs are independent of variance 1. Zero for a parameter without entries.
std::vector<double> initial_variance(const TiedPattern& pattern, Multiplicity channels, double gain = 1,
                                     InitialVariance kind = InitialVariance::by_orbit);

/// The nearest tied array, in the Frobenius norm, to a dense W.
struct Projection {
  std::vector<double>
      theta;            ///< [P, out, in]: signed means over the orbits; 0 for a parameter without entries
  double residual = 0;  ///< |W - W(theta)|
  double norm = 0;      ///< |W|
};

/// \throws DomainError as reduce
template <class T>
Projection project(const TiedPattern& pattern, Multiplicity channels, std::span<const T> W,
                   unsigned threads = 1);

}  // namespace intertwine
