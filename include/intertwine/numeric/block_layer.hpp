// The equivariant linear layer y = W x + b with its parameters, forward and backward: a LayerPlan that keeps what it makes of them.
// Weights are tied entries or a general sparse basis.
//
// Shapes, row-major: x [batch, in, N], y [batch, out, M], theta [P, out, in], bias [Q, out].
//
// Forms of the same layer:
//   dense     W is materialised and multiplied: kept by a BlockLayer (once for each theta), a block at a time by a LayerPlan
//   lookup    weights are looked up in the codes while multiplying; W never exists in memory (tied entries only)
//   implicit  the inputs of each orbit (each element) are summed first, then multiplied by theta: pays when few parameters occur
//             in a row
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
#include <span>
#include <vector>

#include "intertwine/numeric/equivariant_layer.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/layer_plan.hpp"
#include "intertwine/numeric/prepared_pattern.hpp"

namespace intertwine {

namespace numeric_detail {
template <class T>
struct LinearState;
}

/// T is float or double. Immutable: with_parameters() makes another layer that shares the patterns. Cheap to copy, safe to use
/// from many threads. Memory beside that of the patterns: theta, and W once the form dense has run forward.
template <class T = float>
class BlockLayer {
 public:
  using Number = T;
  using Options = LayerOptions;
  using Input = std::span<const T>;
  using Output = std::span<T>;
  using Gradient = std::span<T>;

  /// The layer of a table of either kind, with the isotypic form if the table has one. Parameters are zero.
  /// \throws DomainError as PreparedPattern, IsotypicDecomposition and IsotypicMap
  explicit BlockLayer(const WeightBlock& table, const Task& task = {});
  /// The layer of a plan. Parameters are zero.
  explicit BlockLayer(LayerPlan<T> plan);
  /// The layer of existing patterns. `bias` has one column and as many rows as `weights`.
  /// \throws DomainError if it has not.
  BlockLayer(PreparedPattern weights, PreparedPattern bias, Multiplicity channels);

  /// \throws DomainError if theta is not [P, out, in] or bias not [Q, out] (empty: zero).
  BlockLayer with_parameters(std::span<const T> theta, std::span<const T> bias = {}) const;

  /// This layer with the isotypic form. \throws DomainError if the map is not of these weights (their sizes differ)
  BlockLayer with_decomposition(IsotypicMap map) const;
  /// This layer with the isotypic form that the blocks give. \throws DomainError as IsotypicDecomposition and
  /// IsotypicMap
  BlockLayer with_decomposition(IsotypicBlocks blocks) const;

  const LayerPlan<T>& plan() const;
  const PreparedPattern& weights() const { return plan().weights(); }
  const PreparedPattern& bias() const { return plan().bias(); }
  Multiplicity channels() const { return plan().channels(); }
  std::span<const T> theta() const;
  std::span<const T> bias_parameters() const;
  std::uint64_t inputs() const { return plan().inputs(); }    ///< in N
  std::uint64_t outputs() const { return plan().outputs(); }  ///< out M

  /// The forms that this layer has, in the order of LayerForm.
  std::vector<LayerForm> forms() const { return plan().forms(); }
  /// The form that `options` give for a batch, and what the cost model expects of a form, in seconds (forward).
  LayerForm pick(std::uint64_t batch, const LayerOptions& options = {}) const;
  /// \throws DomainError if the layer has not got the form that is forced.
  double expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options = {}) const;

  /// The operations of a form, as LayerPlan::operations.
  double operations(LayerForm form, std::uint64_t batch) const { return plan().operations(form, batch); }

  /// y = W x + b; returns the form that ran.
  /// \throws DomainError if x has not batch * inputs() entries or y not batch * outputs(), or the layer has not got the form
  /// that is forced.
  LayerForm forward(std::uint64_t batch, std::span<const T> x, std::span<T> y, const LayerOptions& options = {}) const;

  /// Gradients of a scalar whose gradient with respect to y is dy: LayerPlan::gradients() with these parameters. dtheta and dbias are
  /// summed over the batch in its order, then as reduce_gradient() does; in the forms implicit, fft and isotypic dtheta
  /// is summed in theirs. Nothing is kept: weights are made anew in each call. Returns the form that ran.
  /// \throws DomainError as forward
  LayerForm backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                     std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options = {}) const;

 private:
  explicit BlockLayer(std::shared_ptr<const numeric_detail::LinearState<T>> state) : state_(std::move(state)) {}
  std::shared_ptr<const numeric_detail::LinearState<T>> state_;
};

/// theta [P, out, in]: independent normal numbers of the variances that initial_variance() gives, a function of the layer's
/// patterns and the seed (to the last bit where the mathematical library is the same). T is float or double.
template <class T>
std::vector<T> random_theta(const BlockLayer<T>& layer, std::uint64_t seed);

static_assert(EquivariantLayer<BlockLayer<float>>);

}  // namespace intertwine
