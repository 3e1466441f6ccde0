// Layers of weight tables.
#include "intertwine/numeric/layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "intertwine/error.hpp"
#include "normal_numbers.hpp"

namespace intertwine {

template <class T>
struct Layer<T>::State {
  std::vector<std::vector<BlockLayer<T>>> layers;
  std::vector<FeaturePart> in, out;
  std::uint64_t inputs, outputs;
  const BlockLayer<T>* largest;  ///< in `layers`
  std::vector<T> theta, bias;

  bool is_single() const { return layers.size() == 1 && layers.front().size() == 1; }

  State(std::vector<std::vector<BlockLayer<T>>> all, std::vector<FeaturePart> x, std::vector<FeaturePart> y)
      : layers(std::move(all)), in(std::move(x)), out(std::move(y)) {
    const auto end = [](const FeaturePart& p) { return p.start + p.channels * p.dimension; };
    inputs = end(in.back());
    outputs = end(out.back());
    largest = &layers.front().front();
    for (const auto& row : layers)
      for (const BlockLayer<T>& layer : row) {
        if (layer.inputs() * layer.outputs() > largest->inputs() * largest->outputs()) largest = &layer;
        theta.insert(theta.end(), layer.theta().begin(), layer.theta().end());
      }
    for (const auto& row : layers)
      bias.insert(bias.end(), row.front().bias_parameters().begin(), row.front().bias_parameters().end());
  }
};

namespace {

std::uint64_t part_size(const FeaturePart& part) { return part.channels * part.dimension; }

/// The part of every row, one row after the other.
template <class T>
std::vector<T> taken(std::span<const T> rows, std::uint64_t batch, std::uint64_t width, const FeaturePart& part) {
  const std::uint64_t size = part_size(part);
  std::vector<T> out(batch * size);
  for (std::uint64_t b = 0; b < batch; ++b)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(b * width + part.start), size,
                out.begin() + static_cast<std::ptrdiff_t>(b * size));
  return out;
}

/// Adds to the part of every row, or overwrites it if `first`.
template <class T>
void give(const std::vector<T>& values, std::uint64_t batch, std::uint64_t width, const FeaturePart& part, bool first,
          std::span<T> rows) {
  const std::uint64_t size = part_size(part);
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t k = 0; k < size; ++k) {
      T& there = rows[b * width + part.start + k];
      there = first ? values[b * size + k] : there + values[b * size + k];
    }
}

template <class T>
std::vector<std::vector<BlockLayer<T>>> layers_of(const WeightTable& table, const Task& task) {
  require_fitting(table);
  std::vector<std::vector<BlockLayer<T>>> layers;
  for (const auto& row : table.blocks) {
    layers.emplace_back();
    for (const WeightBlock& block : row) layers.back().emplace_back(block, task);
  }
  return layers;
}

void require_length(const char* name, std::uint64_t size, std::uint64_t batch, std::uint64_t each) {
  if (each != 0 && (size % each != 0 || size / each != batch))
    throw DomainError(
        fmt::format("Layer: {} has {} entries; a batch of {} needs {} x {}", name, size, batch, batch, each));
}

}  // namespace

template <class T>
Layer<T>::Layer(const WeightTable& table, const Task& task)
    : state_(std::make_shared<const State>(layers_of<T>(table, task), table.inputs(), table.outputs())) {}

template <class T>
Layer<T> Layer<T>::with_parameters(std::span<const T> theta, std::span<const T> bias) const {
  const State& old = *state_;
  if (theta.size() != old.theta.size() || (!bias.empty() && bias.size() != old.bias.size()))
    throw DomainError(fmt::format("Layer: theta has {} and the bias {} entries; the blocks need {} and {}",
                                  theta.size(), bias.size(), old.theta.size(), old.bias.size()));
  std::vector<std::vector<BlockLayer<T>>> layers;
  std::size_t t = 0, b = 0;
  for (const auto& row : old.layers) {
    layers.emplace_back();
    const std::size_t biases = bias.empty() ? 0 : row.front().bias_parameters().size();
    for (const BlockLayer<T>& layer : row) {
      // The bias is that of the first block: the others would add it again.
      const auto its = layers.back().empty() ? bias.subspan(b, biases) : std::span<const T>();
      layers.back().push_back(layer.with_parameters(theta.subspan(t, layer.theta().size()), its));
      t += layer.theta().size();
    }
    b += biases;
  }
  return Layer(std::make_shared<const State>(std::move(layers), old.in, old.out));
}

template <class T>
Multiplicity Layer<T>::channels() const {
  return state_->is_single() ? state_->largest->channels() : Multiplicity();
}
template <class T>
const std::vector<std::vector<BlockLayer<T>>>& Layer<T>::blocks() const {
  return state_->layers;
}
template <class T>
std::span<const T> Layer<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> Layer<T>::bias_parameters() const {
  return state_->bias;
}
template <class T>
std::uint64_t Layer<T>::inputs() const {
  return state_->inputs;
}
template <class T>
std::uint64_t Layer<T>::outputs() const {
  return state_->outputs;
}

template <class T>
std::vector<LayerForm> Layer<T>::forms() const {
  std::vector<LayerForm> common = blocks().front().front().forms();
  for (const auto& row : blocks())
    for (const BlockLayer<T>& layer : row) {
      const std::vector<LayerForm> its = layer.forms();
      std::erase_if(common, [&](LayerForm form) { return std::find(its.begin(), its.end(), form) == its.end(); });
    }
  return common;
}

template <class T>
LayerForm Layer<T>::pick(std::uint64_t batch, const LayerOptions& options) const {
  return state_->largest->pick(batch, options);
}

template <class T>
double Layer<T>::expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options) const {
  double seconds = 0;
  for (const auto& row : blocks())
    for (const BlockLayer<T>& layer : row) seconds += layer.expected_seconds(form, batch, options);
  return seconds;
}

template <class T>
LayerForm Layer<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                            const LayerOptions& options) const {
  const State& s = *state_;
  if (s.is_single()) return s.largest->forward(batch, x, y, options);
  require_length("x", x.size(), batch, s.inputs);
  require_length("y", y.size(), batch, s.outputs);
  std::vector<std::vector<T>> parts;
  for (const FeaturePart& part : s.in) parts.push_back(taken(x, batch, s.inputs, part));
  LayerForm form{};
  for (std::size_t i = 0; i < s.out.size(); ++i) {
    std::vector<T> out(batch * part_size(s.out[i]));
    for (std::size_t j = 0; j < s.in.size(); ++j) {
      const LayerForm ran = s.layers[i][j].forward(batch, parts[j], out, options);
      if (&s.layers[i][j] == s.largest) form = ran;
      give(out, batch, s.outputs, s.out[i], j == 0, y);
    }
  }
  return form;
}

template <class T>
LayerForm Layer<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                             std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options) const {
  const State& s = *state_;
  if (s.is_single()) return s.largest->backward(batch, x, dy, dx, dtheta, dbias, options);
  require_length("x", x.size(), batch, s.inputs);
  require_length("dy", dy.size(), batch, s.outputs);
  for (const auto& [name, gradient, wanted] : {std::tuple("dx", dx.size(), batch * s.inputs),
                                               {"dtheta", dtheta.size(), s.theta.size()},
                                               {"dbias", dbias.size(), s.bias.size()}})
    if (gradient != 0 && gradient != wanted)
      throw DomainError(fmt::format("Layer: {} has {} entries and needs {}, or none", name, gradient, wanted));
  std::vector<std::vector<T>> parts;
  for (const FeaturePart& part : s.in) parts.push_back(taken(x, batch, s.inputs, part));
  LayerForm form{};
  std::size_t t = 0, b = 0;
  for (std::size_t i = 0; i < s.out.size(); ++i) {
    const std::vector<T> dout = taken(dy, batch, s.outputs, s.out[i]);
    const std::size_t biases = s.layers[i].front().bias_parameters().size();
    for (std::size_t j = 0; j < s.in.size(); ++j) {
      const BlockLayer<T>& layer = s.layers[i][j];
      std::vector<T> din(dx.empty() ? 0 : parts[j].size());
      const auto its_theta = dtheta.empty() ? dtheta : dtheta.subspan(t, layer.theta().size());
      const auto its_bias = dbias.empty() || j != 0 ? std::span<T>() : dbias.subspan(b, biases);
      const LayerForm ran = layer.backward(batch, parts[j], dout, din, its_theta, its_bias, options);
      if (&layer == s.largest) form = ran;
      if (!dx.empty()) give(din, batch, s.inputs, s.in[j], i == 0, dx);
      t += layer.theta().size();
    }
    b += biases;
  }
  return form;
}

namespace {

/// The variances of all numbers of theta, for what `pattern_of` gives of a block: an object with params, rows and squared norms.
template <class Block, class PatternOf>
std::vector<double> variances(const std::vector<std::vector<Block>>& blocks, double gain, const PatternOf& pattern_of) {
  std::vector<double> out;
  for (const auto& row : blocks) {
    double all = 0;
    for (const Block& block : row) {
      const auto& [rows, params, channels, norms] = pattern_of(block);
      all += static_cast<double>(params) * static_cast<double>(channels.in);
    }
    for (const Block& block : row) {
      const auto& [rows, params, channels, norms] = pattern_of(block);
      for (const double norm : norms)
        out.insert(out.end(), channels.out * channels.in,
                   norm == 0 ? 0 : gain * gain * static_cast<double>(rows) / (norm * all));
    }
  }
  return out;
}

struct BlockNorms {
  std::uint64_t rows, params;
  Multiplicity channels;
  std::vector<double> norms;
};

}  // namespace

std::vector<double> initial_variance(const WeightTable& table, double gain) {
  return variances(table.blocks, gain, [](const WeightBlock& block) {
    return BlockNorms{block.weights.rows, block.weights.params, block.channels, block.weights.squared_norms()};
  });
}

template <class T>
std::vector<T> random_theta(const Layer<T>& layer, std::uint64_t seed) {
  if (layer.blocks().size() == 1 && layer.blocks().front().size() == 1)
    return random_theta(layer.blocks().front().front(), seed);
  return normal_numbers<T>(variances(layer.blocks(), 1,
                                     [](const BlockLayer<T>& block) {
                                       const PreparedPattern& p = block.weights();
                                       return BlockNorms{p.rows(), p.params(), block.channels(), p.squared_norms()};
                                     }),
                           1, seed);
}

template std::vector<float> random_theta(const Layer<float>&, std::uint64_t);
template std::vector<double> random_theta(const Layer<double>&, std::uint64_t);
template class Layer<float>;
template class Layer<double>;

}  // namespace intertwine
