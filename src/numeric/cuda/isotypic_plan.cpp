// The steps of the isotypic form on a device.
#include "numeric/cuda/isotypic_plan.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {

// to [batch, n, channels] = A from [batch, channels, n] by rows: every vector of a channel is multiplied by the row-major n x n
// array A (adjoint: by its transpose).
Gemm into_coordinates(u64 n, u64 channels, u64 batch, unsigned matrix, bool adjoint, unsigned from, unsigned to) {
  if (channels == 1) return {!adjoint, false, n, batch, n, {matrix, 0, n, 0}, {from, 0, n, 0}, {to, 0, n, 0}};
  return {true, adjoint, channels, n, n, {from, 0, n, channels * n}, {matrix, 0, n, 0}, {to, 0, channels, n * channels},
          batch};
}

// to [batch, channels, n] = A from [batch, n, channels], likewise.
Gemm out_of_coordinates(u64 n, u64 channels, u64 batch, unsigned matrix, bool adjoint, unsigned from, unsigned to) {
  if (channels == 1) return {!adjoint, false, n, batch, n, {matrix, 0, n, 0}, {from, 0, n, 0}, {to, 0, n, 0}};
  return {
      !adjoint, true, n, channels, n, {matrix, 0, n, 0}, {from, 0, channels, n * channels}, {to, 0, n, channels * n},
      batch};
}

}  // namespace

IsotypicPlan isotypic_plan(const IsotypicDecomposition::Data& data, Multiplicity channels, u64 batch) {
  IsotypicPlan plan;
  plan.rows = data.rows;
  plan.cols = data.cols;
  plan.out = channels.out;
  plan.in = channels.in;
  plan.params = data.params;
  plan.change_in = into_coordinates(data.cols, channels.in, batch, array_in, false, array_x, array_x1);
  plan.change_out = out_of_coordinates(data.rows, channels.out, batch, array_out_inverse, false, array_y1, array_y);
  plan.change_out_adjoint =
      into_coordinates(data.rows, channels.out, batch, array_out_inverse, true, array_y, array_y1);
  plan.change_in_adjoint = out_of_coordinates(data.cols, channels.in, batch, array_in, true, array_x1, array_x);
  u64 first_in = 0, first_out = 0, first_param = 0;
  for (const IsotypicBlock& block : data.blocks) {
    const u64 e = block.division, times = block.degree / e;
    const BlockShape shape{e, block.copies_out, block.copies_in, channels.out, channels.in, plan.weights, first_param};
    const u64 height = shape.rows(), width = shape.cols();
    if (params_of(block) > 0) {
      // The weights, row-major height x width, are a width x height matrix; the arrays, (coordinate) x batch matrices.
      const Operand weights{array_weights, plan.weights, width, 0};
      const Operand input{array_x1, first_in * channels.in, data.cols * channels.in, width};
      const Operand output{array_y1, first_out * channels.out, data.rows * channels.out, height};
      plan.forward.push_back({true, false, height, batch, width, weights, input, output, times});
      plan.to_inputs.push_back({false, false, width, batch, height, weights, output, input, times});
      for (u64 a = 0; a < times; ++a) {
        Operand x = input, y = output;
        x.offset += a * width;
        y.offset += a * height;
        x.stride = y.stride = 0;
        plan.to_weights.push_back({false, true, width, height, batch, x, y, weights, 1, a > 0});
      }
      plan.blocks.push_back(shape);
      plan.weights += height * width;
    } else {
      plan.gaps_in |= block.copies_in > 0;
      plan.gaps_out |= block.copies_out > 0;
    }
    first_in += block.copies_in * block.degree;
    first_out += block.copies_out * block.degree;
    first_param += params_of(block);
  }
  return plan;
}

std::vector<double> ordered_in(const IsotypicDecomposition::Data& data) {
  std::vector<double> out;
  out.reserve(data.cols * data.cols);
  for (const u64 row : data.place_in)
    for (u64 j = 0; j < data.cols; ++j) out.push_back(data.in[row * data.cols + j]);
  return out;
}

std::vector<double> ordered_out_inverse(const IsotypicDecomposition::Data& data) {
  std::vector<double> out;
  out.reserve(data.rows * data.rows);
  for (u64 i = 0; i < data.rows; ++i)
    for (const u64 col : data.place_out) out.push_back(data.out_inverse[i * data.rows + col]);
  return out;
}

}  // namespace intertwine::numeric_detail::cuda
