// The isotypic form as matrix products: what is multiplied with what, where it lies, and in which order. One plan for cuBLAS and
// for the emulation.
//
// Arrays, row-major. In the coordinates of the blocks channels are the fastest index, so that what a block multiplies is
// contiguous: of block i, coordinate a over the ring, (copy, part, channel).
//   x [batch, in, N]   x1 [batch, N, in]   y1 [batch, M, out]   y [batch, out, M]
// (With one channel x and x1 have the same shape, and a change of basis is a single product.)
#pragma once
#include <vector>

#include "numeric/cuda/bodies.hpp"
#include "numeric/cuda/products.hpp"
#include "numeric/isotypic_data.hpp"

namespace intertwine::numeric_detail::cuda {

enum IsotypicArray : unsigned { array_x, array_x1, array_y, array_y1, array_in, array_out_inverse, array_weights };
inline constexpr unsigned isotypic_arrays = 7;

struct IsotypicPlan {
  std::vector<BlockShape> blocks;  ///< the blocks with parameters
  std::uint64_t weights = 0;       ///< entries of the weights of all blocks
  std::uint64_t rows = 0, cols = 0, out = 1, in = 1, params = 0;
  bool gaps_in = false,
       gaps_out = false;  ///< coordinates of x1 (y1) belong to no block: they are cleared first

  // Forward: x1 from x; y1 from x1, a product for each block; y from y1.
  Gemm change_in;
  std::vector<Gemm> forward;
  Gemm change_out;
  // Backward, gradients in the place of the arrays: y1 from y, x1 from y1, x from x1; the weights from x1 and y1.
  Gemm change_out_adjoint;
  std::vector<Gemm> to_inputs;
  Gemm change_in_adjoint;
  std::vector<Gemm> to_weights;  ///< the first product of a block overwrites, the others add
};

IsotypicPlan isotypic_plan(const IsotypicDecomposition::Data& data, Multiplicity channels, std::uint64_t batch);

/// Runs the steps of the plan in their order. `d` has product(g), of the arrays that g names; blocks(list), where no
/// product waits for another; weights(g), whose result is a gradient; and clear(array).
template <class Do>
void isotypic_forward(const IsotypicPlan& plan, const Do& d) {
  if (plan.gaps_out) d.clear(array_y1);
  d.product(plan.change_in);
  d.blocks(plan.forward);
  d.product(plan.change_out);
}
/// array_x is the input when it is read and its gradient when it is written; array_y is the gradient of the output. `add`: to the
/// gradients of the weights.
template <class Do>
void isotypic_backward(const IsotypicPlan& plan, bool to_x, bool to_weights, bool add, const Do& d) {
  d.product(plan.change_out_adjoint);
  if (to_weights) {
    d.product(plan.change_in);
    for (Gemm g : plan.to_weights) {
      g.accumulate = g.accumulate || add;
      d.weights(g);
    }
  }
  if (!to_x) return;
  if (plan.gaps_in) d.clear(array_x1);
  d.blocks(plan.to_inputs);
  d.product(plan.change_in_adjoint);
}

/// The changes of basis in the order of the plan's coordinates, row-major: T_in with its rows, T_out^{-1} with its columns.
std::vector<double> ordered_in(const IsotypicDecomposition::Data& data);
std::vector<double> ordered_out_inverse(const IsotypicDecomposition::Data& data);

}  // namespace intertwine::numeric_detail::cuda
