// Layers of diagrams on graphs: S_n on perm^2 with 16 channels on both sides and all fifteen diagrams, beside copies of x and of y in the same run. The
// argument is the number of nodes; "copies" is the time of a product by that of copying its input and its output once.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "intertwine/numeric/diagram_layer.hpp"
#include "intertwine/random.hpp"

namespace {

using namespace intertwine;

constexpr std::uint64_t channels = 16;

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(static_cast<double>(rng() >> 11) / 9007199254740992.0 * 2 - 1);
  return out;
}

/// y[c, a, b] from the definition: of each diagram the entries of x at which all equal letters have equal indices, summed or their mean.
double entry_of_y(const DiagramLayer<float>& layer, std::uint64_t n, const std::vector<float>& x, std::uint64_t c,
                  std::uint64_t a, std::uint64_t b) {
  double y = 0;
  for (std::uint64_t p = 0; p < layer.table().params; ++p) {
    const auto word = layer.table().diagram(p);
    const auto summed = [&](std::size_t k) { return word[k] != word[0] && word[k] != word[1]; };
    const double count =
        std::pow(static_cast<double>(n), (summed(2) ? 1 : 0) + (summed(3) && word[3] != word[2] ? 1 : 0));
    if (word[0] == word[1] && a != b) continue;
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        const std::uint64_t at[] = {a, b, i, j};
        bool agree = true;
        for (std::size_t k = 2; k < 4; ++k)
          for (std::size_t l = 0; l < k; ++l) agree = agree && (word[k] != word[l] || at[k] == at[l]);
        for (std::uint64_t d = 0; agree && d < channels; ++d)
          y += static_cast<double>(layer.theta()[(p * channels + c) * channels + d]) *
               static_cast<double>(x[(d * n + i) * n + j]) / count;
      }
  }
  return y;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void diagrams(benchmark::State& state, bool gradients) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const DiagramTable table = diagram_table("aa", "aa", {{}}, true, {channels, channels});
  const DiagramLayer<float> layer =
      DiagramLayer<float>(table, {n}).with_parameters(random_floats(15 * channels * channels, 1));
  const std::vector<float> x = random_floats(layer.inputs(), 2), dy = random_floats(layer.outputs(), 3);
  std::vector<float> y(layer.outputs()), dx(x.size()), dtheta(layer.theta().size()), to_x(x.size()), to_y(y.size());
  layer.forward(1, x, y, {.threads = 1});
  for (const auto& [c, a, b] :
       {std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>{0, 0, 0}, {3, 1, n - 1}, {15, n - 1, n / 2}})
    if (std::abs(static_cast<double>(y[(c * n + a) * n + b]) - entry_of_y(layer, n, x, c, a, b)) > 1e-2)
      return state.SkipWithError("not the sums of the diagrams");
  double copies = 0, products = 0;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    layer.forward(1, x, y, {.threads = 1});
    if (gradients) layer.backward(1, x, dy, dx, dtheta, {}, {.threads = 1});
    benchmark::ClobberMemory();
    products += seconds_since(start);
    state.PauseTiming();
    start = std::chrono::steady_clock::now();
    std::memcpy(to_x.data(), x.data(), x.size() * sizeof(float));
    std::memcpy(to_y.data(), y.data(), y.size() * sizeof(float));
    benchmark::ClobberMemory();
    copies += seconds_since(start);
    state.ResumeTiming();
  }
  state.counters["copies"] = products / copies;
}

BENCHMARK_CAPTURE(diagrams, forward, false)->Arg(30)->Arg(300)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(diagrams, training, true)->Arg(30)->Arg(300)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
