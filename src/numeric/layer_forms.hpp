// The contents of a LayerPlan, and the forms of its products, for layers that keep parameters as well.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "intertwine/numeric/layer_plan.hpp"
#include "numeric/cost_model.hpp"
#include "numeric/fourier.hpp"
#include "numeric/implicit.hpp"
#include "numeric/isotypic_layer_plan.hpp"
#include "numeric/product.hpp"

namespace intertwine::numeric_detail {

template <class T>
struct PlanState {
  PlanState(PreparedPattern weight_pattern, PreparedPattern bias_pattern, Multiplicity multiplicity)
      : weights(std::move(weight_pattern)),
        bias(std::move(bias_pattern)),
        channels(multiplicity),
        cache(std::make_shared<Cache>()) {}

  PreparedPattern weights, bias;
  Multiplicity channels;

  /// The map theta -> theta' of the blocks, as numbers of the layer.
  struct Matrices {
    std::vector<T> map, transposed;
  };
  struct Decomposition {
    IsotypicMap map;
    std::shared_ptr<const Matrices> matrices;
    IsotypicLayerPlan<T> plan;
    /// theta' of theta [P, out, in].
    std::vector<T> block_theta(std::uint64_t params, Multiplicity channels, const T* theta, unsigned threads) const;
  };
  std::optional<Decomposition> decomposition;

  std::uint64_t inputs() const { return channels.in * weights.cols(); }
  std::uint64_t outputs() const { return channels.out * weights.rows(); }
  std::uint64_t parameters() const { return weights.params() * channels.out * channels.in; }
  Operand<T> operand(const T* theta, bool transpose) const { return {weights, channels, theta, transpose}; }
  /// The transform of patterns on a torus.
  const std::shared_ptr<const TorusTransform<T>>& transform() const;
  const ImplicitSize& sums(bool transpose) const;
  /// Why there is no such form; nullptr if there is.
  const char* missing(LayerForm form) const;
  /// \throws DomainError saying why
  void require(LayerForm form) const;
  ProductSize size(std::uint64_t batch, bool transpose) const;

 private:
  /// The common data of plans of the same patterns, whatever their channels, found on first use.
  struct Cache {
    std::once_flag torus_once, sums_once[2];
    std::shared_ptr<const TorusTransform<T>> transform;
    ImplicitSize sums[2];
  };
  std::shared_ptr<Cache> cache;
};

/// The form that a mode forces.
std::optional<LayerForm> forced_form(LayerMode mode);

/// The form of the least seconds(form) among the existing ones that `mode` may take. Dense wins ties within a tenth.
template <class T, class Seconds>
LayerForm fastest_form(const PlanState<T>& state, LayerMode mode, const Seconds& seconds) {
  constexpr LayerForm others[] = {LayerForm::lookup, LayerForm::implicit, LayerForm::fft, LayerForm::isotypic};
  LayerForm best = LayerForm::dense;
  double least = 0;
  for (const LayerForm form : others) {
    if ((mode == LayerMode::automatic && form != LayerForm::lookup) || state.missing(form) != nullptr) continue;
    if (least == 0) least = 0.9 * seconds(LayerForm::dense);
    const double other = seconds(form);
    if (other >= least) continue;
    least = other;
    best = form;
  }
  return best;
}

/// A contiguous array [batch, channels, dim].
inline ArrayStrides contiguous_strides(std::uint64_t channels, std::uint64_t dim) { return {channels * dim, dim, 1}; }

/// Adds b to every vector of y [batch, out, M].
template <class T>
void add_bias(const std::vector<T>& values, std::uint64_t batch, std::uint64_t out, std::uint64_t rows, T* y,
              ArrayStrides strides) {
  if (values.empty()) return;
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t c = 0; c < out; ++c) {
      T* to = y + b * strides.batch + c * strides.channel;
      for (std::uint64_t i = 0; i < rows; ++i) to[i * strides.entry] += values[c * rows + i];
    }
}

}  // namespace intertwine::numeric_detail
