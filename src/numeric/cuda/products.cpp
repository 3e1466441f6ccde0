// Row-major products of matrices in the terms of BLAS.
#include "numeric/cuda/products.hpp"

#include "numeric/cuda/bodies.hpp"

namespace intertwine::numeric_detail::cuda {

Gemm row_major_forward(u64 batch, u64 rows, u64 cols) {
  return {true, false, rows, batch, cols, {0, 0, cols, 0}, {1, 0, cols, 0}, {2, 0, rows, 0}};
}
Gemm row_major_to_inputs(u64 batch, u64 rows, u64 cols) {
  return {false, false, cols, batch, rows, {0, 0, cols, 0}, {1, 0, rows, 0}, {2, 0, cols, 0}};
}
Gemm row_major_to_weights(u64 batch, u64 rows, u64 cols) {
  return {false, true, cols, rows, batch, {0, 0, cols, 0}, {1, 0, rows, 0}, {2, 0, cols, 0}};
}
Gemm row_major_map(u64 rows, u64 cols, u64 width) {
  return {false, false, width, rows, cols, {0, 0, width, 0}, {1, 0, cols, 0}, {2, 0, width, 0}};
}
Gemm row_major_map_adjoint(u64 rows, u64 cols, u64 width) {
  return {false, true, width, cols, rows, {0, 0, width, 0}, {1, 0, cols, 0}, {2, 0, width, 0}};
}

template <class T, class Sum, class Out>
void emulate_gemm(const Gemm& g, const T* a, const T* b, Out* c) {
  for (u64 p = 0; p < g.count; ++p) {
    const T* from_a = a + g.a.offset + p * g.a.stride;
    const T* from_b = b + g.b.offset + p * g.b.stride;
    Out* to = c + g.c.offset + p * g.c.stride;
    for (u64 j = 0; j < g.n; ++j)
      for (u64 i = 0; i < g.m; ++i) {
        Sum sum{0};
        for (u64 l = 0; l < g.k; ++l)
          sum += static_cast<Sum>(number(from_a[g.transpose_a ? l + i * g.a.ld : i + l * g.a.ld])) *
                 static_cast<Sum>(number(from_b[g.transpose_b ? j + l * g.b.ld : l + j * g.b.ld]));
        Out& entry = to[i + j * g.c.ld];
        entry = stored<Out>(g.accumulate ? sum + static_cast<Sum>(number(entry)) : sum);
      }
  }
}

#define INTERTWINE_FOR(T, Sum, Out) template void emulate_gemm<T, Sum, Out>(const Gemm&, const T*, const T*, Out*);
INTERTWINE_FOR(float, float, float)
INTERTWINE_FOR(double, double, double)
INTERTWINE_FOR(Bf16, float, Bf16)
INTERTWINE_FOR(Bf16, float, float)
INTERTWINE_FOR(Half, float, Half)
INTERTWINE_FOR(Half, float, float)
#undef INTERTWINE_FOR

namespace {

// Entries that columns x rows of an operand reach, from the beginning of its array.
bool operand_within(const Operand& x, u64 rows, u64 cols, u64 count, u64 size) {
  if (rows == 0 || cols == 0 || count == 0) return true;
  return x.ld >= rows && x.offset + (count - 1) * x.stride + (cols - 1) * x.ld + rows <= size;
}

}  // namespace

bool within(const Gemm& g, u64 a_size, u64 b_size, u64 c_size) {
  return operand_within(g.a, g.transpose_a ? g.k : g.m, g.transpose_a ? g.m : g.k, g.count, a_size) &&
         operand_within(g.b, g.transpose_b ? g.n : g.k, g.transpose_b ? g.k : g.n, g.count, b_size) &&
         operand_within(g.c, g.m, g.n, g.count, c_size);
}

}  // namespace intertwine::numeric_detail::cuda
