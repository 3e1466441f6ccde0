// Products by orbit sums: the inputs of each orbit are added first, then multiplied by theta, so that a row of W costs as many additions
// as it has entries and as many multiplications as it has parameters. Where an orbit is more than half of a row, its sum is the sum of all
// inputs minus the others. The transpose is the same with columns; the gradient is the product of the sums with dy.
//
// All orders of summation are functions of the pattern and of the channels alone.
#pragma once
#include <cstdint>

#include "intertwine/numeric/layer_plan.hpp"
#include "intertwine/numeric/prepared_pattern.hpp"

namespace intertwine::numeric_detail {

/// y = W x, or x = W^T y if `transpose` (then `channels` are still those of theta).
template <class T>
void multiply_implicit(const PreparedPattern& weights, Multiplicity channels, bool transpose, const T* theta,
                       std::uint64_t batch, const T* x, ArrayStrides x_strides, T* y, ArrayStrides y_strides,
                       unsigned threads);

/// dtheta [params, out, in].
template <class T>
void implicit_gradient(const PreparedPattern& weights, Multiplicity channels, std::uint64_t batch, const T* x,
                       ArrayStrides x_strides, const T* dy, ArrayStrides dy_strides, T* dtheta, unsigned threads);

/// Counts that the cost depends on: those of a row of W or of W^T on average.
struct ImplicitSize {
  double additions = 0;   ///< the additions of inputs to sums
  double parameters = 0;  ///< the parameters that occur
};
ImplicitSize implicit_size(const PreparedPattern& weights, bool transpose);

}  // namespace intertwine::numeric_detail
