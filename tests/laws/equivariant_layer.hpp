// The laws of every model of EquivariantLayer, in every form that it has: y is linear in x and in the parameters, backward is
// the adjoint of both maps, coordinate by coordinate, forms agree, and neither threads nor what else is asked for change a bit.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/numeric/equivariant_layer.hpp"
#include "intertwine/numeric/half.hpp"
#include "intertwine/numeric/layer_plan.hpp"
#include "intertwine/random.hpp"

namespace laws {

using namespace intertwine;
using Numbers = std::vector<double>;

struct Parameters {
  Numbers theta, bias;
};
struct Gradients {
  Numbers dx, dtheta, dbias;
};
/// Which gradients are asked for.
struct Wanted {
  bool dx = true, dtheta = true, dbias = true;
};

template <class T>
std::vector<T> stored(const Numbers& numbers) {
  std::vector<T> out;
  for (const double v : numbers) out.push_back(from_number<T>(v));
  return out;
}
template <class T>
Numbers widened(const std::vector<T>& numbers) {
  Numbers out;
  for (const T v : numbers) out.push_back(static_cast<double>(to_number(v)));
  return out;
}

/// A layer of the processor, on numbers of double. Layers elsewhere have such an adaptor of their own.
template <EquivariantLayer L>
struct OnProcessor {
  using T = typename L::Number;
  L layer;

  std::uint64_t params() const { return layer.theta().size(); }
  std::uint64_t biases() const { return layer.bias_parameters().size(); }
  std::uint64_t inputs() const { return layer.inputs(); }
  std::uint64_t outputs() const { return layer.outputs(); }
  std::vector<LayerForm> forms() const { return layer.forms(); }
  L with(const Parameters& p) const { return layer.with_parameters(stored<T>(p.theta), stored<T>(p.bias)); }
  Numbers forward(const Parameters& p, std::uint64_t batch, const Numbers& x, LayerMode mode, unsigned threads) const {
    std::vector<T> y(batch * outputs(), T(99));
    with(p).forward(batch, stored<T>(x), y, {mode, threads, 1});
    return widened(y);
  }
  Gradients backward(const Parameters& p, std::uint64_t batch, const Numbers& x, const Numbers& dy, LayerMode mode,
                     unsigned threads, Wanted wanted) const {
    std::vector<T> dx(wanted.dx ? x.size() : 0, T(99)), dtheta(wanted.dtheta ? params() : 0, T(99)),
        dbias(wanted.dbias ? biases() : 0, T(99));
    with(p).backward(batch, stored<T>(x), stored<T>(dy), dx, dtheta, dbias, {mode, threads, 1});
    return {widened(dx), widened(dtheta), widened(dbias)};
  }
};

/// The same products by a plan, which is given everything with each call: arrays with gaps, channels fastest, gradients one by one.
template <class T>
struct OnPlan {
  LayerPlan<T> plan;

  std::uint64_t params() const { return plan.parameters(); }
  std::uint64_t biases() const { return plan.bias_parameters(); }
  std::uint64_t inputs() const { return plan.inputs(); }
  std::uint64_t outputs() const { return plan.outputs(); }
  std::vector<LayerForm> forms() const { return plan.forms(); }

  /// An array of the layer, [batch, channels, dim], as it lies for PyTorch after a transposition, and with room between vectors.
  struct Array {
    std::uint64_t batch, channels, dim;
    std::vector<T> memory;
    Array(std::uint64_t b, std::uint64_t c, std::uint64_t d) : batch(b), channels(c), dim(d) {
      memory.assign(b * c * d == 0 ? 0 : (b - 1) * strides().batch + c * d, T(99));
    }
    Array(std::uint64_t b, std::uint64_t c, std::uint64_t d, const Numbers& numbers) : Array(b, c, d) {
      each([&](std::size_t k, T& to) { to = from_number<T>(numbers[k]); });
    }
    ArrayStrides strides() const { return {channels * dim + 3, 1, channels}; }
    template <class F>
    void each(const F& f) {
      std::size_t k = 0;
      for (std::uint64_t b = 0; b < batch; ++b)
        for (std::uint64_t c = 0; c < channels; ++c)
          for (std::uint64_t j = 0; j < dim; ++j, ++k) f(k, memory[b * strides().batch + c + j * channels]);
    }
    Numbers numbers() {
      Numbers out(batch * channels * dim);
      each([&](std::size_t k, T& from) { out[k] = static_cast<double>(from); });
      return out;
    }
    Strided<T> view() { return {std::span<T>(memory), strides()}; }
  };

  Numbers forward(const Parameters& p, std::uint64_t batch, const Numbers& x, LayerMode mode, unsigned threads) const {
    Array from(batch, plan.channels().in, plan.weights().cols(), x),
        to(batch, plan.channels().out, plan.weights().rows());
    plan.apply(batch, from.view(), stored<T>(p.theta), stored<T>(p.bias), to.view(), {mode, threads, 1});
    return to.numbers();
  }
  Gradients backward(const Parameters& p, std::uint64_t batch, const Numbers& x, const Numbers& dy, LayerMode mode,
                     unsigned threads, Wanted wanted) const {
    const Multiplicity c = plan.channels();
    Array from(batch, c.in, plan.weights().cols(), x), back(batch, c.out, plan.weights().rows(), dy),
        to(batch, c.in, plan.weights().cols());
    std::vector<T> dtheta(wanted.dtheta ? params() : 0, T(99)), dbias(wanted.dbias ? biases() : 0, T(99));
    const LayerOptions options{mode, threads, 1};
    if (wanted.dx) plan.apply_transposed(batch, back.view(), stored<T>(p.theta), to.view(), options);
    if (wanted.dtheta) plan.outer(batch, from.view(), back.view(), dtheta, options);
    if (wanted.dbias) plan.bias_gradient(batch, back.view(), dbias, threads);
    return {wanted.dx ? to.numbers() : Numbers{}, widened(dtheta), widened(dbias)};
  }
};

inline Numbers sum(const Numbers& a, double factor, const Numbers& b) {
  Numbers out = a;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += factor * b[k];
  return out;
}
inline double inner(const Numbers& a, const Numbers& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out += a[k] * b[k];
  return out;
}
/// The greatest difference beside the greatest number; infinite where the sizes differ or a number is not finite.
inline double off(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double size = 1, error = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!std::isfinite(a[k])) return HUGE_VAL;
    size = std::max(size, std::abs(b[k]));
    error = std::max(error, std::abs(a[k] - b[k]));
  }
  return error / size;
}

/// \param bound   of rounding errors beside the greatest number
/// \param expect  expect(right, which law)
template <class Subject, class Expect>
void check_layer(const Subject& layer, double bound, Rng& rng, const Expect& expect) {
  const std::uint64_t batch = 3;
  // Multiples of 1/64, so that sums of a few are exact in every type.
  const auto numbers = [&](std::uint64_t count) {
    Numbers out(count);
    for (double& v : out) v = (static_cast<double>(rng.below(129)) - 64) / 64;
    return out;
  };
  const Parameters p{numbers(layer.params()), numbers(layer.biases())},
      step{numbers(layer.params()), numbers(layer.biases())};
  const Parameters weights{step.theta, Numbers(layer.biases(), 0)}, biases{Numbers(layer.params(), 0), step.bias};
  const Numbers x = numbers(batch * layer.inputs()), other = numbers(x.size()), dy = numbers(batch * layer.outputs());
  Numbers first;
  Gradients first_gradients;
  for (const LayerForm form : layer.forms()) {
    const LayerMode mode = parse_layer_mode(to_string(form));
    const auto law = [&](bool right, const char* what) { expect(right, to_string(form) + ": " + what); };
    const auto apply = [&](const Parameters& q, const Numbers& v) { return layer.forward(q, batch, v, mode, 1); };
    const auto gradients = [&](unsigned threads, Wanted wanted) {
      return layer.backward(p, batch, x, dy, mode, threads, wanted);
    };
    const Numbers y = apply(p, x), constant = apply(p, Numbers(x.size(), 0));
    const Numbers moved = sum(apply(p, other), -1, constant);
    const Gradients g = gradients(1, {});
    law(off(sum(apply(p, sum(x, 2, other)), -1, y), sum(moved, 1, moved)) <= 4 * bound, "linear in x");
    law(off(sum(apply({sum(p.theta, 1, step.theta), sum(p.bias, 1, step.bias)}, x), -1, y), apply(step, x)) <=
            4 * bound,
        "linear in the parameters");
    const auto adjoint = [&](const Numbers& gradient, const Numbers& direction, const Numbers& change,
                             const char* what) {
      const double size = std::sqrt(inner(gradient, gradient) * inner(direction, direction)) +
                          std::sqrt(inner(dy, dy) * inner(change, change));
      law(std::abs(inner(gradient, direction) - inner(dy, change)) <= 4 * bound * (1 + size), what);
    };
    adjoint(g.dx, other, moved, "dx is the adjoint of x -> y");
    adjoint(g.dtheta, step.theta, apply(weights, x), "dtheta is the adjoint of theta -> y");
    adjoint(g.dbias, step.bias, apply(biases, x), "dbias is the adjoint of the bias -> y");
    for (int trial = 0; trial < 5 && !p.theta.empty() && !x.empty(); ++trial) {
      Parameters unit{Numbers(p.theta.size(), 0), Numbers(p.bias.size(), 0)};
      const std::size_t k = rng.below(p.theta.size()), j = rng.below(x.size());
      unit.theta[k] = 1;
      law(off({g.dtheta[k]}, {inner(dy, apply(unit, x))}) <= 8 * bound, "dtheta is what a parameter changes");
      Numbers there(x.size(), 0);
      there[j] = 1;
      law(off({g.dx[j]}, {inner(dy, sum(apply(p, there), -1, constant))}) <= 8 * bound, "dx is what an input changes");
    }
    for (const unsigned threads : {2U, 3U}) {
      law(layer.forward(p, batch, x, mode, threads) == y, "threads change no bit of y");
      const Gradients same = gradients(threads, {});
      law(same.dx == g.dx && same.dtheta == g.dtheta && same.dbias == g.dbias, "threads change no bit of a gradient");
    }
    law(gradients(1, {true, false, false}).dx == g.dx && gradients(1, {false, true, false}).dtheta == g.dtheta &&
            gradients(1, {false, false, true}).dbias == g.dbias,
        "gradients do not depend on each other");
    if (first.empty()) {
      first = y;
      first_gradients = g;
    }
    law(off(y, first) <= bound, "forms agree");
    law(off(g.dx, first_gradients.dx) <= bound && off(g.dtheta, first_gradients.dtheta) <= bound &&
            off(g.dbias, first_gradients.dbias) <= bound,
        "gradients of forms agree");
  }
  for (const LayerForm form : {LayerForm::lookup, LayerForm::implicit, LayerForm::fft, LayerForm::isotypic}) {
    const auto all = layer.forms();
    if (layer.forms() == std::vector{LayerForm::isotypic} || layer.forms() == std::vector{LayerForm::diagram} ||
        std::find(all.begin(), all.end(), form) != all.end())
      continue;
    bool refused = false;
    try {
      layer.forward(p, batch, x, parse_layer_mode(to_string(form)), 1);
    } catch (const DomainError&) {
      refused = true;
    }
    expect(refused, to_string(form) + " is refused where it is not there");
  }
}

}  // namespace laws
