// Matrix products as BLAS has them, written down once for cuBLAS and for the emulation. Everything is column-major: a row-major
// r x c array is a c x r matrix.
#pragma once
#include <cstdint>
#include <vector>

namespace intertwine::numeric_detail::cuda {

struct Operand {
  unsigned array = 0;        ///< which of the arrays that are handed over
  std::uint64_t offset = 0;  ///< of its first entry
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

/// The products without a device: sums in their order over k, rounded once.
template <class T, class Sum, class Out>
void emulate_gemm(const Gemm& g, const T* a, const T* b, Out* c);

/// Do all entries that a product names lie in arrays of these lengths? What keeps a plan from writing elsewhere.
bool within(const Gemm& g, std::uint64_t a_size, std::uint64_t b_size, std::uint64_t c_size);

}  // namespace intertwine::numeric_detail::cuda
