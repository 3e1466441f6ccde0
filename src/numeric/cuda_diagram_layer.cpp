// Layers of diagrams on a device.
#include "intertwine/numeric/cuda_diagram_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "intertwine/error.hpp"
#include "numeric/cuda/diagram_steps.hpp"
#include "numeric/cuda_products.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::as;
using cuda::check;
using cuda::DiagramStep;
using cuda::DiagramSteps;
using numeric_detail::checked_product;
using numeric_detail::DiagramPlan;
using numeric_detail::SizedDiagrams;

template <class T>
struct CudaDiagramLayer<T>::State {
  SizedDiagrams sized;
  CudaProducts products;
  int device;
  std::uint64_t inputs, outputs, params, biases;
  CudaMemory given, theta, bias;
  cuda::WorkOrder order;
  /// A list that was asked for before, and where its tables are on the device.
  struct Prepared {
    DiagramSteps list;
    std::vector<const std::uint64_t*> tables;
  };
  std::map<std::vector<std::uint64_t>, CudaMemory> tables;    ///< they stay: graphs may have their addresses
  std::map<std::array<std::uint64_t, 3>, Prepared> prepared;  ///< by the batch and what is asked for
  std::vector<CudaMemory> scratch;

  State(SizedDiagrams of, CudaProducts p)
      : sized(std::move(of)),
        products(std::move(p)),
        device(products.device()),
        inputs(sized.channels().in * sized.inputs.entries()),
        outputs(sized.channels().out * sized.outputs.entries()),
        params(checked_product({sized.plan->diagrams.size(), sized.channels().out, sized.channels().in, 8}, "theta") /
               8),
        biases(sized.plan->bias.size() * sized.channels().out),
        given(cuda::uploaded(device, std::vector<T>(params))),
        theta(cuda::uploaded(device, std::vector<T>(params))),
        bias(cuda::uploaded(device, std::vector<T>(biases))),
        order(device) {}

  template <class Make>
  const Prepared& prepare(const std::array<std::uint64_t, 3>& key, const Make& make) {
    auto found = prepared.find(key);
    if (found == prepared.end()) {
      if (prepared.size() >= 16) prepared.clear();  // batches of many sizes
      Prepared fresh{make(), {}};
      for (const auto& table : fresh.list.tables) {
        auto there = tables.find(table);
        if (there == tables.end()) there = tables.emplace(table, cuda::uploaded(device, table)).first;
        fresh.tables.push_back(as<const std::uint64_t>(there->second));
      }
      found = prepared.emplace(key, std::move(fresh)).first;
    }
    const std::vector<std::uint64_t>& numbers = found->second.list.numbers;
    for (std::size_t k = cuda::diagram_scratch; k < numbers.size(); ++k) {
      const std::size_t at = k - cuda::diagram_scratch;
      const std::uint64_t bytes = checked_product({numbers[k], sizeof(T)}, "the working memory");
      if (at == scratch.size()) scratch.emplace_back(device, bytes);
      if (scratch[at].bytes() < bytes) {
        cuda_synchronise(device);  // what is queued may work on the old memory
        scratch[at] = CudaMemory(device, bytes);
      }
    }
    return found->second;
  }

  // The functions that do the steps.
  struct Queue {
    State& state;
    void* stream;
    const Prepared& of;
    std::array<T*, cuda::diagram_scratch> given;  ///< arrays that a step only reads come from const addresses

    T* at(unsigned array) const {
      return array < cuda::diagram_scratch ? given[array] : as<T>(state.scratch[array - cuda::diagram_scratch]);
    }
    void clear(const DiagramStep& s) const {
      check(cuda::set_zero(state.device, stream, at(s.to), of.list.numbers[s.to] * sizeof(T)), "clearing an array");
    }
    void sum(const DiagramStep& s) const {
      check(cuda::launch_axis_sum<T>(state.device, stream, s.sum, at(s.from) + s.from_offset, at(s.to) + s.to_offset),
            "summing along an axis");
    }
    void gather(const DiagramStep& s) const {
      check(cuda::launch_gather_places<T>(state.device, stream, s.map, of.tables[s.table], at(s.from), at(s.to)),
            "gathering places");
    }
    void scatter(const DiagramStep& s) const {
      check(cuda::launch_scatter_places<T>(state.device, stream, s.map, of.tables[s.table], at(s.from), at(s.to)),
            "adding to places");
    }
    void product(const cuda::Gemm& g) const {
      cuda::queue_product<T, T>(state.products.state(), stream, g, at(g.a.array), at(g.b.array), at(g.c.array));
    }
  };

  template <class Make>
  void run(void* stream, const std::array<std::uint64_t, 3>& key, std::array<T*, cuda::diagram_scratch> arrays,
           const Make& make) {
    order.run(stream, [&] {
      products.state().order.run(stream, [&] {
        arrays[cuda::diagram_given] = as<T>(given);
        arrays[cuda::diagram_theta] = as<T>(theta);
        arrays[cuda::diagram_bias] = as<T>(bias);
        const Prepared& of = prepare(key, make);
        cuda::run_steps(of.list, Queue{*this, stream, of, arrays});
      });
    });
  }
};

template <class T>
CudaDiagramLayer<T>::CudaDiagramLayer(DiagramTable table, std::vector<std::uint64_t> sizes, CudaProducts products) {
  SizedDiagrams sized(std::make_shared<const DiagramPlan>(std::move(table)), std::move(sizes));
  cuda::require_points(sized);
  cuda::diagram_forward(sized, 1);  // refuses what has too many axes
  state_ = std::make_unique<State>(std::move(sized), std::move(products));
}

template <class T>
CudaDiagramLayer<T>::~CudaDiagramLayer() = default;
template <class T>
CudaDiagramLayer<T>::CudaDiagramLayer(CudaDiagramLayer&&) noexcept = default;
template <class T>
CudaDiagramLayer<T>& CudaDiagramLayer<T>::operator=(CudaDiagramLayer&&) noexcept = default;

template <class T>
void CudaDiagramLayer<T>::set_parameters(const T* theta, const T* bias, void* stream) {
  State& s = *state_;
  s.order.run(stream, [&] {
    check(cuda::copy_on_device(s.device, stream, s.given.data(), theta, s.params * sizeof(T)), "copying theta");
    if (bias == nullptr)
      check(cuda::set_zero(s.device, stream, s.bias.data(), s.biases * sizeof(T)), "clearing the bias");
    else
      check(cuda::copy_on_device(s.device, stream, s.bias.data(), bias, s.biases * sizeof(T)), "copying the bias");
  });
  s.run(stream, {0, 0, 0}, {}, [&] { return cuda::diagram_parameters(s.sized); });
}

template <class T>
Multiplicity CudaDiagramLayer<T>::channels() const {
  return state_->sized.channels();
}
template <class T>
std::uint64_t CudaDiagramLayer<T>::inputs() const {
  return state_->inputs;
}
template <class T>
std::uint64_t CudaDiagramLayer<T>::outputs() const {
  return state_->outputs;
}

template <class T>
LayerForm CudaDiagramLayer<T>::pick(std::uint64_t, const CudaLayerOptions& options) const {
  if (options.mode != LayerMode::automatic && options.mode != LayerMode::fastest && options.mode != LayerMode::diagram)
    throw DomainError("a layer of diagrams has no other form than diagram");
  return LayerForm::diagram;
}

template <class T>
double CudaDiagramLayer<T>::expected_seconds(LayerForm form, std::uint64_t batch, const CudaLayerOptions&) const {
  if (form != LayerForm::diagram)
    throw DomainError(fmt::format("CudaDiagramLayer: there is no form {}", to_string(form)));
  const CudaRates& rates = cuda_rates<T>(state_->products);
  const DiagramSteps list = cuda::diagram_forward(state_->sized, batch);
  double seconds = 0;
  for (const DiagramStep& step : list.steps) {
    const cuda::Gemm& g = step.product;
    const double operations = 2.0 * static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) *
                              static_cast<double>(g.count);
    const bool product = step.kind == DiagramStep::Kind::product;
    const double numbers = static_cast<double>(list.numbers[product ? g.a.array : step.from]) +
                           static_cast<double>(list.numbers[product ? g.c.array : step.to]);
    seconds += (product ? operations / rates.flops : 0) + numbers * sizeof(T) / rates.bytes + rates.launch;
  }
  return seconds;
}

template <class T>
LayerForm CudaDiagramLayer<T>::forward(std::uint64_t batch, const T* x, T* y, const CudaLayerOptions& options,
                                       void* stream) const {
  State& s = *state_;
  const LayerForm form = pick(batch, options);
  checked_product({batch, s.inputs, sizeof(T)}, "x");
  checked_product({batch, s.outputs, sizeof(T)}, "y");
  if (batch == 0) return form;
  std::array<T*, cuda::diagram_scratch> arrays{};
  arrays[cuda::diagram_x] = const_cast<T*>(x);  // no step writes it
  arrays[cuda::diagram_y] = y;
  s.run(stream, {1, batch, 0}, arrays, [&] { return cuda::diagram_forward(s.sized, batch); });
  return form;
}

template <class T>
LayerForm CudaDiagramLayer<T>::backward(std::uint64_t batch, const T* x, const T* dy, T* dx, T* dtheta, T* dbias,
                                        const CudaLayerOptions& options, void* stream) const {
  State& s = *state_;
  const LayerForm form = pick(batch, options);
  checked_product({batch, s.inputs, sizeof(T)}, "x");
  checked_product({batch, s.outputs, sizeof(T)}, "y");
  std::array<T*, cuda::diagram_scratch> arrays{};
  arrays[cuda::diagram_x] = const_cast<T*>(x);
  arrays[cuda::diagram_dy] = const_cast<T*>(dy);
  arrays[cuda::diagram_dx] = dx;
  arrays[cuda::diagram_dtheta] = dtheta;
  arrays[cuda::diagram_dbias] = dbias;
  const bool to_x = dx != nullptr, to_theta = dtheta != nullptr, to_bias = dbias != nullptr;
  const std::uint64_t wanted = (to_x ? 1U : 0U) + (to_theta ? 2U : 0U) + (to_bias ? 4U : 0U);
  s.run(stream, {2, batch, wanted}, arrays,
        [&] { return cuda::diagram_backward(s.sized, batch, to_x, to_theta, to_bias); });
  return form;
}

template class CudaDiagramLayer<float>;
template class CudaDiagramLayer<double>;

}  // namespace intertwine
