// The equivariant linear layer y = W x + b, with multiplicities, forward and backward. Weights are tied entries or a general
// sparse basis.
//
// Shapes, row-major: x [batch, in, N], y [batch, out, M], theta [P, out, in], bias [Q, out].
//
// Forms of the same layer:
//   dense     W is materialised (once for each theta) and multiplied
//   lookup    weights are looked up in the codes while multiplying; W never exists in memory (tied entries only)
//   implicit  the inputs of each orbit (each element) are summed first, then multiplied by theta: pays when P is much smaller
//             than N
//   fft       tied entries that are the same along every translation of a torus (circulant, block circulant: the regular
//             representations of products of cyclic groups) are multiplied in the Fourier basis
//   isotypic  the blocks of an isotypic decomposition that was given, see isotypic.hpp
// Dense and lookup do the same fused multiply-adds in the same order, so they give the same bits, on every
// instruction-set level and for every number of threads. The others have orders of their own, also the same on every level
// and for every number of threads. On integers small enough to be exact dense, lookup and implicit agree exactly; fft
// and isotypic are equivariant to rounding only, and never chosen by LayerMode::automatic.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/weight_basis.hpp"

namespace intertwine {

enum class LayerForm { dense, lookup, implicit, fft, isotypic };
std::string to_string(LayerForm form);

enum class LayerMode {
  automatic,  ///< dense or lookup, whichever should be faster: the choice never changes a bit
  fastest,    ///< any form
  dense,
  lookup,
  implicit,
  fft,
  isotypic
};
/// "automatic", "fastest", or the name of a form. \throws DomainError naming these.
LayerMode parse_layer_mode(std::string_view name);

struct LayerOptions {
  LayerMode mode = LayerMode::automatic;
  unsigned threads = 1;
  double uses =
      1;  ///< how many products are expected before theta changes: what materialising is spread over
};

namespace numeric_detail {
template <class T>
struct LinearState;
}

/// T is float or double. Immutable: with_parameters() makes another layer that shares the basis. Cheap to copy, safe to use
/// from many threads.
template <class T>
class EquivariantLinear {
 public:
  /// Parameters are zero. `bias` has one column and as many rows as `weights`.
  /// \throws DomainError if it has not.
  EquivariantLinear(WeightBasis weights, WeightBasis bias, Multiplicity channels);
  /// Weights, bias and multiplicities of a table.
  explicit EquivariantLinear(const WeightTable& table);

  /// \throws DomainError if theta is not [P, out, in] or bias not [Q, out] (empty: zero).
  EquivariantLinear with_parameters(std::span<const T> theta, std::span<const T> bias = {}) const;

  /// The same layer, with the isotypic form. \throws DomainError if the map is not of these weights (their sizes differ)
  EquivariantLinear with_decomposition(IsotypicMap map) const;

  const WeightBasis& weights() const;
  const WeightBasis& bias() const;
  Multiplicity channels() const;
  std::span<const T> theta() const;
  std::span<const T> bias_parameters() const;
  std::uint64_t inputs() const;   ///< in N
  std::uint64_t outputs() const;  ///< out M

  /// The forms that this layer has, in the order of LayerForm.
  std::vector<LayerForm> forms() const;
  /// The form that `options` give for a batch, and what the cost model expects of a form, in seconds (forward).
  LayerForm pick(std::uint64_t batch, const LayerOptions& options = {}) const;
  /// \throws DomainError if the layer has not got the form that is forced.
  double expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options = {}) const;

  /// Floating-point operations of a forward product in a form, what is prepared once for each theta left out.
  /// \throws DomainError if the layer has not got the form
  double operations(LayerForm form, std::uint64_t batch) const;

  /// y = W x + b; returns the form that ran.
  /// \throws DomainError if x has not batch * inputs() entries or y not batch * outputs(), or the layer has not got the form
  /// that is forced.
  LayerForm forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                    const LayerOptions& options = {}) const;

  /// Gradients of a scalar whose gradient with respect to y is dy. An empty dx, dtheta or dbias is left out; the others are
  /// overwritten. dtheta and dbias are summed over the batch in its order, then as reduce() does; in the forms fft and
  /// isotypic dtheta is summed in theirs. Implicit exists forward only: dx is then computed as automatic would. Returns the
  /// form that ran.
  /// \throws DomainError as forward
  LayerForm backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                     std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options = {}) const;

 private:
  explicit EquivariantLinear(std::shared_ptr<const numeric_detail::LinearState<T>> state)
      : state_(std::move(state)) {}
  std::shared_ptr<const numeric_detail::LinearState<T>> state_;
};

}  // namespace intertwine
