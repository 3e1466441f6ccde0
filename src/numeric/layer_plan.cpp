// Plans of layers: their forms, costs and products.
#include "intertwine/numeric/layer_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "intertwine/error.hpp"
#include "numeric/isotypic_data.hpp"
#include "numeric/layer_forms.hpp"
#include "numeric/sparse_basis.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

std::optional<LayerForm> forced_form(LayerMode mode) {
  constexpr LayerForm forms[] = {LayerForm::dense, LayerForm::lookup,   LayerForm::implicit,
                                 LayerForm::fft,   LayerForm::isotypic, LayerForm::diagram};
  const auto number = static_cast<std::size_t>(mode), first = static_cast<std::size_t>(LayerMode::dense);
  if (number < first) return std::nullopt;
  return forms[number - first];
}

template <class T>
std::vector<T> PlanState<T>::Decomposition::block_theta(std::uint64_t params, Multiplicity of, const T* theta,
                                                        unsigned threads) const {
  std::vector<T> out(plan.parameters());
  multiply_matrix<T>(matrices->map, plan.decomposition().params(), params, theta, of.out * of.in, out.data(), threads);
  return out;
}

template <class T>
const std::shared_ptr<const TorusTransform<T>>& PlanState<T>::transform() const {
  std::call_once(cache->torus_once,
                 [&] { cache->transform = std::make_shared<const TorusTransform<T>>(*weights.tied().data().torus()); });
  return cache->transform;
}

template <class T>
const ImplicitSize& PlanState<T>::sums(bool transpose) const {
  std::call_once(cache->sums_once[transpose], [&] { cache->sums[transpose] = implicit_size(weights, transpose); });
  return cache->sums[transpose];
}

template <class T>
const char* PlanState<T>::missing(LayerForm form) const {
  if (form == LayerForm::lookup && !weights.is_tied())
    return "it needs tied entries, and the weights are a general sparse basis";
  if (form == LayerForm::fft && !(weights.is_tied() && weights.tied().data().torus()))
    return "it needs tied entries that are the same along every translation of a torus";
  if (form == LayerForm::isotypic && !decomposition) return "it needs an isotypic decomposition of the representations";
  if (form == LayerForm::diagram) return "it needs a table of diagrams, which DiagramLayer runs";
  return nullptr;
}

template <class T>
void PlanState<T>::require(LayerForm form) const {
  if (const char* why = missing(form))
    throw DomainError(fmt::format("this layer has not got the form {}: {}", to_string(form), why));
}

template <class T>
ProductSize PlanState<T>::size(std::uint64_t batch, bool transpose) const {
  const Operand<T> W = operand(nullptr, transpose);
  ProductSize out;
  out.rows = W.rows;
  out.cols = W.cols;
  out.params = weights.params();
  out.channels = W.channels;
  out.batch = batch;
  out.strided = !W.by_channel();
  if (weights.is_tied()) {
    out.code_bytes = std::visit([](const auto& items) { return static_cast<unsigned>(sizeof(items[0])); },
                                weights.tied().data().codes);
    out.entries = weights.tied().data().entries();
    out.in_registers = registers_hold(W, batch);
  }
  return out;
}

template struct PlanState<float>;
template struct PlanState<double>;

}  // namespace numeric_detail

namespace {

constexpr std::array<const char*, 3> axes = {"the batch", "the channels", "the coordinates"};

// The strides of an array, checked against its length.
template <class T>
ArrayStrides checked_strides(const char* function, const char* name, const Strided<T>& array, std::uint64_t batch,
                             std::uint64_t channels, std::uint64_t dim, bool output) {
  const std::uint64_t each = checked_product({channels, dim}, name), all = checked_product({batch, each}, name);
  const ArrayStrides plain = contiguous_strides(channels, dim), strides = array.strides.value_or(plain);
  if (!array.strides && array.data.size() != all)
    throw DomainError(fmt::format("{}: {} has {} entries; a batch of {} needs {} x {}", function, name,
                                  array.data.size(), batch, batch, each));
  if (all == 0) return plain;
  if (array.data.data() == nullptr) throw DomainError(fmt::format("{}: {} is null", function, name));
  const std::array<std::pair<std::uint64_t, std::uint64_t>, 3> sides = {
      {{batch, strides.batch}, {channels, strides.channel}, {dim, strides.entry}}};
  std::uint64_t last = 0;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(sides[a].first - 1, sides[a].second, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      throw DomainError(fmt::format("{}: the stride {} of {} along {} leads out of memory", function, sides[a].second,
                                    name, axes[a]));
  }
  if (last >= array.data.size())
    throw DomainError(fmt::format("{}: {} has {} entries; [{}, {}, {}] with the strides {}, {}, {} needs {}", function,
                                  name, array.data.size(), batch, channels, dim, strides.batch, strides.channel,
                                  strides.entry, last + 1));
  if (!output) return strides;
  // Each axis must step over everything that the smaller ones reach.
  auto by_stride = sides;
  std::sort(by_stride.begin(), by_stride.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::uint64_t reached = 0;
  for (const auto& [size, stride] : by_stride) {
    if (size > 1 && stride <= reached)
      throw DomainError(fmt::format("{}: with the strides {}, {}, {} entries of {} lie upon each other", function,
                                    strides.batch, strides.channel, strides.entry, name));
    if (size > 1) reached += (size - 1) * stride;
  }
  return strides;
}

// True if an array lies as without strides. Strides of sides of length 1 mean nothing.
bool is_contiguous(ArrayStrides s, std::uint64_t batch, std::uint64_t channels, std::uint64_t dim) {
  return (batch == 1 || s.batch == channels * dim) && (channels == 1 || s.channel == dim) && (dim == 1 || s.entry == 1);
}

// An array of a product as the kernels take it: where it lies, or a copy.
template <class T>
class Contiguous {
 public:
  using Number = std::remove_const_t<T>;
  Contiguous(const Strided<T>& array, ArrayStrides strides, std::uint64_t batch, std::uint64_t channels,
             std::uint64_t dim)
      : array_(array.data.data()), strides_(strides), batch_(batch), channels_(channels), dim_(dim) {
    if (is_contiguous(strides, batch, channels, dim) || batch * channels * dim == 0) return;
    own_ = Buffer<Number>(batch * channels * dim);
    if constexpr (std::is_const_v<T>) each([](const T& from, Number& to) { to = from; });
  }
  T* data() { return own_.size() == 0 ? array_ : own_.data(); }
  /// Puts the numbers written to an output in their place.
  void finish() {
    if constexpr (!std::is_const_v<T>)
      if (own_.size() != 0) each([](T& to, const Number& from) { to = from; });
  }

 private:
  template <class Move>
  void each(const Move& move) {
    Number* own = own_.data();
    for (std::uint64_t b = 0; b < batch_; ++b)
      for (std::uint64_t c = 0; c < channels_; ++c, own += dim_) {
        T* line = array_ + b * strides_.batch + c * strides_.channel;
        for (std::uint64_t j = 0; j < dim_; ++j) move(line[j * strides_.entry], own[j]);
      }
  }
  T* array_;
  ArrayStrides strides_;
  std::uint64_t batch_, channels_, dim_;
  Buffer<Number> own_;
};

template <class T>
void check_parameters(const char* function, const char* name, std::span<T> parameters, std::uint64_t params,
                      std::uint64_t channels) {
  const std::uint64_t needed = checked_product({params, channels}, name);
  if (parameters.size() != needed)
    throw DomainError(fmt::format("{}: {} has {} entries; {} parameters of {} channels need {}", function, name,
                                  parameters.size(), params, channels, needed));
  if (needed != 0 && parameters.data() == nullptr) throw DomainError(fmt::format("{}: {} is null", function, name));
}

template <class T>
std::shared_ptr<PlanState<T>> state_of(PreparedPattern weights, PreparedPattern bias, Multiplicity channels) {
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, "theta");
  checked_product({weights.params(), pairs, 16}, "theta");
  checked_product({bias.params(), channels.out, 16}, "the bias");
  checked_product({weights.rows(), channels.out, weights.cols(), channels.in, 16}, "the array of weights");
  return std::make_shared<PlanState<T>>(std::move(weights), std::move(bias), channels);
}

constexpr bool is_transposed(LayerProduct product) { return product == LayerProduct::apply_transposed; }

template <class T>
double seconds_of(const PlanState<T>& state, LayerProduct product, LayerForm form, std::uint64_t batch) {
  const double pairs = static_cast<double>(state.channels.in) * static_cast<double>(state.channels.out);
  if (form == LayerForm::isotypic) {
    const double map = static_cast<double>(state.decomposition->map.matrix().size()) * pairs;
    return state.decomposition->plan.expected_seconds(batch) + 3 * map / machine_rate<T>(&MachineRates::flops);
  }
  if (form == LayerForm::fft) {
    const double theta = pairs * static_cast<double>(state.weights.tied().data().rows / state.transform()->points()) *
                         static_cast<double>(state.weights.cols());
    return fourier_seconds<T>(state.weights.tied().data(), *state.transform(), state.channels, batch) + theta * 3e-9;
  }
  const bool transpose =
      is_transposed(product) || (product == LayerProduct::outer && state.weights.cols() < state.weights.rows());
  ProductSize size = state.size(batch, transpose);
  size.streamed = true;
  if (form == LayerForm::implicit) {
    size.additions = state.sums(transpose).additions;
    size.occurring = state.sums(transpose).parameters;
  }
  if (product == LayerProduct::outer && form != LayerForm::implicit)
    return gradient_seconds<T>(size, state.weights.reduction());
  return numeric_detail::expected_seconds<T>(form, size, 1);
}

/// Are orbit sums what automatic takes? A W of 2^28 weights is written down by nobody, so that no dense product is there whose bits
/// have to be met; if then at most a quarter of a row's entries are different parameters, sums save most of the multiplications.
/// A function of the table and the channels alone.
template <class T>
bool is_too_large_to_write(const PlanState<T>& state, LayerProduct product) {
  const double entries = static_cast<double>(state.outputs()) * static_cast<double>(state.inputs());
  if (entries <= static_cast<double>(1U << 28)) return false;
  const bool transpose = is_transposed(product);
  const std::uint64_t length = transpose ? state.weights.rows() : state.weights.cols();
  return 4 * state.sums(transpose).parameters <= static_cast<double>(length);
}

template <class T>
LayerForm pick_form(const PlanState<T>& state, LayerProduct product, std::uint64_t batch, LayerMode mode) {
  if (const auto form = forced_form(mode)) {
    state.require(*form);
    // The gradient of the parameters looks nothing up.
    return product == LayerProduct::outer && *form == LayerForm::lookup ? LayerForm::dense : *form;
  }
  if (mode == LayerMode::automatic) {
    if (is_too_large_to_write(state, product)) return LayerForm::implicit;
    if (product == LayerProduct::outer) return LayerForm::dense;
  }
  return fastest_form(state, mode, [&](LayerForm form) { return seconds_of(state, product, form, batch); });
}

// y = W x, or its transpose, of arrays that were checked and are not empty.
template <class T>
void multiply(const PlanState<T>& state, LayerForm form, bool transpose, std::uint64_t batch, const Strided<const T>& x,
              ArrayStrides x_strides, const T* theta, const Strided<T>& y, ArrayStrides y_strides, unsigned threads) {
  const Operand<T> W = state.operand(theta, transpose);
  if (form == LayerForm::implicit)
    return multiply_implicit(state.weights, state.channels, transpose, theta, batch, x.data.data(), x_strides,
                             y.data.data(), y_strides, threads);
  Contiguous<const T> from(x, x_strides, batch, W.channels.in, W.cols);
  Contiguous<T> to(y, y_strides, batch, W.channels.out, W.rows);
  if (W.inputs() == 0)
    std::fill(to.data(), to.data() + batch * W.outputs(), T{0});
  else if (form == LayerForm::fft)
    FourierWeights<T>(state.weights.tied().data(), state.transform(), state.channels, transpose, theta, threads)
        .multiply(batch, from.data(), to.data(), threads);
  else if (form == LayerForm::lookup)
    multiply_lookup(W, batch, from.data(), to.data(), threads);
  else
    multiply_streamed(W, batch, from.data(), to.data(), threads);
  to.finish();
}

}  // namespace

template <class T>
LayerPlan<T>::LayerPlan(PreparedPattern weights, PreparedPattern bias, Multiplicity channels) {
  if (bias.cols() != 1 || bias.rows() != weights.rows())
    throw DomainError(
        fmt::format("LayerPlan: a bias pattern of {} x {} for {} outputs; it needs one column and as many rows",
                    bias.rows(), bias.cols(), weights.rows()));
  state_ = state_of<T>(std::move(weights), std::move(bias), channels);
}

template <class T>
LayerPlan<T>::LayerPlan(const PreparedTable& table) : LayerPlan(table.weights(), table.bias(), table.table().channels) {
  if (const auto& map = table.isotypic()) *this = with_decomposition(*map);
}

template <class T>
LayerPlan<T>::LayerPlan(const WeightBlock& table, const Task& task)
    : LayerPlan(PreparedPattern(table.weights, task), PreparedPattern(table.bias, task), table.channels) {
  if (table.isotypic) *this = with_decomposition(*table.isotypic);
}

template <class T>
LayerPlan<T> LayerPlan<T>::with_channels(Multiplicity channels) const {
  auto state = std::make_shared<PlanState<T>>(*state_);
  state->channels = state_of<T>(weights(), bias(), channels)->channels;  // checked
  if (state->decomposition) state->decomposition->plan = state->decomposition->plan.with_channels(channels);
  return LayerPlan(std::move(state));
}

template <class T>
LayerPlan<T> LayerPlan<T>::with_decomposition(IsotypicMap map) const {
  const PreparedPattern& theirs = map.basis();
  if (theirs.rows() != weights().rows() || theirs.cols() != weights().cols() || theirs.params() != weights().params())
    throw DomainError(fmt::format(
        "LayerPlan: a map of {} x {} weights with {} parameters for a layer of {} x {} with {}", theirs.rows(),
        theirs.cols(), theirs.params(), weights().rows(), weights().cols(), weights().params()));
  const std::uint64_t P = weights().params(), blocks = map.decomposition().params();
  auto matrices = std::make_shared<typename PlanState<T>::Matrices>();
  matrices->map.assign(map.matrix().begin(), map.matrix().end());
  matrices->transposed.resize(matrices->map.size());
  for (std::uint64_t i = 0; i < blocks; ++i)
    for (std::uint64_t k = 0; k < P; ++k) matrices->transposed[k * blocks + i] = matrices->map[i * P + k];
  auto state = std::make_shared<PlanState<T>>(*state_);
  IsotypicLayerPlan<T> plan(map.decomposition(), channels());
  state->decomposition.emplace(
      typename PlanState<T>::Decomposition{std::move(map), std::move(matrices), std::move(plan)});
  return LayerPlan(std::move(state));
}

template <class T>
LayerPlan<T> LayerPlan<T>::with_decomposition(IsotypicBlocks blocks) const {
  return with_decomposition(IsotypicMap(weights(), IsotypicDecomposition(std::move(blocks))));
}

template <class T>
const PreparedPattern& LayerPlan<T>::weights() const {
  return state_->weights;
}
template <class T>
const PreparedPattern& LayerPlan<T>::bias() const {
  return state_->bias;
}
template <class T>
Multiplicity LayerPlan<T>::channels() const {
  return state_->channels;
}
template <class T>
std::uint64_t LayerPlan<T>::inputs() const {
  return state_->inputs();
}
template <class T>
std::uint64_t LayerPlan<T>::outputs() const {
  return state_->outputs();
}
template <class T>
std::uint64_t LayerPlan<T>::parameters() const {
  return state_->parameters();
}
template <class T>
std::uint64_t LayerPlan<T>::bias_parameters() const {
  return state_->bias.params() * state_->channels.out;
}

template <class T>
std::vector<LayerForm> LayerPlan<T>::forms() const {
  std::vector<LayerForm> out;
  for (const LayerForm form :
       {LayerForm::dense, LayerForm::lookup, LayerForm::implicit, LayerForm::fft, LayerForm::isotypic})
    if (state_->missing(form) == nullptr) out.push_back(form);
  return out;
}

template <class T>
LayerForm LayerPlan<T>::pick(LayerProduct product, std::uint64_t batch, const LayerOptions& options) const {
  return pick_form(*state_, product, batch, options.mode);
}

template <class T>
double LayerPlan<T>::expected_seconds(LayerProduct product, LayerForm form, std::uint64_t batch) const {
  state_->require(form);
  return seconds_of(*state_, product, form, batch);
}

template <class T>
double LayerPlan<T>::operations(LayerForm form, std::uint64_t batch) const {
  state_->require(form);
  const double rows = static_cast<double>(batch), M = static_cast<double>(weights().rows());
  const double pairs = static_cast<double>(channels().in) * static_cast<double>(channels().out);
  if (form == LayerForm::isotypic) return state_->decomposition->plan.operations(batch);
  if (form == LayerForm::fft)
    return fourier_operations<T>(weights().tied().data(), *state_->transform(), channels(), batch);
  if (form == LayerForm::implicit) {
    const ImplicitSize& sums = state_->sums(false);
    return rows * M * (sums.additions * static_cast<double>(channels().in) + 2 * sums.parameters * pairs);
  }
  return 2 * rows * M * static_cast<double>(weights().cols()) * pairs;
}

template <class T>
LayerForm LayerPlan<T>::apply(std::uint64_t batch, Strided<const T> x, std::span<const T> theta,
                              std::span<const T> bias, Strided<T> y, const LayerOptions& options) const {
  const PlanState<T>& state = *state_;
  const Multiplicity c = state.channels;
  const std::uint64_t M = weights().rows(), N = weights().cols();
  const unsigned threads = std::max(1U, options.threads);
  const ArrayStrides x_strides = checked_strides("apply", "x", x, batch, c.in, N, false);
  const ArrayStrides y_strides = checked_strides("apply", "y", y, batch, c.out, M, true);
  check_parameters("apply", "theta", theta, weights().params(), c.out * c.in);
  if (!bias.empty()) check_parameters("apply", "the bias", bias, this->bias().params(), c.out);
  const LayerForm form = pick_form(state, LayerProduct::apply, batch, options.mode);
  if (batch == 0 || outputs() == 0) return form;
  if (form == LayerForm::isotypic) {
    Contiguous<const T> from(x, x_strides, batch, c.in, N);
    Contiguous<T> to(y, y_strides, batch, c.out, M);
    const auto blocks = state.decomposition->block_theta(weights().params(), c, theta.data(), threads);
    state.decomposition->plan.apply(batch, from.data(), blocks, to.data(), threads);
    to.finish();
  } else {
    multiply(state, form, false, batch, x, x_strides, theta.data(), y, y_strides, threads);
  }
  if (!bias.empty()) {
    std::vector<T> values(c.out * M);
    materialise<T>(this->bias(), {c.out, 1}, bias, values);
    add_bias(values, batch, c.out, M, y.data.data(), y_strides);
  }
  return form;
}

template <class T>
LayerForm LayerPlan<T>::gradients(std::uint64_t batch, Strided<const T> x, Strided<const T> dy,
                                  std::span<const T> theta, Strided<T> dx, std::span<T> dtheta, std::span<T> dbias,
                                  const LayerOptions& options) const {
  const PlanState<T>& state = *state_;
  const Multiplicity c = state.channels;
  const std::uint64_t M = weights().rows(), N = weights().cols();
  const unsigned threads = std::max(1U, options.threads);
  const bool inputs_wanted = !dx.empty() && inputs() != 0, parameters_wanted = !dtheta.empty();
  ArrayStrides x_strides, dx_strides;
  const ArrayStrides dy_strides = checked_strides("gradients", "dy", dy, batch, c.out, M, false);
  if (!dx.empty()) {
    dx_strides = checked_strides("gradients", "dx", dx, batch, c.in, N, true);
    check_parameters("gradients", "theta", theta, weights().params(), c.out * c.in);
  }
  if (parameters_wanted) {
    x_strides = checked_strides("gradients", "x", x, batch, c.in, N, false);
    check_parameters("gradients", "dtheta", dtheta, weights().params(), c.out * c.in);
  }
  if (!dbias.empty()) bias_gradient(batch, dy, dbias, threads);
  const LayerForm form = pick_form(state, LayerProduct::apply_transposed, batch, options.mode);
  const LayerForm outer_form =
      parameters_wanted ? pick_form(state, LayerProduct::outer, batch, options.mode) : LayerForm::dense;
  const bool blocks_x = inputs_wanted && batch != 0 && form == LayerForm::isotypic,
             blocks_theta = parameters_wanted && outer_form == LayerForm::isotypic;
  if (blocks_x || blocks_theta) {
    const auto& d = *state.decomposition;
    Contiguous<const T> from_dy(dy, dy_strides, batch, c.out, M);
    Contiguous<const T> from_x(x, x_strides, blocks_theta ? batch : 0, c.in, N);
    Contiguous<T> to(dx, dx_strides, blocks_x ? batch : 0, c.in, N);
    std::vector<T> blocks, dblocks(blocks_theta ? d.plan.parameters() : 0);
    if (blocks_x) blocks = d.block_theta(weights().params(), c, theta.data(), threads);
    d.plan.gradients(batch, from_x.data(), from_dy.data(), blocks.data(), blocks_x ? to.data() : nullptr,
                     blocks_theta ? dblocks.data() : nullptr, threads);
    if (blocks_x) to.finish();
    if (blocks_theta) {
      // The adjoint of theta -> theta'.
      std::fill(dtheta.begin(), dtheta.end(), T{0});
      multiply_matrix<T>(d.matrices->transposed, dblocks.empty() ? 0 : weights().params(),
                         d.plan.decomposition().params(), dblocks.data(), c.out * c.in, dtheta.data(), threads);
    }
  }
  if (parameters_wanted && !blocks_theta) {
    if (outer_form == LayerForm::implicit) {
      implicit_gradient(state.weights, c, batch, x.data.data(), x_strides, dy.data.data(), dy_strides, dtheta.data(),
                        threads);
    } else {
      Contiguous<const T> from_dy(dy, dy_strides, batch, c.out, M), from_x(x, x_strides, batch, c.in, N);
      if (outer_form == LayerForm::fft)
        fourier_gradient(weights().tied().data(), *state.transform(), c, batch, from_x.data(), from_dy.data(),
                         dtheta.data(), threads);
      else
        parameter_gradient(state.weights, c, batch, from_x.data(), from_dy.data(), dtheta.data(), threads);
    }
  }
  if (inputs_wanted && batch != 0 && !blocks_x)
    multiply(state, form, true, batch, dy, dy_strides, theta.data(), dx, dx_strides, threads);
  return dx.empty() && parameters_wanted ? outer_form : form;
}

template <class T>
LayerForm LayerPlan<T>::apply_transposed(std::uint64_t batch, Strided<const T> dy, std::span<const T> theta,
                                         Strided<T> dx, const LayerOptions& options) const {
  checked_strides("apply_transposed", "dx", dx, batch, channels().in, weights().cols(), true);
  return gradients(batch, {}, dy, theta, dx, {}, {}, options);
}

template <class T>
LayerForm LayerPlan<T>::outer(std::uint64_t batch, Strided<const T> x, Strided<const T> dy, std::span<T> dtheta,
                              const LayerOptions& options) const {
  check_parameters("outer", "dtheta", dtheta, weights().params(), channels().out * channels().in);
  if (dtheta.empty()) return pick_form(*state_, LayerProduct::outer, batch, options.mode);
  return gradients(batch, x, dy, {}, {}, dtheta, {}, options);
}

template <class T>
void LayerPlan<T>::bias_gradient(std::uint64_t batch, Strided<const T> dy, std::span<T> dbias, unsigned threads) const {
  const std::uint64_t out = channels().out, M = weights().rows();
  const ArrayStrides strides = checked_strides("bias_gradient", "dy", dy, batch, out, M, false);
  check_parameters("bias_gradient", "dbias", dbias, bias().params(), out);
  std::vector<T> sums(out * M, T{0});
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t c = 0; c < out; ++c) {
      const T* from = dy.data.data() + b * strides.batch + c * strides.channel;
      for (std::uint64_t i = 0; i < M; ++i) sums[c * M + i] += from[i * strides.entry];
    }
  reduce_gradient<T>(bias(), {out, 1}, sums, dbias, 0, std::max(1U, threads));
}

template class LayerPlan<float>;
template class LayerPlan<double>;

}  // namespace intertwine
