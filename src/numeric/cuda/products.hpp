// Matrix products as BLAS has them, written down once for cuBLAS and for the emulation. Everything is column-major: a row-major
// r x c array is a c x r matrix.
#pragma once
#include <cstdint>
#include <vector>

namespace intertwine::numeric_detail::cuda {

struct Operand {
  unsigned array = 0;        ///< which of the arrays that are handed over
  std::uint64_t offset = 0;  ///< the offset of its first entry
  std::uint64_t ld = 1;      ///< entries from column to column
  std::uint64_t stride = 0;  ///< and from product to product
};

/// C = op(A) op(B), or C += op(A) op(B), `count` times; op(A) is m x k, op(B) k x n, C m x n.
struct Gemm {
  bool transpose_a = false, transpose_b = false;
  std::uint64_t m = 0, n = 0, k = 0;
  Operand a, b, c;
  std::uint64_t count = 1;
  bool accumulate = false;
};

/// Products of row-major arrays; the arrays are numbered in the order in which they are named.
/// y [batch, rows] from W [rows, cols] and x [batch, cols]: y = x W^T.
Gemm row_major_forward(std::uint64_t batch, std::uint64_t rows, std::uint64_t cols);
/// dx [batch, cols] from W [rows, cols] and dy [batch, rows]: dx = dy W.
Gemm row_major_to_inputs(std::uint64_t batch, std::uint64_t rows, std::uint64_t cols);
/// dW [rows, cols] from x [batch, cols] and dy [batch, rows]: dW = dy^T x.
Gemm row_major_to_weights(std::uint64_t batch, std::uint64_t rows, std::uint64_t cols);
/// out [rows, width] from x [cols, width] and A [rows, cols]: out = A x; and the adjoint, out [cols, width] from x [rows, width].
Gemm row_major_map(std::uint64_t rows, std::uint64_t cols, std::uint64_t width);
Gemm row_major_map_adjoint(std::uint64_t rows, std::uint64_t cols, std::uint64_t width);

/// The products without a device: sums in their order over k, rounded once.
template <class T, class Sum, class Out>
void emulate_gemm(const Gemm& g, const T* a, const T* b, Out* c);

/// Do all entries that a product names lie in arrays of these lengths? What keeps a plan from writing elsewhere.
bool within(const Gemm& g, std::uint64_t a_size, std::uint64_t b_size, std::uint64_t c_size);

}  // namespace intertwine::numeric_detail::cuda
