// Products with weights that are materialised, a block at a time or looked up, and the gradient of the parameters. All give the same
// bits. Orbit sums: implicit.hpp.
#pragma once
#include <cstdint>

#include "intertwine/numeric/prepared_pattern.hpp"
#include "numeric/pattern_data.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

/// The outputs and inputs of W, or of its transpose, and how outputs lie in panels.
struct PanelShape {
  std::uint64_t rows, cols;  ///< the rows and columns of one channel
  Multiplicity channels;     ///< as this product has them: swapped for the transpose

  std::uint64_t inputs() const { return channels.in * cols; }
  std::uint64_t outputs() const { return channels.out * rows; }
  std::uint64_t channel_panels() const { return ceil_div(rows, kernels::panel); }
  /// Panels hold outputs of one channel only; otherwise (few rows) they run on through the channels.
  bool by_channel() const { return channels.out == 1 || channel_panels() * kernels::panel * 4 <= rows * 5; }
  std::uint64_t panels() const {
    return by_channel() ? channels.out * channel_panels() : ceil_div(outputs(), kernels::panel);
  }
  PanelShape transposed() const { return {cols, rows, {channels.in, channels.out}}; }
};

/// Weights of a pattern, or their transpose, as a product sees them. theta is [params, out, in] of the layer, wherever it lies.
template <class T>
struct Operand : PanelShape {
  const PreparedPattern& pattern;
  const T* theta;
  bool is_transposed;

  Operand(const PreparedPattern& weights, Multiplicity of_layer, const T* parameters, bool transpose)
      : PanelShape(transpose ? PanelShape{weights.rows(), weights.cols(), of_layer}.transposed()
                             : PanelShape{weights.rows(), weights.cols(), of_layer}),
        pattern(weights),
        theta(parameters),
        is_transposed(transpose) {}
  /// Channels of theta.
  Multiplicity layer_channels() const { return is_transposed ? Multiplicity{channels.in, channels.out} : channels; }
};

/// W in panels, [panels][inputs][panel].
template <class T>
Buffer<T> pack_weights(const Operand<T>& W, unsigned threads);

/// W in panels from a row-major array, outputs x inputs, or inputs x outputs if it is to be transposed.
template <class T>
Buffer<T> pack_weights(const PanelShape& shape, const T* W, bool transpose, unsigned threads);

/// y = W x from packed weights.
template <class T>
void multiply_dense(const PanelShape& W, const Buffer<T>& packed, std::uint64_t batch, const T* x, T* y,
                    unsigned threads);

/// The bits of multiply_dense() from the pattern: a block of W is made at a time, which stays in the first-level cache.
template <class T>
void multiply_streamed(const Operand<T>& W, std::uint64_t batch, const T* x, T* y, unsigned threads);

/// True if tables stay in registers, so that the look-up costs little more than the multiplication.
template <class T>
bool registers_hold(const Operand<T>& W, std::uint64_t batch);

/// The bits of multiply_dense() with look-ups in registers; where these do not hold the tables, multiply_streamed().
/// Codes are kept in the order in which it reads them once fewer than 64 rows were multiplied with the weights
/// themselves; else they are put in order a few at a time.
template <class T>
void multiply_lookup(const Operand<T>& W, std::uint64_t batch, const T* x, T* y, unsigned threads);

/// dtheta = sum over the batch of reduce_gradient(dy x^T), a chunk of dW at a time.
template <class T>
void parameter_gradient(const PreparedPattern& weights, Multiplicity channels, std::uint64_t batch, const T* x,
                        const T* dy, T* dtheta, unsigned threads);

/// dbias [Q, out] = reduce_gradient(the sum of dy over the batch).
template <class T>
void bias_gradient(const PreparedPattern& bias, std::uint64_t out, std::uint64_t batch, const T* dy, std::span<T> dbias,
                   unsigned threads);

}  // namespace intertwine::numeric_detail
