// Products with tied weights: dense, looked up, by orbit sums, and the gradient of the parameters.
#pragma once
#include <cstdint>

#include "intertwine/numeric/prepared_pattern.hpp"
#include "numeric/pattern_data.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

/// The outputs and inputs of W, or of its transpose, and how outputs lie in panels.
struct PanelShape {
  std::uint64_t rows, cols;  ///< of one channel
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

/// Tied weights, or their transpose, as a product sees them.
template <class T>
struct Operand : PanelShape {
  const PackedCodes& codes;
  const Tables<T>& tables;
  std::uint64_t params;
  bool is_transposed;

  const T* table(std::uint64_t out, std::uint64_t in) const {
    return is_transposed ? tables.of(in, out) : tables.of(out, in);
  }
  std::uint64_t table_stride() const {  ///< from input channel to input channel
    return is_transposed ? tables.channels.in * tables.room : tables.room;
  }
};

/// W in panels, [panels][inputs][panel].
template <class T>
Buffer<T> pack_weights(const Operand<T>& W, unsigned threads);

/// The same from a row-major array, outputs x inputs, or inputs x outputs if it is to be transposed.
template <class T>
Buffer<T> pack_weights(const PanelShape& shape, const T* W, bool transpose, unsigned threads);

/// y = W x from packed weights.
template <class T>
void multiply_dense(const PanelShape& W, const Buffer<T>& packed, std::uint64_t batch, const T* x, T* y,
                    unsigned threads);

/// The same bits from the codes.
template <class T>
void multiply_lookup(const Operand<T>& W, std::uint64_t batch, const T* x, T* y, unsigned threads);

/// True if tables stay in registers, so that the look-up costs little more than the multiplication.
template <class T>
bool registers_hold(const Operand<T>& W, std::uint64_t batch);

/// y = W x by orbit sums, for theta of shape [params, out, in]; for general bases by sums of multiples of inputs.
template <class T>
void multiply_implicit(const PreparedPattern& weights, Multiplicity channels, const T* theta,
                       std::uint64_t batch, const T* x, T* y, unsigned threads);

/// dtheta = sum over the batch of reduce(dy x^T), a chunk of dW at a time.
template <class T>
void parameter_gradient(const PreparedPattern& weights, Multiplicity channels, std::uint64_t batch,
                        const T* x, const T* dy, T* dtheta, unsigned threads);

/// dbias [Q, out] = reduce(the sum of dy over the batch).
template <class T>
void bias_gradient(const PreparedPattern& bias, std::uint64_t out, std::uint64_t batch, const T* dy,
                   std::span<T> dbias, unsigned threads);

}  // namespace intertwine::numeric_detail
