// The work of every thread of the CUDA kernels, as functions for both sides: the kernels (kernels.cu) call them with
// their thread's numbers, the emulation (emulation.hpp) in loops over all threads. Sums have an order that depends on
// the table alone, not on the alignment of the arrays. No standard library here, and nothing of the host.
#pragma once
#include "intertwine/numeric/half.hpp"
#include "numeric/plan.hpp"

namespace intertwine::numeric_detail::cuda {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u32 lanes = 32;
inline constexpr u32 block_threads = 256;
/// The most entries of a pattern: positions are 32-bit numbers.
inline constexpr u64 most_entries = u64{1} << 31;

INTERTWINE_HOST_DEVICE inline float number(float x) { return x; }
INTERTWINE_HOST_DEVICE inline double number(double x) { return x; }
INTERTWINE_HOST_DEVICE inline float number(Bf16 x) { return to_float(x); }
INTERTWINE_HOST_DEVICE inline float number(Half x) {
#ifdef __CUDA_ARCH__
  float out;
  asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(x.bits));
  return out;
#else
  return to_float(x);
#endif
}

/// A sum as it is stored: rounded once, to nearest.
template <class T, class Sum>
INTERTWINE_HOST_DEVICE T stored(Sum x) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, Half>) {
    Half out;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out.bits) : "f"(x));
    return out;
  }
#endif
  return from_number<T>(x);
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

/// The pattern and the array of weights [out, rows, in, cols] it belongs to.
struct Shape {
  u64 rows, cols, params, out, in;
  u64 row_stride;  ///< entries from row to row of the array of weights
  INTERTWINE_HOST_DEVICE u64 pairs() const { return out * in; }
  INTERTWINE_HOST_DEVICE u64 entries() const { return rows * cols; }
  /// Entry (0, 0) of the block of channel pair `pair` = co * in + ci.
  INTERTWINE_HOST_DEVICE u64 block(u64 pair) const { return pair / in * rows * row_stride + pair % in * cols; }
  /// The entries of a pair lie one after the other.
  INTERTWINE_HOST_DEVICE bool flat() const { return row_stride == cols; }
  /// Entry `position` = row * cols + col of a block.
  INTERTWINE_HOST_DEVICE u64 address(u32 position) const {
    if (flat()) return position;
    const u32 width = static_cast<u32>(cols), row = position / width;
    return row * row_stride + (position - row * width);
  }
  /// Four entries from a position that is a multiple of four on are one after the other, and begin at a multiple of four.
  INTERTWINE_HOST_DEVICE bool in_fours() const {
    return flat() ? pairs() == 1 || entries() % 4 == 0 : cols % 4 == 0 && row_stride % 4 == 0;
  }
};

/// Four numbers in one access of memory (two for double).
template <class T>
struct alignas(sizeof(T) * 4 < 16 ? sizeof(T) * 4 : 16) Four {
  T at[4];
};

template <class T>
INTERTWINE_HOST_DEVICE Four<T> load_four(const T* from) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const Four<T>*>(from);
#else
  Four<T> out;
  __builtin_memcpy(static_cast<void*>(&out), from, sizeof out);
  return out;
#endif
}
template <class T>
INTERTWINE_HOST_DEVICE void store_four(T* to, const Four<T>& four) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<Four<T>*>(to) = four;
#else
  __builtin_memcpy(static_cast<void*>(to), &four, sizeof four);
#endif
}

inline constexpr u32 steps = 4;  ///< fours that a thread loads before it uses the first

// ---- materialise: W = table[code]

inline constexpr u64 table_bytes = 40960;  // tables up to this size are kept in shared memory

/// Tiles of a block's threads: 2^x_bits fours of columns by 2^y_bits rows, `steps` times (2^step_bits of them along a row).
struct GatherPlan {
  u64 rows, cols;  ///< one row if the array is flat
  u32 x_bits, y_bits, step_bits;
  u32 col_tiles, tiles;   ///< the tiles of a pair
  u64 tasks;              ///< (pair, tile), pair by pair
  u64 per_block, blocks;  ///< block b has the tasks [b * per_block, ...)
};

INTERTWINE_HOST_DEVICE inline GatherPlan gather_plan(const Shape& shape) {
  GatherPlan plan{shape.flat() ? 1 : shape.rows, shape.flat() ? shape.entries() : shape.cols, 0, 8, 0, 0, 0, 0, 1, 0};
  const u64 fours = ceil_div(plan.cols, 4);
  for (; plan.y_bits > 0 && (u64{1} << plan.x_bits) < fours; --plan.y_bits) ++plan.x_bits;
  while ((1U << plan.step_bits) < steps && (u64{1} << (plan.x_bits + plan.step_bits)) < fours) ++plan.step_bits;
  plan.col_tiles = static_cast<u32>(ceil_div(plan.cols, u64{4} << (plan.x_bits + plan.step_bits)));
  plan.tiles = static_cast<u32>(ceil_div(plan.rows, (u64{steps} << plan.y_bits) >> plan.step_bits)) * plan.col_tiles;
  plan.tasks = plan.tiles * shape.pairs();
  // A block should write no less than the table that it reads, and with many tasks more of them.
  const u64 tile = u64{4} * steps * block_threads, table = ceil_div(table_entries(shape.params), tile);
  const u64 many = plan.tasks / 4096 < 8 ? plan.tasks / 4096 : 8;
  plan.per_block = table > many ? table : many;
  if (plan.per_block < 1) plan.per_block = 1;
  while (plan.tasks / plan.per_block > (u64{1} << 30)) plan.per_block *= 2;
  plan.blocks = ceil_div(plan.tasks, plan.per_block);
  return plan;
}

/// One entry of the table of a pair.
template <class T>
INTERTWINE_HOST_DEVICE T gather_table_entry(const T* theta, const Shape& shape, u64 pair, u64 e) {
  if (e == 0 || e > 2 * shape.params) return T{};
  const u64 pairs = shape.pairs();
  return e <= shape.params ? theta[(e - 1) * pairs + pair] : -theta[(e - 1 - shape.params) * pairs + pair];
}

/// Writes the part of one thread in a tile of a pair, whose entry (0, 0) is *to; entry(code) reads the table of the
/// pair. in_fours: shape.in_fours(), and W is aligned.
template <class T, class Code, class Entry>
INTERTWINE_HOST_DEVICE void gather(const Shape& shape, const GatherPlan& plan, u32 tile, u32 thread, bool in_fours,
                                   const Code* codes, T* to, const Entry& entry) {
  const u32 x = thread & ((1U << plan.x_bits) - 1), y = thread >> plan.x_bits;
  const u32 row_tile = tile / plan.col_tiles, col_tile = tile - row_tile * plan.col_tiles;
  const u64 first_row = (u64{row_tile} * (steps >> plan.step_bits) << plan.y_bits) + y;
  const u64 first_col = 4 * ((u64{col_tile} << (plan.x_bits + plan.step_bits)) + x);
  const auto row = [&](u32 step) { return first_row + (u64{step >> plan.step_bits} << plan.y_bits); };
  const auto col = [&](u32 step) {
    return first_col + (u64{4} * (step & ((1U << plan.step_bits) - 1)) << plan.x_bits);
  };
  Four<Code> read[steps];
  for (u32 s = 0; s < steps; ++s) {
    const u64 i = row(s), j = col(s);
    if (i >= plan.rows || j >= plan.cols) continue;
    const Code* from = codes + i * plan.cols + j;
    if (in_fours && j + 4 <= plan.cols)
      read[s] = load_four(from);
    else
      for (u32 r = 0; r < 4; ++r) read[s].at[r] = j + r < plan.cols ? from[r] : Code{0};
  }
  for (u32 s = 0; s < steps; ++s) {
    const u64 i = row(s), j = col(s);
    if (i >= plan.rows || j >= plan.cols) continue;
    T* at = to + i * shape.row_stride + j;
    if (in_fours && j + 4 <= plan.cols) {
      Four<T> out;
      for (u32 r = 0; r < 4; ++r) out.at[r] = entry(read[s].at[r]);
      store_four(at, out);
    } else {
      for (u32 r = 0; r < 4 && j + r < plan.cols; ++r) at[r] = entry(read[s].at[r]);
    }
  }
}

// ---- reduce, few codes: a warp sums a piece of the entries into tables of its own, a column of sums for each lane

struct BinsPlan {
  u64 piece, pieces;  ///< entries of a piece, and pieces of a pair
};

INTERTWINE_HOST_DEVICE inline BinsPlan bins_plan(const Shape& shape) {
  const u64 entries = shape.entries(), fold = 2 * lanes * (shape.params + 1);
  const u64 least = fold > 4096 ? fold : 4096, most = shape.pairs() < 4096 ? 4096 / shape.pairs() : 1;
  u64 pieces = entries / least;
  if (pieces > most) pieces = most;
  if (pieces < 1) pieces = 1;
  const u64 unit = u64{4} * lanes * steps, piece = ceil_div(ceil_div(entries, pieces), unit) * unit;
  return {piece == 0 ? unit : piece, piece == 0 ? 0 : ceil_div(entries, piece)};
}

/// The lane's own entries, in fours; sums is [1 + params][lanes], and only column `lane` is touched. Row 0 takes what belongs to
/// no parameter.
template <class T, class Sum>
INTERTWINE_HOST_DEVICE void bins_add(const Shape& shape, const BinsPlan& plan, u64 pair, u64 piece, u32 lane,
                                     bool in_fours, const u8* codes, const T* dW, Sum* sums) {
  const u32 params = static_cast<u32>(shape.params);
  for (u32 slot = 0; slot <= params; ++slot) sums[slot * lanes + lane] = Sum{0};
  const T* from = dW + shape.block(pair);
  const u64 first = piece * plan.piece, entries = shape.entries();
  const u64 last = first + plan.piece < entries ? first + plan.piece : entries;
  for (u64 base = first + u64{4} * lane; base < last; base += u64{4} * lanes * steps) {
    Four<T> values[steps];
    Four<u8> read[steps];
    for (u32 s = 0; s < steps; ++s) {
      const u64 p = base + u64{4} * lanes * s;
      if (in_fours && p + 4 <= last) {
        values[s] = load_four(from + shape.address(static_cast<u32>(p)));
        read[s] = load_four(codes + p);
      } else {
        for (u32 r = 0; r < 4; ++r) {
          const bool there = p + r < last;
          values[s].at[r] = there ? from[shape.address(static_cast<u32>(p + r))] : T{};
          read[s].at[r] = there ? codes[p + r] : u8{0};
        }
      }
    }
    for (u32 s = 0; s < steps; ++s)
      for (u32 r = 0; r < 4; ++r) {
        const u32 code = read[s].at[r];
        const bool minus = code > params;
        const Sum value = static_cast<Sum>(number(values[s].at[r]));
        sums[(minus ? code - params : code) * lanes + lane] += minus ? -value : value;
      }
  }
}

/// Once all lanes have added: lane takes the parameters lane, lane + 32, ... and folds their columns, each from a different
/// one on (so that shared memory has no conflicts). partial: [params][pieces].
template <class Sum>
INTERTWINE_HOST_DEVICE void bins_fold(u64 params, u64 piece, u64 pieces, u32 lane, const Sum* sums, Sum* partial) {
  for (u64 k = lane; k < params; k += lanes) {
    Sum sum{0};
    for (u32 l = 0; l < lanes; ++l) sum += sums[(1 + k) * lanes + (l + lane) % lanes];
    partial[k * pieces + piece] = sum;
  }
}

// ---- reduce, many codes: tiles of the array in shared memory, whose entries are then added by parameter

inline constexpr u32 tile_threads = 512;
inline constexpr u32 run_limit = 64;       // entries that a thread adds
inline constexpr u16 minus_mark = 0x8000;  // -theta

/// Entries of a tile (the last may be shorter): more for large arrays, of which there are tiles enough.
INTERTWINE_HOST_DEVICE inline u32 tile_size(u64 entries) { return entries < (u64{1} << 22) ? 4096 : 8192; }

/// Entries of one parameter in a tile: [begin, begin of the next run) in the list of places in their tiles.
struct Run {
  u32 begin;
  u32 slot;  ///< the number of its sum, by parameter and tile; the runs themselves lie by tile and parameter
};

/// The thread's share of a tile: fours of entries.
template <class T>
INTERTWINE_HOST_DEVICE void tile_load(const Shape& shape, u64 pair, u64 tile, u32 thread, bool in_fours, const T* dW,
                                      T* values) {
  const u64 entries = shape.entries();
  const u32 size = tile_size(entries);
  const u64 first = tile * size, last = first + size < entries ? first + size : entries;
  const T* from = dW + shape.block(pair);
  for (u32 at = 4 * thread; first + at < last; at += 4 * tile_threads) {
    const u64 p = first + at;
    if (in_fours && p + 4 <= last)
      store_four(values + at, load_four(from + shape.address(static_cast<u32>(p))));
    else
      for (u32 r = 0; r < 4 && p + r < last; ++r) values[at + r] = from[shape.address(static_cast<u32>(p + r))];
  }
}

/// The sum of a run.
template <class Sum, class T>
INTERTWINE_HOST_DEVICE Sum run_add(u32 begin, u32 end, const u16* places, const T* values) {
  Sum sum{0};
  for (u32 e = begin; e < end; ++e) {
    const u16 place = places[e];
    const Sum x = static_cast<Sum>(number(values[place & 0x7fffU]));
    sum += (place & minus_mark) != 0 ? -x : x;
  }
  return sum;
}

/// Second pass of both: the pieces [first, last) of one parameter, by one thread or by the lanes of a warp (then the lanes
/// are folded by halves). Which of them depends on the number of pieces of the whole pattern.
INTERTWINE_HOST_DEVICE inline bool finish_by_warp(u64 pieces, u64 params) { return pieces > 16 * params; }

template <class Sum>
INTERTWINE_HOST_DEVICE Sum add_pieces(const Sum* partial, u64 first, u64 last, u64 stride) {
  Sum sum{0};
  for (u64 p = first; p < last; ++p) sum += partial[p * stride];
  return sum;
}

/// The data that a pattern's reduction needs on the device: the codes and the plan of bins, or tiles.
struct ReduceItem {
  Shape shape;
  BinsPlan plan;    ///< the plan for bins
  const u8* codes;  ///< nullptr: by tiles
  /// The places for tiles: in their tile, with minus_mark, by tile, parameter and place.
  const u16* places;
  const Run* runs;      ///< one more than there are
  const u32* run_ptr;   ///< the runs of tile t: [run_ptr[t], run_ptr[t + 1])
  const u32* slot_ptr;  ///< the slots of parameter k likewise
  u64 pieces;           ///< tasks of a pair: pieces, or tiles
  u64 slots;            ///< partial sums of a pair
  const void* dW;
  void *partial, *dtheta;
  u64 first_task;  ///< among those of all items of a launch
  bool in_fours;
  INTERTWINE_HOST_DEVICE u64 tasks() const { return pieces * shape.pairs(); }
  /// The pieces of parameter k of a pair: in the pair's partial sums, [first, last).
  INTERTWINE_HOST_DEVICE u64 first_piece(u64 k) const { return codes != nullptr ? k * pieces : slot_ptr[k]; }
  INTERTWINE_HOST_DEVICE bool by_warp() const { return finish_by_warp(slots, shape.params); }
};

struct GatherItem {
  Shape shape;
  GatherPlan plan;
  const void *codes, *theta;
  void* W;
  u64 first_block;  ///< among those of all items of a launch
  u32 code_width;
  bool in_fours;
};

/// Items of one launch, handed over as an argument of the kernel (at most 4096 bytes).
template <class Item, u32 room>
struct Items {
  Item item[room];
  u32 count;
};
inline constexpr u32 most_items = 16;

// ---- look-up products for small batches: y = W x from packed codes, a lane has 4 rows

inline constexpr u32 tall_panel = 128;    // rows of a panel: 4 for each lane
inline constexpr u64 product_piece = 64;  // columns that a warp goes through
inline constexpr u32 most_batch = 8;

/// Pieces cut the inputs (channel, column): piece p has columns [64 q, ...) of channel p / pieces of a channel.
INTERTWINE_HOST_DEVICE inline u64 product_pieces(u64 cols) { return ceil_div(cols, product_piece); }

/// partial sums of 4 rows and `batch` rows of x; entry(code) reads the table of the channel pair. codes: [panels][cols][128].
template <u32 batch, class T, class Sum, class Entry>
INTERTWINE_HOST_DEVICE void lookup_add(u64 cols, u64 inputs, u64 panel, u64 channel, u64 piece, u32 lane,
                                       const u8* codes, const T* x, Sum (&sums)[batch][4], const Entry& entry) {
  for (u32 b = 0; b < batch; ++b)
    for (u32 r = 0; r < 4; ++r) sums[b][r] = Sum{0};
  const u64 first = piece * product_piece;
  const u64 last = first + product_piece < cols ? first + product_piece : cols;
  for (u64 j = first; j < last; ++j) {
    const Four<u8> four = load_four(codes + (panel * cols + j) * tall_panel + 4 * lane);
    for (u32 r = 0; r < 4; ++r) {
      const Sum weight = entry(four.at[r]);
      for (u32 b = 0; b < batch; ++b)
        sums[b][r] = fused(number(x[b * inputs + channel * cols + j]), weight, sums[b][r]);
    }
  }
}

// ---- layers: the bias, and its gradient

inline constexpr u32 column_parts = 8;

/// Part `part` of a column sum: the rows part, part + 8, ... The parts are added in order.
template <class Sum, class T>
INTERTWINE_HOST_DEVICE Sum column_add(u64 rows, u64 cols, u64 col, u32 part, const T* from) {
  Sum sum{0};
  for (u64 i = part; i < rows; i += column_parts) sum += static_cast<Sum>(number(from[i * cols + col]));
  return sum;
}

// ---- isotypic blocks: weights [(copy, part) x out, (copy, part) x in] of one block from theta' [copies_out, copies_in, e, out, in]

/// Entry (s, t) of the real matrix of multiplication by a number of the ring of dimension e from the right: +-(1 + part).
INTERTWINE_HOST_DEVICE inline int ring_part(u32 e, u32 s, u32 t) {
  const u32 part = s ^ t;  // 1 i j k are numbered such that products add by bits
  if (e < 2) return 1;
  // Row s of the matrices [[u, -v], [v, u]] and of (u, v, w, z): the signs, a bit for each t.
  const u32 minus = e == 2 ? (s == 0 ? 0b10U : 0U) : s == 0 ? 0b1110U : s == 1 ? 0b1000U : s == 2 ? 0b0010U : 0b0100U;
  const int one = 1 + static_cast<int>(part);
  return (minus >> t & 1U) != 0 ? -one : one;
}

struct BlockShape {
  u64 ring, copies_out, copies_in, out, in;
  u64 weights;  ///< the place where its array begins among the weights of all blocks
  u64 params;   ///< and theta' among those of all, for one pair of channels
  INTERTWINE_HOST_DEVICE u64 rows() const { return copies_out * ring * out; }
  INTERTWINE_HOST_DEVICE u64 cols() const { return copies_in * ring * in; }
};

/// Weight number `at` of a block.
template <class T>
INTERTWINE_HOST_DEVICE T block_weight(const BlockShape& block, u64 at, const T* theta) {
  const u64 row = at / block.cols(), col = at % block.cols(), e = block.ring;
  const u64 r = row / block.out, co = row % block.out, c = col / block.in, ci = col % block.in;
  const int part = ring_part(static_cast<u32>(e), static_cast<u32>(r % e), static_cast<u32>(c % e));
  const u64 k = block.params + (r / e * block.copies_in + c / e) * e + static_cast<u64>((part < 0 ? -part : part) - 1);
  const T value = theta[(k * block.out + co) * block.in + ci];
  return part < 0 ? -value : value;
}

/// The gradient of parameter `at` of a block (index (((r, c), part), co), ci), the adjoint of that.
template <class Sum>
INTERTWINE_HOST_DEVICE Sum block_gradient(const BlockShape& block, u64 at, const Sum* dweights) {
  const u64 e = block.ring, ci = at % block.in, co = at / block.in % block.out, k = at / block.in / block.out;
  const u64 r = k / e / block.copies_in, c = k / e % block.copies_in;
  const int wanted = 1 + static_cast<int>(k % e);
  Sum sum{0};
  for (u64 s = 0; s < e; ++s)
    for (u64 t = 0; t < e; ++t) {
      const int part = ring_part(static_cast<u32>(e), static_cast<u32>(s), static_cast<u32>(t));
      if (part != wanted && part != -wanted) continue;
      const Sum value = dweights[((r * e + s) * block.out + co) * block.cols() + (c * e + t) * block.in + ci];
      sum += part < 0 ? -value : value;
    }
  return sum;
}

// ---- diagrams: sums along axes, arrays spread along others, and places where indices agree; sums are double, rounded once

inline constexpr u32 most_step_axes = 16;

/// Entry (i, j, ...) of a contiguous array [length...] is [what it was, plus] a factor times the sum over s < count of
/// from[i step_i + j step_j + ... + s stride].
struct AxisSum {
  u32 axes;
  u64 length[most_step_axes], step[most_step_axes];
  u64 count, stride;
  double factor;
  bool add;
  INTERTWINE_HOST_DEVICE u64 entries() const {
    u64 product = 1;
    for (u32 a = 0; a < axes; ++a) product *= length[a];
    return product;
  }
  /// The place where the numbers of an entry begin.
  INTERTWINE_HOST_DEVICE u64 first(u64 at) const {
    u64 out = 0;
    for (u32 a = axes; a-- > 0; at /= length[a]) out += at % length[a] * step[a];
    return out;
  }
  /// A warp for every entry: where its numbers lie side by side, or entries are too few to fill a device.
  INTERTWINE_HOST_DEVICE bool by_warp() const { return count >= 4 * lanes && (stride == 1 || entries() < 65536); }
};

/// The numbers part, part + parts, ... of one entry.
template <class T>
INTERTWINE_HOST_DEVICE double axis_add(const AxisSum& sum, u64 at, u32 part, u32 parts, const T* from) {
  const T* number = from + sum.first(at);
  double out = 0;
  for (u64 s = part; s < sum.count; s += parts) out += static_cast<double>(number[s * sum.stride]);
  return out;
}
template <class T>
INTERTWINE_HOST_DEVICE void axis_store(const AxisSum& sum, double value, T& to) {
  to = static_cast<T>((sum.add ? static_cast<double>(to) : 0.0) + sum.factor * value);
}

/// Arrays [arrays, entries] beside [arrays, side]: entry e belongs to `terms` places of a side, places[e * terms + t] / 2, with a minus for odd numbers.
struct PlaceMap {
  u64 arrays, entries, terms, side;
};

/// An entry of [arrays, entries] is the sum over its places; and what is added to those, the adjoint of that. No two entries have a place in common.
template <class T>
INTERTWINE_HOST_DEVICE void gather_places(const PlaceMap& map, const u64* places, u64 at, const T* from, T* to) {
  const u64 entry = at % map.entries, array = at / map.entries;
  double sum = 0;
  for (u64 t = entry * map.terms; t < (entry + 1) * map.terms; ++t) {
    const double value = static_cast<double>(from[array * map.side + places[t] / 2]);
    sum += places[t] % 2 != 0 ? -value : value;
  }
  to[at] = static_cast<T>(sum);
}
template <class T>
INTERTWINE_HOST_DEVICE void scatter_places(const PlaceMap& map, const u64* places, u64 at, const T* from, T* to) {
  const u64 entry = at % map.entries, array = at / map.entries;
  for (u64 t = entry * map.terms; t < (entry + 1) * map.terms; ++t)
    to[array * map.side + places[t] / 2] += places[t] % 2 != 0 ? -from[at] : from[at];
}

}  // namespace intertwine::numeric_detail::cuda
