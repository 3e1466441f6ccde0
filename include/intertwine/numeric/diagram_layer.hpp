// The layer of a table of diagrams at one size: y = W x + b between tensors, with parameters that serve every size. W is never made: a layer
// from k to l axes of length n takes O(n^max(k, l)) time and memory.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/numeric/equivariant_layer.hpp"
#include "intertwine/tables/diagram_table.hpp"

namespace intertwine {

namespace numeric_detail {
struct DiagramPlan;
template <class T>
struct DiagramState;
}  // namespace numeric_detail

/// T is float or double. Immutable, cheap to copy, safe to use from many threads. Shapes, row-major: x [batch, in, n, ..., n], y
/// [batch, out, n, ..., n] with the axes of the table's words; theta [P, out, in], bias [Q, out]. The only form is LayerForm::diagram, whatever the
/// mode. Bits depend neither on the number of threads nor on which gradients are asked for.
///
/// \par Method  every sum over x is made once, from the next larger one; the channels of all sources that a target takes are mixed in one matrix
/// product, on tensors with the axes that are carried over; what ends on few axes is broadcast last. Gradients in x are the products of the transposed diagrams.
/// Sums are made in double, and rounded once.
template <class T = float>
class DiagramLayer {
 public:
  using Number = T;
  using Options = LayerOptions;
  using Input = std::span<const T>;
  using Output = std::span<T>;
  using Gradient = std::span<T>;

  /// Parameters are zero. sizes: of every letter of the table. \throws DomainError as require_consistent and require_sizes, and for U(n) and SU(n), whose
  /// parameters are complex; LimitError for arrays of more than 2^62 numbers
  DiagramLayer(DiagramTable table, std::vector<std::uint64_t> sizes);
  /// The layer with these parameters at another size. \throws as the constructor
  DiagramLayer at(std::vector<std::uint64_t> sizes) const;
  /// \throws DomainError if theta is not [P, out, in] or bias not [Q, out] (empty: zero).
  DiagramLayer with_parameters(std::span<const T> theta, std::span<const T> bias = {}) const;

  const DiagramTable& table() const;
  const std::vector<std::uint64_t>& sizes() const;
  Multiplicity channels() const { return table().channels; }
  std::span<const T> theta() const;
  std::span<const T> bias_parameters() const;
  std::uint64_t inputs() const;   ///< in times the entries of one input
  std::uint64_t outputs() const;  ///< out times those of an output

  std::vector<LayerForm> forms() const { return {LayerForm::diagram}; }
  LayerForm pick(std::uint64_t batch, const LayerOptions& options = {}) const;
  /// From the floating-point operations of the mixing and the bytes that are moved.
  double expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options = {}) const;

  /// \throws DomainError if x has not batch * inputs() entries or y not batch * outputs(), or another form is forced.
  LayerForm forward(std::uint64_t batch, std::span<const T> x, std::span<T> y, const LayerOptions& options = {}) const;
  /// Gradients of a scalar whose gradient with respect to y is dy; empty ones are left out. \throws as forward
  LayerForm backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                     std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options = {}) const;

 private:
  explicit DiagramLayer(std::shared_ptr<const numeric_detail::DiagramState<T>> state) : state_(std::move(state)) {}
  std::shared_ptr<const numeric_detail::DiagramState<T>> state_;
};

/// Variances [P] of independent theta of mean zero. For S(n), all diagrams: those for which inputs of variance 1 that are the same at all points give outputs of
/// variance gain^2 where no two indices agree, an equal share for the diagrams that carry 0, 1, 2, ... indices over; with means they depend on no size.
/// Else: inputs of independent entries give outputs of variance gain^2 on average at these sizes, an equal share for every diagram. \throws as require_sizes, and DomainError for a size of 0
std::vector<double> initial_variance(const DiagramTable& table, std::span<const std::uint64_t> sizes, double gain = 1);
/// theta [P, out, in]: normal numbers of these variances, a function of the table, the sizes and the seed. T is float or double.
template <class T>
std::vector<T> random_theta(const DiagramTable& table, std::span<const std::uint64_t> sizes, std::uint64_t seed);

static_assert(EquivariantLayer<DiagramLayer<float>>);

}  // namespace intertwine
