// The contents of an IsotypicDecomposition, and its products for layers of T.
#pragma once
#include <memory>
#include <vector>

#include "intertwine/numeric/isotypic.hpp"
#include "numeric/tied_pattern.hpp"

namespace intertwine {

namespace numeric_detail {
/// Parameters of a block: the real numbers of copies_out x copies_in numbers of the ring.
inline std::uint64_t params_of(const IsotypicBlock& block) {
  return block.copies_out * block.copies_in * block.division;
}
}  // namespace numeric_detail

/// Matrices are row-major. The kernels' order of coordinates in a block is (coordinate over the ring, copy, part), so that
/// what a block multiplies lies together; `place_*` gives for each coordinate in that order its number in the public order.
struct IsotypicDecomposition::Data {
  std::vector<IsotypicBlock> blocks;
  std::uint64_t rows = 0, cols = 0, params = 0;
  std::vector<double> out, out_inverse, in, in_inverse;
  std::vector<std::uint64_t> place_out, place_in;
  std::vector<numeric_detail::TiedPattern>
      patterns;  ///< the patterns of each block: (m e) x (n e), the ring's numbers as real matrices
};

namespace numeric_detail {

/// y = A x for `batch` vectors x of the layer's numbers, A [rows, cols] of doubles: theta' from theta and the like.
template <class T>
void multiply_matrix(std::span<const T> A, std::uint64_t rows, std::uint64_t cols, const T* x, std::uint64_t width,
                     T* y, unsigned threads);

}  // namespace numeric_detail
}  // namespace intertwine
