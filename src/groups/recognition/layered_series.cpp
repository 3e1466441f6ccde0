// Normal series with elementary abelian layers, from the derived series.
#include "groups/recognition/layered_series.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

void LayeredSeries::append_layer(const FiniteGroup& G, const Permutation& g, std::uint32_t p, const Task& task) {
  Layer layer{static_cast<std::uint32_t>(length()), 0, p};
  std::vector<Permutation> queue{g};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    task.poll();
    if (contains(queue[k])) continue;
    extend(queue[k], p);
    ++layer.dimension;
    for (const Permutation& s : G.generators()) queue.push_back(s * queue[k] * s.inverse());
  }
  layers_.push_back(layer);
}

std::optional<LayeredSeries> LayeredSeries::find(const FiniteGroup& G, const Task& task) {
  const std::vector<FiniteGroup> derived = derived_series(G, task);
  if (derived.back().order(task) != 1) return std::nullopt;
  LayeredSeries series(G, task);
  for (std::size_t k = derived.size(); k-- > 0;) {
    const std::vector<Permutation>& generators = derived[k].generators();
    for (const std::uint32_t p : small_prime_divisors(derived[k].order())) {
      // The p-parts of the generators, and the exponents of their orders.
      std::vector<std::pair<Permutation, std::uint32_t>> parts;
      std::uint32_t most = 0;
      for (const Permutation& g : generators) {
        Integer rest = g.order();
        std::uint32_t exponent = 0;
        for (; rest % p == 0; rest /= p) ++exponent;
        most = std::max(most, exponent);
        if (exponent > 0) parts.emplace_back(g.power(rest), exponent);
      }
      for (std::uint32_t e = most; e-- > 0;)
        for (const auto& [g, exponent] : parts) {
          if (exponent <= e) continue;
          const Permutation power = g.power(pow(Integer(p), e));
          if (!series.contains(power)) series.append_layer(G, power, p, task);
        }
    }
  }
  Integer order = 1;
  for (std::size_t i = 0; i < series.length(); ++i) order *= series.prime(i);
  if (order != G.order()) throw InternalError("layered series: the factors do not multiply to the order");
  return series;
}

std::vector<std::uint32_t> LayeredSeries::coordinates(const Layer& layer, const Permutation& g) const {
  std::vector<std::uint32_t> result(layer.dimension, 0);
  for (const Letter& x : word(g)) {
    if (x.generator < layer.first) continue;
    if (x.generator >= layer.first + layer.dimension)
      throw InternalError("layered series: an element lies above the layer");
    result[x.generator - layer.first] = x.exponent;
  }
  return result;
}

}  // namespace intertwine
