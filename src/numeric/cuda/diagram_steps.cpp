// The steps of a layer of diagrams on a device.
#include "numeric/cuda/diagram_steps.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {

using Kind = DiagramStep::Kind;

u64 product_of(const std::vector<u64>& factors) {
  return std::accumulate(factors.begin(), factors.end(), u64{1}, std::multiplies<>());
}

class Steps {
 public:
  Steps(const SizedDiagrams& layer, u64 batch) : layer_(layer), batch_(batch) {
    const auto [out, in] = layer.channels();
    const u64 x = batch * in * layer.inputs.entries(), y = batch * out * layer.outputs.entries(),
              theta = layer.plan->diagrams.size() * out * in, bias = layer.plan->bias.size() * out;
    list_.numbers = {x, y, x, y, theta, theta, bias, theta, bias};
  }
  DiagramSteps take() { return std::move(list_); }

  /// to [the lengths] (+)= sums.
  void sum(unsigned from, u64 from_offset, unsigned to, u64 to_offset, const std::vector<std::pair<u64, u64>>& axes,
           u64 count, u64 stride, double factor, bool add) {
    if (axes.size() > most_step_axes) throw LimitError("layers of diagrams on devices have at most 14 axes on a side");
    DiagramStep step;
    step.kind = Kind::sum;
    step.from = from, step.to = to, step.from_offset = from_offset, step.to_offset = to_offset;
    step.sum.axes = static_cast<u32>(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) std::tie(step.sum.length[a], step.sum.step[a]) = axes[a];
    step.sum.count = count, step.sum.stride = stride, step.sum.factor = factor, step.sum.add = add;
    list_.steps.push_back(step);
  }
  void clear(unsigned array) {
    DiagramStep step;
    step.to = array;
    list_.steps.push_back(step);
  }
  void multiply(const Gemm& g) {
    DiagramStep step;
    step.kind = Kind::product;
    step.product = g;
    list_.steps.push_back(step);
  }
  unsigned scratch(u64 numbers) {
    list_.numbers.push_back(numbers);
    return static_cast<unsigned>(list_.numbers.size() - 1);
  }

  /// The arrays that DiagramSources has on the processor.
  struct Sources {
    unsigned array;
    u64 channels;
    const SideAxes& axes;
    std::map<DiagramSide, unsigned> made{};
    std::map<std::pair<DiagramSide, std::vector<std::size_t>>, unsigned> ordered{};
  };
  unsigned source(Sources& of, const DiagramSide& side) {
    if (const auto found = of.made.find(side); found != of.made.end()) return found->second;
    const u64 arrays = batch_ * of.channels;
    if (side.kept.size() == side.blocks.size()) {
      if (is_whole(side.blocks)) return of.made[side] = of.array;
      const unsigned to = scratch(arrays * product_of(lengths_of(side.blocks, of.axes)));
      places(Kind::gather, of.array, to, side.blocks, of.axes, arrays);
      return of.made[side] = to;
    }
    const SideSum s = sum_of(side, of.axes);
    const unsigned from = source(of, s.larger), to = scratch(arrays * s.before * s.after);
    sum(from, 0, to, 0, {{arrays * s.before, s.middle * s.after}, {s.after, 1}}, s.middle, s.after, 1, false);
    return of.made[side] = to;
  }
  unsigned source(Sources& of, const DiagramSide& side, const std::vector<std::size_t>& order) {
    const unsigned plain = source(of, side);
    if (std::is_sorted(order.begin(), order.end())) return plain;
    const auto key = std::pair(side, order);
    if (const auto found = of.ordered.find(key); found != of.ordered.end()) return found->second;
    const std::vector<u64> length = kept_lengths(side, of.axes), steps = row_major(length);
    const u64 entries = product_of(length), arrays = batch_ * of.channels;
    std::vector<std::pair<u64, u64>> axes{{arrays, entries}};
    for (const std::size_t a : order) axes.emplace_back(length[a], steps[a]);
    const unsigned to = scratch(arrays * entries);
    sum(plain, 0, to, 0, axes, 1, 0, 1, false);
    return of.ordered[key] = to;
  }

  /// The steps of a DiagramProduct: the array `to` becomes the sum over the diagrams, or over their transposes, and
  /// constants.
  void product(Sources& of, bool transposed, unsigned to) {
    const Multiplicity channels = layer_.channels();
    const SideAxes& axes = transposed ? layer_.inputs : layer_.outputs;
    const u64 rows = transposed ? channels.in : channels.out, cols = of.channels;
    const auto& diagrams = layer_.plan->diagrams;
    std::map<DiagramSide, std::vector<std::size_t>> mixtures;
    for (std::size_t p = 0; p < diagrams.size(); ++p)
      mixtures[transposed ? diagrams[p].source : diagrams[p].target].push_back(p);
    struct Part {
      Kept kept;
      unsigned array;
      u64 offset, per_item;  ///< numbers of one item of the batch; 0 where all have the same
    };
    std::map<Blocks, std::vector<Part>> parts;
    bool written = false;
    for (const auto& [target, list] : mixtures) {
      const bool all = target.kept.size() == target.blocks.size() && is_whole(target.blocks);
      const u64 places = product_of(kept_lengths(target, axes));
      const unsigned array = all ? to : scratch(batch_ * rows * places);
      for (const std::size_t p : list) {
        const SplitDiagram& d = diagrams[p];
        std::vector<std::size_t> order = d.from;
        if (transposed)
          for (std::size_t t = 0; t < order.size(); ++t) order[d.from[t]] = t;
        const unsigned from = source(of, transposed ? d.target : d.source, order);
        Gemm g = transposed ? row_major_map_adjoint(channels.out, channels.in, places)
                            : row_major_map(channels.out, channels.in, places);
        g.a = {from, 0, g.a.ld, cols * places};
        g.b = {diagram_theta, p * channels.out * channels.in, g.b.ld, 0};
        g.c = {array, 0, g.c.ld, rows * places};
        g.count = batch_;
        g.accumulate = p != list.front();
        multiply(g);
      }
      written |= all;
      if (!all) parts[target.blocks].push_back({target.kept, array, 0, rows * places});
    }
    for (std::size_t q = 0; q < layer_.plan->bias.size() && !transposed; ++q)
      parts[layer_.plan->bias[q].target.blocks].push_back({{}, diagram_bias, q * rows, 0});
    if (!written) clear(to);
    for (const auto& [blocks, list] : parts) {
      const std::vector<u64> length = lengths_of(blocks, axes);
      const bool whole = is_whole(blocks);
      const unsigned spread = whole ? to : scratch(batch_ * rows * product_of(length));
      for (const Part& part : list) {
        std::vector<std::pair<u64, u64>> steps;
        for (const u64 n : length) steps.emplace_back(n, 0);
        u64 entries = 1;
        for (std::size_t k = part.kept.size(); k-- > 0; entries *= length[part.kept[k]])
          steps[part.kept[k]].second = entries;
        steps.insert(steps.begin(), {{batch_, part.per_item}, {rows, entries}});
        sum(part.array, part.offset, spread, 0, steps, 1, 0, 1, whole || &part != &list.front());
      }
      if (!whole) places(Kind::scatter, spread, to, blocks, axes, batch_ * rows);
    }
  }

  void to_theta(Sources& above, Sources& below) {
    const auto [out, in] = layer_.channels();
    const auto& diagrams = layer_.plan->diagrams;
    const u64 pairs = out * in, all = diagrams.size() * pairs;
    const unsigned partial = scratch(batch_ * all);  // [batch, P, out, in]
    for (std::size_t p = 0; p < diagrams.size(); ++p) {
      const SplitDiagram& d = diagrams[p];
      const unsigned left = source(above, d.target), right = source(below, d.source, d.from);
      const u64 places = product_of(kept_lengths(d.target, layer_.outputs));
      Gemm g = row_major_forward(out, in, places);
      g.a = {right, 0, g.a.ld, in * places};
      g.b = {left, 0, g.b.ld, out * places};
      g.c = {partial, p * pairs, g.c.ld, all};
      g.count = batch_;
      multiply(g);
    }
    scale(partial, diagram_dtheta, batch_);
  }
  /// to [P, out, in] = the factors of the diagrams times the sums over `count` arrays.
  void scale(unsigned from, unsigned to, u64 count) {
    const auto& diagrams = layer_.plan->diagrams;
    const u64 pairs = layer_.channels().out * layer_.channels().in;
    for (std::size_t p = 0, end = 0; p < diagrams.size(); p = end) {
      const double factor = layer_.factor(diagrams[p]);
      for (end = p; end < diagrams.size() && layer_.factor(diagrams[end]) == factor;) ++end;
      sum(from, p * pairs, to, p * pairs, {{(end - p) * pairs, 1}}, count, diagrams.size() * pairs, factor, false);
    }
  }
  void to_bias(Sources& above) {
    const u64 out = layer_.channels().out;
    for (std::size_t q = 0; q < layer_.plan->bias.size(); ++q)
      sum(source(above, layer_.plan->bias[q].target), 0, diagram_dbias, q * out, {{out, 1}}, batch_, out, 1, false);
  }

 private:
  static std::vector<u64> kept_lengths(const DiagramSide& side, const SideAxes& axes) {
    const std::vector<u64> all = lengths_of(side.blocks, axes);
    std::vector<u64> out;
    for (const std::size_t k : side.kept) out.push_back(all[k]);
    return out;
  }
  void places(Kind kind, unsigned from, unsigned to, const Blocks& blocks, const SideAxes& axes, u64 arrays) {
    const auto [found, fresh] =
        tables_.emplace(std::pair(axes.output, blocks), static_cast<unsigned>(list_.tables.size()));
    if (fresh) list_.tables.push_back(place_table(blocks, axes));
    DiagramStep step;
    step.kind = kind, step.from = from, step.to = to, step.table = found->second;
    const u64 entries = product_of(lengths_of(blocks, axes));
    step.map = {arrays, entries, list_.tables[step.table].size() / entries, axes.entries()};
    list_.steps.push_back(step);
  }

  const SizedDiagrams& layer_;
  u64 batch_;
  DiagramSteps list_;
  std::map<std::pair<bool, Blocks>, unsigned> tables_;
};

}  // namespace

void require_points(const SizedDiagrams& layer) {
  if (std::find(layer.sizes.begin(), layer.sizes.end(), u64{0}) != layer.sizes.end())
    throw DomainError("layers of diagrams on devices need sizes of at least 1; for 0 take DiagramLayer");
}

DiagramSteps diagram_parameters(const SizedDiagrams& layer) {
  Steps list(layer, 0);
  list.scale(diagram_given, diagram_theta, 1);
  return list.take();
}

DiagramSteps diagram_forward(const SizedDiagrams& layer, u64 batch) {
  Steps list(layer, batch);
  Steps::Sources below{diagram_x, layer.channels().in, layer.inputs};
  list.product(below, false, diagram_y);
  return list.take();
}

DiagramSteps diagram_backward(const SizedDiagrams& layer, u64 batch, bool to_x, bool to_theta, bool to_bias) {
  Steps list(layer, batch);
  Steps::Sources above{diagram_dy, layer.channels().out, layer.outputs},
      below{diagram_x, layer.channels().in, layer.inputs};
  if (to_x) list.product(above, true, diagram_dx);
  if (to_theta) list.to_theta(above, below);
  if (to_bias) list.to_bias(above);
  return list.take();
}

}  // namespace intertwine::numeric_detail::cuda
