// The equivariant linear layers of a table without their parameters: products that take x, theta and dy where they lie.
//
//   apply             y = W(theta) x + b(bias)        linear in x and in (theta, bias)
//   apply_transposed  dx = W(theta)^T dy              linear in dy and in theta
//   outer             dtheta = reduce_gradient(sum dy x^T)     linear in x and in dy, no dW in memory
//   materialise       W from theta                    (prepared_pattern.hpp)
//   reduce            dtheta from dW                  (prepared_pattern.hpp)
//
// They are closed under differentiation, so that every derivative of every order is a sum of these five:
//   of apply(x, theta)              dx = apply_transposed(g, theta)     dtheta = outer(x, g)
//   of apply_transposed(dy, theta)  d(dy) = apply(g, theta)             dtheta = outer(g, dy)
//   of outer(x, dy)                 dx = apply_transposed(dy, g)        d(dy) = apply(x, g)
// A batch of theta is more channels: with_channels().
//
// Shapes: x, dx [batch, in, N], y, dy [batch, out, M] with any strides; theta, dtheta [P, out, in], bias, dbias [Q, out] contiguous.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/numeric/equivariant_layer.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/prepared_pattern.hpp"
#include "intertwine/numeric/prepared_table.hpp"

namespace intertwine {

/// Numbers from entry to entry along the batch, the channels and the coordinates of one channel: not negative, 0 for an array
/// that is the same along an axis (of inputs only).
struct ArrayStrides {
  std::uint64_t batch = 0, channel = 0, entry = 1;
  friend bool operator==(const ArrayStrides&, const ArrayStrides&) = default;
};

/// An array [batch, channels, dim]: entry (b, c, j) is data[b * strides.batch + c * strides.channel + j * strides.entry]. Without
/// strides it is contiguous, row-major.
template <class T>
struct Strided {
  std::span<T> data;  ///< everything from the first entry to the last
  std::optional<ArrayStrides> strides;

  Strided() = default;
  Strided(std::span<T> all) : data(all) {}  // NOLINT(google-explicit-constructor)
  Strided(std::span<T> all, ArrayStrides s) : data(all), strides(s) {}
  Strided(T* first, std::size_t count) : data(first, count) {}
  template <class U>
    requires std::is_convertible_v<std::span<U>, std::span<T>>
  Strided(const Strided<U>& other) : data(other.data), strides(other.strides) {}  // NOLINT
  template <class Vector>
    requires std::is_convertible_v<Vector&, std::span<T>> && (!std::is_same_v<std::remove_cv_t<Vector>, std::span<T>>)
  Strided(Vector& all) : data(all) {}  // NOLINT(google-explicit-constructor)
  bool empty() const { return data.empty(); }
};

enum class LayerProduct { apply, apply_transposed, outer };

namespace numeric_detail {
template <class T>
struct PlanState;
}

/// T is float or double. Immutable, cheap to copy, safe to use from many threads. Holds no array of the size of theta or of
/// W; memory is that of the patterns, which it shares with every other plan and layer of them. Options are those of layers; `uses` is not
/// looked at, for W is never kept.
///
/// Forms (layer.hpp): dense and lookup give the same bits as each other and as BlockLayer; the bits of no form depend on threads, strides,
/// the instruction-set level, or on which gradients are asked for.
template <class T = float>
class LayerPlan {
 public:
  /// The plan of a table of either kind, with the isotypic form if the table has one. Codes in memory are shared with
  /// the table.
  /// \throws DomainError as PreparedPattern, IsotypicDecomposition and IsotypicMap
  explicit LayerPlan(const WeightBlock& table, const Task& task = {});
  explicit LayerPlan(const PreparedTable& table);
  /// `bias` has one column and as many rows as `weights`. \throws DomainError if it has not.
  LayerPlan(PreparedPattern weights, PreparedPattern bias, Multiplicity channels);

  /// The plan of these patterns with other channels. It costs nothing.
  LayerPlan with_channels(Multiplicity channels) const;
  /// This plan with the isotypic form. \throws DomainError if the map is not of these weights (their sizes differ)
  LayerPlan with_decomposition(IsotypicMap map) const;
  LayerPlan with_decomposition(IsotypicBlocks blocks) const;

  const PreparedPattern& weights() const;
  const PreparedPattern& bias() const;
  Multiplicity channels() const;
  std::uint64_t inputs() const;           ///< in N
  std::uint64_t outputs() const;          ///< out M
  std::uint64_t parameters() const;       ///< P out in
  std::uint64_t bias_parameters() const;  ///< Q out

  /// The forms that there are, in the order of LayerForm.
  std::vector<LayerForm> forms() const;
  /// The form that `options` give; \throws DomainError if the form that is forced is not there.
  LayerForm pick(LayerProduct product, std::uint64_t batch, const LayerOptions& options = {}) const;
  /// The seconds that the cost model expects. \throws DomainError if the form is not there
  double expected_seconds(LayerProduct product, LayerForm form, std::uint64_t batch) const;
  /// Floating-point operations of a product in a form, what is prepared once for each theta left out.
  /// \throws DomainError if the form is not there
  double operations(LayerForm form, std::uint64_t batch) const;

  /// y = W x + b; an empty bias is none. Returns the form that ran (all below).
  /// \throws DomainError for arrays that are too short for their shape and strides, parameters of another number, outputs
  /// whose entries lie upon each other, and a forced form that is not there (all below).
  LayerForm apply(std::uint64_t batch, Strided<const T> x, std::span<const T> theta, std::span<const T> bias,
                  Strided<T> y, const LayerOptions& options = {}) const;
  /// dx = W^T dy.
  LayerForm apply_transposed(std::uint64_t batch, Strided<const T> dy, std::span<const T> theta, Strided<T> dx,
                             const LayerOptions& options = {}) const;
  /// dtheta, summed over the batch, from x and dy.
  LayerForm outer(std::uint64_t batch, Strided<const T> x, Strided<const T> dy, std::span<T> dtheta,
                  const LayerOptions& options = {}) const;
  /// dbias [Q, out], summed over the batch.
  void bias_gradient(std::uint64_t batch, Strided<const T> dy, std::span<T> dbias, unsigned threads = 1) const;
  /// All three gradients at once, empty ones left out: the same bits as one by one, and what they share is done once. x may be
  /// empty without dtheta, theta without dx. Returns the form of dx, without dx that of dtheta.
  LayerForm gradients(std::uint64_t batch, Strided<const T> x, Strided<const T> dy, std::span<const T> theta,
                      Strided<T> dx, std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options = {}) const;

  const numeric_detail::PlanState<T>& state() const { return *state_; }

 private:
  explicit LayerPlan(std::shared_ptr<const numeric_detail::PlanState<T>> state) : state_(std::move(state)) {}
  std::shared_ptr<const numeric_detail::PlanState<T>> state_;
};

}  // namespace intertwine
