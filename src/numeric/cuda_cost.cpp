// The time that a product should take on a device, and the speed of the device.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda_layer.hpp"
#include "numeric/cuda/isotypic_plan.hpp"
#include "numeric/cuda_products.hpp"
#include "numeric/tied_pattern.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::as;
using cuda::check;

namespace {

// The roofline of a product of m x k and k x n.
double product_seconds(double m, double n, double k, double count, double item, const CudaRates& rates) {
  const double work = 2 * m * n * k * count / rates.flops;
  const double moved = item * (m * k + k * n + m * n) * count / rates.bytes;
  return std::max(work, moved) + rates.launch;
}

double seconds_of(const cuda::Gemm& g, double item, const CudaRates& rates) {
  return product_seconds(static_cast<double>(g.m), static_cast<double>(g.n), static_cast<double>(g.k),
                         static_cast<double>(g.count), item, rates);
}

}  // namespace

double cuda_expected_seconds(LayerForm form, const CudaLayerSize& size, std::uint64_t batch, double uses,
                             const CudaRates& rates) {
  const double weights = static_cast<double>(size.rows) * static_cast<double>(size.cols) *
                         static_cast<double>(size.channels.out) * static_cast<double>(size.channels.in);
  const double item = static_cast<double>(size.number_bytes), rows = static_cast<double>(batch);
  if (form == LayerForm::dense) {
    const double made = weights * (item + static_cast<double>(size.code_bytes)) / rates.bytes + rates.launch;
    return product_seconds(static_cast<double>(size.rows * size.channels.out), rows,
                           static_cast<double>(size.cols * size.channels.in), 1, item, rates) +
           made / std::max(1.0, uses);
  }
  if (form != LayerForm::lookup)
    throw DomainError(fmt::format("the cost of the form {} on a GPU is not known from its size", to_string(form)));
  const double whole = static_cast<double>(batch / cuda::most_batch),
               rest = static_cast<double>(batch % cuda::most_batch);
  const auto piece = [&](double n) {
    return n == 0 ? 0 : std::max(weights / rates.looked_up, n * weights / rates.looked_up_rows) + 2 * rates.launch;
  };
  return whole * piece(cuda::most_batch) + piece(rest);
}

double cuda_expected_seconds(const IsotypicDecomposition& decomposition, Multiplicity channels,
                             std::uint64_t number_bytes, std::uint64_t batch, const CudaRates& rates) {
  const cuda::IsotypicPlan plan = cuda::isotypic_plan(decomposition.data(), channels, batch);
  const double item = static_cast<double>(number_bytes);
  double seconds = seconds_of(plan.change_in, item, rates) + seconds_of(plan.change_out, item, rates);
  for (const cuda::Gemm& g : plan.forward) seconds += seconds_of(g, item, rates);
  return seconds;
}

namespace {

// Seconds of one call, the median of some rows of calls, by events on a stream of its own.
template <class Queue>
double measured(const CudaStream& stream, int calls, const Queue& queue) {
  const int device = stream.device();
  void *first = nullptr, *last = nullptr;
  check(cuda::event_create(device, &first, true), "making an event");
  check(cuda::event_create(device, &last, true), "making an event");
  queue(stream.get());
  stream.wait();
  std::vector<double> times;
  for (int trial = 0; trial < 5; ++trial) {
    check(cuda::event_record(device, first, stream.get()), "recording an event");
    for (int k = 0; k < calls; ++k) queue(stream.get());
    check(cuda::event_record(device, last, stream.get()), "recording an event");
    float milliseconds = 0;
    check(cuda::event_milliseconds(device, first, last, &milliseconds), "timing");
    times.push_back(static_cast<double>(milliseconds) * 1e-3 / calls);
  }
  cuda::event_destroy(device, first);
  cuda::event_destroy(device, last);
  std::sort(times.begin(), times.end());
  return std::max(times[times.size() / 2], 1e-9);
}

template <class T>
CudaRates measure(const CudaProducts& products) {
  const int device = products.device();
  const CudaStream stream(device);
  CudaRates rates;
  constexpr std::uint64_t large = std::uint64_t{256} << 20, side = sizeof(T) == 8 ? 2048 : 4096;
  {
    const CudaMemory from(device, large), to(device, large);
    check(cuda::set_zero(device, stream.get(), from.data(), large), "clearing an array");
    rates.bytes = 2.0 * large / measured(stream, 10, [&](void* on) {
                    check(cuda::copy_on_device(device, on, to.data(), from.data(), large), "copying");
                  });
  }
  {
    const std::vector<T> ones(side * side, from_number<T>(1.0 / 64));
    const CudaMemory W = cuda::uploaded(device, ones), x = cuda::uploaded(device, ones),
                     y(device, side * side * sizeof(T));
    rates.flops = 2.0 * static_cast<double>(side) * side * side / measured(stream, 5, [&](void* on) {
                    products.multiply<T>(side, side, side, as<const T>(W), as<const T>(x), as<T>(y), on);
                  });
  }
  const CudaMemory little(device, 16);
  rates.launch = measured(stream, 100,
                          [&](void* on) { check(cuda::set_zero(device, on, little.data(), 16), "clearing an array"); });
  constexpr std::uint64_t n = 2048, params = 15;
  std::vector<std::uint8_t> codes(n * n);
  for (std::uint64_t k = 0; k < codes.size(); ++k) codes[k] = static_cast<std::uint8_t>(k * 2654435761U / 65536 % 31);
  const CudaPattern pattern(numeric_detail::TiedPattern(n, n, params, codes), {1, 1}, device);
  const CudaMemory theta = cuda::uploaded(device, std::vector<T>(params)),
                   x = cuda::uploaded(device, std::vector<T>(8 * n)), y(device, 8 * n * sizeof(T));
  const auto rate = [&](std::uint64_t batch) {
    const double seconds = measured(
        stream, 20, [&](void* on) { pattern.apply<T>(batch, as<const T>(theta), as<const T>(x), as<T>(y), on); });
    return static_cast<double>(batch * n * n) / std::max(seconds - 2 * rates.launch, seconds / 4);
  };
  rates.looked_up = rate(1);
  rates.looked_up_rows = std::max(rates.looked_up, rate(8));
  return rates;
}

}  // namespace

template <class T>
const CudaRates& cuda_rates(const CudaProducts& products) {
  static std::mutex guard;
  static std::map<std::pair<int, bool>, CudaRates> known;
  const std::lock_guard lock(guard);
  const auto key = std::pair(products.device(), products.options().tf32);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  return known.emplace(key, measure<T>(products)).first->second;
}

template const CudaRates& cuda_rates<float>(const CudaProducts&);
template const CudaRates& cuda_rates<double>(const CudaProducts&);
template const CudaRates& cuda_rates<Bf16>(const CudaProducts&);
template const CudaRates& cuda_rates<Half>(const CudaProducts&);

}  // namespace intertwine
