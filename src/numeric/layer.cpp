#include "intertwine/numeric/layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/random.hpp"
#include "numeric/cost_model.hpp"
#include "numeric/fourier.hpp"
#include "numeric/isotypic_data.hpp"
#include "numeric/parallel.hpp"
#include "numeric/product.hpp"
#include "numeric/sparse_basis.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

template <class T>
struct LinearState {
  LinearState(PreparedPattern weight_basis, PreparedPattern bias_basis, Multiplicity multiplicity)
      : weights(std::move(weight_basis)), bias(std::move(bias_basis)), channels(multiplicity) {}

  PreparedPattern weights, bias;
  Multiplicity channels;
  std::vector<T> theta, bias_parameters;
  std::vector<T> bias_values;  ///< [out, M]; empty without bias parameters
  Tables<T> tables;            ///< of tied entries

  PanelShape shape() const { return {weights.rows(), weights.cols(), channels}; }
  // Of tied entries.
  Operand<T> forward_operand() const {
    return {shape(), weights.tied().data().packed(), tables, weights.params(), false};
  }
  Operand<T> backward_operand() const {
    return {shape().transposed(), weights.tied().data().packed_transpose(), tables, weights.params(), true};
  }
  const Buffer<T>& packed(bool backward, unsigned threads) const {
    Packed& made = dense[backward];
    std::call_once(made.once, [&] {
      if (weights.is_tied()) {
        made.weights = pack_weights(backward ? backward_operand() : forward_operand(), threads);
      } else {
        Buffer<T> W(shape().inputs() * shape().outputs());
        materialise<T>(weights, channels, theta, std::span<T>(W.data(), W.size()), 0, threads);
        made.weights = pack_weights(backward ? shape().transposed() : shape(), W.data(), backward, threads);
      }
      made.there = true;
    });
    return made.weights;
  }

  // Of patterns on a torus.
  const FourierWeights<T>& fourier(unsigned threads) const {
    std::call_once(fourier_once, [&] {
      const PatternData& pattern = weights.tied().data();
      fourier_weights.emplace(pattern, *pattern.torus(), channels, tables, threads);
    });
    return *fourier_weights;
  }
  // Of layers with a decomposition: its layer has no bias.
  const IsotypicLinear<T>& isotypic(unsigned threads) const {
    std::call_once(isotypic_once, [&] {
      const std::uint64_t blocks = decomposition->map.decomposition().params();
      std::vector<T> block_theta(blocks * channels.out * channels.in);
      multiply_matrix<T>(decomposition->matrix, blocks, weights.params(), theta.data(),
                         channels.out * channels.in, block_theta.data(), threads);
      isotypic_layer.emplace(decomposition->layer.with_parameters(block_theta));
    });
    return *isotypic_layer;
  }

  struct Decomposition {
    IsotypicMap map;
    std::vector<T> matrix, transposed;  ///< of the map
    IsotypicLinear<T> layer;            ///< with parameters zero
  };
  std::shared_ptr<const Decomposition> decomposition;

  struct Packed {
    std::once_flag once;
    Buffer<T> weights;
    std::atomic<bool> there{false};
  };
  mutable Packed dense[2];  ///< forward, backward
  mutable std::once_flag fourier_once, isotypic_once;
  mutable std::optional<FourierWeights<T>> fourier_weights;
  mutable std::optional<IsotypicLinear<T>> isotypic_layer;
};

}  // namespace numeric_detail

namespace {

template <class T>
std::shared_ptr<LinearState<T>> state_of(PreparedPattern weights, PreparedPattern bias, Multiplicity channels,
                                         std::span<const T> theta, std::span<const T> bias_parameters) {
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, "theta");
  const std::uint64_t parameters = checked_product({weights.params(), pairs, 16}, "theta") / 16;
  const std::uint64_t biases = checked_product({bias.params(), channels.out, 16}, "the bias") / 16;
  checked_product({weights.rows(), channels.out, weights.cols(), channels.in, 16}, "the array of weights");
  if (!theta.empty() && theta.size() != parameters)
    throw DomainError(fmt::format("Layer: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  weights.params(), channels.out, channels.in, parameters));
  if (!bias_parameters.empty() && bias_parameters.size() != biases)
    throw DomainError(fmt::format("Layer: the bias has {} entries; [{}, {}] needs {}", bias_parameters.size(),
                                  bias.params(), channels.out, biases));
  auto state = std::make_shared<LinearState<T>>(std::move(weights), std::move(bias), channels);
  state->theta.assign(parameters, T{0});
  state->bias_parameters.assign(biases, T{0});
  std::copy(theta.begin(), theta.end(), state->theta.begin());
  std::copy(bias_parameters.begin(), bias_parameters.end(), state->bias_parameters.begin());
  if (state->weights.is_tied())
    state->tables = make_tables(state->weights.params(), channels, state->theta.data());
  if (biases > 0) {
    state->bias_values.resize(channels.out * state->weights.rows());
    materialise<T>(state->bias, {channels.out, 1}, state->bias_parameters, state->bias_values);
  }
  return state;
}

template <class T>
ProductSize size_of(const LinearState<T>& state, std::uint64_t batch, bool backward) {
  const PanelShape shape = backward ? state.shape().transposed() : state.shape();
  ProductSize size{shape.rows, shape.cols, state.weights.params(), shape.channels, batch, 0, 0, false,
                   false,      false};
  size.strided = !shape.by_channel();
  size.materialised = state.dense[backward].there;
  if (state.weights.is_tied()) {
    size.code_bytes = std::visit([](const auto& items) { return static_cast<unsigned>(sizeof(items[0])); },
                                 state.weights.tied().data().codes);
    size.entries = shape.rows * shape.cols;
    size.in_registers = registers_hold(backward ? state.backward_operand() : state.forward_operand(), batch);
  } else {
    size.entries = state.weights.sparse().entries();
  }
  return size;
}

constexpr LayerForm all_forms[] = {LayerForm::dense, LayerForm::lookup, LayerForm::implicit, LayerForm::fft,
                                   LayerForm::isotypic};
constexpr std::string_view form_names[] = {"dense", "lookup", "implicit", "fft", "isotypic"};

/// The form that a mode forces.
std::optional<LayerForm> forced_form(LayerMode mode) {
  const auto number = static_cast<std::size_t>(mode), first = static_cast<std::size_t>(LayerMode::dense);
  if (number < first) return std::nullopt;
  return all_forms[number - first];
}

/// Why a layer has not got a form; nullptr if it has.
template <class T>
const char* missing(const LinearState<T>& state, LayerForm form) {
  if (form == LayerForm::lookup && !state.weights.is_tied())
    return "it needs tied entries, and the weights are a general sparse basis";
  if (form == LayerForm::fft && !(state.weights.is_tied() && state.weights.tied().data().torus()))
    return "it needs tied entries that are the same along every translation of a torus";
  if (form == LayerForm::isotypic && !state.decomposition)
    return "it needs an isotypic decomposition of the representations";
  return nullptr;
}

template <class T>
double seconds_of(const LinearState<T>& state, LayerForm form, std::uint64_t batch, bool backward,
                  double uses) {
  if (form == LayerForm::isotypic) return state.decomposition->layer.expected_seconds(form, batch);
  if (form == LayerForm::fft) {
    const PatternData& pattern = state.weights.tied().data();
    return fourier_seconds<T>(pattern, *pattern.torus(), state.channels, batch);
  }
  return numeric_detail::expected_seconds<T>(form, size_of(state, batch, backward), uses);
}

void require(const char* why, LayerForm form) {
  if (why != nullptr)
    throw DomainError(fmt::format("this layer has not got the form {}: {}", to_string(form), why));
}

template <class T>
LayerForm pick_form(const LinearState<T>& state, std::uint64_t batch, bool backward,
                    const LayerOptions& options) {
  LayerMode mode = options.mode;
  if (backward && mode == LayerMode::implicit) mode = LayerMode::automatic;
  if (const auto form = forced_form(mode)) {
    require(missing(state, *form), *form);
    return *form;
  }
  LayerForm best = LayerForm::dense;
  double seconds =
      0.9 * seconds_of(state, best, batch, backward, options.uses);  // ties within 10 % go to dense
  for (const LayerForm form : all_forms) {
    if (form == LayerForm::dense || (mode == LayerMode::automatic && form != LayerForm::lookup)) continue;
    if ((backward && form == LayerForm::implicit) || missing(state, form) != nullptr) continue;
    const double other = seconds_of(state, form, batch, backward, options.uses);
    if (other >= seconds) continue;
    seconds = other;
    best = form;
  }
  return best;
}

void check_array(const char* function, const char* name, std::uint64_t size, std::uint64_t batch,
                 std::uint64_t each) {
  if (size != checked_product({batch, each}, name))
    throw DomainError(fmt::format("{}: {} has {} entries; a batch of {} needs {} x {}", function, name, size,
                                  batch, batch, each));
}

template <class T>
void add_bias(const LinearState<T>& state, std::uint64_t batch, T* y) {
  if (state.bias_values.empty()) return;
  for (std::uint64_t b = 0; b < batch; ++b)
    for (const T value : state.bias_values) *y++ += value;
}

// dtheta in the isotypic form: the adjoint of theta -> theta'.
template <class T>
void isotypic_backward(const LinearState<T>& state, std::uint64_t batch, std::span<const T> x,
                       std::span<const T> dy, std::span<T> dx, std::span<T> dtheta, unsigned threads) {
  const IsotypicLinear<T>& layer = state.isotypic(threads);
  std::vector<T> dblocks(dtheta.empty() ? 0 : layer.theta().size());
  layer.backward(batch, x, dy, dx, dblocks, {}, {LayerMode::isotypic, threads, 1});
  if (dtheta.empty()) return;
  std::fill(dtheta.begin(), dtheta.end(), T{0});
  if (dblocks.empty()) return;
  const std::uint64_t blocks = layer.decomposition().params();
  multiply_matrix<T>(state.decomposition->transposed, state.weights.params(), blocks, dblocks.data(),
                     state.channels.out * state.channels.in, dtheta.data(), threads);
}

}  // namespace

std::string to_string(LayerForm form) { return std::string(form_names[static_cast<std::size_t>(form)]); }

LayerMode parse_layer_mode(std::string_view name) {
  if (name == "automatic") return LayerMode::automatic;
  if (name == "fastest") return LayerMode::fastest;
  for (std::size_t k = 0; k < std::size(form_names); ++k)
    if (name == form_names[k]) return static_cast<LayerMode>(static_cast<std::size_t>(LayerMode::dense) + k);
  throw DomainError(fmt::format("there is no mode '{}'; take automatic, fastest, {}",
                                std::string(name.substr(0, 40)), fmt::join(form_names, ", ")));
}

template <class T>
Layer<T>::Layer(PreparedPattern weights, PreparedPattern bias, Multiplicity channels) {
  if (bias.cols() != 1 || bias.rows() != weights.rows())
    throw DomainError(
        fmt::format("Layer: a bias pattern of {} x {} for {} outputs; it needs one column and as many rows",
                    bias.rows(), bias.cols(), weights.rows()));
  state_ = state_of<T>(std::move(weights), std::move(bias), channels, {}, {});
}

template <class T>
Layer<T>::Layer(const WeightTable& table, const Task& task)
    : Layer(PreparedPattern(table.weights, task), PreparedPattern(table.bias, task), table.channels) {
  if (table.isotypic) *this = with_decomposition(*table.isotypic);
}

template <class T>
Layer<T> Layer<T>::with_parameters(std::span<const T> theta, std::span<const T> bias) const {
  const std::uint64_t parameters = state_->theta.size();
  if (theta.size() != parameters)
    throw DomainError(fmt::format("Layer: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  weights().params(), channels().out, channels().in, parameters));
  auto state = state_of<T>(weights(), this->bias(), channels(), theta, bias);
  state->decomposition = state_->decomposition;
  return Layer(std::move(state));
}

template <class T>
Layer<T> Layer<T>::with_decomposition(IsotypicMap map) const {
  const PreparedPattern& theirs = map.basis();
  if (theirs.rows() != weights().rows() || theirs.cols() != weights().cols() ||
      theirs.params() != weights().params())
    throw DomainError(
        fmt::format("Layer: a map of {} x {} weights with {} parameters for a layer of {} x {} "
                    "with {}",
                    theirs.rows(), theirs.cols(), theirs.params(), weights().rows(), weights().cols(),
                    weights().params()));
  auto state = state_of<T>(weights(), bias(), channels(), theta(), bias_parameters());
  const std::uint64_t P = weights().params(), blocks = map.decomposition().params();
  std::vector<T> matrix(map.matrix().begin(), map.matrix().end()), transposed(matrix.size());
  for (std::uint64_t i = 0; i < blocks; ++i)
    for (std::uint64_t k = 0; k < P; ++k) transposed[k * blocks + i] = matrix[i * P + k];
  const TiedPattern no_bias(weights().rows(), 1, 0, std::vector<std::uint8_t>(weights().rows(), 0));
  IsotypicLinear<T> layer(map.decomposition(), no_bias, channels());
  state->decomposition =
      std::make_shared<const typename LinearState<T>::Decomposition>(typename LinearState<T>::Decomposition{
          std::move(map), std::move(matrix), std::move(transposed), std::move(layer)});
  return Layer(std::move(state));
}

template <class T>
Layer<T> Layer<T>::with_decomposition(IsotypicBlocks blocks) const {
  return with_decomposition(IsotypicMap(weights(), IsotypicDecomposition(std::move(blocks))));
}

template <class T>
const PreparedPattern& Layer<T>::weights() const {
  return state_->weights;
}
template <class T>
const PreparedPattern& Layer<T>::bias() const {
  return state_->bias;
}
template <class T>
Multiplicity Layer<T>::channels() const {
  return state_->channels;
}
template <class T>
std::span<const T> Layer<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> Layer<T>::bias_parameters() const {
  return state_->bias_parameters;
}
template <class T>
std::uint64_t Layer<T>::inputs() const {
  return state_->channels.in * state_->weights.cols();
}
template <class T>
std::uint64_t Layer<T>::outputs() const {
  return state_->channels.out * state_->weights.rows();
}

template <class T>
std::vector<LayerForm> Layer<T>::forms() const {
  std::vector<LayerForm> out;
  for (const LayerForm form : all_forms)
    if (missing(*state_, form) == nullptr) out.push_back(form);
  return out;
}

template <class T>
LayerForm Layer<T>::pick(std::uint64_t batch, const LayerOptions& options) const {
  return pick_form(*state_, batch, false, options);
}

template <class T>
double Layer<T>::expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options) const {
  require(missing(*state_, form), form);
  return seconds_of(*state_, form, batch, false, options.uses);
}

template <class T>
double Layer<T>::operations(LayerForm form, std::uint64_t batch) const {
  require(missing(*state_, form), form);
  const LinearState<T>& state = *state_;
  const double rows = static_cast<double>(batch), M = static_cast<double>(weights().rows());
  const double pairs = static_cast<double>(channels().in) * static_cast<double>(channels().out);
  if (form == LayerForm::isotypic) return state.decomposition->layer.operations(batch);
  if (form == LayerForm::fft) {
    const PatternData& pattern = weights().tied().data();
    return fourier_operations<T>(pattern, *pattern.torus(), channels(), batch);
  }
  if (form == LayerForm::implicit) {
    const double additions =
        static_cast<double>(size_of(state, batch, false).entries) * (weights().is_tied() ? 1 : 2);
    return rows * (additions * static_cast<double>(channels().in) +
                   2 * M * static_cast<double>(weights().params()) * pairs);
  }
  return 2 * rows * M * static_cast<double>(weights().cols()) * pairs;
}

template <class T>
LayerForm Layer<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                            const LayerOptions& options) const {
  check_array("forward", "x", x.size(), batch, inputs());
  check_array("forward", "y", y.size(), batch, outputs());
  const LinearState<T>& state = *state_;
  const unsigned threads = std::max(1U, options.threads);
  const LayerForm form = pick_form(state, batch, false, options);
  if (batch == 0 || outputs() == 0) return form;
  if (inputs() == 0 || (form == LayerForm::implicit && weights().params() == 0)) {
    std::fill(y.begin(), y.end(), T{0});
  } else if (form == LayerForm::implicit) {
    multiply_implicit(state.weights, state.channels, state.theta.data(), batch, x.data(), y.data(), threads);
  } else if (form == LayerForm::fft) {
    state.fourier(threads).multiply(batch, x.data(), y.data(), false, threads);
  } else if (form == LayerForm::isotypic) {
    state.isotypic(threads).forward(batch, x, y, {LayerMode::isotypic, threads, 1});
  } else if (form == LayerForm::lookup) {
    multiply_lookup(state.forward_operand(), batch, x.data(), y.data(), threads);
  } else {
    multiply_dense(state.shape(), state.packed(false, threads), batch, x.data(), y.data(), threads);
  }
  add_bias(state, batch, y.data());
  return form;
}

template <class T>
LayerForm Layer<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy,
                             std::span<T> dx, std::span<T> dtheta, std::span<T> dbias,
                             const LayerOptions& options) const {
  const LinearState<T>& state = *state_;
  check_array("backward", "dy", dy.size(), batch, outputs());
  if (!dx.empty()) check_array("backward", "dx", dx.size(), batch, inputs());
  const unsigned threads = std::max(1U, options.threads);
  const LayerForm form = pick_form(state, batch, true, options);
  if (!dtheta.empty()) {
    check_array("backward", "x", x.size(), batch, inputs());
    check_array("backward", "dtheta", dtheta.size(), 1, state.theta.size());
  }
  if (!dbias.empty()) {
    check_array("backward", "dbias", dbias.size(), 1, state.bias_parameters.size());
    bias_gradient(state.bias, state.channels.out, batch, dy.data(), dbias, threads);
  }
  if (form == LayerForm::isotypic) {
    isotypic_backward(state, batch, x, dy, dx, dtheta, threads);
    return form;
  }
  if (!dtheta.empty()) {
    if (form == LayerForm::fft)
      fourier_gradient(state.weights.tied().data(), *state.weights.tied().data().torus(), state.channels,
                       batch, x.data(), dy.data(), dtheta.data(), threads);
    else
      parameter_gradient(state.weights, state.channels, batch, x.data(), dy.data(), dtheta.data(), threads);
  }
  if (dx.empty()) return form;
  if (outputs() == 0)
    std::fill(dx.begin(), dx.end(), T{0});
  else if (form == LayerForm::fft)
    state.fourier(threads).multiply(batch, dy.data(), dx.data(), true, threads);
  else if (form == LayerForm::lookup)
    multiply_lookup(state.backward_operand(), batch, dy.data(), dx.data(), threads);
  else
    multiply_dense(state.shape().transposed(), state.packed(true, threads), batch, dy.data(), dx.data(),
                   threads);
  return form;
}

template <class T>
std::vector<T> random_theta(const Layer<T>& layer, std::uint64_t seed) {
  Rng rng(seed);
  const auto uniform = [&] { return (static_cast<double>(rng() >> 11) + 0.5) / 9007199254740992.0; };
  const auto variance = initial_variance(layer.weights(), layer.channels());
  std::vector<T> theta(layer.theta().size());
  const std::uint64_t pairs = layer.channels().in * layer.channels().out;
  for (std::size_t k = 0; k < theta.size(); ++k) {
    // One after the other: the operands of a product are evaluated in any order.
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    theta[k] = static_cast<T>(std::sqrt(variance[k / pairs]) * (radius * std::cos(angle)));
  }
  return theta;
}

template std::vector<float> random_theta(const Layer<float>&, std::uint64_t);
template std::vector<double> random_theta(const Layer<double>&, std::uint64_t);
template class Layer<float>;
template class Layer<double>;

}  // namespace intertwine
