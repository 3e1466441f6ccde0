#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/numeric/layer.hpp"
#include "numeric/cost_model.hpp"
#include "numeric/isotypic_data.hpp"
#include "numeric/parallel.hpp"
#include "numeric/product.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

namespace {

TiedPattern no_bias(std::uint64_t rows) {
  return TiedPattern(rows, 1, 0, std::vector<std::uint8_t>(rows, 0));
}

/// A square matrix as the right factor of products: y = A x for rows x.
template <class T>
struct ChangeOfBasis {
  PanelShape shape{0, 0, {1, 1}};
  Buffer<T> packed;

  ChangeOfBasis() = default;
  explicit ChangeOfBasis(const std::vector<T>& matrix, std::uint64_t n)
      : shape{n, n, {1, 1}}, packed(pack_weights(shape, matrix.data(), false, 1)) {}
  void apply(std::uint64_t count, const T* x, T* y, unsigned threads) const {
    if (shape.rows != 0) multiply_dense(shape, packed, count, x, y, threads);
  }
};

// Matrix entry (i, j) of a change of basis, its rows (columns) put in the kernels' order.
template <class T>
ChangeOfBasis<T> change(const std::vector<double>& matrix, const std::vector<std::uint64_t>& place,
                        bool by_rows, bool transpose) {
  const std::uint64_t n = place.size();
  std::vector<T> out(n * n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) {
      const double value = by_rows ? matrix[place[i] * n + j] : matrix[i * n + place[j]];
      out[transpose ? j * n + i : i * n + j] = static_cast<T>(value);
    }
  return ChangeOfBasis<T>(out, n);
}

/// What layers with the same decomposition share. The transposes, for gradients, are made on first use.
template <class T>
struct Bases {
  explicit Bases(IsotypicDecomposition d) : decomposition(std::move(d)) {
    const auto& data = decomposition.data();
    in = change<T>(data.in, data.place_in, true, false);
    out_inverse = change<T>(data.out_inverse, data.place_out, false, false);
  }
  const ChangeOfBasis<T>& in_transposed() const {
    make_transposes();
    return in_transposed_;
  }
  const ChangeOfBasis<T>& out_inverse_transposed() const {
    make_transposes();
    return out_inverse_transposed_;
  }
  IsotypicDecomposition decomposition;
  ChangeOfBasis<T> in, out_inverse;

 private:
  void make_transposes() const {
    std::call_once(once_, [&] {
      const auto& data = decomposition.data();
      in_transposed_ = change<T>(data.in, data.place_in, true, true);
      out_inverse_transposed_ = change<T>(data.out_inverse, data.place_out, false, true);
    });
  }
  mutable std::once_flag once_;
  mutable ChangeOfBasis<T> in_transposed_, out_inverse_transposed_;
};

}  // namespace

template <class T>
struct IsotypicState {
  std::shared_ptr<const Bases<T>> bases;
  PreparedPattern bias;
  Multiplicity channels;
  std::vector<T> theta, bias_parameters, bias_values;
  std::vector<std::optional<Layer<T>>> blocks;  ///< none where a side has no copy

  const IsotypicDecomposition& decomposition() const { return bases->decomposition; }
};

template <class T>
void multiply_matrix(std::span<const T> A, std::uint64_t rows, std::uint64_t cols, const T* x,
                     std::uint64_t width, T* y, unsigned threads) {
  const PanelShape shape{width, cols, {1, 1}};
  if (rows == 0 || width == 0) return;
  multiply_dense(shape, pack_weights(shape, x, true, threads), rows, A.data(), y, threads);
}

template void multiply_matrix<float>(std::span<const float>, std::uint64_t, std::uint64_t, const float*,
                                     std::uint64_t, float*, unsigned);
template void multiply_matrix<double>(std::span<const double>, std::uint64_t, std::uint64_t, const double*,
                                      std::uint64_t, double*, unsigned);

}  // namespace numeric_detail

namespace {

template <class T>
std::shared_ptr<const IsotypicState<T>> state_of(std::shared_ptr<const Bases<T>> bases, PreparedPattern bias,
                                                 Multiplicity channels, std::span<const T> theta,
                                                 std::span<const T> bias_parameters) {
  const auto& d = bases->decomposition.data();
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, "theta");
  const std::uint64_t params = checked_product({d.params, pairs, 16}, "theta") / 16;
  const std::uint64_t biases = checked_product({bias.params(), channels.out, 16}, "the bias") / 16;
  checked_product({d.rows, channels.out, d.cols, channels.in, 16}, "the array of weights");
  if (!theta.empty() && theta.size() != params)
    throw DomainError(fmt::format("IsotypicLinear: theta has {} entries; [{}, {}, {}] needs {}", theta.size(),
                                  d.params, channels.out, channels.in, params));
  if (!bias_parameters.empty() && bias_parameters.size() != biases)
    throw DomainError(fmt::format("IsotypicLinear: the bias has {} entries; [{}, {}] needs {}",
                                  bias_parameters.size(), bias.params(), channels.out, biases));
  auto state = std::make_shared<IsotypicState<T>>(IsotypicState<T>{
      bases, std::move(bias), channels, std::vector<T>(params), std::vector<T>(biases), {}, {}});
  std::copy(theta.begin(), theta.end(), state->theta.begin());
  std::copy(bias_parameters.begin(), bias_parameters.end(), state->bias_parameters.begin());
  if (biases > 0) {
    state->bias_values.resize(channels.out * d.rows);
    materialise<T>(state->bias, {channels.out, 1}, state->bias_parameters, state->bias_values);
  }
  const T* from = state->theta.data();
  for (std::size_t i = 0; i < d.blocks.size(); ++i) {
    auto& block = state->blocks.emplace_back();
    if (params_of(d.blocks[i]) == 0) continue;
    const std::size_t count = params_of(d.blocks[i]) * pairs;
    block = Layer<T>(d.patterns[i], no_bias(d.patterns[i].rows()), channels)
                .with_parameters(std::span<const T>(from, count));
    from += count;
  }
  return state;
}

void check_array(const char* function, const char* name, std::uint64_t size, std::uint64_t batch,
                 std::uint64_t each) {
  if (size != checked_product({batch, each}, name))
    throw DomainError(fmt::format("{}: {} has {} entries; a batch of {} needs {} x {}", function, name, size,
                                  batch, batch, each));
}

/// The part of coordinates that one block reads or writes: [batch, columns, channels, width] beside [batch, channels, all].
struct BlockPart {
  std::uint64_t first, columns, width, channels, all;

  template <class T>
  void gather(std::uint64_t batch, const T* from, T* to) const {
    for (std::uint64_t b = 0; b < batch; ++b)
      for (std::uint64_t a = 0; a < columns; ++a)
        for (std::uint64_t c = 0; c < channels; ++c, to += width)
          std::copy_n(from + (b * channels + c) * all + first + a * width, width, to);
  }
  template <class T>
  void scatter(std::uint64_t batch, const T* from, T* to) const {
    for (std::uint64_t b = 0; b < batch; ++b)
      for (std::uint64_t a = 0; a < columns; ++a)
        for (std::uint64_t c = 0; c < channels; ++c, from += width)
          std::copy_n(from, width, to + (b * channels + c) * all + first + a * width);
  }
  std::uint64_t size(std::uint64_t batch) const { return batch * columns * channels * width; }
};

// Calls f(i, input part, output part) for the blocks that have parameters.
template <class F>
void for_blocks(const IsotypicDecomposition::Data& d, Multiplicity channels, const F& f) {
  std::uint64_t in = 0, out = 0;
  for (std::size_t i = 0; i < d.blocks.size(); ++i) {
    const IsotypicBlock& block = d.blocks[i];
    const auto e = block.division;
    const std::uint64_t columns = block.degree / e;
    if (params_of(block) > 0)
      f(i, BlockPart{in, columns, block.copies_in * e, channels.in, d.cols},
        BlockPart{out, columns, block.copies_out * e, channels.out, d.rows});
    in += block.copies_in * block.degree;
    out += block.copies_out * block.degree;
  }
}

}  // namespace

template <class T>
IsotypicLinear<T>::IsotypicLinear(IsotypicDecomposition decomposition, PreparedPattern bias,
                                  Multiplicity channels) {
  if (bias.cols() != 1 || bias.rows() != decomposition.rows())
    throw DomainError(
        fmt::format("IsotypicLinear: a bias of {} x {} for {} outputs; it needs one column and as many rows",
                    bias.rows(), bias.cols(), decomposition.rows()));
  state_ = state_of<T>(std::make_shared<const Bases<T>>(std::move(decomposition)), std::move(bias), channels,
                       {}, {});
}

template <class T>
IsotypicLinear<T> IsotypicLinear<T>::with_parameters(std::span<const T> theta,
                                                     std::span<const T> bias) const {
  if (theta.size() != state_->theta.size())
    throw DomainError(fmt::format("IsotypicLinear: theta has {} entries; the blocks need {}", theta.size(),
                                  state_->theta.size()));
  return IsotypicLinear(state_of<T>(state_->bases, state_->bias, channels(), theta, bias));
}

template <class T>
const IsotypicDecomposition& IsotypicLinear<T>::decomposition() const {
  return state_->decomposition();
}
template <class T>
Multiplicity IsotypicLinear<T>::channels() const {
  return state_->channels;
}
template <class T>
std::span<const T> IsotypicLinear<T>::theta() const {
  return state_->theta;
}
template <class T>
std::span<const T> IsotypicLinear<T>::bias_parameters() const {
  return state_->bias_parameters;
}
template <class T>
std::uint64_t IsotypicLinear<T>::inputs() const {
  return state_->channels.in * decomposition().cols();
}
template <class T>
std::uint64_t IsotypicLinear<T>::outputs() const {
  return state_->channels.out * decomposition().rows();
}

template <class T>
LayerForm IsotypicLinear<T>::pick(std::uint64_t, const LayerOptions&) const {
  return LayerForm::isotypic;
}

template <class T>
double IsotypicLinear<T>::expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions&) const {
  if (form != LayerForm::isotypic)
    throw DomainError(fmt::format("IsotypicLinear: there is no form {}", to_string(form)));
  const auto& d = decomposition().data();
  const Multiplicity c = channels();
  double seconds =
      product_seconds<T>(batch * c.in, d.cols, d.cols) + product_seconds<T>(batch * c.out, d.rows, d.rows);
  for_blocks(d, c, [&](std::size_t, const BlockPart& in, const BlockPart& out) {
    seconds += product_seconds<T>(batch * in.columns, out.channels * out.width, in.channels * in.width);
    seconds += static_cast<double>(in.size(batch) + out.size(batch)) / 4e9;
  });
  return seconds;
}

template <class T>
double IsotypicLinear<T>::operations(std::uint64_t batch) const {
  const auto& d = decomposition().data();
  const auto product = [](std::uint64_t rows, std::uint64_t outputs, std::uint64_t in) {
    return 2 * static_cast<double>(rows) * static_cast<double>(outputs) * static_cast<double>(in);
  };
  double sum =
      product(batch * channels().in, d.cols, d.cols) + product(batch * channels().out, d.rows, d.rows);
  for_blocks(d, channels(), [&](std::size_t, const BlockPart& in, const BlockPart& out) {
    sum += product(batch * in.columns, out.channels * out.width, in.channels * in.width);
  });
  return sum;
}

template <class T>
LayerForm IsotypicLinear<T>::forward(std::uint64_t batch, std::span<const T> x, std::span<T> y,
                                     const LayerOptions& options) const {
  const unsigned threads = std::max(1U, options.threads);
  check_array("forward", "x", x.size(), batch, inputs());
  check_array("forward", "y", y.size(), batch, outputs());
  if (y.empty()) return LayerForm::isotypic;
  const IsotypicState<T>& state = *state_;
  Buffer<T> from(x.size()), to(y.size());
  state.bases->in.apply(batch * channels().in, x.data(), from.data(), threads);
  std::fill(to.data(), to.data() + to.size(), T{0});
  for_blocks(
      decomposition().data(), channels(), [&](std::size_t i, const BlockPart& in, const BlockPart& out) {
        std::vector<T> block_x(in.size(batch)), block_y(out.size(batch));
        in.gather(batch, from.data(), block_x.data());
        state.blocks[i]->forward(batch * in.columns, block_x, block_y, {LayerMode::automatic, threads, 1});
        out.scatter(batch, block_y.data(), to.data());
      });
  state.bases->out_inverse.apply(batch * channels().out, to.data(), y.data(), threads);
  if (!state.bias_values.empty())
    for (std::uint64_t b = 0; b < batch; ++b)
      for (std::size_t r = 0; r < state.bias_values.size(); ++r)
        y[b * state.bias_values.size() + r] += state.bias_values[r];
  return LayerForm::isotypic;
}

template <class T>
LayerForm IsotypicLinear<T>::backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy,
                                      std::span<T> dx, std::span<T> dtheta, std::span<T> dbias,
                                      const LayerOptions& options) const {
  const unsigned threads = std::max(1U, options.threads);
  const IsotypicState<T>& state = *state_;
  check_array("backward", "dy", dy.size(), batch, outputs());
  if (!dx.empty()) check_array("backward", "dx", dx.size(), batch, inputs());
  if (!dtheta.empty()) {
    check_array("backward", "x", x.size(), batch, inputs());
    check_array("backward", "dtheta", dtheta.size(), 1, state.theta.size());
  }
  if (!dbias.empty()) {
    check_array("backward", "dbias", dbias.size(), 1, state.bias_parameters.size());
    bias_gradient<T>(state.bias, channels().out, batch, dy.data(), dbias, threads);
  }
  if (dx.empty() && dtheta.empty()) return LayerForm::isotypic;
  Buffer<T> dto(dy.size()), from(dtheta.empty() ? 0 : x.size()), dfrom(dx.size());
  state.bases->out_inverse_transposed().apply(batch * channels().out, dy.data(), dto.data(), threads);
  if (!dtheta.empty()) state.bases->in.apply(batch * channels().in, x.data(), from.data(), threads);
  std::fill(dfrom.data(), dfrom.data() + dfrom.size(), T{0});
  std::size_t first = 0;
  for_blocks(decomposition().data(), channels(),
             [&](std::size_t i, const BlockPart& in, const BlockPart& out) {
               std::vector<T> block_x(dtheta.empty() ? 0 : in.size(batch)), block_dy(out.size(batch)),
                   block_dx(dx.empty() ? 0 : in.size(batch));
               out.gather(batch, dto.data(), block_dy.data());
               if (!dtheta.empty()) in.gather(batch, from.data(), block_x.data());
               const std::size_t count = state.blocks[i]->theta().size();
               state.blocks[i]->backward(batch * in.columns, block_x, block_dy, block_dx,
                                         dtheta.empty() ? std::span<T>{} : dtheta.subspan(first, count), {},
                                         {LayerMode::automatic, threads, 1});
               first += count;
               if (!dx.empty()) in.scatter(batch, block_dx.data(), dfrom.data());
             });
  if (!dx.empty())
    state.bases->in_transposed().apply(batch * channels().in, dfrom.data(), dx.data(), threads);
  return LayerForm::isotypic;
}

template class IsotypicLinear<float>;
template class IsotypicLinear<double>;

}  // namespace intertwine
