// What every thread of the CUDA kernels does, as functions for both sides: the kernels (kernels.cu) call them with their
// thread's numbers, the emulation (emulation.hpp) in loops over all threads. Sums have an order that depends on the table
// alone. No standard library here, and nothing of the host.
#pragma once
#include "numeric/plan.hpp"

namespace intertwine::numeric_detail::cuda {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u32 lanes = 32;

INTERTWINE_HOST_DEVICE inline float number(float x) { return x; }
INTERTWINE_HOST_DEVICE inline double number(double x) { return x; }
INTERTWINE_HOST_DEVICE inline float number(u16 bits) {  // bfloat16
  const u32 wide = u32{bits} << 16;
  float out;
  __builtin_memcpy(&out, &wide, sizeof out);
  return out;
}

INTERTWINE_HOST_DEVICE inline float fused(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
INTERTWINE_HOST_DEVICE inline double fused(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

/// -x without arithmetic on the number: bfloat16 is a word with a sign bit.
INTERTWINE_HOST_DEVICE inline float negated(float x) { return -x; }
INTERTWINE_HOST_DEVICE inline double negated(double x) { return -x; }
INTERTWINE_HOST_DEVICE inline u16 negated(u16 x) { return static_cast<u16>(x ^ 0x8000U); }

/// The pattern and the array of weights [out, rows, in, cols] it belongs to.
struct Shape {
  u64 rows, cols, params, out, in;
  u64 row_stride;  ///< entries from row to row of the array of weights
  INTERTWINE_HOST_DEVICE u64 pairs() const { return out * in; }
  /// Entry (0, 0) of the block of channel pair `pair` = co * in + ci.
  INTERTWINE_HOST_DEVICE u64 block(u64 pair) const {
    return pair / in * rows * row_stride + pair % in * cols;
  }
};

/// Blocks of threads_x * threads_y threads; x runs over columns, y and the blocks over rows, block_y over channel pairs.
struct Grid {
  u32 blocks_x, blocks_y, threads_x, threads_y;
};

// ---- materialise: W = table[code]

inline constexpr u64 shared_entries = 256;  // tables up to this length are kept in shared memory

INTERTWINE_HOST_DEVICE inline Grid gather_grid(const Shape& shape) {
  Grid grid{1, 1, 32, 8};
  while (grid.threads_x < 256 && grid.threads_x * 4 < shape.cols) {
    grid.threads_x *= 2;
    if (grid.threads_y > 1) grid.threads_y /= 2;
  }
  const u64 rows = ceil_div(shape.rows, grid.threads_y), pairs = shape.pairs();
  grid.blocks_x = static_cast<u32>(rows < 4096 ? rows : 4096);
  grid.blocks_y = static_cast<u32>(pairs < 65535 ? pairs : 65535);
  return grid;
}

/// One entry of the table that a block keeps for a pair.
template <class T>
INTERTWINE_HOST_DEVICE T gather_table_entry(const T* theta, const Shape& shape, u64 pair, u64 e) {
  if (e == 0 || e > 2 * shape.params) return T{};
  const u64 pairs = shape.pairs();
  return e <= shape.params ? theta[(e - 1) * pairs + pair]
                           : negated(theta[(e - 1 - shape.params) * pairs + pair]);
}

/// What thread (x, y) of block block_x writes of one pair. entry(code) reads the table.
template <class T, class Code, class Entry>
INTERTWINE_HOST_DEVICE void gather(const Shape& shape, const Grid& grid, u64 pair, u32 block_x, u32 x, u32 y,
                                   const Code* codes, T* W, const Entry& entry) {
  T* to = W + shape.block(pair);
  for (u64 i = u64{block_x} * grid.threads_y + y; i < shape.rows; i += u64{grid.blocks_x} * grid.threads_y)
    for (u64 j = x; j < shape.cols; j += grid.threads_x)
      to[i * shape.row_stride + j] = entry(codes[i * shape.cols + j]);
}

// ---- reduce, few codes: a warp sums a piece of rows into tables of its own, a column of sums for each lane

struct BinsPlan {
  u64 piece_rows, pieces;
};

INTERTWINE_HOST_DEVICE inline BinsPlan bins_plan(u64 rows, u64 cols, u64 params) {
  const u64 fold = 2 * lanes * table_entries(params), least = 4096;
  const u64 entries = fold > least ? fold : least;
  BinsPlan plan{cols == 0 ? rows : ceil_div(entries, cols), 0};
  if (plan.piece_rows < 1) plan.piece_rows = 1;
  plan.pieces = ceil_div(rows, plan.piece_rows);
  return plan;
}

/// Sums of the lane's own entries; sums is [entries of the table][lanes], and only column `lane` is touched.
template <class T, class Sum>
INTERTWINE_HOST_DEVICE void bins_add(const Shape& shape, const BinsPlan& plan, u64 pair, u64 piece, u32 lane,
                                     const u8* codes, const T* dW, Sum* sums) {
  for (u64 e = 0; e < table_entries(shape.params); ++e) sums[e * lanes + lane] = Sum{0};
  const T* from = dW + shape.block(pair);
  const u64 first = piece * plan.piece_rows;
  const u64 last = first + plan.piece_rows < shape.rows ? first + plan.piece_rows : shape.rows;
  for (u64 i = first; i < last; ++i)
    for (u64 j = lane; j < shape.cols; j += lanes)
      sums[codes[i * shape.cols + j] * lanes + lane] +=
          static_cast<Sum>(number(from[i * shape.row_stride + j]));
}

/// Once all lanes have added: lane takes the parameters lane, lane + 32, ... and folds their columns, each from a different
/// one on (so that shared memory has no conflicts).
template <class Sum>
INTERTWINE_HOST_DEVICE void bins_fold(u64 params, u32 lane, const Sum* sums, Sum* partial) {
  for (u64 k = lane; k < params; k += lanes) {
    Sum plus{0}, minus{0};
    for (u32 l = 0; l < lanes; ++l) {
      const u32 column = (l + lane) % lanes;
      plus += sums[(1 + k) * lanes + column];
      minus += sums[(1 + params + k) * lanes + column];
    }
    partial[k] = plus - minus;
  }
}

// ---- reduce, many codes: the entries of each parameter in the order of their addresses, in pieces for a warp each

inline constexpr u64 segment_piece = 1024;  // entries that a warp sums
inline constexpr u32 minus_bit = 0x80000000U;

struct Segment {
  u32 begin, end;  ///< in the list of entries (position = row * cols + col, minus_bit for -theta)
};

/// The lane's share of a piece.
template <class Sum, class T>
INTERTWINE_HOST_DEVICE Sum segment_add(const Shape& shape, u64 pair, const Segment& piece, u32 lane,
                                       const u32* entries, const T* dW) {
  const T* from = dW + shape.block(pair);
  const bool contiguous = shape.row_stride == shape.cols;
  Sum sum{0};
  for (u32 e = piece.begin + lane; e < piece.end; e += lanes) {
    const u32 at = entries[e] & ~minus_bit;
    const u64 address = contiguous ? at : at / shape.cols * shape.row_stride + at % shape.cols;
    const Sum value = static_cast<Sum>(number(from[address]));
    sum = (entries[e] & minus_bit) != 0 ? sum - value : sum + value;
  }
  return sum;
}

/// Second pass of both: the pieces of one parameter in order. Pieces [first, last), `stride` sums apart.
template <class Sum>
INTERTWINE_HOST_DEVICE Sum add_pieces(const Sum* partial, u64 first, u64 last, u64 stride) {
  Sum sum{0};
  for (u64 p = first; p < last; ++p) sum += partial[p * stride];
  return sum;
}

// ---- look-up products for small batches: y = W x from packed codes, a lane has 4 rows

inline constexpr u32 tall_panel = 128;    // rows of a panel: 4 for each lane
inline constexpr u64 product_piece = 64;  // columns that a warp goes through
inline constexpr u32 most_batch = 8;

/// Pieces cut the inputs (channel, column): piece p has columns [64 q, ...) of channel p / pieces of a channel.
INTERTWINE_HOST_DEVICE inline u64 product_pieces(u64 cols) { return ceil_div(cols, product_piece); }

/// partial sums of 4 rows and `batch` rows of x; entry(code) reads the table of the channel pair. codes: [panels][cols][128].
template <u32 batch, class T, class Entry>
INTERTWINE_HOST_DEVICE void lookup_add(u64 cols, u64 inputs, u64 panel, u64 channel, u64 piece, u32 lane,
                                       const u8* codes, const T* x, T (&sums)[batch][4], const Entry& entry) {
  for (u32 b = 0; b < batch; ++b)
    for (u32 r = 0; r < 4; ++r) sums[b][r] = T{0};
  const u64 first = piece * product_piece;
  const u64 last = first + product_piece < cols ? first + product_piece : cols;
  for (u64 j = first; j < last; ++j) {
    u32 four;
    __builtin_memcpy(&four, codes + (panel * cols + j) * tall_panel + 4 * lane, sizeof four);
    for (u32 r = 0; r < 4; ++r) {
      const T weight = entry((four >> (8 * r)) & 0xffU);
      for (u32 b = 0; b < batch; ++b)
        sums[b][r] = fused(x[b * inputs + channel * cols + j], weight, sums[b][r]);
    }
  }
}

}  // namespace intertwine::numeric_detail::cuda
