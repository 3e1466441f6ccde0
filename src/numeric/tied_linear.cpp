#include "intertwine/numeric/tied_linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "intertwine/error.hpp"
#include "numeric/cost_model.hpp"
#include "numeric/parallel.hpp"
#include "numeric/product.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

template <class T>
struct LinearState {
  LinearState(TiedPattern weight_pattern, TiedPattern bias_pattern, Multiplicity multiplicity)
      : weights(std::move(weight_pattern)), bias(std::move(bias_pattern)), channels(multiplicity) {}

  TiedPattern weights, bias;
  Multiplicity channels;
  std::vector<T> theta, bias_parameters;
  Tables<T> tables, bias_tables;

  Operand<T> forward_operand() const {
    return {weights.data().packed(), tables, weights.params(), channels, false};
  }
  Operand<T> backward_operand() const {
    return {weights.data().packed_transpose(), tables, weights.params(), {channels.in, channels.out}, true};
  }
  const Buffer<T>& forward_weights(unsigned threads) const {
    std::call_once(forward_once, [&] {
      forward_packed = pack_weights(forward_operand(), threads);
      forward_there = true;
    });
    return forward_packed;
  }
  const Buffer<T>& backward_weights(unsigned threads) const {
    std::call_once(backward_once, [&] {
      backward_packed = pack_weights(backward_operand(), threads);
      backward_there = true;
    });
    return backward_packed;
  }

  mutable std::once_flag forward_once, backward_once;
  mutable Buffer<T> forward_packed, backward_packed;
  mutable std::atomic<bool> forward_there{false}, backward_there{false};
};

}  // namespace numeric_detail

namespace {

template <class T>
std::shared_ptr<LinearState<T>> state_of(TiedPattern weights, TiedPattern bias, Multiplicity channels,
                                         std::span<const T> theta, std::span<const T> bias_parameters) {
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, "theta");
  const std::uint64_t parameters = checked_product({weights.params(), pairs, 16}, "theta") / 16;
  const std::uint64_t biases = checked_product({bias.params(), channels.out, 16}, "the bias") / 16;
  checked_product({weights.rows(), channels.out, weights.cols(), channels.in, 16}, "the array of weights");
  if (!theta.empty() && theta.size() != parameters)
    throw DomainError(fmt::format("TiedLinear: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  weights.params(), channels.out, channels.in, parameters));
  if (!bias_parameters.empty() && bias_parameters.size() != biases)
    throw DomainError(fmt::format("TiedLinear: the bias has {} entries; [{}, {}] needs {}",
                                  bias_parameters.size(), bias.params(), channels.out, biases));
  auto state = std::make_shared<LinearState<T>>(std::move(weights), std::move(bias), channels);
  state->theta.assign(parameters, T{0});
  state->bias_parameters.assign(biases, T{0});
  std::copy(theta.begin(), theta.end(), state->theta.begin());
  std::copy(bias_parameters.begin(), bias_parameters.end(), state->bias_parameters.begin());
  state->tables = make_tables(state->weights.params(), channels, state->theta.data());
  state->bias_tables =
      make_tables(state->bias.params(), Multiplicity{channels.out, 1}, state->bias_parameters.data());
  return state;
}

template <class T>
ProductSize size_of(const LinearState<T>& state, std::uint64_t batch, bool backward) {
  const auto width = std::visit([](const auto& items) { return static_cast<unsigned>(sizeof(items[0])); },
                                state.weights.data().codes);
  const std::uint64_t M = state.weights.rows(), N = state.weights.cols();
  const Multiplicity channels = state.channels;
  const bool registers = registers_hold(backward ? state.backward_operand() : state.forward_operand());
  return {backward ? N : M,
          backward ? M : N,
          state.weights.params(),
          backward ? Multiplicity{channels.in, channels.out} : channels,
          batch,
          width,
          registers,
          backward ? state.backward_there : state.forward_there};
}

template <class T>
LayerForm pick_form(const LinearState<T>& state, std::uint64_t batch, bool backward,
                    const LayerOptions& options) {
  LayerMode mode = options.mode;
  if (backward && mode == LayerMode::implicit) mode = LayerMode::automatic;
  if (mode == LayerMode::dense) return LayerForm::dense;
  if (mode == LayerMode::lookup) return LayerForm::lookup;
  if (mode == LayerMode::implicit) return LayerForm::implicit;
  const ProductSize size = size_of(state, batch, backward);
  LayerForm best = LayerForm::dense;
  double seconds = 0.9 * expected_seconds<T>(best, size, options.uses);  // ties within 10 % go to dense
  const auto consider = [&](LayerForm form) {
    const double other = expected_seconds<T>(form, size, options.uses);
    if (other < seconds) {
      seconds = other;
      best = form;
    }
  };
  consider(LayerForm::lookup);
  if (mode == LayerMode::fastest && !backward) consider(LayerForm::implicit);
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
  const std::uint64_t M = state.weights.rows(), out = state.channels.out;
  if (state.bias.params() == 0) return;
  std::visit(
      [&](const auto& codes) {
        for (std::uint64_t b = 0; b < batch; ++b)
          for (std::uint64_t co = 0; co < out; ++co) {
            const T* table = state.bias_tables.of(co, 0);
            for (std::uint64_t i = 0; i < M; ++i) *y++ += table[codes[i]];
          }
      },
      state.bias.data().codes);
}

template <class T>
void bias_gradient(const LinearState<T>& state, std::uint64_t batch, const T* dy, std::span<T> dbias,
                   unsigned threads) {
  const std::uint64_t outputs = state.channels.out * state.weights.rows();
  std::vector<T> sums(outputs, T{0});
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t r = 0; r < outputs; ++r) sums[r] += dy[b * outputs + r];
  reduce<T>(state.bias, {state.channels.out, 1}, sums, dbias, 0, threads);
}

}  // namespace

std::string to_string(LayerForm form) {
  return form == LayerForm::dense ? "dense" : form == LayerForm::lookup ? "lookup" : "implicit";
}

LayerMode parse_layer_mode(std::string_view name) {
  constexpr std::pair<std::string_view, LayerMode> known[] = {{"automatic", LayerMode::automatic},
                                                              {"fastest", LayerMode::fastest},
                                                              {"dense", LayerMode::dense},
                                                              {"lookup", LayerMode::lookup},
                                                              {"implicit", LayerMode::implicit}};
  for (const auto& [text, mode] : known)
    if (text == name) return mode;
  throw DomainError(fmt::format("there is no mode '{}'; take automatic, fastest, dense, lookup or implicit",
                                std::string(name.substr(0, 40))));
}

template <class T>
TiedLinear<T>::TiedLinear(TiedPattern weights, TiedPattern bias, Multiplicity channels) {
  if (bias.cols() != 1 || bias.rows() != weights.rows())
    throw DomainError(fmt::format(
        "TiedLinear: a bias pattern of {} x {} for {} outputs; it needs one column and as many rows",
        bias.rows(), bias.cols(), weights.rows()));
  state_ = state_of<T>(std::move(weights), std::move(bias), channels, {}, {});
}

template <class T>
TiedLinear<T>::TiedLinear(const TiedTable& table)
    : TiedLinear(TiedPattern::weights(table), TiedPattern::bias(table.header),
                 {table.header.multiplicity_out, table.header.multiplicity_in}) {}

template <class T>
TiedLinear<T> TiedLinear<T>::with_parameters(std::span<const T> theta, std::span<const T> bias) const {
  const std::uint64_t parameters = state_->theta.size();
  if (theta.size() != parameters)
    throw DomainError(fmt::format("TiedLinear: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  weights().params(), channels().out, channels().in, parameters));
  return TiedLinear(state_of<T>(weights(), this->bias(), channels(), theta, bias));
}

template <class T>
const TiedPattern& TiedLinear<T>::weights() const {
  return state_->weights;
}
template <class T>
const TiedPattern& TiedLinear<T>::bias() const {
  return state_->bias;
}
template <class T>
Multiplicity TiedLinear<T>::channels() const {
  return state_->channels;
}
template <class T>
std::span<const T> TiedLinear<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> TiedLinear<T>::bias_parameters() const {
  return state_->bias_parameters;
}
template <class T>
std::uint64_t TiedLinear<T>::inputs() const {
  return state_->channels.in * state_->weights.cols();
}
template <class T>
std::uint64_t TiedLinear<T>::outputs() const {
  return state_->channels.out * state_->weights.rows();
}

template <class T>
LayerForm TiedLinear<T>::pick(std::uint64_t batch, const LayerOptions& options) const {
  return pick_form(*state_, batch, false, options);
}

template <class T>
double TiedLinear<T>::expected_seconds(LayerForm form, std::uint64_t batch,
                                       const LayerOptions& options) const {
  return numeric_detail::expected_seconds<T>(form, size_of(*state_, batch, false), options.uses);
}

template <class T>
LayerForm TiedLinear<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
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
    multiply_implicit(state.weights.data(), state.channels, state.theta.data(), batch, x.data(), y.data(),
                      threads);
  } else if (form == LayerForm::lookup) {
    multiply_lookup(state.forward_operand(), batch, x.data(), y.data(), threads);
  } else {
    multiply_dense(state.forward_operand(), state.forward_weights(threads), batch, x.data(), y.data(),
                   threads);
  }
  add_bias(state, batch, y.data());
  return form;
}

template <class T>
LayerForm TiedLinear<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy,
                                  std::span<T> dx, std::span<T> dtheta, std::span<T> dbias,
                                  const LayerOptions& options) const {
  const LinearState<T>& state = *state_;
  check_array("backward", "dy", dy.size(), batch, outputs());
  if (!dx.empty()) check_array("backward", "dx", dx.size(), batch, inputs());
  const unsigned threads = std::max(1U, options.threads);
  if (!dtheta.empty()) {
    check_array("backward", "x", x.size(), batch, inputs());
    check_array("backward", "dtheta", dtheta.size(), 1, state.theta.size());
    parameter_gradient(state.weights.data(), state.channels, batch, x.data(), dy.data(), dtheta.data(),
                       threads);
  }
  if (!dbias.empty()) {
    check_array("backward", "dbias", dbias.size(), 1, state.bias_parameters.size());
    bias_gradient(state, batch, dy.data(), dbias, threads);
  }
  const LayerForm form = pick_form(state, batch, true, options);
  if (dx.empty()) return form;
  if (outputs() == 0)
    std::fill(dx.begin(), dx.end(), T{0});
  else if (form == LayerForm::lookup)
    multiply_lookup(state.backward_operand(), batch, dy.data(), dx.data(), threads);
  else
    multiply_dense(state.backward_operand(), state.backward_weights(threads), batch, dy.data(), dx.data(),
                   threads);
  return form;
}

template class TiedLinear<float>;
template class TiedLinear<double>;

}  // namespace intertwine
