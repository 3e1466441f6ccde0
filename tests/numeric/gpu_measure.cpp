// What the kernels reach on a device: medians, beside the limits measured in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "intertwine/numeric/cuda_layer.hpp"
#include "numeric/cuda/launch.hpp"
#include "numeric/cuda/plan_tables.hpp"
#include "numeric/gpu_support.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace test_gpu {
namespace {

namespace cuda = numeric_detail::cuda;

// Seconds of one call: the median of rows of calls that take about two milliseconds each.
template <class Body>
double seconds_of(const Body& body) {
  using Clock = std::chrono::steady_clock;
  const auto row = [&](int calls) {
    const auto start = Clock::now();
    for (int k = 0; k < calls; ++k) body();
    cuda_synchronise(0);
    return std::chrono::duration<double>(Clock::now() - start).count() / calls;
  };
  row(2);
  const int calls = std::clamp(static_cast<int>(2e-3 / row(2)), 4, 500);
  std::vector<double> times;
  for (int trial = 0; trial < 9; ++trial) times.push_back(row(calls));
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return times[4];
}

double copy_rate(std::uint64_t bytes) {
  const CudaMemory from(0, bytes), to(0, bytes);
  return 2.0 * static_cast<double>(bytes) /
         seconds_of([&] { cuda::copy_on_device(0, nullptr, to.data(), from.data(), bytes); });
}

// The form dense of a whole layer, its parameters set anew each time: forward, and every gradient, for a batch of 64.
template <class T>
double layer_seconds(const TiedPattern& pattern, const CudaProducts& products, Rng& rng) {
  constexpr std::uint64_t batch = 64;
  const std::uint64_t n = pattern.rows();
  CudaLayer<T> layer(pattern, TiedPattern(n, 1, 0, std::vector<std::uint8_t>(n, 0)), {1, 1}, products);
  const CudaMemory theta = on_device(random_numbers<T>(pattern.params(), rng)),
                   x = on_device(random_numbers<T>(batch * n, rng)), y(0, batch * n * sizeof(T)),
                   dx(0, batch * n * sizeof(T)), dtheta(0, pattern.params() * sizeof(SumOf<T>));
  const CudaLayerOptions dense{LayerMode::dense, 1};
  return seconds_of([&] {
    layer.set_parameters(at<T>(theta), nullptr);
    layer.forward(batch, at<T>(x), at<T>(y), dense);
    layer.backward(batch, at<T>(x), at<T>(y), at<T>(dx), at<SumOf<T>>(dtheta), nullptr, dense);
  });
}

template <class T>
void measure_pattern(std::uint64_t n, std::uint64_t params, double copy, const std::optional<CudaProducts>& products,
                     const char* type, Rng& rng) {
  const TiedPattern pattern = random_pattern({n, n, params}, Kind::dense, rng);
  const CudaPattern device(pattern, {1, 1});
  const CudaMemory W(0, n * n * sizeof(T)), theta = on_device(random_numbers<T>(params, rng)),
                                            x = on_device(random_numbers<T>(n, rng)), y(0, n * sizeof(T)),
                                            sums(0, params * sizeof(SumOf<T>));
  const double gather = seconds_of([&] { device.materialise<T>(at<T>(theta), at<T>(W)); });
  const double reduction = seconds_of([&] { device.reduce<T>(at<T>(W), at<SumOf<T>>(sums)); });
  const bool few = cuda::uses_bins(pattern.data());
  const double entries = static_cast<double>(n * n), code = params <= 127 ? 1 : params <= 32767 ? 2 : 4;
  const double made = entries * (sizeof(T) + code) / gather;
  const double read = entries * (static_cast<double>(sizeof(T)) + (few ? 1.0 : 2.0)) / reduction;
  std::string look = "-", gemv = "-";
  if (few)
    look = fmt::format("{:.1f}", 1e6 * seconds_of([&] { device.apply<T>(1, at<T>(theta), at<T>(x), at<T>(y)); }));
  if (products)
    gemv =
        fmt::format("{:.1f}", 1e6 * seconds_of([&] { products->multiply<T>(1, n, n, at<T>(W), at<T>(x), at<T>(y)); }));
  fmt::print(
      "{:>6} {:>6} {:>6} | {:>7.0f} | {:>7.1f} {:>7.0f} {:>4.0f}% | {:>7.1f} {:>7.0f} {:>4.0f}% | {:>8} "
      "{:>8}\n",
      type, n, params, copy / 1e9, gather * 1e6, made / 1e9, 100 * made / copy, reduction * 1e6, read / 1e9,
      100 * read / copy, look, gemv);
  std::fflush(stdout);
}

// The degrees of the irreducible representations of S_5, each as often as its degree: the sizes of the regular representation.
IsotypicDecomposition sizes_of_S5(Rng& rng) {
  std::vector<IsotypicBlock> blocks;
  for (const std::uint64_t d : {1, 4, 5, 6, 5, 4, 1}) blocks.push_back({1, d, d, d});
  std::vector<double> matrix = random_numbers<double>(120 * 120, rng);
  for (std::uint64_t i = 0; i < 120; ++i) matrix[i * 121] += 40;
  return IsotypicDecomposition({blocks, matrix, matrix});
}

template <class T>
void measure_isotypic(const CudaProducts& products, const char* type, Rng& rng) {
  const IsotypicDecomposition d = sizes_of_S5(rng);
  const Multiplicity c{64, 64};
  const std::uint64_t side = 120 * 64;
  const CudaIsotypic<T> isotypic(d, c, 1024, products);
  const CudaMemory W(0, side * side * sizeof(T)), theta(0, isotypic.params() * sizeof(T)),
      x(0, 1024 * side * sizeof(T)), y(0, 1024 * side * sizeof(T)), dx(0, 1024 * side * sizeof(T)),
      sums(0, isotypic.params() * sizeof(SumOf<T>));
  for (const CudaMemory* memory : {&W, &theta, &x, &y}) cuda::set_zero(0, nullptr, memory->data(), memory->bytes());
  isotypic.set_parameters(at<T>(theta));
  const CudaRates& rates = cuda_rates<T>(products);
  for (const std::uint64_t batch : {1, 16, 64, 256, 1024}) {
    const double dense = seconds_of([&] { products.multiply<T>(batch, side, side, at<T>(W), at<T>(x), at<T>(y)); });
    const double blocks = seconds_of([&] { isotypic.forward(batch, at<T>(x), at<T>(y)); });
    const double gradients =
        seconds_of([&] { isotypic.backward(batch, at<T>(x), at<T>(y), at<T>(dx), at<SumOf<T>>(sums)); });
    // Without what making W costs: it is there already.
    const double expected_dense =
        cuda_expected_seconds(LayerForm::dense, {120, 120, 120, c, sizeof(T), 1}, batch, 1e9, rates);
    const double expected = cuda_expected_seconds(d, c, sizeof(T), batch, rates);
    const bool picked = expected < expected_dense / 1.1;
    fmt::print("{:>6} {:>6} | {:>9.1f} {:>9.1f} {:>6.2f}x | {:>9.1f} | {:>9.1f} {:>9.1f} {:>9}{}\n", type, batch,
               dense * 1e6, blocks * 1e6, dense / blocks, gradients * 1e6, expected_dense * 1e6, expected * 1e6,
               picked ? "isotypic" : "dense", picked == (blocks < dense) ? "" : "  (the other is faster)");
    std::fflush(stdout);
  }
}

// Sixty-four small arrays one by one, in groups, and as a graph.
void measure_small(Rng& rng) {
  fmt::print(
      "\n64 arrays at once, float, 15 parameters, us for all: one by one, in groups, one by one as a "
      "graph\n");
  fmt::print("{:>6} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9}\n", "side", "material.", "grouped", "graph", "reduce",
             "grouped", "graph");
  for (const std::uint64_t n : {64, 128, 256, 512}) {
    std::vector<CudaPattern> all;
    std::vector<CudaMemory> theta, W, sums;
    for (int k = 0; k < 64; ++k) {
      all.emplace_back(random_pattern({n, n, 15}, Kind::dense, rng), Multiplicity{1, 1});
      theta.push_back(on_device(random_numbers<float>(15, rng)));
      W.emplace_back(0, n * n * sizeof(float));
      sums.emplace_back(0, 15 * sizeof(float));
    }
    std::vector<const CudaPattern*> list;
    std::vector<const float*> from, read;
    std::vector<float*> to, out;
    for (std::size_t k = 0; k < all.size(); ++k) {
      list.push_back(&all[k]);
      from.push_back(at<float>(theta[k]));
      to.push_back(at<float>(W[k]));
      read.push_back(at<float>(W[k]));
      out.push_back(at<float>(sums[k]));
    }
    const auto make = [&](void* stream) {
      for (std::size_t k = 0; k < all.size(); ++k) all[k].materialise<float>(from[k], to[k], stream);
    };
    const auto add = [&](void* stream) {
      for (std::size_t k = 0; k < all.size(); ++k) all[k].reduce<float>(read[k], out[k], stream);
    };
    const CudaStream stream;
    cuda_synchronise(0);
    void* const on = stream.get();
    const CudaGraph making = CudaGraph::capture(stream, make), adding = CudaGraph::capture(stream, add);
    const double times[] = {seconds_of([&] { make(on); }),
                            seconds_of([&] { materialise<float>(list, from, to, on); }),
                            seconds_of([&] { making.launch(on); }),
                            seconds_of([&] { add(on); }),
                            seconds_of([&] { reduce_gradient<float>(list, read, out, on); }),
                            seconds_of([&] { adding.launch(on); })};
    fmt::print("{:>6} | {:>9.1f} {:>9.1f} {:>9.1f} | {:>9.1f} {:>9.1f} {:>9.1f}\n", n, times[0] * 1e6, times[1] * 1e6,
               times[2] * 1e6, times[3] * 1e6, times[4] * 1e6, times[5] * 1e6);
  }
}

// Forward and backward of some small layers, as they are and as a graph.
void measure_graph(const CudaProducts& products, Rng& rng) {
  constexpr std::uint64_t layers = 8, n = 128, batch = 32;
  std::vector<CudaLayer<float>> all;
  const TiedPattern bias(n, 1, 1, std::vector<std::uint8_t>(n, 1));
  for (std::uint64_t k = 0; k < layers; ++k)
    all.emplace_back(random_pattern({n, n, 15}, Kind::dense, rng), bias, Multiplicity{2, 2}, products);
  const CudaMemory theta = on_device(random_numbers<float>(60, rng)), b = on_device(random_numbers<float>(2, rng)),
                   x = on_device(random_numbers<float>(batch * 2 * n, rng)), y(0, batch * 2 * n * 4),
                   dx(0, batch * 2 * n * 4), dtheta(0, 60 * 4), dbias(0, 2 * 4);
  const auto work = [&](void* stream) {
    for (auto& layer : all) {
      layer.set_parameters(at<float>(theta), at<float>(b), stream);
      layer.forward(batch, at<float>(x), at<float>(y), {LayerMode::dense, 1}, stream);
    }
    for (auto& layer : all)
      layer.backward(batch, at<float>(x), at<float>(y), at<float>(dx), at<float>(dtheta), at<float>(dbias),
                     {LayerMode::dense, 1}, stream);
  };
  const CudaStream stream;
  const CudaGraph graph = CudaGraph::capture(stream, work);
  const double plain = seconds_of([&] { work(stream.get()); });
  const double replayed = seconds_of([&] { graph.launch(stream.get()); });
  fmt::print(
      "\n{} layers of {} x {}, 2 x 2 channels, batch {}, forward and backward: {:.1f} us, as a graph {:.1f} "
      "us\n",
      layers, n, n, batch, plain * 1e6, replayed * 1e6);
}

}  // namespace

void measure(Rng& rng) {
  std::optional<CudaProducts> products;
  if (CudaProducts::available()) products.emplace(0);
  fmt::print(
      "\n{}{}\nMaps, random codes: GB/s are bytes of W (dW) and of its codes (lists) once, beside those that "
      "a copy reads and "
      "writes.\n",
      cuda_device_name(0), products ? ", " + products->library() : std::string());
  fmt::print("{:>6} {:>6} {:>6} | {:>7} | {:>7} {:>7} {:>5} | {:>7} {:>7} {:>5} | {:>8} {:>8}\n", "type", "side",
             "params", "copy", "make us", "GB/s", "", "red. us", "GB/s", "", "look-up", "GEMV us");
  const double large = copy_rate(std::uint64_t{1} << 30);
  for (const std::uint64_t n : {512, 1024, 2048, 4096, 8192}) {
    const double copy = copy_rate(n * n * sizeof(float));
    for (const std::uint64_t params : {2, 15, 127, 1000, 5000})
      measure_pattern<float>(n, params, copy, products, "float", rng);
  }
  for (const std::uint64_t n : {2048, 8192}) {
    const double copy = copy_rate(n * n * sizeof(Half));
    measure_pattern<Bf16>(n, 15, copy, products, "bf16", rng);
    measure_pattern<Half>(n, 15, copy, products, "fp16", rng);
    measure_pattern<double>(n, 15, copy_rate(n * n * sizeof(double)), products, "double", rng);
  }
  fmt::print("A copy of 1 GiB: {:.0f} GB/s\n", large / 1e9);
  if (products) {
    const CudaProducts tf32(0, {true, true});
    fmt::print("Products: float {:.1f}, TF32 {:.0f}, double {:.1f}, bf16 {:.0f}, fp16 {:.0f} Tflop/s\n",
               cuda_rates<float>(*products).flops / 1e12, cuda_rates<float>(tf32).flops / 1e12,
               cuda_rates<double>(*products).flops / 1e12, cuda_rates<Bf16>(*products).flops / 1e12,
               cuda_rates<Half>(*products).flops / 1e12);
    fmt::print(
        "\nIsotypic beside dense (W there already), sizes of the regular representation of S_5, 64 x 64 "
        "channels, us; "
        "grouped: {}\n",
        products->grouped() ? "yes" : "no");
    fmt::print("{:>6} {:>6} | {:>9} {:>9} {:>7} | {:>9} | {:>9} {:>9} {:>9}\n", "type", "batch", "dense", "isotypic",
               "", "backward", "expected:", "isotypic", "picked");
    measure_isotypic<float>(*products, "float", rng);
    measure_isotypic<float>(tf32, "tf32", rng);
    measure_isotypic<Bf16>(*products, "bf16", rng);
    measure_isotypic<Half>(*products, "fp16", rng);
  }
  measure_small(rng);
  if (products) measure_graph(*products, rng);
}

}  // namespace test_gpu
