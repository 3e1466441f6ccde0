// Products with tied weights: dense, looked up, by orbit sums, and the gradient of the parameters.
#pragma once
#include <cstdint>

#include "numeric/pattern_data.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

/// W, or its transpose, as a product sees it: outputs (channel, row), inputs (channel, column).
template <class T>
struct Operand {
  const PackedCodes& codes;
  const Tables<T>& tables;
  std::uint64_t params;
  Multiplicity channels;  ///< as this operand has them: swapped for the transpose
  bool transposed;

  const T* table(std::uint64_t out, std::uint64_t in) const {
    return transposed ? tables.of(in, out) : tables.of(out, in);
  }
  std::uint64_t table_stride() const {  ///< from input channel to input channel
    return transposed ? tables.channels.in * tables.room : tables.room;
  }
  std::uint64_t inputs() const { return channels.in * codes.cols; }
  std::uint64_t outputs() const { return channels.out * codes.rows; }
  /// Panels hold outputs of one channel only; otherwise (few rows) they run on through the channels.
  bool by_channel() const { return channels.out == 1 || codes.panels * kernels::panel * 4 <= codes.rows * 5; }
  std::uint64_t panels() const {
    return by_channel() ? channels.out * codes.panels : ceil_div(outputs(), kernels::panel);
  }
};

/// W in panels, [panels][inputs][panel].
template <class T>
Buffer<T> pack_weights(const Operand<T>& W, unsigned threads);

/// y = W x from packed weights.
template <class T>
void multiply_dense(const Operand<T>& W, const Buffer<T>& packed, std::uint64_t batch, const T* x, T* y,
                    unsigned threads);

/// The same bits from the codes.
template <class T>
void multiply_lookup(const Operand<T>& W, std::uint64_t batch, const T* x, T* y, unsigned threads);

/// True if tables stay in registers, so that the look-up costs little more than the multiplication.
template <class T>
bool registers_hold(const Operand<T>& W);

/// y = W x by orbit sums, for theta of shape [params, out, in].
template <class T>
void multiply_implicit(const PatternData& pattern, Multiplicity channels, const T* theta, std::uint64_t batch,
                       const T* x, T* y, unsigned threads);

/// dtheta = sum over the batch of reduce(dy x^T), a chunk of dW at a time.
template <class T>
void parameter_gradient(const PatternData& pattern, Multiplicity channels, std::uint64_t batch, const T* x,
                        const T* dy, T* dtheta, unsigned threads);

}  // namespace intertwine::numeric_detail
