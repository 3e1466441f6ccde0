// The inner loop is compiled for several instruction sets and chosen at run time; sums of integers do not depend on which.
#include "exact/double_product.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace intertwine {

namespace {

// A tile of C is held in registers while k runs; a panel of B as wide as a tile stays in the first cache, a block of rows of
// A in the second, and B is packed once: the scheme that K. Goto published in 2008 with R. van de Geijn.
constexpr std::size_t tile_rows = 8, tile_cols = 16, block_depth = 256, block_rows = 128, block_cols = 512;

/// tile = A B for `k` steps of packed rows of A (tile_rows a step) and a packed panel of B (tile_cols a step).
using TileProduct = void (*)(std::size_t k, const double* A, const double* B, double* tile);

void tile_product_anywhere(std::size_t k, const double* A, const double* B, double* tile) {
  std::fill_n(tile, tile_rows * tile_cols, 0);
  for (std::size_t l = 0; l < k; ++l)
    for (std::size_t i = 0; i < tile_rows; ++i)
      for (std::size_t j = 0; j < tile_cols; ++j)
        tile[i * tile_cols + j] += A[l * tile_rows + i] * B[l * tile_cols + j];
}

#if defined(__x86_64__)
/// Registers of some doubles, and in how many of them across how many rows sums fit.
struct Avx2 {
  using Vector = double __attribute__((vector_size(32)));
  static constexpr std::size_t rows = 4, vectors = 2;
};
struct Avx512 {
  using Vector = double __attribute__((vector_size(64)));
  static constexpr std::size_t rows = 8, vectors = 2;
};

template <class Registers>
[[gnu::always_inline]] inline void tile_product_by_vectors(std::size_t k, const double* A, const double* B,
                                                           double* tile) {
  using Vector = typename Registers::Vector;
  constexpr std::size_t rows = Registers::rows, vectors = Registers::vectors,
                        width = vectors * sizeof(Vector) / sizeof(double);
  for (std::size_t top = 0; top < tile_rows; top += rows)
    for (std::size_t left = 0; left < tile_cols; left += width) {
      Vector sum[rows][vectors] = {};
      for (std::size_t l = 0; l < k; ++l)
        for (std::size_t j = 0; j < vectors; ++j) {
          Vector b;
          std::memcpy(&b, B + l * tile_cols + left + j * sizeof b / sizeof(double), sizeof b);
          for (std::size_t i = 0; i < rows; ++i) sum[i][j] += A[l * tile_rows + top + i] * b;
        }
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < vectors; ++j) {
          const Vector s = sum[i][j];  // the sums themselves have no address: they stay in registers
          std::memcpy(tile + (top + i) * tile_cols + left + j * sizeof s / sizeof(double), &s, sizeof s);
        }
    }
}

[[gnu::target("avx2,fma")]] void tile_product_avx2(std::size_t k, const double* A, const double* B, double* tile) {
  tile_product_by_vectors<Avx2>(k, A, B, tile);
}
[[gnu::target("avx512f")]] void tile_product_avx512(std::size_t k, const double* A, const double* B, double* tile) {
  tile_product_by_vectors<Avx512>(k, A, B, tile);
}
#endif

TileProduct best_tile_product() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return tile_product_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return tile_product_avx2;
#endif
  return tile_product_anywhere;
}

/// Columns of a height x steps matrix in tiles of rows, each step by step; 0 below.
void pack_rows(const double* A, std::size_t lda, std::size_t height, std::size_t steps, double* to) {
  for (std::size_t i = 0; i < height; i += tile_rows)
    for (std::size_t r = 0; r < tile_rows; ++r)
      for (std::size_t l = 0; l < steps; ++l)
        to[i * steps + l * tile_rows + r] = i + r < height ? A[(i + r) * lda + l] : 0;
}

/// Rows of a steps x width matrix in panels of columns, each step by step; 0 on the right.
void pack_cols(const double* B, std::size_t ldb, std::size_t steps, std::size_t width, double* to) {
  for (std::size_t j = 0; j < width; j += tile_cols) {
    const std::size_t inside = std::min(tile_cols, width - j);
    for (std::size_t l = 0; l < steps; ++l) {
      double* at = to + j * steps + l * tile_cols;
      std::copy_n(B + l * ldb + j, inside, at);
      std::fill(at + inside, at + tile_cols, 0);
    }
  }
}

std::size_t rounded_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

void add_double_product(std::size_t m, std::size_t n, std::size_t k, const double* A, std::size_t lda, const double* B,
                        std::size_t ldb, double* C, std::size_t ldc) {
  static const TileProduct product = best_tile_product();
  std::vector<double> rows(rounded_up(std::min(m, block_rows), tile_rows) * std::min(k, block_depth)),
      panels(rounded_up(std::min(n, block_cols), tile_cols) * std::min(k, block_depth));
  double tile[tile_rows * tile_cols];
  for (std::size_t l0 = 0; l0 < k; l0 += block_depth)
    for (std::size_t j0 = 0; j0 < n; j0 += block_cols) {
      const std::size_t steps = std::min(block_depth, k - l0), width = std::min(block_cols, n - j0);
      pack_cols(B + l0 * ldb + j0, ldb, steps, width, panels.data());
      for (std::size_t i0 = 0; i0 < m; i0 += block_rows) {
        const std::size_t height = std::min(block_rows, m - i0);
        pack_rows(A + i0 * lda + l0, lda, height, steps, rows.data());
        for (std::size_t j = 0; j < width; j += tile_cols)
          for (std::size_t i = 0; i < height; i += tile_rows) {
            product(steps, rows.data() + i * steps, panels.data() + j * steps, tile);
            for (std::size_t r = 0; r < std::min(tile_rows, height - i); ++r) {
              double* to = C + (i0 + i + r) * ldc + j0 + j;
              for (std::size_t c = 0; c < std::min(tile_cols, width - j); ++c) to[c] += tile[r * tile_cols + c];
            }
          }
      }
    }
}

}  // namespace intertwine
