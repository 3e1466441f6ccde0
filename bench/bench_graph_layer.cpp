// Layers of graphs, S_n on perm^2 with 32 channels on both sides: the forms of a plan beside a layer of fifteen operations written by
// hand (rows, columns, diagonal, total, trace, and what each is spread to), which knows what the table does not say. Forward, and forward
// and backward; the argument is the number of nodes.
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/numeric/layer_plan.hpp"
#include "intertwine/random.hpp"
#include "numeric/tied_pattern.hpp"

namespace {

using namespace intertwine;
using numeric_detail::TiedPattern;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(static_cast<double>(rng() >> 11) / 9007199254740992.0 * 2 - 1);
  return out;
}

// The partition of the four indices (output row and column, input row and column) of an entry of W.
std::string kind_of(std::uint64_t nodes, std::uint64_t r, std::uint64_t c) {
  const std::uint64_t at[4] = {r / nodes, r % nodes, c / nodes, c % nodes};
  std::string kind;
  for (int k = 0; k < 4; ++k) kind += static_cast<char>('0' + (std::find(at, at + 4, at[k]) - at));
  return kind;
}

TiedPattern graph_pattern(std::uint64_t nodes, std::vector<std::string>& kinds) {
  std::vector<std::uint8_t> codes;
  for (std::uint64_t r = 0; r < nodes * nodes; ++r)
    for (std::uint64_t c = 0; c < nodes * nodes; ++c) {
      const std::string kind = kind_of(nodes, r, c);
      auto known = std::find(kinds.begin(), kinds.end(), kind);
      if (known == kinds.end()) known = kinds.insert(kinds.end(), kind);
      codes.push_back(static_cast<std::uint8_t>(1 + (known - kinds.begin())));
    }
  return TiedPattern(nodes * nodes, nodes * nodes, kinds.size(), codes);
}

// The layer of operations. x, y: [batch * channels][n * n]; every operation contracts x to a few arrays over nothing, nodes or pairs, mixes
// the channels by a matrix of its own and spreads the result. In the basis of operations (not of orbits): W_o [15][out][in].
class HandWritten {
 public:
  HandWritten(std::uint64_t n, std::uint64_t channels, std::uint64_t batch)
      : n_(static_cast<Eigen::Index>(n)),
        c_(static_cast<Eigen::Index>(channels)),
        b_(static_cast<Eigen::Index>(batch)) {
    for (auto& w : mix) w = RowMajor::Random(c_, c_) * 0.1F;
  }
  std::vector<RowMajor> mix = std::vector<RowMajor>(15);

  // Of one vector of the batch: x [channels][n n].
  void forward(const float* x, float* y) const {
    for (Eigen::Index b = 0; b < b_; ++b, x += c_ * n_ * n_, y += c_ * n_ * n_) {
      const Contracted in = contract(x);
      spread(mixed(in, false), y);
    }
  }
  // The transpose of the same, and the gradients of the matrices.
  void backward(const float* x, const float* dy, float* dx, std::vector<RowMajor>& dmix) const {
    for (auto& d : dmix) d = RowMajor::Zero(c_, c_);
    for (Eigen::Index b = 0; b < b_; ++b, x += c_ * n_ * n_, dy += c_ * n_ * n_, dx += c_ * n_ * n_) {
      const Contracted in = contract(x), out = contract(dy);
      spread(mixed(out, true), dx);
      for (int o = 0; o < 15; ++o) {
        const auto [from, to] = operation(o);
        if (o == 1)  // the transposition
          dmix[1].noalias() += part(out, pairs) * turned(part(in, pairs)).transpose();
        else
          dmix[static_cast<std::size_t>(o)].noalias() += part(out, to) * part(in, from).transpose();
      }
    }
  }

 private:
  enum Part { pairs, rows, columns, diagonal, total, trace };
  using Contracted = std::vector<RowMajor>;  // [channels][n n], [channels][n] three times, [channels][1] twice
  static const RowMajor& part(const Contracted& all, Part p) { return all[static_cast<std::size_t>(p)]; }

  // What operation o contracts the input to and what the adjoint contracts the output to: fifteen in all.
  static std::pair<Part, Part> operation(int o) {
    constexpr Part nodes[] = {rows, columns, diagonal};
    if (o < 2) return {pairs, pairs};
    if (o < 11) return {nodes[(o - 2) / 3], nodes[(o - 2) % 3]};
    return {o % 2 == 0 ? trace : total, o < 13 ? total : trace};
  }
  Contracted contract(const float* x) const {
    Contracted out(6);
    out[pairs] = Eigen::Map<const RowMajor>(x, c_, n_ * n_);
    for (const Part p : {rows, columns, diagonal}) out[p].resize(c_, n_);
    for (const Part p : {total, trace}) out[p].resize(c_, 1);
    for (Eigen::Index c = 0; c < c_; ++c) {
      const Eigen::Map<const RowMajor> square(x + c * n_ * n_, n_, n_);
      out[rows].row(c) = square.rowwise().sum().transpose();
      out[columns].row(c) = square.colwise().sum();
      out[diagonal].row(c) = square.diagonal().transpose();
      out[total](c, 0) = square.sum();
      out[trace](c, 0) = square.trace();
    }
    return out;
  }
  RowMajor turned(const RowMajor& all) const {
    RowMajor out(c_, n_ * n_);
    for (Eigen::Index c = 0; c < c_; ++c)
      Eigen::Map<RowMajor>(out.data() + c * n_ * n_, n_, n_) =
          Eigen::Map<const RowMajor>(all.data() + c * n_ * n_, n_, n_).transpose();
    return out;
  }
  // What is spread over pairs, nodes and everything, after the channels are mixed.
  Contracted mixed(const Contracted& in, bool transpose) const {
    Contracted out(6);
    const auto times = [&](int o, const RowMajor& x) -> RowMajor {
      const RowMajor& w = mix[static_cast<std::size_t>(o)];
      if (transpose) return w.transpose() * x;
      return w * x;
    };
    out[pairs] = times(0, part(in, pairs)) + times(1, turned(part(in, pairs)));
    for (const Part p : {rows, columns, diagonal}) out[p] = RowMajor::Zero(c_, n_);
    for (const Part p : {total, trace}) out[p] = RowMajor::Zero(c_, 1);
    for (int o = 2; o < 15; ++o) {
      const auto [from, to] = operation(o);
      out[transpose ? from : to] += times(o, part(in, transpose ? to : from));
    }
    return out;
  }
  void spread(const Contracted& all, float* y) const {
    for (Eigen::Index c = 0; c < c_; ++c) {
      Eigen::Map<RowMajor> square(y + c * n_ * n_, n_, n_);
      square = Eigen::Map<const RowMajor>(all[pairs].data() + c * n_ * n_, n_, n_);
      square.colwise() += all[rows].row(c).transpose();
      square.rowwise() += all[columns].row(c);
      square.array() += all[total](c, 0);
      square.diagonal() += all[diagonal].row(c).transpose();
      square.diagonal().array() += all[trace](c, 0);
    }
  }

  Eigen::Index n_, c_, b_;
};

constexpr std::uint64_t channels = 32, batch = 16;

struct Graph {
  explicit Graph(std::uint64_t nodes) : n(nodes), hand(nodes, channels, batch) {
    const TiedPattern weights = graph_pattern(nodes, kinds);
    plan.emplace(weights, TiedPattern(nodes * nodes, 1, 0, std::vector<std::uint8_t>(nodes * nodes, 0)),
                 Multiplicity{channels, channels});
    x = random_floats(plan->inputs() * batch, 5);
    dy = random_floats(plan->outputs() * batch, 6);
    y.resize(dy.size());
    dx.resize(x.size());
    dtheta.resize(plan->parameters());
    // theta of the same layer: an entry of W is the sum of the operations that reach it.
    theta.assign(plan->parameters(), 0);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      for (int o = 0; o < 15; ++o)
        if (reaches(o, kinds[k]))
          for (std::uint64_t co = 0; co < channels; ++co)
            for (std::uint64_t ci = 0; ci < channels; ++ci)
              theta[(k * channels + co) * channels + ci] +=
                  hand.mix[static_cast<std::size_t>(o)](static_cast<Eigen::Index>(co), static_cast<Eigen::Index>(ci));
  }
  // Operation o has the entry 1 at the places of this kind.
  static bool reaches(int o, const std::string& kind) {
    const char a = kind[0], b = kind[1], c = kind[2], d = kind[3];  // output (a, b), input (c, d)
    if (o == 0) return a == c && b == d;
    if (o == 1) return a == d && b == c;
    if (o >= 11) return (o % 2 != 0 || c == d) && (o < 13 || a == b);
    const int from = (o - 2) / 3, to = (o - 2) % 3;  // of rows, columns, diagonal
    const char given = from == 1 ? d : c, taken = to == 1 ? b : a;
    return given == taken && (from != 2 || c == d) && (to != 2 || a == b);
  }

  std::uint64_t n;
  HandWritten hand;
  std::vector<std::string> kinds;
  std::optional<LayerPlan<float>> plan;
  std::vector<float> x, dy, y, dx, dtheta, theta;
};

Graph& graph(benchmark::State& state) {
  static std::map<std::int64_t, Graph> known;
  const auto n = state.range(0);
  return known.try_emplace(n, static_cast<std::uint64_t>(n)).first->second;
}

// Both layers are the same map, and so are their gradients.
bool agree(Graph& g, LayerMode mode) {
  std::vector<float> y(g.y.size()), dx(g.dx.size());
  std::vector<RowMajor> dmix(15);
  g.plan->apply(batch, g.x, g.theta, {}, g.y, {mode, 1, 1});
  g.plan->gradients(batch, g.x, g.dy, g.theta, g.dx, g.dtheta, {}, {mode, 1, 1});
  g.hand.forward(g.x.data(), y.data());
  g.hand.backward(g.x.data(), g.dy.data(), dx.data(), dmix);
  double off = 0;
  for (std::size_t k = 0; k < y.size(); ++k)
    off = std::max<double>(off, std::abs(y[k] - g.y[k]) / (1 + std::abs(y[k])));
  for (std::size_t k = 0; k < dx.size(); ++k)
    off = std::max<double>(off, std::abs(dx[k] - g.dx[k]) / (1 + std::abs(dx[k])));
  for (std::size_t o = 0; o < 15; ++o)
    for (std::uint64_t co = 0; co < channels; ++co)
      for (std::uint64_t ci = 0; ci < channels; ++ci) {
        double sum = 0;
        for (std::size_t k = 0; k < g.kinds.size(); ++k)
          if (Graph::reaches(static_cast<int>(o), g.kinds[k]))
            sum += static_cast<double>(g.dtheta[(k * channels + co) * channels + ci]);
        const double expected = dmix[o](static_cast<Eigen::Index>(co), static_cast<Eigen::Index>(ci));
        off = std::max(off, std::abs(sum - expected) / (1 + std::abs(expected)));
      }
  return off < 2e-3;
}

void hand_written(benchmark::State& state, bool gradients) {
  Graph& g = graph(state);
  std::vector<RowMajor> dmix(15);
  for (auto _ : state) {
    g.hand.forward(g.x.data(), g.y.data());
    if (gradients) g.hand.backward(g.x.data(), g.dy.data(), g.dx.data(), dmix);
    benchmark::ClobberMemory();
  }
}

void plan_products(benchmark::State& state, LayerMode mode, bool gradients) {
  Graph& g = graph(state);
  if (!agree(g, mode)) return state.SkipWithError("not the layer of the operations");
  LayerForm ran{}, back{};
  for (auto _ : state) {
    ran = g.plan->apply(batch, g.x, g.theta, {}, g.y, {mode, 1, 1});
    if (gradients) back = g.plan->gradients(batch, g.x, g.dy, g.theta, g.dx, g.dtheta, {}, {mode, 1, 1});
    benchmark::ClobberMemory();
  }
  state.SetLabel(to_string(ran) + (gradients ? ", " + to_string(back) : ""));
}

#define NODES ->Arg(6)->Arg(16)->Unit(benchmark::kMicrosecond)
BENCHMARK_CAPTURE(hand_written, forward, false) NODES;
BENCHMARK_CAPTURE(plan_products, forward_implicit, LayerMode::implicit, false) NODES;
BENCHMARK_CAPTURE(plan_products, forward_fastest, LayerMode::fastest, false) NODES;
BENCHMARK_CAPTURE(hand_written, training, true) NODES;
BENCHMARK_CAPTURE(plan_products, training_implicit, LayerMode::implicit, true) NODES;
BENCHMARK_CAPTURE(plan_products, training_fastest, LayerMode::fastest, true) NODES;
BENCHMARK_CAPTURE(plan_products, training_lookup, LayerMode::lookup, true)->Arg(6)->Unit(benchmark::kMicrosecond);

}  // namespace
