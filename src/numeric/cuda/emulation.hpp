// The CUDA kernels on the processor: the same bodies in loops over blocks, warps and lanes. What a device computes, bit by
// bit, for machines without one.
#pragma once
#include <vector>

#include "numeric/cuda/plan_tables.hpp"

namespace intertwine::numeric_detail::cuda {

template <class T>
void emulate_gather(const PatternData& pattern, const Shape& shape, const T* theta, T* W) {
  if (shape.rows == 0 || shape.cols == 0) return;
  const Grid grid = gather_grid(shape);
  std::visit(
      [&](const auto& codes) {
        for (u32 by = 0; by < grid.blocks_y; ++by)
          for (u64 pair = by; pair < shape.pairs(); pair += grid.blocks_y)
            for (u32 bx = 0; bx < grid.blocks_x; ++bx)
              for (u32 y = 0; y < grid.threads_y; ++y)
                for (u32 x = 0; x < grid.threads_x; ++x)
                  gather(shape, grid, pair, bx, x, y, codes.data(), W,
                         [&](u64 code) { return gather_table_entry(theta, shape, pair, code); });
      },
      pattern.codes);
}

template <class T, class Sum>
void emulate_bins(const PatternData& pattern, const Shape& shape, const T* dW, Sum* dtheta) {
  const auto& codes = std::get<std::vector<u8>>(pattern.codes);
  const BinsPlan plan = bins_plan(shape.rows, shape.cols, shape.params);
  std::vector<Sum> sums(table_entries(shape.params) * lanes),
      partial(plan.pieces * shape.pairs() * shape.params);
  for (u64 task = 0; task < plan.pieces * shape.pairs(); ++task) {
    for (u32 lane = 0; lane < lanes; ++lane)
      bins_add(shape, plan, task / plan.pieces, task % plan.pieces, lane, codes.data(), dW, sums.data());
    for (u32 lane = 0; lane < lanes; ++lane)
      bins_fold(shape.params, lane, sums.data(), partial.data() + task * shape.params);
  }
  for (u64 pair = 0; pair < shape.pairs(); ++pair)
    for (u64 k = 0; k < shape.params; ++k)
      dtheta[k * shape.pairs() + pair] =
          add_pieces(partial.data() + pair * plan.pieces * shape.params + k, 0, plan.pieces, shape.params);
}

template <class T, class Sum>
void emulate_segments(const PatternData& pattern, const Shape& shape, const T* dW, Sum* dtheta) {
  const SegmentTables tables = segment_tables(pattern);
  const u64 count = tables.pieces.size();
  std::vector<Sum> partial(count * shape.pairs());
  for (u64 task = 0; task < count * shape.pairs(); ++task) {
    Sum sum[lanes];
    for (u32 lane = 0; lane < lanes; ++lane)
      sum[lane] =
          segment_add<Sum>(shape, task / count, tables.pieces[task % count], lane, tables.entries.data(), dW);
    for (u32 offset = lanes / 2; offset > 0; offset /= 2)
      for (u32 lane = 0; lane < offset; ++lane) sum[lane] += sum[lane + offset];
    partial[task] = sum[0];
  }
  for (u64 pair = 0; pair < shape.pairs(); ++pair)
    for (u64 k = 0; k < shape.params; ++k)
      dtheta[k * shape.pairs() + pair] =
          add_pieces(partial.data() + pair * count, tables.piece_ptr[k], tables.piece_ptr[k + 1], u64{1});
}

/// One row of x at a time: the batch changes no bit of a row.
template <class T>
void emulate_lookup(const PatternData& pattern, const Shape& shape, u64 batch, const T* theta, const T* x,
                    T* y) {
  const std::vector<u8> codes = tall_codes(pattern);
  const u64 pieces = product_pieces(shape.cols), inputs = shape.in * shape.cols,
            outputs = shape.out * shape.rows;
  std::vector<T> partial(shape.in * pieces * outputs);
  for (u64 b = 0; b < batch; ++b) {
    for (u64 out = 0; out < shape.out; ++out)
      for (u64 panel = 0; panel < ceil_div(shape.rows, tall_panel); ++panel)
        for (u64 in = 0; in < shape.in; ++in)
          for (u64 piece = 0; piece < pieces; ++piece)
            for (u32 lane = 0; lane < lanes; ++lane) {
              T sums[1][4];
              lookup_add<1>(
                  shape.cols, inputs, panel, in, piece, lane, codes.data(), x + b * inputs, sums,
                  [&](u32 code) { return gather_table_entry(theta, shape, out * shape.in + in, code); });
              for (u32 r = 0; r < 4; ++r) {
                const u64 row = panel * tall_panel + 4 * lane + r;
                if (row < shape.rows)
                  partial[(in * pieces + piece) * outputs + out * shape.rows + row] = sums[0][r];
              }
            }
    for (u64 at = 0; at < outputs; ++at)
      y[b * outputs + at] = add_pieces(partial.data() + at, 0, shape.in * pieces, outputs);
  }
}

}  // namespace intertwine::numeric_detail::cuda
