// Layers that keep parameters, in whichever form is fastest.
#include "intertwine/numeric/block_layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "intertwine/error.hpp"
#include "numeric/layer_forms.hpp"
#include "numeric/normal_numbers.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

/// The state that a layer keeps of its parameters: the weights in the forms that forward products took.
template <class T>
struct LinearState {
  explicit LinearState(LayerPlan<T> of) : plan(std::move(of)) {}

  LayerPlan<T> plan;
  std::vector<T> theta, bias_parameters;
  std::vector<T> bias_values;  ///< [out, M]; empty without bias parameters

  const PlanState<T>& forms() const { return plan.state(); }
  const Buffer<T>& packed(unsigned threads) const {
    std::call_once(dense_once, [&] {
      dense_weights = pack_weights(forms().operand(theta.data(), false), threads);
      materialised = true;
    });
    return dense_weights;
  }
  const FourierWeights<T>& fourier(unsigned threads) const {
    std::call_once(fourier_once, [&] {
      fourier_weights.emplace(forms().weights.tied().data(), forms().transform(), forms().channels, false, theta.data(),
                              threads);
    });
    return *fourier_weights;
  }
  const IsotypicLinear<T>& isotypic(unsigned threads) const {
    std::call_once(isotypic_once, [&] {
      const auto& d = *forms().decomposition;
      const auto blocks = d.block_theta(forms().weights.params(), forms().channels, theta.data(), threads);
      const std::uint64_t rows = forms().weights.rows();
      const TiedPattern no_bias(rows, 1, 0, std::vector<std::uint8_t>(rows, 0));
      isotypic_layer.emplace(
          IsotypicLinear<T>(d.plan.decomposition(), no_bias, forms().channels).with_parameters(blocks));
    });
    return *isotypic_layer;
  }

  mutable std::once_flag dense_once, fourier_once, isotypic_once;
  mutable std::atomic<bool> materialised{false};
  mutable Buffer<T> dense_weights;
  mutable std::optional<FourierWeights<T>> fourier_weights;
  mutable std::optional<IsotypicLinear<T>> isotypic_layer;
};

}  // namespace numeric_detail

namespace {

template <class T>
std::shared_ptr<LinearState<T>> state_of(LayerPlan<T> plan, std::span<const T> theta,
                                         std::span<const T> bias_parameters) {
  const Multiplicity channels = plan.channels();
  const std::uint64_t parameters = plan.parameters(), biases = plan.bias_parameters();
  if (!theta.empty() && theta.size() != parameters)
    throw DomainError(fmt::format("BlockLayer: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  plan.weights().params(), channels.out, channels.in, parameters));
  if (!bias_parameters.empty() && bias_parameters.size() != biases)
    throw DomainError(fmt::format("BlockLayer: the bias has {} entries; [{}, {}] needs {}", bias_parameters.size(),
                                  plan.bias().params(), channels.out, biases));
  auto state = std::make_shared<LinearState<T>>(std::move(plan));
  state->theta.assign(parameters, T{0});
  state->bias_parameters.assign(biases, T{0});
  std::copy(theta.begin(), theta.end(), state->theta.begin());
  std::copy(bias_parameters.begin(), bias_parameters.end(), state->bias_parameters.begin());
  if (biases > 0) {
    state->bias_values.resize(state->plan.outputs());
    materialise<T>(state->plan.bias(), {channels.out, 1}, state->bias_parameters, state->bias_values);
  }
  return state;
}

constexpr std::string_view form_names[] = {"dense", "lookup", "implicit", "fft", "isotypic", "diagram"};

// The seconds of a product that keeps the arrays which it makes of theta.
template <class T>
double seconds_of(const LinearState<T>& state, LayerForm form, std::uint64_t batch, double uses) {
  const PlanState<T>& forms = state.forms();
  if (form == LayerForm::isotypic) return forms.decomposition->plan.expected_seconds(batch);
  if (form == LayerForm::fft)
    return fourier_seconds<T>(forms.weights.tied().data(), *forms.transform(), forms.channels, batch);
  if (form != LayerForm::dense) return state.plan.expected_seconds(LayerProduct::apply, form, batch);
  ProductSize size = forms.size(batch, false);
  size.materialised = state.materialised;
  return numeric_detail::expected_seconds<T>(form, size, uses);
}

}  // namespace

std::string to_string(LayerForm form) { return std::string(form_names[static_cast<std::size_t>(form)]); }

LayerMode parse_layer_mode(std::string_view name) {
  if (name == "automatic") return LayerMode::automatic;
  if (name == "fastest") return LayerMode::fastest;
  for (std::size_t k = 0; k < std::size(form_names); ++k)
    if (name == form_names[k]) return static_cast<LayerMode>(static_cast<std::size_t>(LayerMode::dense) + k);
  throw DomainError(fmt::format("there is no mode '{}'; take automatic, fastest, {}", std::string(name.substr(0, 40)),
                                fmt::join(form_names, ", ")));
}

template <class T>
BlockLayer<T>::BlockLayer(LayerPlan<T> plan) : state_(state_of<T>(std::move(plan), {}, {})) {}

template <class T>
BlockLayer<T>::BlockLayer(PreparedPattern weights, PreparedPattern bias, Multiplicity channels)
    : BlockLayer(LayerPlan<T>(std::move(weights), std::move(bias), channels)) {}

template <class T>
BlockLayer<T>::BlockLayer(const WeightBlock& table, const Task& task) : BlockLayer(LayerPlan<T>(table, task)) {}

template <class T>
BlockLayer<T> BlockLayer<T>::with_parameters(std::span<const T> theta, std::span<const T> bias) const {
  const std::uint64_t parameters = state_->theta.size();
  if (theta.size() != parameters)
    throw DomainError(fmt::format("BlockLayer: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  weights().params(), channels().out, channels().in, parameters));
  return BlockLayer(state_of<T>(plan(), theta, bias));
}

template <class T>
BlockLayer<T> BlockLayer<T>::with_decomposition(IsotypicMap map) const {
  return BlockLayer(state_of<T>(plan().with_decomposition(std::move(map)), theta(), bias_parameters()));
}

template <class T>
BlockLayer<T> BlockLayer<T>::with_decomposition(IsotypicBlocks blocks) const {
  return BlockLayer(state_of<T>(plan().with_decomposition(std::move(blocks)), theta(), bias_parameters()));
}

template <class T>
const LayerPlan<T>& BlockLayer<T>::plan() const {
  return state_->plan;
}
template <class T>
std::span<const T> BlockLayer<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> BlockLayer<T>::bias_parameters() const {
  return state_->bias_parameters;
}

template <class T>
LayerForm BlockLayer<T>::pick(std::uint64_t batch, const LayerOptions& options) const {
  const PlanState<T>& forms = state_->forms();
  if (const auto form = forced_form(options.mode)) {
    forms.require(*form);
    return *form;
  }
  return fastest_form(forms, options.mode,
                      [&](LayerForm form) { return seconds_of(*state_, form, batch, options.uses); });
}

template <class T>
double BlockLayer<T>::expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options) const {
  state_->forms().require(form);
  return seconds_of(*state_, form, batch, options.uses);
}

template <class T>
LayerForm BlockLayer<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                                 const LayerOptions& options) const {
  check_array("forward", "x", x.size(), batch, inputs());
  check_array("forward", "y", y.size(), batch, outputs());
  const LinearState<T>& state = *state_;
  const PlanState<T>& forms = state.forms();
  const unsigned threads = std::max(1U, options.threads);
  const LayerForm form = pick(batch, options);
  if (batch == 0 || outputs() == 0) return form;
  const bool kept = inputs() != 0 && form != LayerForm::lookup && form != LayerForm::implicit;
  if (!kept)
    plan().apply(batch, x, theta(), {}, y, {parse_layer_mode(to_string(form)), threads, 1});
  else if (form == LayerForm::fft)
    state.fourier(threads).multiply(batch, x.data(), y.data(), threads);
  else if (form == LayerForm::isotypic)
    state.isotypic(threads).forward(batch, x, y, {LayerMode::isotypic, threads, 1});
  else
    multiply_dense<T>(forms.operand(nullptr, false), state.packed(threads), batch, x.data(), y.data(), threads);
  add_bias(state.bias_values, batch, channels().out, weights().rows(), y.data(),
           contiguous_strides(channels().out, weights().rows()));
  return form;
}

template <class T>
LayerForm BlockLayer<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                                  std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options) const {
  return plan().gradients(batch, x, dy, theta(), dx, dtheta, dbias, options);
}

template <class T>
std::vector<T> random_theta(const BlockLayer<T>& layer, std::uint64_t seed) {
  return normal_numbers<T>(initial_variance(layer.weights(), layer.channels()),
                           layer.channels().in * layer.channels().out, seed);
}

template std::vector<float> random_theta(const BlockLayer<float>&, std::uint64_t);
template std::vector<double> random_theta(const BlockLayer<double>&, std::uint64_t);
template class BlockLayer<float>;
template class BlockLayer<double>;

}  // namespace intertwine
