// The plan of the isotypic form: changes of basis and blocks.
#include "numeric/isotypic_layer_plan.hpp"

#include <algorithm>
#include <mutex>

#include "numeric/cost_model.hpp"
#include "numeric/isotypic_data.hpp"
#include "numeric/parallel.hpp"
#include "numeric/product.hpp"

namespace intertwine::numeric_detail {
namespace {

TiedPattern no_bias(std::uint64_t rows) { return TiedPattern(rows, 1, 0, std::vector<std::uint8_t>(rows, 0)); }

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
ChangeOfBasis<T> change(const std::vector<double>& matrix, const std::vector<std::uint64_t>& place, bool by_rows,
                        bool transpose) {
  const std::uint64_t n = place.size();
  std::vector<T> out(n * n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) {
      const double value = by_rows ? matrix[place[i] * n + j] : matrix[i * n + place[j]];
      out[transpose ? j * n + i : i * n + j] = static_cast<T>(value);
    }
  return ChangeOfBasis<T>(out, n);
}

}  // namespace

/// The common part of layers with one decomposition. The transposes, for gradients, are made on first use.
template <class T>
struct IsotypicBases {
  explicit IsotypicBases(IsotypicDecomposition d) : decomposition(std::move(d)) {
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

template <class T>
void multiply_matrix(std::span<const T> A, std::uint64_t rows, std::uint64_t cols, const T* x, std::uint64_t width,
                     T* y, unsigned threads) {
  const PanelShape shape{width, cols, {1, 1}};
  if (rows == 0 || width == 0) return;
  multiply_dense(shape, pack_weights(shape, x, true, threads), rows, A.data(), y, threads);
}

template void multiply_matrix<float>(std::span<const float>, std::uint64_t, std::uint64_t, const float*, std::uint64_t,
                                     float*, unsigned);
template void multiply_matrix<double>(std::span<const double>, std::uint64_t, std::uint64_t, const double*,
                                      std::uint64_t, double*, unsigned);

namespace {

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

constexpr LayerOptions block_options(unsigned threads) { return {LayerMode::automatic, threads, 1}; }

}  // namespace

template <class T>
IsotypicLayerPlan<T>::IsotypicLayerPlan(std::shared_ptr<const IsotypicBases<T>> bases, Multiplicity channels)
    : bases_(std::move(bases)), channels_(channels) {
  const auto& d = decomposition().data();
  checked_product({d.params, channels.out, channels.in, 16}, "theta");
  checked_product({d.rows, channels.out, d.cols, channels.in, 16}, "the array of weights");
  for (std::size_t i = 0; i < d.blocks.size(); ++i) {
    auto& block = blocks_.emplace_back();
    if (params_of(d.blocks[i]) > 0) block.emplace(d.patterns[i], no_bias(d.patterns[i].rows()), channels);
  }
}

template <class T>
IsotypicLayerPlan<T>::IsotypicLayerPlan(IsotypicDecomposition d, Multiplicity channels)
    : IsotypicLayerPlan(std::make_shared<const IsotypicBases<T>>(std::move(d)), channels) {}

template <class T>
IsotypicLayerPlan<T> IsotypicLayerPlan<T>::with_channels(Multiplicity channels) const {
  return IsotypicLayerPlan(bases_, channels);
}

template <class T>
const IsotypicDecomposition& IsotypicLayerPlan<T>::decomposition() const {
  return bases_->decomposition;
}

template <class T>
std::uint64_t IsotypicLayerPlan<T>::parameters() const {
  return decomposition().params() * channels_.out * channels_.in;
}

template <class T>
void IsotypicLayerPlan<T>::apply(std::uint64_t batch, const T* x, T* y, unsigned threads,
                                 const BlockProduct& multiply) const {
  Buffer<T> from(batch * inputs()), to(batch * outputs());
  bases_->in.apply(batch * channels_.in, x, from.data(), threads);
  std::fill(to.data(), to.data() + to.size(), T{0});
  for_blocks(decomposition().data(), channels_, [&](std::size_t i, const BlockPart& in, const BlockPart& out) {
    std::vector<T> block_x(in.size(batch)), block_y(out.size(batch));
    in.gather(batch, from.data(), block_x.data());
    multiply(i, batch * in.columns, block_x, block_y);
    out.scatter(batch, block_y.data(), to.data());
  });
  bases_->out_inverse.apply(batch * channels_.out, to.data(), y, threads);
}

template <class T>
void IsotypicLayerPlan<T>::apply(std::uint64_t batch, const T* x, std::span<const T> theta, T* y,
                                 unsigned threads) const {
  std::size_t first = 0;
  apply(batch, x, y, threads, [&](std::size_t i, std::uint64_t rows, std::span<const T> bx, std::span<T> by) {
    const LayerPlan<T>& block = *blocks_[i];
    block.apply(rows, bx, theta.subspan(first, block.parameters()), {}, by, block_options(threads));
    first += block.parameters();
  });
}

template <class T>
void IsotypicLayerPlan<T>::gradients(std::uint64_t batch, const T* x, const T* dy, const T* theta, T* dx, T* dtheta,
                                     unsigned threads) const {
  if (dx == nullptr && dtheta == nullptr) return;
  Buffer<T> dto(batch * outputs()), from(dtheta == nullptr ? 0 : batch * inputs()),
      dfrom(dx == nullptr ? 0 : batch * inputs());
  bases_->out_inverse_transposed().apply(batch * channels_.out, dy, dto.data(), threads);
  if (dtheta != nullptr) bases_->in.apply(batch * channels_.in, x, from.data(), threads);
  std::fill(dfrom.data(), dfrom.data() + dfrom.size(), T{0});
  std::size_t first = 0;
  for_blocks(decomposition().data(), channels_, [&](std::size_t i, const BlockPart& in, const BlockPart& out) {
    std::vector<T> block_x(dtheta == nullptr ? 0 : in.size(batch)), block_dy(out.size(batch)),
        block_dx(dx == nullptr ? 0 : in.size(batch));
    out.gather(batch, dto.data(), block_dy.data());
    if (dtheta != nullptr) in.gather(batch, from.data(), block_x.data());
    const LayerPlan<T>& block = *blocks_[i];
    const std::uint64_t rows = batch * in.columns, count = block.parameters();
    if (dtheta != nullptr)
      block.outer(rows, block_x, block_dy, std::span(dtheta + first, count), block_options(threads));
    if (dx != nullptr) {
      block.apply_transposed(rows, block_dy, std::span(theta + first, count), block_dx, block_options(threads));
      in.scatter(batch, block_dx.data(), dfrom.data());
    }
    first += count;
  });
  if (dx != nullptr) bases_->in_transposed().apply(batch * channels_.in, dfrom.data(), dx, threads);
}

template <class T>
double IsotypicLayerPlan<T>::expected_seconds(std::uint64_t batch) const {
  const auto& d = decomposition().data();
  const Multiplicity c = channels_;
  double seconds = product_seconds<T>(batch * c.in, d.cols, d.cols) + product_seconds<T>(batch * c.out, d.rows, d.rows);
  for_blocks(d, c, [&](std::size_t, const BlockPart& in, const BlockPart& out) {
    seconds += product_seconds<T>(batch * in.columns, out.channels * out.width, in.channels * in.width);
    seconds += static_cast<double>(in.size(batch) + out.size(batch)) / 4e9;
  });
  return seconds;
}

template <class T>
double IsotypicLayerPlan<T>::operations(std::uint64_t batch) const {
  const auto& d = decomposition().data();
  const auto product = [](std::uint64_t rows, std::uint64_t outputs, std::uint64_t in) {
    return 2 * static_cast<double>(rows) * static_cast<double>(outputs) * static_cast<double>(in);
  };
  double sum = product(batch * channels_.in, d.cols, d.cols) + product(batch * channels_.out, d.rows, d.rows);
  for_blocks(d, channels_, [&](std::size_t, const BlockPart& in, const BlockPart& out) {
    sum += product(batch * in.columns, out.channels * out.width, in.channels * in.width);
  });
  return sum;
}

template class IsotypicLayerPlan<float>;
template class IsotypicLayerPlan<double>;

}  // namespace intertwine::numeric_detail
