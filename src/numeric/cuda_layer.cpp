// Layers on a device.
#include "intertwine/numeric/cuda_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/error.hpp"
#include "numeric/cuda_products.hpp"
#include "numeric/layer_forms.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::as;
using cuda::check;
using cuda::Gemm;
using numeric_detail::checked_product;

namespace {

/// For which parameters something was made: those of a generation, and while which graph was captured (0: none). Work
/// made in a capture holds there only, since it is done when the graph is launched.
struct Made {
  std::uint64_t generation = 0, capture = 0;
  friend bool operator==(const Made&, const Made&) = default;
};

template <class T>
CudaMemory zeros(int device, std::uint64_t count) {
  return cuda::uploaded(device, std::vector<T>(count));
}

}  // namespace

template <class T>
struct CudaLayer<T>::State {
  using Sum = SumOf<T>;
  PreparedPattern weights, bias;
  Multiplicity channels;
  CudaProducts products;
  int device;
  std::uint64_t inputs, outputs, params, biases;
  CudaPattern pattern, bias_pattern;
  CudaMemory theta, bias_parameters, bias_values, column_sums;
  std::optional<CudaMemory> W, dW;  ///< made when they are first needed
  // The isotypic form: theta' = A theta.
  std::optional<IsotypicDecomposition> decomposition;
  std::optional<CudaIsotypic<T>> isotypic;
  std::uint64_t block_params = 0;
  std::optional<CudaMemory> map, sum_map, block_theta, block_dtheta;
  std::uint64_t generation = 1;
  Made made_W, made_blocks;
  cuda::WorkOrder order;

  State(PreparedPattern w, PreparedPattern b, Multiplicity c, CudaProducts p)
      : weights(std::move(w)),
        bias(std::move(b)),
        channels(c),
        products(std::move(p)),
        device(products.device()),
        inputs(checked_product({c.in, weights.cols()}, "x")),
        outputs(checked_product({c.out, weights.rows()}, "y")),
        params(checked_product({weights.params(), c.out, c.in, 8}, "theta") / 8),
        biases(checked_product({bias.params(), c.out, 8}, "the bias") / 8),
        pattern(weights, c, device),
        bias_pattern(bias, {c.out, 1}, device),
        theta(zeros<T>(device, params)),
        bias_parameters(zeros<T>(device, biases)),
        bias_values(zeros<T>(device, outputs)),
        column_sums(device, outputs * sizeof(Sum)),
        order(device) {}

  CudaLayerSize size() const {
    const std::uint64_t entries = numeric_detail::table_entries(weights.params());
    return {weights.rows(), weights.cols(), weights.params(),
            channels,       sizeof(T),      entries <= 256 ? 1U : entries <= 65536 ? 2U : 4U};
  }
  bool has(LayerForm form) const {
    // Look-ups keep partial sums: not for so many channels that these would fill the device.
    constexpr double most_sums = 1 << 27;
    const double sums = static_cast<double>(outputs) * static_cast<double>(cuda::product_pieces(weights.cols())) *
                        static_cast<double>(channels.in * cuda::most_batch);
    const bool few = numeric_detail::table_entries(weights.params()) <= 256 && sums <= most_sums;
    return form == LayerForm::dense || (form == LayerForm::lookup && few) ||
           (form == LayerForm::isotypic && isotypic.has_value());
  }

  Made now(void* stream) const {
    std::uint64_t capture = 0;
    check(cuda::capture_number(device, stream, &capture), "asking whether a stream is captured");
    return {generation, capture};
  }
  /// Queues a product of the dense form, or of the map to the blocks. Out is T or its sums.
  template <class In, class Out>
  void multiply(void* stream, const Gemm& g, const In* a, const In* b, Out* c) {
    CudaProducts::State& p = products.state();
    p.order.run(stream, [&] { cuda::queue_product(p, stream, g, a, b, c); });
  }

  T* dense_weights(void* stream) {
    if (!W) W.emplace(device, checked_product({inputs, outputs, sizeof(T)}, "the array of weights"));
    if (const Made wanted = now(stream); made_W != wanted) {
      pattern.materialise<T>(as<const T>(theta), as<T>(*W), stream);
      made_W = wanted;
    }
    return as<T>(*W);
  }
  void prepare_blocks(void* stream) {
    const Made wanted = now(stream);
    if (made_blocks == wanted) return;
    // theta' [P', pairs] = A theta, both row-major.
    const std::uint64_t pairs = channels.out * channels.in, P = weights.params();
    const Gemm g = cuda::row_major_map(block_params, P, pairs);
    if (P == 0)
      check(cuda::set_zero(device, stream, block_theta->data(), block_theta->bytes()), "clearing an array");
    else
      multiply(stream, g, as<const T>(theta), as<const T>(*map), as<T>(*block_theta));
    isotypic->set_parameters(as<const T>(*block_theta), stream);
    made_blocks = wanted;
  }

  void dense_forward(std::uint64_t batch, const T* x, T* y, void* stream) {
    products.multiply<T>(batch, outputs, inputs, dense_weights(stream), x, y, stream);
  }
  void dense_backward(std::uint64_t batch, const T* x, const T* dy, T* dx, Sum* dtheta, void* stream) {
    if (dx != nullptr) {
      const Gemm g = cuda::row_major_to_inputs(batch, outputs, inputs);
      if (outputs == 0)
        check(cuda::set_zero(device, stream, dx, batch * inputs * sizeof(T)), "clearing an array");
      else
        multiply<T, T>(stream, g, dense_weights(stream), dy, dx);
    }
    if (dtheta == nullptr) return;
    if (!dW) dW.emplace(device, checked_product({inputs, outputs, sizeof(Sum)}, "the array of weights"));
    const Gemm g = cuda::row_major_to_weights(batch, outputs, inputs);
    if (batch == 0)
      check(cuda::set_zero(device, stream, dW->data(), dW->bytes()), "clearing an array");
    else
      multiply(stream, g, x, dy, as<Sum>(*dW));
    pattern.reduce<Sum>(as<const Sum>(*dW), dtheta, stream);
  }
  void isotypic_backward(std::uint64_t batch, const T* x, const T* dy, T* dx, Sum* dtheta, void* stream) {
    prepare_blocks(stream);
    isotypic->backward(batch, x, dy, dx, dtheta == nullptr ? nullptr : as<Sum>(*block_dtheta), stream);
    if (dtheta == nullptr) return;
    const std::uint64_t pairs = channels.out * channels.in, P = weights.params();
    const Gemm g = cuda::row_major_map_adjoint(block_params, P, pairs);
    if (block_params == 0)
      check(cuda::set_zero(device, stream, dtheta, params * sizeof(Sum)), "clearing an array");
    else
      multiply(stream, g, as<const Sum>(*block_dtheta), as<const Sum>(*sum_map), dtheta);
  }
  void bias_gradient(std::uint64_t batch, const T* dy, Sum* dbias, void* stream) {
    check(cuda::launch_column_sums(device, stream, batch, outputs, dy, as<Sum>(column_sums)), "summing over a batch");
    bias_pattern.reduce<Sum>(as<const Sum>(column_sums), dbias, stream);
  }
};

template <class T>
CudaLayer<T>::CudaLayer(const WeightBlock& table, CudaProducts products)
    : CudaLayer(PreparedPattern(table.weights), PreparedPattern(table.bias), table.channels, std::move(products)) {
  if (table.isotypic) add_decomposition(IsotypicMap(state_->weights, IsotypicDecomposition(*table.isotypic)));
}

template <class T>
CudaLayer<T>::CudaLayer(PreparedPattern weights, PreparedPattern bias, Multiplicity channels, CudaProducts products) {
  if (bias.cols() != 1 || bias.rows() != weights.rows())
    throw DomainError(
        fmt::format("CudaLayer: a bias of {} x {} for {} outputs; it needs one column and as many "
                    "rows",
                    bias.rows(), bias.cols(), weights.rows()));
  if (channels.out == 0 || channels.in == 0)
    throw DomainError("CudaLayer: a layer needs at least one channel on each side");
  state_ = std::make_unique<State>(std::move(weights), std::move(bias), channels, std::move(products));
}

template <class T>
CudaLayer<T>::~CudaLayer() = default;
template <class T>
CudaLayer<T>::CudaLayer(CudaLayer&&) noexcept = default;
template <class T>
CudaLayer<T>& CudaLayer<T>::operator=(CudaLayer&&) noexcept = default;

template <class T>
void CudaLayer<T>::add_decomposition(const IsotypicMap& map, std::uint64_t most_batch) {
  State& s = *state_;
  if (map.basis().rows() != s.weights.rows() || map.basis().cols() != s.weights.cols() ||
      map.basis().params() != s.weights.params())
    throw DomainError("CudaLayer: the map to the blocks is of other weights");
  const auto matrix = map.matrix();
  std::vector<T> narrow(matrix.size());
  std::vector<SumOf<T>> wide(matrix.size());
  std::transform(matrix.begin(), matrix.end(), narrow.begin(), [](double x) { return from_number<T>(x); });
  std::transform(matrix.begin(), matrix.end(), wide.begin(), [](double x) { return static_cast<SumOf<T>>(x); });
  CudaIsotypic<T> isotypic(map.decomposition(), s.channels, most_batch, s.products);
  s.order.run(nullptr, [&] {
    s.block_params = map.decomposition().params();
    s.map.emplace(cuda::uploaded(s.device, narrow));
    s.sum_map.emplace(cuda::uploaded(s.device, wide));
    s.block_theta.emplace(s.device, isotypic.params() * sizeof(T));
    s.block_dtheta.emplace(s.device, isotypic.params() * sizeof(SumOf<T>));
    s.decomposition = map.decomposition();
    s.isotypic.emplace(std::move(isotypic));
    s.made_blocks = {};
  });
}

template <class T>
void CudaLayer<T>::set_parameters(const T* theta, const T* bias, void* stream) {
  State& s = *state_;
  s.order.run(stream, [&] {
    ++s.generation;
    check(cuda::copy_on_device(s.device, stream, s.theta.data(), theta, s.params * sizeof(T)), "copying theta");
    if (bias == nullptr)
      check(cuda::set_zero(s.device, stream, s.bias_parameters.data(), s.biases * sizeof(T)), "clearing the bias");
    else
      check(cuda::copy_on_device(s.device, stream, s.bias_parameters.data(), bias, s.biases * sizeof(T)),
            "copying the bias");
    s.bias_pattern.template materialise<T>(as<const T>(s.bias_parameters), as<T>(s.bias_values), stream);
  });
}

template <class T>
Multiplicity CudaLayer<T>::channels() const {
  return state_->channels;
}
template <class T>
std::uint64_t CudaLayer<T>::inputs() const {
  return state_->inputs;
}
template <class T>
std::uint64_t CudaLayer<T>::outputs() const {
  return state_->outputs;
}

template <class T>
std::vector<LayerForm> CudaLayer<T>::forms() const {
  std::vector<LayerForm> out;
  for (const LayerForm form : {LayerForm::dense, LayerForm::lookup, LayerForm::isotypic})
    if (state_->has(form)) out.push_back(form);
  return out;
}

template <class T>
double CudaLayer<T>::expected_seconds(LayerForm form, std::uint64_t batch, const CudaLayerOptions& options) const {
  const State& s = *state_;
  if (!s.has(form)) throw DomainError(fmt::format("this layer has no form {} on the GPU", to_string(form)));
  const CudaRates& rates = cuda_rates<T>(s.products);
  if (form == LayerForm::isotypic) return cuda_expected_seconds(*s.decomposition, s.channels, sizeof(T), batch, rates);
  return cuda_expected_seconds(form, s.size(), batch, options.uses, rates);
}

template <class T>
LayerForm CudaLayer<T>::pick(std::uint64_t batch, const CudaLayerOptions& options) const {
  const std::optional<LayerForm> forced = numeric_detail::forced_form(options.mode);
  if (forced) {
    if (!state_->has(*forced))
      throw DomainError(fmt::format("this layer has no form {} on the GPU", to_string(*forced)));
    return *forced;
  }
  LayerForm best = LayerForm::dense;
  double seconds = expected_seconds(best, batch, options) / 1.1;  // ties go to dense
  for (const LayerForm form : {LayerForm::lookup, LayerForm::isotypic}) {
    if (!state_->has(form) || (form == LayerForm::isotypic && options.mode == LayerMode::automatic)) continue;
    const double expected = expected_seconds(form, batch, options);
    if (expected >= seconds) continue;
    best = form;
    seconds = expected;
  }
  return best;
}

template <class T>
LayerForm CudaLayer<T>::forward(std::uint64_t batch, const T* x, T* y, const CudaLayerOptions& options,
                                void* stream) const {
  State& s = *state_;
  checked_product({batch, s.inputs, sizeof(T)}, "x");
  checked_product({batch, s.outputs, sizeof(T)}, "y");
  const LayerForm form = pick(batch, options);
  if (batch == 0 || s.outputs == 0) return form;
  s.order.run(stream, [&] {
    if (form == LayerForm::dense) {
      s.dense_forward(batch, x, y, stream);
    } else if (form == LayerForm::lookup) {
      s.pattern.template apply<T>(batch, as<const T>(s.theta), x, y, stream);
    } else {
      s.prepare_blocks(stream);
      s.isotypic->forward(batch, x, y, stream);
    }
    if (s.biases > 0)
      check(cuda::launch_add_bias(s.device, stream, batch, s.outputs, as<const T>(s.bias_values), y),
            "adding the bias");
  });
  return form;
}

template <class T>
LayerForm CudaLayer<T>::backward(std::uint64_t batch, const T* x, const T* dy, T* dx, SumOf<T>* dtheta, SumOf<T>* dbias,
                                 const CudaLayerOptions& options, void* stream) const {
  State& s = *state_;
  checked_product({batch, s.inputs, sizeof(T)}, "x");
  checked_product({batch, s.outputs, sizeof(T)}, "y");
  const LayerForm form = pick(batch, options) == LayerForm::isotypic ? LayerForm::isotypic : LayerForm::dense;
  s.order.run(stream, [&] {
    if (dbias != nullptr) s.bias_gradient(batch, dy, dbias, stream);
    if (form == LayerForm::isotypic)
      s.isotypic_backward(batch, x, dy, dx, dtheta, stream);
    else
      s.dense_backward(batch, x, dy, dx, dtheta, stream);
  });
  return form;
}

template class CudaLayer<float>;
template class CudaLayer<double>;
template class CudaLayer<Bf16>;
template class CudaLayer<Half>;

}  // namespace intertwine
