// The kernels: which thread does what, and shared memory. What a thread does is in bodies.hpp.
#include <cuda_runtime.h>

#include "numeric/cuda/launch.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {

/// The item that a block (a task) belongs to: the last whose first number is not above.
template <class Item, u32 room>
__device__ const Item& item_of(const Items<Item, room>& items, u64 number, u64 Item::*first) {
  u32 k = 0;
  if constexpr (room > 1)
    while (k + 1 < items.count && items.item[k + 1].*first <= number) ++k;
  return items.item[k];
}

template <class T, class Code>
__device__ void gather_block(const GatherItem& item, u64 block, T* table) {
  const Shape& shape = item.shape;
  const T* theta = static_cast<const T*>(item.theta);
  const bool shared = table_entries(shape.params) * sizeof(T) <= table_bytes;
  const u64 first = block * item.plan.per_block, end = first + item.plan.per_block;
  const u64 last = end < item.plan.tasks ? end : item.plan.tasks;
  u64 pair = first / item.plan.tiles;
  u32 tile = static_cast<u32>(first - pair * item.plan.tiles);
  const Code* codes = static_cast<const Code*>(item.codes);
  T* to = static_cast<T*>(item.W) + shape.block(pair);
  bool fresh = true;
  for (u64 task = first; task < last; ++task) {
    if (fresh && shared) {
      __syncthreads();
      for (u64 e = threadIdx.x; e < table_entries(shape.params); e += block_threads)
        table[e] = gather_table_entry(theta, shape, pair, e);
      __syncthreads();
    }
    if (shared)
      gather(shape, item.plan, tile, threadIdx.x, item.in_fours, codes, to, [&](Code code) { return table[code]; });
    else
      gather(shape, item.plan, tile, threadIdx.x, item.in_fours, codes, to,
             [&](Code code) { return gather_table_entry(theta, shape, pair, code); });
    fresh = ++tile == item.plan.tiles;
    if (!fresh || task + 1 == last) continue;
    tile = 0;
    ++pair;
    to = static_cast<T*>(item.W) + shape.block(pair);
  }
}

template <class T, u32 room>
__global__ void __launch_bounds__(block_threads) gather_kernel(const Items<GatherItem, room> items) {
  extern __shared__ __align__(16) double memory[];
  T* table = reinterpret_cast<T*>(memory);
  const GatherItem& item = item_of(items, u64{blockIdx.x}, &GatherItem::first_block);
  const u64 block = blockIdx.x - item.first_block;
  if (item.code_width == 1)
    gather_block<T, u8>(item, block, table);
  else if (item.code_width == 2)
    gather_block<T, u16>(item, block, table);
  else
    gather_block<T, u32>(item, block, table);
}

// One warp a block: its private sums take all of the block's shared memory.
template <class T, class Sum, u32 room>
__global__ void __launch_bounds__(lanes) bins_kernel(const Items<ReduceItem, room> items, u64 tasks) {
  extern __shared__ __align__(16) double memory[];
  Sum* sums = reinterpret_cast<Sum*>(memory);
  for (u64 number = blockIdx.x; number < tasks; number += gridDim.x) {
    const ReduceItem& item = item_of(items, number, &ReduceItem::first_task);
    const u64 task = number - item.first_task, pair = task / item.plan.pieces, piece = task % item.plan.pieces;
    bins_add(item.shape, item.plan, pair, piece, threadIdx.x, item.in_fours, item.codes, static_cast<const T*>(item.dW),
             sums);
    __syncwarp();
    bins_fold(item.shape.params, piece, item.plan.pieces, threadIdx.x, sums,
              static_cast<Sum*>(item.partial) + pair * item.slots);
    __syncwarp();
  }
}

// A sum over the lanes, by halves: lane 0 has it.
template <class Sum>
__device__ Sum fold_lanes(Sum sum) {
  for (u32 offset = lanes / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  return sum;
}

// A block a tile: its entries go through shared memory, and a thread adds each run of them.
template <class T, class Sum, u32 room>
__global__ void __launch_bounds__(tile_threads) tiles_kernel(const Items<ReduceItem, room> items, u64 tasks) {
  extern __shared__ __align__(16) double memory[];
  T* values = reinterpret_cast<T*>(memory);
  for (u64 number = blockIdx.x; number < tasks; number += gridDim.x) {
    const ReduceItem& item = item_of(items, number, &ReduceItem::first_task);
    const u64 task = number - item.first_task, pair = task / item.pieces, tile = task - pair * item.pieces;
    tile_load(item.shape, pair, tile, threadIdx.x, item.in_fours, static_cast<const T*>(item.dW), values);
    __syncthreads();
    Sum* partial = static_cast<Sum*>(item.partial) + pair * item.slots;
    const u32 last = item.run_ptr[tile + 1];
    for (u32 r = item.run_ptr[tile] + threadIdx.x; r < last; r += tile_threads) {
      const Run run = item.runs[r];
      partial[run.slot] = run_add<Sum>(run.begin, item.runs[r + 1].begin, item.places, values);
    }
    __syncthreads();
  }
}

// An item for each blockIdx.y; a thread or a warp for each sum.
template <class Sum, u32 room>
__global__ void __launch_bounds__(block_threads) finish_kernel(const Items<ReduceItem, room> items) {
  const ReduceItem& item = items.item[room > 1 ? blockIdx.y : 0];
  const Shape& shape = item.shape;
  const u64 total = shape.pairs() * shape.params;
  const bool by_warp = item.by_warp();
  const u32 lane = by_warp ? threadIdx.x % lanes : 0, width = by_warp ? lanes : 1;
  const u64 step = u64{gridDim.x} * block_threads / width;
  for (u64 at = (u64{blockIdx.x} * block_threads + threadIdx.x) / width; at < total; at += step) {
    const u64 pair = at / shape.params, k = at % shape.params;
    const Sum* partial = static_cast<const Sum*>(item.partial) + pair * item.slots;
    const u64 first = item.first_piece(k), last = item.first_piece(k + 1);
    Sum sum{0};
    if (by_warp) {  // all lanes of a warp have the same sum to make, so they are all here
      for (u64 p = first + lane; p < last; p += lanes) sum += partial[p];
      sum = fold_lanes(sum);
    } else {
      sum = add_pieces(partial, first, last, u64{1});
    }
    if (lane == 0) static_cast<Sum*>(item.dtheta)[k * shape.pairs() + pair] = sum;
  }
}

// Four warps a block, each with a piece of the same channel; the table once for every lane, so that banks never conflict.
template <u32 batch, class T, class Sum>
__global__ void __launch_bounds__(4 * lanes)
    lookup_kernel(Shape shape, u64 panels, const u8* codes, const T* theta, const T* x, Sum* partial) {
  extern __shared__ __align__(16) double memory[];
  Sum* table = reinterpret_cast<Sum*>(memory);
  const u64 of_channel = product_pieces(shape.cols), inputs = shape.in * shape.cols, outputs = shape.out * shape.rows;
  const u64 groups = ceil_div(of_channel, blockDim.y);
  const u64 panel = blockIdx.x % panels, out = blockIdx.x / panels;
  for (u64 task = blockIdx.y; task < shape.in * groups; task += gridDim.y) {
    const u64 in = task / groups, piece = task % groups * blockDim.y + threadIdx.y;
    __syncthreads();
    for (u64 at = threadIdx.y * lanes + threadIdx.x; at < table_entries(shape.params) * lanes; at += blockDim.y * lanes)
      table[at] = number(gather_table_entry(theta, shape, out * shape.in + in, at / lanes));
    __syncthreads();
    if (piece >= of_channel) continue;
    Sum sums[batch][4];
    lookup_add<batch>(shape.cols, inputs, panel, in, piece, threadIdx.x, codes, x, sums,
                      [&](u32 code) { return table[code * lanes + threadIdx.x]; });
    for (u32 r = 0; r < 4; ++r) {
      const u64 row = panel * tall_panel + 4 * threadIdx.x + r;
      if (row >= shape.rows) break;
      for (u32 b = 0; b < batch; ++b)
        partial[((in * of_channel + piece) * batch + b) * outputs + out * shape.rows + row] = sums[b][r];
    }
  }
}

template <class T, class Sum>
__global__ void __launch_bounds__(block_threads) lookup_finish(u64 pieces, u64 numbers, const Sum* partial, T* y) {
  for (u64 at = u64{blockIdx.x} * block_threads + threadIdx.x; at < numbers; at += u64{gridDim.x} * block_threads)
    y[at] = stored<T>(add_pieces(partial + at, 0, pieces, numbers));
}

template <class T>
__global__ void __launch_bounds__(block_threads) bias_kernel(u64 count, u64 cols, const T* bias, T* y) {
  for (u64 at = u64{blockIdx.x} * block_threads + threadIdx.x; at < count; at += u64{gridDim.x} * block_threads)
    y[at] = stored<T>(number(y[at]) + number(bias[at % cols]));
}

template <class T, class Sum>
__global__ void __launch_bounds__(lanes* column_parts) column_kernel(u64 rows, u64 cols, const T* from, Sum* sums) {
  __shared__ Sum parts[column_parts][lanes];
  for (u64 first = u64{blockIdx.x} * lanes; first < cols; first += u64{gridDim.x} * lanes) {
    const u64 col = first + threadIdx.x;
    parts[threadIdx.y][threadIdx.x] = col < cols ? column_add<Sum>(rows, cols, col, threadIdx.y, from) : Sum{0};
    __syncthreads();
    if (threadIdx.y == 0 && col < cols) sums[col] = add_pieces(&parts[0][threadIdx.x], 0, column_parts, lanes);
    __syncthreads();
  }
}

// One row of blocks for each isotypic block.
template <class T>
__global__ void __launch_bounds__(block_threads) weights_kernel(const BlockShape* blocks, const T* theta, T* out) {
  const BlockShape block = blocks[blockIdx.y];
  const u64 count = block.rows() * block.cols();
  for (u64 at = u64{blockIdx.x} * block_threads + threadIdx.x; at < count; at += u64{gridDim.x} * block_threads)
    out[block.weights + at] = block_weight(block, at, theta);
}

template <class Sum>
__global__ void __launch_bounds__(block_threads)
    gradients_kernel(const BlockShape* blocks, const Sum* dweights, Sum* dtheta) {
  const BlockShape block = blocks[blockIdx.y];
  const u64 pairs = block.out * block.in, count = block.copies_out * block.copies_in * block.ring * pairs;
  for (u64 at = u64{blockIdx.x} * block_threads + threadIdx.x; at < count; at += u64{gridDim.x} * block_threads)
    dtheta[block.params * pairs + at] = block_gradient(block, at, dweights + block.weights);
}

// A thread or a warp for each entry.
template <class T>
__global__ void __launch_bounds__(block_threads) axis_kernel(AxisSum sum, u64 entries, const T* from, T* to) {
  const bool by_warp = sum.by_warp();
  const u32 lane = by_warp ? threadIdx.x % lanes : 0, width = by_warp ? lanes : 1;
  for (u64 at = (u64{blockIdx.x} * block_threads + threadIdx.x) / width; at < entries;
       at += u64{gridDim.x} * block_threads / width) {
    double value = axis_add(sum, at, lane, width, from);
    if (by_warp) value = fold_lanes(value);
    if (lane == 0) axis_store(sum, value, to[at]);
  }
}

template <class T, bool scatter>
__global__ void __launch_bounds__(block_threads) places_kernel(PlaceMap map, const u64* places, const T* from, T* to) {
  for (u64 at = u64{blockIdx.x} * block_threads + threadIdx.x; at < map.arrays * map.entries;
       at += u64{gridDim.x} * block_threads)
    if constexpr (scatter)
      scatter_places(map, places, at, from, to);
    else
      gather_places(map, places, at, from, to);
}

const char* text_of(cudaError_t error) {
  if (error == cudaSuccess) return nullptr;
  cudaGetLastError();
  return cudaGetErrorString(error);
}

u32 blocks_for(u64 tasks, u64 most = u64{1} << 30) {
  return static_cast<u32>(tasks < 1 ? 1 : tasks < most ? tasks : most);
}

const char* launched() { return text_of(cudaGetLastError()); }

// A kernel that needs more shared memory than it has by itself must ask for it.
template <class Kernel>
cudaError_t room_for(Kernel* kernel, u64 bytes) {
  if (bytes <= 49152) return cudaSuccess;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

template <class T, u32 room>
cudaError_t gather_some(cudaStream_t stream, GatherItem* from, u64 count) {
  Items<GatherItem, room> items;
  items.count = static_cast<u32>(count);
  u64 blocks = 0, bytes = 0;
  for (u64 k = 0; k < count; ++k) {
    from[k].first_block = blocks;
    blocks += from[k].plan.blocks;
    const u64 table = table_entries(from[k].shape.params) * sizeof(T);
    if (table <= table_bytes && table > bytes) bytes = table;
    items.item[k] = from[k];
  }
  if (blocks == 0) return cudaSuccess;
  if (blocks > 0x7fffffffU) return cudaErrorInvalidConfiguration;
  gather_kernel<T, room><<<static_cast<u32>(blocks), block_threads, bytes, stream>>>(items);
  return cudaGetLastError();
}

template <class T, class Sum, u32 room>
cudaError_t reduce_some(cudaStream_t stream, const ReduceItem* from, u64 count) {
  Items<ReduceItem, room> bins, tiles, all;
  bins.count = tiles.count = all.count = 0;
  u64 bin_tasks = 0, tile_tasks = 0, bin_bytes = 0, tile_bytes = 0, sums = 0;
  for (u64 k = 0; k < count; ++k) {
    ReduceItem item = from[k];
    all.item[all.count++] = item;
    const u64 of_item = item.shape.pairs() * item.shape.params * (item.by_warp() ? lanes : 1);
    if (of_item > sums) sums = of_item;
    if (item.tasks() == 0) continue;
    u64 &tasks = item.codes != nullptr ? bin_tasks : tile_tasks,
        &bytes = item.codes != nullptr ? bin_bytes : tile_bytes;
    const u64 needed = item.codes != nullptr ? (item.shape.params + 1) * lanes * sizeof(Sum)
                                             : tile_size(item.shape.entries()) * sizeof(T);
    item.first_task = tasks;
    tasks += item.tasks();
    if (needed > bytes) bytes = needed;
    Items<ReduceItem, room>& list = item.codes != nullptr ? bins : tiles;
    list.item[list.count++] = item;
  }
  if (bins.count > 0) {
    if (const cudaError_t error = room_for(bins_kernel<T, Sum, room>, bin_bytes)) return error;
    bins_kernel<T, Sum, room><<<blocks_for(bin_tasks), lanes, bin_bytes, stream>>>(bins, bin_tasks);
  }
  if (tiles.count > 0) {
    if (const cudaError_t error = room_for(tiles_kernel<T, Sum, room>, tile_bytes)) return error;
    tiles_kernel<T, Sum, room><<<blocks_for(tile_tasks), tile_threads, tile_bytes, stream>>>(tiles, tile_tasks);
  }
  if (sums > 0)
    finish_kernel<Sum, room>
        <<<dim3(blocks_for(ceil_div(sums, block_threads)), all.count), block_threads, 0, stream>>>(all);
  return cudaGetLastError();
}

}  // namespace

template <class T>
const char* launch_gather(int device, void* stream, GatherItem* items, u64 count) {
  cudaError_t error = cudaSetDevice(device);
  const auto on = static_cast<cudaStream_t>(stream);
  if (count == 1 && error == cudaSuccess) return text_of(gather_some<T, 1>(on, items, 1));
  for (u64 k = 0; k < count && error == cudaSuccess; k += most_items)
    error = gather_some<T, most_items>(on, items + k, count - k < most_items ? count - k : most_items);
  return text_of(error);
}

template <class T, class Sum>
const char* launch_reduce(int device, void* stream, ReduceItem* items, u64 count) {
  cudaError_t error = cudaSetDevice(device);
  const auto on = static_cast<cudaStream_t>(stream);
  if (count == 1 && error == cudaSuccess) return text_of(reduce_some<T, Sum, 1>(on, items, 1));
  for (u64 k = 0; k < count && error == cudaSuccess; k += most_items)
    error = reduce_some<T, Sum, most_items>(on, items + k, count - k < most_items ? count - k : most_items);
  return text_of(error);
}

namespace {

template <u32 batch, class T, class Sum>
const char* lookup_of(cudaStream_t stream, const Shape& shape, u64 wanted, const u8* codes, const T* theta, const T* x,
                      Sum* partial, T* y) {
  if (wanted != batch) {
    if constexpr (batch > 1) return lookup_of<batch - 1>(stream, shape, wanted, codes, theta, x, partial, y);
    return "a batch of the wrong size";
  }
  const u64 panels = ceil_div(shape.rows, tall_panel), of_channel = product_pieces(shape.cols);
  const u64 bytes = table_entries(shape.params) * lanes * sizeof(Sum), tasks = shape.in * ceil_div(of_channel, 4);
  if (panels * shape.out > 0x7fffffffU) return "too many rows for a look-up product";
  if (const cudaError_t error = room_for(lookup_kernel<batch, T, Sum>, bytes)) return text_of(error);
  if (tasks > 0) {
    const dim3 blocks(static_cast<u32>(panels * shape.out), blocks_for(tasks, 65535));
    lookup_kernel<batch, T, Sum><<<blocks, dim3(lanes, 4), bytes, stream>>>(shape, panels, codes, theta, x, partial);
  }
  const u64 numbers = batch * shape.out * shape.rows;
  lookup_finish<T, Sum><<<blocks_for(ceil_div(numbers, block_threads)), block_threads, 0, stream>>>(
      shape.in * of_channel, numbers, partial, y);
  return launched();
}

}  // namespace

template <class T, class Sum>
const char* launch_lookup(int device, void* stream, const Shape& shape, u64 batch, const u8* tall_codes, const T* theta,
                          const T* x, Sum* partial, T* y) {
  if (batch == 0 || shape.rows == 0 || shape.out == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  return lookup_of<most_batch, T, Sum>(static_cast<cudaStream_t>(stream), shape, batch, tall_codes, theta, x, partial,
                                       y);
}

template <class T>
const char* launch_add_bias(int device, void* stream, u64 rows, u64 cols, const T* bias, T* y) {
  if (rows == 0 || cols == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  bias_kernel<T>
      <<<blocks_for(ceil_div(rows * cols, block_threads), 8192), block_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          rows * cols, cols, bias, y);
  return launched();
}

template <class T, class Sum>
const char* launch_column_sums(int device, void* stream, u64 rows, u64 cols, const T* dy, Sum* sums) {
  if (cols == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  column_kernel<T, Sum>
      <<<blocks_for(ceil_div(cols, lanes), 65535), dim3(lanes, column_parts), 0, static_cast<cudaStream_t>(stream)>>>(
          rows, cols, dy, sums);
  return launched();
}

namespace {

// Blocks of the largest isotypic block, at most so many that the rest loops.
dim3 block_grid(u64 numbers, u64 count) {
  return dim3(blocks_for(ceil_div(numbers, block_threads), 1024), static_cast<u32>(count));
}

}  // namespace

template <class T>
const char* launch_block_weights(int device, void* stream, const BlockShape* blocks, u64 count, u64 weights,
                                 const T* theta, T* out) {
  if (count == 0 || weights == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  if (count > 65535) return "too many blocks for one launch";
  weights_kernel<T>
      <<<block_grid(weights, count), block_threads, 0, static_cast<cudaStream_t>(stream)>>>(blocks, theta, out);
  return launched();
}

template <class Sum>
const char* launch_block_gradients(int device, void* stream, const BlockShape* blocks, u64 count, u64 params,
                                   const Sum* dweights, Sum* dtheta) {
  if (count == 0 || params == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  if (count > 65535) return "too many blocks for one launch";
  gradients_kernel<Sum>
      <<<block_grid(params, count), block_threads, 0, static_cast<cudaStream_t>(stream)>>>(blocks, dweights, dtheta);
  return launched();
}

template <class T>
const char* launch_axis_sum(int device, void* stream, const AxisSum& sum, const T* from, T* to) {
  const u64 entries = sum.entries(), threads = entries * (sum.by_warp() ? lanes : 1);
  if (entries == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  axis_kernel<T>
      <<<blocks_for(ceil_div(threads, block_threads), 65535), block_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          sum, entries, from, to);
  return launched();
}

namespace {

template <bool scatter, class T>
const char* launch_places(int device, void* stream, const PlaceMap& map, const u64* places, const T* from, T* to) {
  if (map.arrays * map.entries == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  places_kernel<T, scatter><<<blocks_for(ceil_div(map.arrays * map.entries, block_threads), 65535), block_threads, 0,
                              static_cast<cudaStream_t>(stream)>>>(map, places, from, to);
  return launched();
}

}  // namespace

template <class T>
const char* launch_gather_places(int device, void* stream, const PlaceMap& map, const u64* places, const T* from,
                                 T* to) {
  return launch_places<false>(device, stream, map, places, from, to);
}
template <class T>
const char* launch_scatter_places(int device, void* stream, const PlaceMap& map, const u64* places, const T* from,
                                  T* to) {
  return launch_places<true>(device, stream, map, places, from, to);
}

INTERTWINE_CUDA_INSTANCES

}  // namespace intertwine::numeric_detail::cuda
