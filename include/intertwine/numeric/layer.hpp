// The layer of a weight table, y = W x + b between features of one kind or of several: 16 copies of one, 33 of another.
//
// x [batch, N] and y [batch, M] are the parts of the table one after the other, each [channels, dimension]; theta and bias are the flat lists of
// WeightTable. Every pair of parts is a BlockLayer of its own, of a form of its own; what they make is added up in the order of the parts of x.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/tables/weight_table.hpp"

namespace intertwine {

/// T is float or double. Immutable, cheap to copy, safe to use from many threads. Memory beside that of the layers: a copy of x and of a part of y.
template <class T = float>
class Layer {
 public:
  using Number = T;
  using Options = LayerOptions;
  using Input = std::span<const T>;
  using Output = std::span<T>;
  using Gradient = std::span<T>;

  /// Parameters are zero. \throws as require_fitting and BlockLayer
  explicit Layer(const WeightTable& table, const Task& task = {});
  /// \throws DomainError if theta has not WeightTable::theta_size() numbers or bias not bias_size() (empty: zero).
  Layer with_parameters(std::span<const T> theta, std::span<const T> bias = {}) const;

  const std::vector<std::vector<BlockLayer<T>>>& blocks() const;  ///< [part of y][part of x]
  /// Those of the only block; several have their channels in their parts.
  Multiplicity channels() const;
  std::span<const T> theta() const;
  std::span<const T> bias_parameters() const;
  std::uint64_t inputs() const;
  std::uint64_t outputs() const;

  /// The forms that all blocks have.
  std::vector<LayerForm> forms() const;
  /// The form that the largest block takes; where no form is forced, the others may take another one.
  LayerForm pick(std::uint64_t batch, const LayerOptions& options = {}) const;
  /// The sum over the blocks.
  double expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options = {}) const;

  /// Returns the form of the largest block. \throws DomainError as BlockLayer
  LayerForm forward(std::uint64_t batch, std::span<const T> x, std::span<T> y, const LayerOptions& options = {}) const;
  LayerForm backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                     std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options = {}) const;

 private:
  struct State;
  explicit Layer(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// A variance for each number of theta, for which every part of y has the variance gain^2 where x has 1, each orbit of each copy moving it equally:
/// gain^2 d / (|B_k|^2 sum_j P_j in_j) for d rows and blocks of P_j parameters from in_j channels. For one block that of initial_variance(PreparedPattern).
std::vector<double> initial_variance(const WeightTable& table, double gain = 1);
/// Independent normal numbers of these variances, a function of the layer's patterns and the seed. T is float or double.
template <class T>
std::vector<T> random_theta(const Layer<T>& layer, std::uint64_t seed);

static_assert(EquivariantLayer<Layer<float>>);

}  // namespace intertwine
