// Layers that have the isotypic form alone.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "numeric/isotypic_layer_plan.hpp"
#include "numeric/product.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

template <class T>
struct IsotypicState {
  IsotypicLayerPlan<T> plan;
  PreparedPattern bias;
  std::vector<T> theta, bias_parameters, bias_values;
  std::vector<std::optional<BlockLayer<T>>> blocks;  ///< those of the plan with parameters, whose weights are kept
};

}  // namespace numeric_detail

namespace {

template <class T>
std::shared_ptr<const IsotypicState<T>> state_of(IsotypicLayerPlan<T> plan, PreparedPattern bias,
                                                 std::span<const T> theta, std::span<const T> bias_parameters) {
  const Multiplicity channels = plan.channels();
  const std::uint64_t params = plan.parameters(), rows = plan.decomposition().rows();
  const std::uint64_t biases = checked_product({bias.params(), channels.out, 16}, "the bias") / 16;
  if (!theta.empty() && theta.size() != params)
    throw DomainError(fmt::format("IsotypicLinear: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  plan.decomposition().params(), channels.out, channels.in, params));
  if (!bias_parameters.empty() && bias_parameters.size() != biases)
    throw DomainError(fmt::format("IsotypicLinear: the bias has {} entries; [{}, {}] needs {}", bias_parameters.size(),
                                  bias.params(), channels.out, biases));
  auto state = std::make_shared<IsotypicState<T>>(
      IsotypicState<T>{std::move(plan), std::move(bias), std::vector<T>(params), std::vector<T>(biases), {}, {}});
  std::copy(theta.begin(), theta.end(), state->theta.begin());
  std::copy(bias_parameters.begin(), bias_parameters.end(), state->bias_parameters.begin());
  if (biases > 0) {
    state->bias_values.resize(channels.out * rows);
    materialise<T>(state->bias, {channels.out, 1}, state->bias_parameters, state->bias_values);
  }
  const T* from = state->theta.data();
  for (const auto& block : state->plan.blocks()) {
    auto& layer = state->blocks.emplace_back();
    if (!block) continue;
    layer = BlockLayer<T>(*block).with_parameters(std::span<const T>(from, block->parameters()));
    from += block->parameters();
  }
  return state;
}

}  // namespace

template <class T>
IsotypicLinear<T>::IsotypicLinear(IsotypicDecomposition decomposition, PreparedPattern bias, Multiplicity channels) {
  if (bias.cols() != 1 || bias.rows() != decomposition.rows())
    throw DomainError(
        fmt::format("IsotypicLinear: a bias of {} x {} for {} outputs; it needs one column and as many rows",
                    bias.rows(), bias.cols(), decomposition.rows()));
  state_ = state_of<T>(IsotypicLayerPlan<T>(std::move(decomposition), channels), std::move(bias), {}, {});
}

template <class T>
IsotypicLinear<T> IsotypicLinear<T>::with_parameters(std::span<const T> theta, std::span<const T> bias) const {
  if (theta.size() != state_->theta.size())
    throw DomainError(
        fmt::format("IsotypicLinear: theta has {} entries; the blocks need {}", theta.size(), state_->theta.size()));
  return IsotypicLinear(state_of<T>(state_->plan, state_->bias, theta, bias));
}

template <class T>
const IsotypicDecomposition& IsotypicLinear<T>::decomposition() const {
  return state_->plan.decomposition();
}
template <class T>
Multiplicity IsotypicLinear<T>::channels() const {
  return state_->plan.channels();
}
template <class T>
std::span<const T> IsotypicLinear<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> IsotypicLinear<T>::bias_parameters() const {
  return state_->bias_parameters;
}
template <class T>
std::uint64_t IsotypicLinear<T>::inputs() const {
  return state_->plan.inputs();
}
template <class T>
std::uint64_t IsotypicLinear<T>::outputs() const {
  return state_->plan.outputs();
}

template <class T>
LayerForm IsotypicLinear<T>::pick(std::uint64_t, const LayerOptions&) const {
  return LayerForm::isotypic;
}

template <class T>
double IsotypicLinear<T>::expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions&) const {
  if (form != LayerForm::isotypic)
    throw DomainError(fmt::format("IsotypicLinear: there is no form {}", to_string(form)));
  return state_->plan.expected_seconds(batch);
}

template <class T>
double IsotypicLinear<T>::operations(std::uint64_t batch) const {
  return state_->plan.operations(batch);
}

template <class T>
LayerForm IsotypicLinear<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                                     const LayerOptions& options) const {
  const unsigned threads = std::max(1U, options.threads);
  check_array("forward", "x", x.size(), batch, inputs());
  check_array("forward", "y", y.size(), batch, outputs());
  if (y.empty()) return LayerForm::isotypic;
  const IsotypicState<T>& state = *state_;
  state.plan.apply(batch, x.data(), y.data(), threads,
                   [&](std::size_t i, std::uint64_t rows, std::span<const T> block_x, std::span<T> block_y) {
                     state.blocks[i]->forward(rows, block_x, block_y, {LayerMode::automatic, threads, 1});
                   });
  if (!state.bias_values.empty())
    for (std::uint64_t b = 0; b < batch; ++b)
      for (std::size_t r = 0; r < state.bias_values.size(); ++r)
        y[b * state.bias_values.size() + r] += state.bias_values[r];
  return LayerForm::isotypic;
}

template <class T>
LayerForm IsotypicLinear<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                                      std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options) const {
  const unsigned threads = std::max(1U, options.threads);
  const IsotypicState<T>& state = *state_;
  check_array("backward", "dy", dy.size(), batch, outputs());
  if (!dx.empty()) check_array("backward", "dx", dx.size(), batch, inputs());
  if (!dtheta.empty()) {
    check_array("backward", "x", x.size(), batch, inputs());
    check_array("backward", "dtheta", dtheta.size(), 1, state.theta.size());
  }
  if (!dbias.empty()) {
    check_array("backward", "dbias", dbias.size(), 1, state.bias_parameters.size());
    bias_gradient<T>(state.bias, channels().out, batch, dy.data(), dbias, threads);
  }
  state.plan.gradients(batch, x.data(), dy.data(), state.theta.data(), dx.empty() ? nullptr : dx.data(),
                       dtheta.empty() ? nullptr : dtheta.data(), threads);
  return LayerForm::isotypic;
}

template class IsotypicLinear<float>;
template class IsotypicLinear<double>;

}  // namespace intertwine
