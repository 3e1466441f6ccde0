// Numeric layers: materialise against memcpy, reduce against one read of dW, products through codes against dense ones.
// Every benchmark checks its answer first. Sizes are the argument: a square table.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/random.hpp"
#include "intertwine/representations/actions.hpp"
#include "numeric/irreducibles.hpp"
#include "numeric/tied_pattern.hpp"

namespace {

using namespace intertwine;
using numeric_detail::TiedPattern;

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(static_cast<double>(rng() >> 11) / 9007199254740992.0 * 2 - 1);
  return out;
}

TiedPattern pattern_of(std::uint64_t n, std::uint64_t params, const auto& code) {
  std::vector<std::int32_t> codes(n * n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) codes[i * n + j] = static_cast<std::int32_t>(code(i, j));
  if (code_bytes(params) == 1) return TiedPattern(n, n, params, std::vector<std::uint8_t>(codes.begin(), codes.end()));
  return TiedPattern(n, n, params, codes);
}

TiedPattern random_pattern(std::uint64_t n, std::uint64_t params) {
  Rng rng(n * 31 + params);
  return pattern_of(n, params, [&](auto, auto) { return rng.below(2 * params + 1); });
}

// Unsigned codes only, without structural zeros: as most permutation representations have.
TiedPattern plus_pattern(std::uint64_t n, std::uint64_t params) {
  Rng rng(n * 37 + params);
  return pattern_of(n, params, [&](auto, auto) { return 1 + rng.below(params); });
}

TiedPattern circulant(std::uint64_t n, bool shuffled) {
  Rng rng(n);
  std::vector<std::uint64_t> order(n);
  for (std::uint64_t i = 0; i < n; ++i) order[i] = i;
  if (shuffled)
    for (std::uint64_t i = n; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return pattern_of(n, n, [&](auto i, auto j) { return 1 + (j + n - order[i]) % n; });
}

// Translations of a square torus.
TiedPattern torus(std::uint64_t n) {
  const auto side = static_cast<std::uint64_t>(std::lround(std::sqrt(static_cast<double>(n))));
  return pattern_of(n, n, [&](auto i, auto j) {
    return 1 + (j / side + side - i / side) % side * side + (j % side + side - i % side) % side;
  });
}

void memory_copy(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto from = random_floats(n * n, 1);
  std::vector<float> to(n * n);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), n * n * sizeof(float));
    benchmark::ClobberMemory();
  }
}

void one_read(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto from = random_floats(n * n, 1);
  const Eigen::Map<const Eigen::ArrayXf> all(from.data(), static_cast<Eigen::Index>(n * n));
  for (auto _ : state) benchmark::DoNotOptimize(all.sum());
}

void materialise_table(benchmark::State& state, TiedPattern (*make)(std::uint64_t, std::uint64_t),
                       std::uint64_t params) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const TiedPattern pattern = make(n, params);
  const auto theta = random_floats(params, 2);
  std::vector<float> W(n * n);
  materialise<float>(pattern, {1, 1}, theta, W);
  for (std::uint64_t k = 0; k < n * n; k += 97) {
    const std::uint64_t code = pattern.code(k / n, k % n);
    const float expected = code == 0 ? 0 : code <= params ? theta[code - 1] : -theta[code - 1 - params];
    if (W[k] != expected) return state.SkipWithError("wrong entry");
  }
  for (auto _ : state) {
    materialise<float>(pattern, {1, 1}, theta, W);
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(instruction_set()));
}

void reduce_pattern(benchmark::State& state, const TiedPattern& pattern) {
  const auto dW = random_floats(pattern.rows() * pattern.cols(), 3);
  std::vector<float> dtheta(pattern.params());
  reduce_gradient<float>(pattern, {1, 1}, dW, dtheta);
  std::vector<double> expected(pattern.params(), 0.0);
  for (std::uint64_t k = 0; k < dW.size(); ++k) {
    const std::uint64_t code = pattern.code(k / pattern.cols(), k % pattern.cols());
    if (code == 0) continue;
    const bool minus = code > pattern.params();
    expected[minus ? code - 1 - pattern.params() : code - 1] += minus ? -dW[k] : dW[k];
  }
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (std::abs(expected[k] - static_cast<double>(dtheta[k])) > 1e-2) return state.SkipWithError("wrong sum");
  for (auto _ : state) {
    reduce_gradient<float>(pattern, {1, 1}, dW, dtheta);
    benchmark::ClobberMemory();
  }
  state.SetLabel(pattern.reduction());
}

void reduce_table(benchmark::State& state, std::uint64_t params) {
  reduce_pattern(state, random_pattern(static_cast<std::uint64_t>(state.range(0)), params));
}
void reduce_plus(benchmark::State& state, std::uint64_t params) {
  reduce_pattern(state, plus_pattern(static_cast<std::uint64_t>(state.range(0)), params));
}
void reduce_circulant(benchmark::State& state, bool shuffled) {
  reduce_pattern(state, circulant(static_cast<std::uint64_t>(state.range(0)), shuffled));
}
void reduce_torus(benchmark::State& state) { reduce_pattern(state, torus(static_cast<std::uint64_t>(state.range(0)))); }

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void eigen_product(benchmark::State& state, std::int64_t batch) {
  const std::int64_t n = state.range(0);
  const RowMajor W = RowMajor::Random(n, n), x = RowMajor::Random(batch, n);
  RowMajor y(batch, n);
  for (auto _ : state) {
    if (batch == 1)
      y.row(0).transpose().noalias() = W * x.row(0).transpose();
    else
      y.noalias() = x * W.transpose();
    benchmark::ClobberMemory();
  }
  state.SetLabel(Eigen::SimdInstructionSetsInUse());
}

void layer_product(benchmark::State& state, std::uint64_t params, std::uint64_t batch, LayerMode mode) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const TiedPattern bias(n, 1, 0, std::vector<std::uint8_t>(n, 0));
  const auto layer =
      BlockLayer<float>(random_pattern(n, params), bias, {1, 1}).with_parameters(random_floats(params, 4));
  const auto x = random_floats(n * batch, 5);
  std::vector<float> y(n * batch), other(n * batch);
  const LayerForm ran = layer.forward(batch, x, y, {mode, 1, 1});
  layer.forward(batch, x, other, {LayerMode::dense, 1, 1});
  for (std::size_t k = 0; k < y.size(); ++k)
    if (std::abs(y[k] - other[k]) > 1e-3F * static_cast<float>(n)) return state.SkipWithError("forms differ");
  for (auto _ : state) {
    layer.forward(batch, x, y, {mode, 1, 1});
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(ran));
}

void backward_product(benchmark::State& state, std::uint64_t params, std::uint64_t batch) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const TiedPattern bias(n, 1, 0, std::vector<std::uint8_t>(n, 0));
  const auto layer =
      BlockLayer<float>(random_pattern(n, params), bias, {1, 1}).with_parameters(random_floats(params, 4));
  const auto x = random_floats(n * batch, 5), dy = random_floats(n * batch, 6);
  std::vector<float> dx(n * batch), dtheta(params);
  for (auto _ : state) {
    layer.backward(batch, x, dy, dx, dtheta, {}, {});
    benchmark::ClobberMemory();
  }
}

// A step of training without a layer: y, dx and dtheta from x, dy and theta where they lie.
void plan_training(benchmark::State& state, const TiedPattern& weights, Multiplicity channels, std::uint64_t batch,
                   LayerMode mode) {
  const LayerPlan<float> plan(weights, TiedPattern(weights.rows(), 1, 0, std::vector<std::uint8_t>(weights.rows(), 0)),
                              channels);
  const auto x = random_floats(plan.inputs() * batch, 5), dy = random_floats(plan.outputs() * batch, 6),
             theta = random_floats(plan.parameters(), 4);
  std::vector<float> y(dy.size()), dx(x.size()), dtheta(theta.size());
  LayerForm ran{};
  for (auto _ : state) {
    ran = plan.apply(batch, x, theta, {}, y, {mode, 1, 1});
    plan.gradients(batch, x, dy, theta, dx, dtheta, {}, {mode, 1, 1});
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(ran));
}

void random_training(benchmark::State& state, std::uint64_t params, LayerMode mode) {
  plan_training(state, random_pattern(static_cast<std::uint64_t>(state.range(0)), params), {1, 1}, 64, mode);
}
void circulant_training(benchmark::State& state, LayerMode mode) {
  plan_training(state, circulant(static_cast<std::uint64_t>(state.range(0)), false), {1, 1}, 64, mode);
}
// The square's symmetries on its corners, with four channels: what a call costs.
void small_training(benchmark::State& state) {
  const auto code = [](auto i, auto j) {
    const std::uint64_t apart = (i + 4 - j) % 4;
    return 1 + std::min<std::uint64_t>(apart, 4 - apart);
  };
  plan_training(state, pattern_of(4, 3, code), {4, 4}, 16, LayerMode::automatic);
}

// The same by Eigen, with weights that are there: three products and nothing else.
void eigen_training(benchmark::State& state, std::int64_t batch) {
  const std::int64_t n = state.range(0);
  const RowMajor W = RowMajor::Random(n, n), x = RowMajor::Random(batch, n), dy = RowMajor::Random(batch, n);
  RowMajor y(batch, n), dx(batch, n), dW(n, n);
  for (auto _ : state) {
    y.noalias() = x * W.transpose();
    dx.noalias() = dy * W;
    dW.noalias() = dy.transpose() * x;
    benchmark::ClobberMemory();
  }
}

// The pattern of S_n on perm^2: 15 parameters for n >= 4, two levels of indices.
TiedPattern graph_pattern(std::uint64_t nodes) {
  std::vector<std::uint8_t> codes;
  std::vector<std::string> kinds;
  for (std::uint64_t r = 0; r < nodes * nodes; ++r)
    for (std::uint64_t c = 0; c < nodes * nodes; ++c) {
      const std::uint64_t at[4] = {r / nodes, r % nodes, c / nodes, c % nodes};
      std::string kind;  // the set partition of the four indices
      for (int k = 0; k < 4; ++k) kind += static_cast<char>('0' + (std::find(at, at + 4, at[k]) - at));
      auto known = std::find(kinds.begin(), kinds.end(), kind);
      if (known == kinds.end()) known = kinds.insert(kinds.end(), kind);
      codes.push_back(static_cast<std::uint8_t>(1 + (known - kinds.begin())));
    }
  return TiedPattern(nodes * nodes, nodes * nodes, kinds.size(), codes);
}

void graph_layer(benchmark::State& state, std::uint64_t nodes, LayerMode mode) {
  const auto batch = static_cast<std::uint64_t>(state.range(0));
  const TiedPattern weights = graph_pattern(nodes);
  const TiedPattern bias(nodes * nodes, 1, 0, std::vector<std::uint8_t>(nodes * nodes, 0));
  const auto layer =
      BlockLayer<float>(weights, bias, {32, 32}).with_parameters(random_floats(weights.params() * 1024, 4));
  const auto x = random_floats(layer.inputs() * batch, 5);
  std::vector<float> y(layer.outputs() * batch);
  const LayerForm ran = layer.forward(batch, x, y, {mode, 1, 1});
  for (auto _ : state) {
    layer.forward(batch, x, y, {mode, 1, 1});
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(ran));
}

// The regular representation of S_5: dense 120 x 120 a pair of channels, isotypic 596 numbers and two changes of basis.
const BlockLayer<float>& regular_layer(std::uint64_t channels) {
  static std::map<std::uint64_t, BlockLayer<float>> known;
  const auto found = known.find(channels);
  if (found != known.end()) return found->second;
  const FiniteGroup G = symmetric_group(5);
  const auto basis = hom::equivariant_basis(regular_representation(G), regular_representation(G));
  const WeightBlock table = basis.table().block();
  const test_irreducibles::Change change = test_irreducibles::regular_symmetric_group(G, 5);
  const PreparedPattern weights(table.weights);
  const BlockLayer<float> empty(weights, PreparedPattern(table.bias), {channels, channels});
  const IsotypicMap map(weights, IsotypicDecomposition({change.blocks, change.matrix, change.matrix}));
  const auto theta = random_floats(empty.theta().size(), 4);
  return known.emplace(channels, empty.with_decomposition(map).with_parameters(theta)).first->second;
}

// `new_theta`: every product has other parameters, as in training.
void regular_product(benchmark::State& state, std::uint64_t channels, LayerMode mode, bool new_theta) {
  const auto batch = static_cast<std::uint64_t>(state.range(0));
  const BlockLayer<float>& layer = regular_layer(channels);
  const auto x = random_floats(layer.inputs() * batch, 5);
  std::vector<float> y(layer.outputs() * batch), dense(y.size());
  const LayerForm ran = layer.forward(batch, x, y, {mode, 1, 1e9});
  layer.forward(batch, x, dense, {LayerMode::dense, 1, 1});
  for (std::size_t k = 0; k < y.size(); ++k)
    if (std::abs(y[k] - dense[k]) > 1e-2F * (1 + std::abs(dense[k]))) return state.SkipWithError("forms differ");
  for (auto _ : state) {
    if (new_theta)
      layer.with_parameters(layer.theta()).forward(batch, x, y, {mode, 1, 1});
    else
      layer.forward(batch, x, y, {mode, 1, 1e9});
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(ran));
}

void regular_backward(benchmark::State& state, std::uint64_t channels, LayerMode mode) {
  const auto batch = static_cast<std::uint64_t>(state.range(0));
  const BlockLayer<float>& layer = regular_layer(channels);
  const auto x = random_floats(layer.inputs() * batch, 5), dy = random_floats(layer.outputs() * batch, 6);
  std::vector<float> dx(x.size()), dtheta(layer.theta().size());
  for (auto _ : state) {
    layer.backward(batch, x, dy, dx, dtheta, {}, {mode, 1, 1e9});
    benchmark::ClobberMemory();
  }
}

void torus_product(benchmark::State& state, std::uint64_t channels, std::uint64_t batch, LayerMode mode) {
  const TiedPattern weights = torus(static_cast<std::uint64_t>(state.range(0)));
  const TiedPattern bias(weights.rows(), 1, 0, std::vector<std::uint8_t>(weights.rows(), 0));
  const BlockLayer<float> empty(weights, bias, {channels, channels});
  const auto layer = empty.with_parameters(random_floats(empty.theta().size(), 4));
  const auto x = random_floats(layer.inputs() * batch, 5);
  std::vector<float> y(layer.outputs() * batch);
  const LayerForm ran = layer.forward(batch, x, y, {mode, 1, 1e9});
  for (auto _ : state) {
    layer.forward(batch, x, y, {mode, 1, 1e9});
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(ran));
}

// Seconds of processor time of one product: the least of some repetitions.
double least_seconds(const BlockLayer<float>& layer, std::uint64_t batch, LayerForm form) {
  const auto x = random_floats(layer.inputs() * batch, 5);
  std::vector<float> y(layer.outputs() * batch);
  const LayerOptions options{parse_layer_mode(to_string(form)), 1, 1};
  const auto now = [] {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  layer.forward(batch, x, y, options);
  double least = 1e9, all = 0;
  for (int repeat = 0; repeat < 7 || (all < 0.01 && repeat < 2000); ++repeat) {
    const double start = now();
    layer.forward(batch, x, y, options);
    const double seconds = now() - start;
    least = std::min(least, seconds);
    all += seconds;
    if (repeat >= 2 && all > 0.5) break;
  }
  return least;
}

struct PickedLayer {
  std::string name;
  BlockLayer<float> layer;
  std::vector<std::uint64_t> batches;
};

// Tables of all kinds and sizes, some with channels.
std::vector<PickedLayer> picked_layers() {
  std::vector<PickedLayer> out;
  const auto add = [&](std::string name, const TiedPattern& weights, std::uint64_t channels,
                       std::vector<std::uint64_t> batches) {
    const TiedPattern bias(weights.rows(), 1, 0, std::vector<std::uint8_t>(weights.rows(), 0));
    const BlockLayer<float> empty(weights, bias, {channels, channels});
    out.push_back({std::move(name), empty.with_parameters(random_floats(empty.theta().size(), 4)), std::move(batches)});
  };
  for (const std::uint64_t n : {64, 256, 1024, 2048})
    for (const std::uint64_t params : {2, 15, 127, 1000})
      add(fmt::format("random {} x {}, {} parameters", n, n, params), random_pattern(n, params), 1, {1, 8, 64, 256});
  add("random 64 x 64, 8 parameters, 16 channels", random_pattern(64, 8), 16, {1, 8, 64});
  for (const std::uint64_t nodes : {6, 12})
    for (const std::uint64_t channels : {4, 32})
      add(fmt::format("graph of {} nodes, {} channels", nodes, channels), graph_pattern(nodes), channels, {1, 16});
  for (const std::uint64_t n : {64, 256, 1024})
    for (const std::uint64_t channels : {1, 8})
      add(fmt::format("torus of {} points, {} channels", n, channels), torus(n), channels, {1, 32});
  for (const std::uint64_t channels : {1, 4, 16, 64})
    out.push_back({fmt::format("regular S5, {} channels", channels), regular_layer(channels), {1, 16}});
  return out;
}

// How often LayerMode::fastest takes a form that is within 15 % of the best.
void picks(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t cases = 0, good = 0;
    for (const PickedLayer& picked : picked_layers())
      for (const std::uint64_t batch : picked.batches) {
        std::map<LayerForm, double> seconds;
        for (const LayerForm form : picked.layer.forms()) {
          const double expected = picked.layer.expected_seconds(form, batch, {LayerMode::fastest, 1, 1e9});
          // What is expected to take a hundred times longer is not waited for.
          if (form == LayerForm::dense || expected < 30 * seconds[LayerForm::dense])
            seconds[form] = least_seconds(picked.layer, batch, form);
        }
        const LayerForm form = picked.layer.pick(batch, {LayerMode::fastest, 1, 1e9});
        const auto best = std::min_element(seconds.begin(), seconds.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        ++cases;
        const bool within = seconds[form] <= 1.15 * best->second;
        good += within;
        if (within) continue;
        std::string text = fmt::format("{}, batch {}: {} picked, {} is best;", picked.name, batch, to_string(form),
                                       to_string(best->first));
        for (const auto& [f, s] : seconds)
          text += fmt::format(" {} {:.1f} us (expected {:.1f})", to_string(f), 1e6 * s,
                              1e6 * picked.layer.expected_seconds(f, batch, {LayerMode::fastest, 1, 1e9}));
        if (std::getenv("INTERTWINE_BENCH_PICKS") != nullptr) fmt::print(stderr, "{}\n", text);
      }
    state.SetLabel(fmt::format("{} of {} within 15 % of the best", good, cases));
    state.counters["good"] = static_cast<double>(good) / static_cast<double>(cases);
  }
}

BENCHMARK(picks)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(memory_copy)->Arg(1024)->Arg(4096)->Unit(benchmark::kMicrosecond);
BENCHMARK(one_read)->Arg(1024)->Unit(benchmark::kMicrosecond);
#define TABLES(name, make, params) \
  BENCHMARK_CAPTURE(materialise_table, name, make, params)->Arg(1024)->Unit(benchmark::kMicrosecond)
TABLES(3_codes, random_pattern, 1);
TABLES(31_codes, random_pattern, 15);
TABLES(63_codes, random_pattern, 31);
TABLES(127_codes, random_pattern, 63);
TABLES(255_codes, random_pattern, 127);
TABLES(1001_codes, random_pattern, 500);
TABLES(100001_codes, random_pattern, 50000);
BENCHMARK_CAPTURE(materialise_table, 31_codes_past_caches, random_pattern, 15)
    ->Arg(4096)
    ->Unit(benchmark::kMicrosecond);
#define REDUCE(params) \
  BENCHMARK_CAPTURE(reduce_table, params##_params, params)->Arg(1024)->Unit(benchmark::kMicrosecond)
REDUCE(1);
REDUCE(2);
REDUCE(4);
REDUCE(8);
REDUCE(15);
REDUCE(100);
REDUCE(500);
REDUCE(5000);
REDUCE(50000);
BENCHMARK_CAPTURE(reduce_plus, 2_params_no_signs, 2)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(reduce_plus, 8_params_no_signs, 8)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(reduce_table, small_15_params, 15)->Arg(64)->Arg(128)->Arg(256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(reduce_circulant, ordered, false)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(reduce_circulant, rows_permuted, true)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK(reduce_torus)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(eigen_product, batch_1, 1)->Arg(4096)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, lookup_31_codes_batch_1, 15, 1, LayerMode::lookup)
    ->Arg(4096)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, lookup_15_codes_batch_1, 7, 1, LayerMode::lookup)
    ->Arg(4096)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, lookup_255_codes_batch_1, 127, 1, LayerMode::lookup)
    ->Arg(4096)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, dense_batch_1, 15, 1, LayerMode::dense)->Arg(4096)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(eigen_product, batch_8, 8)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, lookup_31_codes_batch_8, 15, 8, LayerMode::lookup)
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, dense_batch_8, 15, 8, LayerMode::dense)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(eigen_product, batch_256, 256)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, dense_batch_256, 15, 256, LayerMode::dense)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(layer_product, lookup_batch_256, 15, 256, LayerMode::lookup)
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(backward_product, batch_1, 15, 1)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(backward_product, batch_256, 15, 256)->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(eigen_training, three_products_batch_64, 64)->Arg(256)->Arg(1024)->Unit(benchmark::kMicrosecond);
#define TRAINING(name, params, mode) \
  BENCHMARK_CAPTURE(random_training, name, params, LayerMode::mode)->Arg(256)->Arg(1024)->Unit(benchmark::kMicrosecond)
TRAINING(15_params_automatic, 15, automatic);
TRAINING(127_params_automatic, 127, automatic);
TRAINING(1000_params_automatic, 1000, automatic);
BENCHMARK_CAPTURE(circulant_training, automatic, LayerMode::automatic)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(circulant_training, fastest, LayerMode::fastest)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(small_training)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(graph_layer, dense, 12, LayerMode::dense)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(graph_layer, lookup, 12, LayerMode::lookup)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(graph_layer, implicit, 12, LayerMode::implicit)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(graph_layer, fastest, 12, LayerMode::fastest)->Arg(16)->Unit(benchmark::kMicrosecond);

#define REGULAR(channels)                                                                                  \
  BENCHMARK_CAPTURE(regular_product, dense_##channels##_channels, channels, LayerMode::dense, false)       \
      ->Arg(1)                                                                                             \
      ->Arg(16)                                                                                            \
      ->Arg(128)                                                                                           \
      ->Unit(benchmark::kMicrosecond);                                                                     \
  BENCHMARK_CAPTURE(regular_product, isotypic_##channels##_channels, channels, LayerMode::isotypic, false) \
      ->Arg(1)                                                                                             \
      ->Arg(16)                                                                                            \
      ->Arg(128)                                                                                           \
      ->Unit(benchmark::kMicrosecond)
REGULAR(4);
REGULAR(16);
REGULAR(64);
BENCHMARK_CAPTURE(regular_product, dense_64_channels_new_theta, 64, LayerMode::dense, true)
    ->Arg(16)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(regular_product, isotypic_64_channels_new_theta, 64, LayerMode::isotypic, true)
    ->Arg(16)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(regular_backward, dense_64_channels, 64, LayerMode::dense)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(regular_backward, isotypic_64_channels, 64, LayerMode::isotypic)
    ->Arg(16)
    ->Unit(benchmark::kMicrosecond);
#define TORUS(form)                                                                   \
  BENCHMARK_CAPTURE(torus_product, form##_1_channel_batch_1, 1, 1, LayerMode::form)   \
      ->Arg(1024)                                                                     \
      ->Unit(benchmark::kMicrosecond);                                                \
  BENCHMARK_CAPTURE(torus_product, form##_1_channel_batch_32, 1, 32, LayerMode::form) \
      ->Arg(1024)                                                                     \
      ->Unit(benchmark::kMicrosecond);                                                \
  BENCHMARK_CAPTURE(torus_product, form##_8_channels_batch_8, 8, 8, LayerMode::form)  \
      ->Arg(1024)                                                                     \
      ->Unit(benchmark::kMicrosecond)
TORUS(dense);
TORUS(fft);
TORUS(fastest);

}  // namespace
