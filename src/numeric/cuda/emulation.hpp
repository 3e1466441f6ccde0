// The CUDA kernels on the processor: the same bodies in loops over blocks, warps and lanes. They compute the bits of a
// device on machines without one.
#pragma once
#include <vector>

#include "numeric/cuda/plan_tables.hpp"

namespace intertwine::numeric_detail::cuda {

template <class T>
void emulate_gather(const PatternData& pattern, const Shape& shape, const T* theta, T* W) {
  const GatherPlan plan = gather_plan(shape);
  std::visit(
      [&](const auto& codes) {
        for (u64 block = 0; block < plan.blocks; ++block)
          for (u64 task = block * plan.per_block; task < plan.tasks && task < (block + 1) * plan.per_block; ++task)
            for (u32 thread = 0; thread < block_threads; ++thread)
              gather(shape, plan, static_cast<u32>(task % plan.tiles), thread, shape.in_fours(), codes.data(),
                     W + shape.block(task / plan.tiles),
                     [&](u64 code) { return gather_table_entry(theta, shape, task / plan.tiles, code); });
      },
      pattern.codes);
}

/// A sum over the lanes, by halves.
template <class Sum>
Sum fold_lanes(Sum (&sum)[lanes]) {
  for (u32 offset = lanes / 2; offset > 0; offset /= 2)
    for (u32 lane = 0; lane < offset; ++lane) sum[lane] += sum[lane + offset];
  return sum[0];
}

template <class Sum>
void emulate_finish(const ReduceItem& item, const Sum* partial, Sum* dtheta) {
  const Shape& shape = item.shape;
  for (u64 pair = 0; pair < shape.pairs(); ++pair)
    for (u64 k = 0; k < shape.params; ++k) {
      const Sum* from = partial + pair * item.slots;
      Sum& to = dtheta[k * shape.pairs() + pair];
      const u64 first = item.first_piece(k), last = item.first_piece(k + 1);
      if (!item.by_warp()) {
        to = add_pieces(from, first, last, u64{1});
        continue;
      }
      Sum sum[lanes] = {};
      for (u32 lane = 0; lane < lanes; ++lane)
        for (u64 p = first + lane; p < last; p += lanes) sum[lane] += from[p];
      to = fold_lanes(sum);
    }
}

template <class T, class Sum>
void emulate_bins(const PatternData& pattern, const Shape& shape, const T* dW, Sum* dtheta) {
  ReduceItem item{};
  item.shape = shape;
  item.plan = bins_plan(shape);
  item.codes = std::get<std::span<const u8>>(pattern.codes).data();
  item.pieces = item.plan.pieces;
  item.slots = item.pieces * shape.params;
  static constexpr u8 none = 0;
  if (item.codes == nullptr) item.codes = &none;
  std::vector<Sum> sums((shape.params + 1) * lanes), partial(item.slots * shape.pairs());
  for (u64 task = 0; task < item.tasks(); ++task) {
    const u64 pair = task / item.plan.pieces, piece = task % item.plan.pieces;
    for (u32 lane = 0; lane < lanes; ++lane)
      bins_add(shape, item.plan, pair, piece, lane, shape.in_fours(), item.codes, dW, sums.data());
    for (u32 lane = 0; lane < lanes; ++lane)
      bins_fold(shape.params, piece, item.plan.pieces, lane, sums.data(), partial.data() + pair * item.slots);
  }
  emulate_finish(item, partial.data(), dtheta);
}

template <class T, class Sum>
void emulate_tiles(const PatternData& pattern, const Shape& shape, const T* dW, Sum* dtheta) {
  const TileTables tables = tile_tables(pattern);
  ReduceItem item{};
  item.shape = shape;
  item.slot_ptr = tables.slot_ptr.data();
  item.pieces = tables.tiles();
  item.slots = tables.slots();
  std::vector<Sum> partial(item.slots * shape.pairs());
  std::vector<T> values(tile_size(shape.entries()));
  for (u64 task = 0; task < item.tasks(); ++task) {
    const u64 pair = task / item.pieces, tile = task % item.pieces;
    for (u32 thread = 0; thread < tile_threads; ++thread)
      tile_load(shape, pair, tile, thread, shape.in_fours(), dW, values.data());
    for (u32 r = tables.run_ptr[tile]; r < tables.run_ptr[tile + 1]; ++r)
      partial[pair * item.slots + tables.runs[r].slot] =
          run_add<Sum>(tables.runs[r].begin, tables.runs[r + 1].begin, tables.places.data(), values.data());
  }
  emulate_finish(item, partial.data(), dtheta);
}

/// One row of x at a time: the batch changes no bit of a row. Sum is what T is summed in.
template <class Sum, class T>
void emulate_lookup(const PatternData& pattern, const Shape& shape, u64 batch, const T* theta, const T* x, T* y) {
  const std::vector<u8> codes = tall_codes(pattern);
  const u64 pieces = product_pieces(shape.cols), inputs = shape.in * shape.cols, outputs = shape.out * shape.rows;
  std::vector<Sum> partial(shape.in * pieces * outputs);
  for (u64 b = 0; b < batch; ++b) {
    for (u64 out = 0; out < shape.out; ++out)
      for (u64 panel = 0; panel < ceil_div(shape.rows, tall_panel); ++panel)
        for (u64 in = 0; in < shape.in; ++in)
          for (u64 piece = 0; piece < pieces; ++piece)
            for (u32 lane = 0; lane < lanes; ++lane) {
              Sum sums[1][4];
              lookup_add<1>(
                  shape.cols, inputs, panel, in, piece, lane, codes.data(), x + b * inputs, sums,
                  [&](u32 code) { return number(gather_table_entry(theta, shape, out * shape.in + in, code)); });
              for (u32 r = 0; r < 4; ++r) {
                const u64 row = panel * tall_panel + 4 * lane + r;
                if (row < shape.rows) partial[(in * pieces + piece) * outputs + out * shape.rows + row] = sums[0][r];
              }
            }
    for (u64 at = 0; at < outputs; ++at)
      y[b * outputs + at] = stored<T>(add_pieces(partial.data() + at, 0, shape.in * pieces, outputs));
  }
}

template <class T>
void emulate_add_bias(u64 rows, u64 cols, const T* bias, T* y) {
  for (u64 at = 0; at < rows * cols; ++at) y[at] = stored<T>(number(y[at]) + number(bias[at % cols]));
}

template <class T, class Sum>
void emulate_column_sums(u64 rows, u64 cols, const T* dy, Sum* sums) {
  for (u64 col = 0; col < cols; ++col) {
    Sum parts[column_parts];
    for (u32 part = 0; part < column_parts; ++part) parts[part] = column_add<Sum>(rows, cols, col, part, dy);
    sums[col] = add_pieces(parts, 0, column_parts, 1);
  }
}

template <class T>
void emulate_block_weights(const std::vector<BlockShape>& blocks, const T* theta, T* out) {
  for (const BlockShape& block : blocks)
    for (u64 at = 0; at < block.rows() * block.cols(); ++at) out[block.weights + at] = block_weight(block, at, theta);
}

template <class Sum>
void emulate_block_gradients(const std::vector<BlockShape>& blocks, const Sum* dweights, Sum* dtheta) {
  for (const BlockShape& block : blocks) {
    const u64 pairs = block.out * block.in, count = block.copies_out * block.copies_in * block.ring * pairs;
    for (u64 at = 0; at < count; ++at)
      dtheta[block.params * pairs + at] = block_gradient(block, at, dweights + block.weights);
  }
}

}  // namespace intertwine::numeric_detail::cuda
