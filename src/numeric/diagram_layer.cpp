// Layers of diagrams at one size.
#include "intertwine/numeric/diagram_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/numeric/machine_rates.hpp"
#include "numeric/diagram_plan.hpp"
#include "numeric/parallel.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

template <class T>
struct DiagramState : SizedDiagrams {
  std::vector<T> theta, bias;
  using SizedDiagrams::SizedDiagrams;
};

namespace {

/// y [rows, axes] of one item of the batch: the sum over the diagrams, or over their transposes, and constants.
template <class T>
class DiagramProduct {
 public:
  DiagramProduct(const DiagramState<T>& state, bool transposed, unsigned threads)
      : state_(state),
        axes_(transposed ? state.inputs : state.outputs),
        transposed_(transposed),
        threads_(threads),
        rows_(transposed ? state.plan->table.channels.in : state.plan->table.channels.out) {
    const auto& diagrams = state.plan->diagrams;
    for (std::size_t p = 0; p < diagrams.size(); ++p)
      mixtures_[transposed ? diagrams[p].source : diagrams[p].target].diagrams.push_back(p);
    for (auto& [target, mixture] : mixtures_) fill(mixture);
  }

  void operator()(DiagramSources<T>& sources, T* y) const {
    std::map<Blocks, std::vector<std::pair<Kept, Buffer<T>>>> parts;
    const std::pair<const DiagramSide, Mixture>* all = nullptr;  // what reaches every entry by itself
    for (const auto& entry : mixtures_) {
      const auto& [target, mixture] = entry;
      if (target.kept.size() == target.blocks.size() && is_whole(target.blocks)) {
        all = &entry;
        continue;
      }
      const std::vector<std::uint64_t> length = lengths_of(target);
      Buffer<T> part(rows_ * numbers(length));
      mix(sources, mixture, length, {}, part.data());
      parts[target.blocks].emplace_back(target.kept, std::move(part));
    }
    for (std::size_t q = 0; q < state_.plan->bias.size() && !transposed_; ++q) {
      Buffer<T> constant(rows_);
      std::copy_n(state_.bias.data() + q * rows_, rows_, constant.data());
      parts[state_.plan->bias[q].target.blocks].emplace_back(Kept{}, std::move(constant));
    }
    std::vector<Spread<T>> whole;
    for (const auto& [blocks, list] : parts)
      for (const auto& [kept, part] : list)
        if (is_whole(blocks)) whole.push_back({kept, part.data()});
    if (all != nullptr) {
      mix(sources, all->second, lengths_of(all->first), whole, y);
    } else {
      std::fill(y, y + rows_ * axes_.entries(), T{0});
      add_spread<T>(whole, axes_.length, rows_, y, threads_);
    }
    for (const auto& [blocks, list] : parts) {
      if (is_whole(blocks)) continue;
      std::vector<Spread<T>> spread;
      for (const auto& [kept, part] : list) spread.push_back({kept, part.data()});
      const std::vector<std::uint64_t> length = numeric_detail::lengths_of(blocks, axes_);
      Buffer<T> on_blocks(rows_ * numbers(length));
      std::fill(on_blocks.data(), on_blocks.data() + on_blocks.size(), T{0});
      add_spread<T>(spread, length, rows_, on_blocks.data(), threads_);
      add_on_blocks<T>(on_blocks.data(), blocks, axes_, rows_, y, threads_);
    }
  }

 private:
  /// The diagrams with one target as one product: their matrices side by side, [rows, depth].
  struct Mixture {
    std::vector<std::size_t> diagrams;
    std::vector<T> matrix;
  };

  static std::uint64_t numbers(const std::vector<std::uint64_t>& length) {
    std::uint64_t count = 1;
    for (const std::uint64_t n : length) count *= n;
    return count;
  }
  /// The lengths of the blocks that the side carries over.
  std::vector<std::uint64_t> lengths_of(const DiagramSide& side) const {
    std::vector<std::uint64_t> out;
    const std::vector<std::uint64_t> length = numeric_detail::lengths_of(side.blocks, axes_);
    for (const std::size_t k : side.kept) out.push_back(length[k]);
    return out;
  }

  void fill(Mixture& mixture) const {
    const Multiplicity channels = state_.plan->table.channels;
    const std::uint64_t cols = transposed_ ? channels.out : channels.in, depth = cols * mixture.diagrams.size();
    mixture.matrix.resize(rows_ * depth);
    for (std::size_t d = 0; d < mixture.diagrams.size(); ++d) {
      const std::size_t p = mixture.diagrams[d];
      const double factor = state_.factor(state_.plan->diagrams[p]);
      const T* theta = state_.theta.data() + p * channels.out * channels.in;
      for (std::uint64_t r = 0; r < rows_; ++r)
        for (std::uint64_t c = 0; c < cols; ++c)
          mixture.matrix[r * depth + d * cols + c] = static_cast<T>(
              factor * static_cast<double>(theta[transposed_ ? c * channels.in + r : r * channels.in + c]));
    }
  }

  /// y [rows, length...] = the mixture of its sources, and what is spread over it. Short axes are put in order first and taken together, for panels to be full.
  void mix(DiagramSources<T>& sources, const Mixture& mixture, const std::vector<std::uint64_t>& length,
           std::span<const Spread<T>> spread, T* y) const {
    const bool flat = length.empty() || length.back() < 64;
    const Multiplicity channels = state_.plan->table.channels;
    std::vector<MixSource<T>> from;
    for (const std::size_t p : mixture.diagrams) {
      const SplitDiagram& d = state_.plan->diagrams[p];
      std::vector<std::size_t> order = d.from;
      if (transposed_)
        for (std::size_t t = 0; t < order.size(); ++t) order[d.from[t]] = t;
      const DiagramSide& side = transposed_ ? d.target : d.source;
      const BlockTensor<T>& source = flat ? sources.get(side, order) : sources.get(side);
      MixSource<T> one{source.data, transposed_ ? channels.out : channels.in, source.entries(), {1}};
      if (!flat) {
        const std::vector<std::uint64_t> steps = row_major(source.length);
        one.step.clear();
        for (const std::size_t a : order) one.step.push_back(steps[a]);
      }
      from.push_back(std::move(one));
    }
    if (!flat) return numeric_detail::mix<T>(rows_, mixture.matrix, from, length, spread, y, threads_);
    numeric_detail::mix<T>(rows_, mixture.matrix, from, {numbers(length)}, {}, y, threads_);
    add_spread<T>(spread, length, rows_, y, threads_);
  }

  const DiagramState<T>& state_;
  const SideAxes& axes_;
  bool transposed_;
  unsigned threads_;
  std::uint64_t rows_;
  std::map<DiagramSide, Mixture> mixtures_;
};

template <class T>
void require_count(const char* function, const char* name, std::size_t count, std::uint64_t wanted) {
  if (count != wanted)
    throw DomainError(fmt::format("DiagramLayer::{}: {} has {} entries, not {}", function, name, count, wanted));
}

void require_mode(const LayerOptions& options) {
  if (options.mode != LayerMode::automatic && options.mode != LayerMode::fastest && options.mode != LayerMode::diagram)
    throw DomainError("a layer of diagrams has no other form than diagram");
}

}  // namespace
}  // namespace numeric_detail

template <class T>
DiagramLayer<T>::DiagramLayer(DiagramTable table, std::vector<std::uint64_t> sizes) {
  auto state =
      std::make_shared<DiagramState<T>>(std::make_shared<const DiagramPlan>(std::move(table)), std::move(sizes));
  const DiagramTable& t = state->plan->table;
  state->theta.assign(checked_product({t.params, t.channels.out, t.channels.in}, "theta"), T{0});
  state->bias.assign(checked_product({t.bias_params, t.channels.out}, "the bias"), T{0});
  state_ = std::move(state);
}

template <class T>
DiagramLayer<T> DiagramLayer<T>::at(std::vector<std::uint64_t> sizes) const {
  auto state = std::make_shared<DiagramState<T>>(state_->plan, std::move(sizes));
  state->theta = state_->theta;
  state->bias = state_->bias;
  return DiagramLayer(std::move(state));
}

template <class T>
DiagramLayer<T> DiagramLayer<T>::with_parameters(std::span<const T> theta, std::span<const T> bias) const {
  require_count<T>("with_parameters", "theta", theta.size(), state_->theta.size());
  if (!bias.empty()) require_count<T>("with_parameters", "bias", bias.size(), state_->bias.size());
  auto state = std::make_shared<DiagramState<T>>(*state_);
  state->theta.assign(theta.begin(), theta.end());
  state->bias.assign(bias.begin(), bias.end());
  state->bias.resize(state_->bias.size());
  return DiagramLayer(std::move(state));
}

template <class T>
const DiagramTable& DiagramLayer<T>::table() const {
  return state_->plan->table;
}
template <class T>
const std::vector<std::uint64_t>& DiagramLayer<T>::sizes() const {
  return state_->sizes;
}
template <class T>
std::span<const T> DiagramLayer<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> DiagramLayer<T>::bias_parameters() const {
  return state_->bias;
}
template <class T>
std::uint64_t DiagramLayer<T>::inputs() const {
  return table().channels.in * state_->inputs.entries();
}
template <class T>
std::uint64_t DiagramLayer<T>::outputs() const {
  return table().channels.out * state_->outputs.entries();
}

template <class T>
LayerForm DiagramLayer<T>::pick(std::uint64_t, const LayerOptions& options) const {
  require_mode(options);
  return LayerForm::diagram;
}

template <class T>
double DiagramLayer<T>::expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions&) const {
  if (form != LayerForm::diagram) throw DomainError(fmt::format("DiagramLayer: there is no form {}", to_string(form)));
  double operations = 0;
  for (const SplitDiagram& diagram : state_->plan->diagrams) {
    double places = 2.0 * static_cast<double>(channels().out) * static_cast<double>(channels().in);
    const std::vector<std::uint64_t> all = lengths_of(diagram.target.blocks, state_->outputs);
    for (const std::size_t k : diagram.target.kept) places *= static_cast<double>(all[k]);
    operations += places;
  }
  const double bytes = 3.0 * sizeof(T) * static_cast<double>(inputs() + outputs());
  return static_cast<double>(batch) *
         (operations / machine_rate<T>(&MachineRates::flops) + bytes / machine_rate<T>(&MachineRates::bytes));
}

template <class T>
LayerForm DiagramLayer<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                                   const LayerOptions& options) const {
  require_mode(options);
  require_count<T>("forward", "x", x.size(), checked_product({batch, inputs()}, "x"));
  require_count<T>("forward", "y", y.size(), checked_product({batch, outputs()}, "y"));
  const unsigned threads = std::max(1U, options.threads);
  const DiagramProduct<T> product(*state_, false, threads);
  for (std::uint64_t b = 0; b < batch; ++b) {
    DiagramSources<T> sources(x.data() + b * inputs(), channels().in, state_->inputs, threads);
    product(sources, y.data() + b * outputs());
  }
  return LayerForm::diagram;
}

template <class T>
LayerForm DiagramLayer<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                                    std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options) const {
  require_mode(options);
  const std::uint64_t pairs = channels().out * channels().in;
  require_count<T>("backward", "dy", dy.size(), checked_product({batch, outputs()}, "dy"));
  if (!dx.empty()) require_count<T>("backward", "dx", dx.size(), checked_product({batch, inputs()}, "dx"));
  if (!dtheta.empty()) {
    require_count<T>("backward", "x", x.size(), checked_product({batch, inputs()}, "x"));
    require_count<T>("backward", "dtheta", dtheta.size(), state_->theta.size());
  }
  if (!dbias.empty()) require_count<T>("backward", "dbias", dbias.size(), state_->bias.size());
  const unsigned threads = std::max(1U, options.threads);
  const DiagramProduct<T> transposed(*state_, true, threads);
  const std::vector<SplitDiagram>&diagrams = state_->plan->diagrams, &constants = state_->plan->bias;
  std::vector<double> theta_sums(dtheta.size(), 0.0), bias_sums(dbias.size(), 0.0);
  for (std::uint64_t b = 0; b < batch; ++b) {
    DiagramSources<T> above(dy.data() + b * outputs(), channels().out, state_->outputs, threads);
    if (!dx.empty()) transposed(above, dx.data() + b * inputs());
    if (!dtheta.empty()) {
      DiagramSources<T> below(x.data() + b * inputs(), channels().in, state_->inputs, threads);
      std::vector<std::pair<const BlockTensor<T>*, const BlockTensor<T>*>> pair_of;
      const std::vector<std::size_t> none;
      for (const SplitDiagram& d : diagrams)
        pair_of.emplace_back(&above.get(d.target, none), &below.get(d.source, d.from));
      parallel_for(threads, diagrams.size(), [&](std::uint64_t p) {
        const auto& [left, right] = pair_of[p];
        add_correlation<T>(channels().out, channels().in, left->entries(), left->data, right->data,
                           state_->factor(diagrams[p]), theta_sums.data() + p * pairs);
      });
    }
    for (std::size_t q = 0; q < constants.size() && !dbias.empty(); ++q) {
      const BlockTensor<T>& sums = above.get(constants[q].target, {});
      for (std::uint64_t o = 0; o < channels().out; ++o)
        bias_sums[q * channels().out + o] += static_cast<double>(sums.data[o]);
    }
  }
  std::transform(theta_sums.begin(), theta_sums.end(), dtheta.begin(), [](double v) { return static_cast<T>(v); });
  std::transform(bias_sums.begin(), bias_sums.end(), dbias.begin(), [](double v) { return static_cast<T>(v); });
  return LayerForm::diagram;
}

template class DiagramLayer<float>;
template class DiagramLayer<double>;

}  // namespace intertwine
