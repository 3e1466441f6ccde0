// The isotypic form of layers on a device.
#include "intertwine/numeric/cuda_isotypic.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "numeric/cuda/isotypic_plan.hpp"
#include "numeric/cuda_products.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::as;
using cuda::check;
using numeric_detail::checked_product;

namespace {

template <class T>
CudaMemory uploaded_as(int device, const std::vector<double>& numbers) {
  std::vector<T> out(numbers.size());
  std::transform(numbers.begin(), numbers.end(), out.begin(), [](double x) { return from_number<T>(x); });
  return cuda::uploaded(device, out);
}

}  // namespace

template <class T>
struct CudaIsotypic<T>::State {
  using Sum = SumOf<T>;
  CudaProducts products;
  int device;
  IsotypicDecomposition decomposition;
  Multiplicity channels;
  std::uint64_t most_batch;
  cuda::IsotypicPlan plan;  ///< the plan of plan_batch rows
  std::uint64_t plan_batch;
  CudaMemory blocks, in, out_inverse, x1, y1, weights, dweights;
  std::optional<cuda::ProductPointers> forward_group, inputs_group;
  cuda::WorkOrder order;

  State(const IsotypicDecomposition& d, Multiplicity c, std::uint64_t batch, CudaProducts p)
      : products(std::move(p)),
        device(products.device()),
        decomposition(d),
        channels(c),
        most_batch(batch),
        plan(cuda::isotypic_plan(d.data(), c, batch)),
        plan_batch(batch),
        blocks(cuda::uploaded(device, plan.blocks)),
        in(uploaded_as<T>(device, cuda::ordered_in(d.data()))),
        out_inverse(uploaded_as<T>(device, cuda::ordered_out_inverse(d.data()))),
        x1(device, checked_product({batch, c.in, plan.cols, sizeof(T)}, "the working memory")),
        y1(device, checked_product({batch, c.out, plan.rows, sizeof(T)}, "the working memory")),
        weights(device, checked_product({plan.weights, sizeof(T)}, "the weights")),
        dweights(device, checked_product({plan.weights, sizeof(Sum)}, "the weights")),
        order(device) {
    if (!products.state().options.grouped || plan.blocks.size() < 2) return;
    if (cuda::can_be_grouped(plan.forward, sizeof(T)))
      forward_group = cuda::product_pointers<T>(device, plan.forward, as<T>(weights), as<T>(x1), as<T>(y1));
    if (cuda::can_be_grouped(plan.to_inputs, sizeof(T)))
      inputs_group = cuda::product_pointers<T>(device, plan.to_inputs, as<T>(weights), as<T>(y1), as<T>(x1));
  }

  // Calls work(first row, rows) for the pieces of a batch, with the plan for so many rows.
  template <class Work>
  void in_pieces(void* stream, std::uint64_t batch, const Work& work) {
    order.run(stream, [&] {
      products.state().order.run(stream, [&] {
        for (std::uint64_t first = 0; first < batch; first += most_batch) {
          const std::uint64_t rows = std::min(most_batch, batch - first);
          if (rows != plan_batch) plan = cuda::isotypic_plan(decomposition.data(), channels, rows);
          plan_batch = rows;
          work(first, rows);
        }
      });
    });
  }

  // The functions that do the plan's steps: see isotypic_forward().
  struct Queue {
    State& state;
    void* stream;
    std::uint64_t rows;
    std::array<const T*, cuda::isotypic_arrays> read;
    std::array<T*, cuda::isotypic_arrays> write;

    Queue(State& s, void* on, std::uint64_t rows_, const T* x, T* dx, T* y, const T* dy)
        : state(s),
          stream(on),
          rows(rows_),
          read{x, as<T>(s.x1), dy, as<T>(s.y1), as<T>(s.in), as<T>(s.out_inverse), as<T>(s.weights)},
          write{dx, as<T>(s.x1), y, as<T>(s.y1), nullptr, nullptr, nullptr} {}

    void product(const cuda::Gemm& g) const {
      cuda::queue_product(state.products.state(), stream, g, read[g.a.array], read[g.b.array], write[g.c.array]);
    }
    void weights(const cuda::Gemm& g) const {
      cuda::queue_product(state.products.state(), stream, g, read[g.a.array], read[g.b.array], as<Sum>(state.dweights));
    }
    void clear(unsigned array) const {
      const CudaMemory& memory = array == cuda::array_x1 ? state.x1 : state.y1;
      check(cuda::set_zero(state.device, stream, memory.data(), memory.bytes()), "clearing an array");
    }
    // Together where that can be.
    void blocks(const std::vector<cuda::Gemm>& all) const {
      CudaProducts::State& p = state.products.state();
      const auto& group = &all == &state.plan.forward ? state.forward_group : state.inputs_group;
      std::uint64_t capture = 0;
      check(cuda::capture_number(state.device, stream, &capture), "asking whether a stream is captured");
      if (p.grouped && group.has_value() && capture == 0) {
        if (cuda::queue_grouped<T>(p, stream, *group, rows)) return;
        p.grouped = false;
      }
      for (const cuda::Gemm& g : all) product(g);
    }
  };
};

template <class T>
CudaIsotypic<T>::CudaIsotypic(const IsotypicDecomposition& decomposition, Multiplicity channels,
                              std::uint64_t most_batch, CudaProducts products) {
  if (channels.out == 0 || channels.in == 0 || most_batch == 0)
    throw DomainError(fmt::format("CudaIsotypic: {} x {} channels and batches of {}; none may be 0", channels.out,
                                  channels.in, most_batch));
  checked_product({decomposition.params(), channels.out, channels.in, 8}, "theta");
  checked_product({decomposition.rows(), channels.out, decomposition.cols(), channels.in, 8}, "the array of weights");
  state_ = std::make_unique<State>(decomposition, channels, most_batch, std::move(products));
}

template <class T>
CudaIsotypic<T>::~CudaIsotypic() = default;
template <class T>
CudaIsotypic<T>::CudaIsotypic(CudaIsotypic&&) noexcept = default;
template <class T>
CudaIsotypic<T>& CudaIsotypic<T>::operator=(CudaIsotypic&&) noexcept = default;

template <class T>
std::uint64_t CudaIsotypic<T>::inputs() const {
  return state_->channels.in * state_->plan.cols;
}
template <class T>
std::uint64_t CudaIsotypic<T>::outputs() const {
  return state_->channels.out * state_->plan.rows;
}
template <class T>
std::uint64_t CudaIsotypic<T>::params() const {
  return state_->plan.params * state_->channels.out * state_->channels.in;
}

template <class T>
void CudaIsotypic<T>::set_parameters(const T* theta, void* stream) const {
  State& s = *state_;
  s.order.run(stream, [&] {
    check(cuda::launch_block_weights(s.device, stream, as<const cuda::BlockShape>(s.blocks), s.plan.blocks.size(),
                                     s.plan.weights, theta, as<T>(s.weights)),
          "making the weights of the blocks");
  });
}

template <class T>
void CudaIsotypic<T>::forward(std::uint64_t batch, const T* x, T* y, void* stream) const {
  State& s = *state_;
  s.in_pieces(stream, batch, [&](std::uint64_t first, std::uint64_t rows) {
    cuda::isotypic_forward(
        s.plan, typename State::Queue(s, stream, rows, x + first * inputs(), nullptr, y + first * outputs(), nullptr));
  });
}

template <class T>
void CudaIsotypic<T>::backward(std::uint64_t batch, const T* x, const T* dy, T* dx, SumOf<T>* dtheta,
                               void* stream) const {
  State& s = *state_;
  if (batch == 0 && dtheta != nullptr)
    check(cuda::set_zero(s.device, stream, dtheta, params() * sizeof(SumOf<T>)), "clearing an array");
  if (batch == 0 || (dx == nullptr && dtheta == nullptr)) return;
  s.in_pieces(stream, batch, [&](std::uint64_t first, std::uint64_t rows) {
    const typename State::Queue queue(s, stream, rows, x == nullptr ? nullptr : x + first * inputs(),
                                      dx == nullptr ? nullptr : dx + first * inputs(), nullptr, dy + first * outputs());
    cuda::isotypic_backward(s.plan, dx != nullptr, dtheta != nullptr, first > 0, queue);
    if (dtheta != nullptr && first + rows == batch)
      check(cuda::launch_block_gradients(s.device, stream, as<const cuda::BlockShape>(s.blocks), s.plan.blocks.size(),
                                         s.plan.params * s.channels.out * s.channels.in, as<const SumOf<T>>(s.dweights),
                                         dtheta),
            "the gradients of the blocks");
  });
}

template class CudaIsotypic<float>;
template class CudaIsotypic<double>;
template class CudaIsotypic<Bf16>;
template class CudaIsotypic<Half>;

}  // namespace intertwine
