// The kernels: which thread does what, and shared memory. What a thread does is in bodies.hpp.
#include <cuda_runtime.h>

#include "numeric/cuda/launch.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {

template <class T, class Code, bool shared>
__global__ void gather_kernel(Shape shape, Grid grid, const Code* codes, const T* theta, T* W) {
  __shared__ T table[shared ? shared_entries : 1];
  for (u64 pair = blockIdx.y; pair < shape.pairs(); pair += gridDim.y) {
    if constexpr (shared) {
      __syncthreads();
      for (u64 e = threadIdx.y * blockDim.x + threadIdx.x; e < table_entries(shape.params);
           e += blockDim.x * blockDim.y)
        table[e] = gather_table_entry(theta, shape, pair, e);
      __syncthreads();
      gather(shape, grid, pair, blockIdx.x, threadIdx.x, threadIdx.y, codes, W,
             [&](Code code) { return table[code]; });
    } else {
      gather(shape, grid, pair, blockIdx.x, threadIdx.x, threadIdx.y, codes, W,
             [&](Code code) { return gather_table_entry(theta, shape, pair, code); });
    }
  }
}

// One warp a block: its private sums take all of the block's shared memory.
template <class T, class Sum>
__global__ void bins_kernel(Shape shape, BinsPlan plan, const u8* codes, const T* dW, Sum* partial) {
  extern __shared__ double memory[];
  Sum* sums = reinterpret_cast<Sum*>(memory);
  const u64 tasks = plan.pieces * shape.pairs();
  for (u64 task = blockIdx.x; task < tasks; task += gridDim.x) {
    bins_add(shape, plan, task / plan.pieces, task % plan.pieces, threadIdx.x, codes, dW, sums);
    __syncwarp();
    bins_fold(shape.params, threadIdx.x, sums, partial + task * shape.params);
    __syncwarp();
  }
}

template <class Sum>
__global__ void bins_finish(Shape shape, u64 pieces, const Sum* partial, Sum* dtheta) {
  const u64 total = shape.pairs() * shape.params;
  for (u64 at = u64{blockIdx.x} * blockDim.x + threadIdx.x; at < total; at += u64{gridDim.x} * blockDim.x) {
    const u64 pair = at / shape.params, k = at % shape.params;
    dtheta[k * shape.pairs() + pair] =
        add_pieces(partial + pair * pieces * shape.params + k, 0, pieces, shape.params);
  }
}

// A warp a piece.
template <class T, class Sum>
__global__ void segments_kernel(Shape shape, const u32* entries, const Segment* pieces, u64 count,
                                const T* dW, Sum* partial) {
  const u64 warps = u64{gridDim.x} * blockDim.y, tasks = count * shape.pairs();
  for (u64 task = u64{blockIdx.x} * blockDim.y + threadIdx.y; task < tasks; task += warps) {
    Sum sum = segment_add<Sum>(shape, task / count, pieces[task % count], threadIdx.x, entries, dW);
    for (u32 offset = lanes / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
    if (threadIdx.x == 0) partial[task] = sum;
  }
}

template <class Sum>
__global__ void segments_finish(Shape shape, u64 count, const u64* piece_ptr, const Sum* partial,
                                Sum* dtheta) {
  const u64 total = shape.pairs() * shape.params;
  for (u64 at = u64{blockIdx.x} * blockDim.x + threadIdx.x; at < total; at += u64{gridDim.x} * blockDim.x) {
    const u64 pair = at % shape.pairs(), k = at / shape.pairs();
    dtheta[at] = add_pieces(partial + pair * count, piece_ptr[k], piece_ptr[k + 1], 1);
  }
}

// Four warps a block, each with a piece of the same channel; the table once for every lane, so that banks never conflict.
template <u32 batch, class T>
__global__ void lookup_kernel(Shape shape, u64 panels, const u8* codes, const T* theta, const T* x,
                              T* partial) {
  extern __shared__ double memory[];
  T* table = reinterpret_cast<T*>(memory);
  const u64 of_channel = product_pieces(shape.cols), inputs = shape.in * shape.cols,
            outputs = shape.out * shape.rows;
  const u64 groups = ceil_div(of_channel, blockDim.y);
  const u64 panel = blockIdx.x % panels, out = blockIdx.x / panels;
  for (u64 task = blockIdx.y; task < shape.in * groups; task += gridDim.y) {
    const u64 in = task / groups, piece = task % groups * blockDim.y + threadIdx.y;
    __syncthreads();
    for (u64 at = threadIdx.y * lanes + threadIdx.x; at < table_entries(shape.params) * lanes;
         at += blockDim.y * lanes)
      table[at] = gather_table_entry(theta, shape, out * shape.in + in, at / lanes);
    __syncthreads();
    if (piece >= of_channel) continue;
    T sums[batch][4];
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

template <class T>
__global__ void lookup_finish(u64 pieces, u64 numbers, const T* partial, T* y) {
  for (u64 at = u64{blockIdx.x} * blockDim.x + threadIdx.x; at < numbers; at += u64{gridDim.x} * blockDim.x)
    y[at] = add_pieces(partial + at, 0, pieces, numbers);
}

const char* text_of(cudaError_t error) { return error == cudaSuccess ? nullptr : cudaGetErrorString(error); }

u32 blocks_for(u64 tasks, u64 most = 65535) {
  return static_cast<u32>(tasks < 1 ? 1 : tasks < most ? tasks : most);
}

const char* launched() { return text_of(cudaGetLastError()); }

}  // namespace

bool built() { return true; }

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

const char* device_name(int device, char* text, int room) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  int k = 0;
  if (error == cudaSuccess)
    for (; k + 1 < room && properties.name[k] != '\0'; ++k) text[k] = properties.name[k];
  if (room > 0) text[k] = '\0';
  return text_of(error);
}

const char* allocate(int device, void** memory, u64 bytes) {
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess) error = cudaMalloc(memory, bytes < 16 ? 16 : bytes);
  return text_of(error);
}

void release(int device, void* memory) {
  if (cudaSetDevice(device) == cudaSuccess) cudaFree(memory);
}

const char* copy_to_device(int device, void* to, const void* from, u64 bytes) {
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess && bytes > 0) error = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
  return text_of(error);
}

const char* copy_from_device(int device, void* to, const void* from, u64 bytes) {
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess && bytes > 0) error = cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
  return text_of(error);
}

const char* copy_on_device(int device, void* stream, void* to, const void* from, u64 bytes) {
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream));
  return text_of(error);
}

const char* synchronise(int device) {
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  return text_of(error);
}

template <class T, class Code>
const char* launch_gather(int device, void* stream, const Shape& shape, const Code* codes, const T* theta,
                          T* W) {
  if (shape.rows == 0 || shape.cols == 0 || shape.pairs() == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  const Grid grid = gather_grid(shape);
  const dim3 blocks(grid.blocks_x, grid.blocks_y), threads(grid.threads_x, grid.threads_y);
  const auto on = static_cast<cudaStream_t>(stream);
  if (table_entries(shape.params) <= shared_entries)
    gather_kernel<T, Code, true><<<blocks, threads, 0, on>>>(shape, grid, codes, theta, W);
  else
    gather_kernel<T, Code, false><<<blocks, threads, 0, on>>>(shape, grid, codes, theta, W);
  return launched();
}

template <class T, class Sum>
const char* launch_bins(int device, void* stream, const Shape& shape, const u8* codes, const T* dW,
                        Sum* partial, Sum* dtheta) {
  if (shape.params == 0 || shape.pairs() == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  const BinsPlan plan = bins_plan(shape.rows, shape.cols, shape.params);
  const auto on = static_cast<cudaStream_t>(stream);
  const u64 bytes = table_entries(shape.params) * lanes * sizeof(Sum);
  const cudaError_t error = cudaFuncSetAttribute(
      bins_kernel<T, Sum>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) return text_of(error);
  if (plan.pieces > 0)
    bins_kernel<T, Sum><<<blocks_for(plan.pieces * shape.pairs(), u64{1} << 30), lanes, bytes, on>>>(
        shape, plan, codes, dW, partial);
  bins_finish<Sum><<<blocks_for(ceil_div(shape.pairs() * shape.params, 128)), 128, 0, on>>>(
      shape, plan.pieces, partial, dtheta);
  return launched();
}

template <class T, class Sum>
const char* launch_segments(int device, void* stream, const Shape& shape, const u32* entries,
                            const Segment* pieces, u64 count, const u64* piece_ptr, const T* dW, Sum* partial,
                            Sum* dtheta) {
  if (shape.params == 0 || shape.pairs() == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  const auto on = static_cast<cudaStream_t>(stream);
  const dim3 threads(lanes, 8);
  if (count > 0)
    segments_kernel<T, Sum><<<blocks_for(ceil_div(count * shape.pairs(), 8), u64{1} << 30), threads, 0, on>>>(
        shape, entries, pieces, count, dW, partial);
  segments_finish<Sum><<<blocks_for(ceil_div(shape.pairs() * shape.params, 128)), 128, 0, on>>>(
      shape, count, piece_ptr, partial, dtheta);
  return launched();
}

namespace {

template <u32 batch, class T>
const char* lookup_of(cudaStream_t stream, const Shape& shape, u64 wanted, const u8* codes, const T* theta,
                      const T* x, T* partial, T* y) {
  if (wanted != batch) {
    if constexpr (batch > 1) return lookup_of<batch - 1>(stream, shape, wanted, codes, theta, x, partial, y);
    return "a batch of the wrong size";
  }
  const u64 panels = ceil_div(shape.rows, tall_panel), of_channel = product_pieces(shape.cols);
  const u64 bytes = table_entries(shape.params) * lanes * sizeof(T);
  const cudaError_t error = cudaFuncSetAttribute(
      lookup_kernel<batch, T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) return text_of(error);
  const dim3 blocks(static_cast<u32>(panels * shape.out), blocks_for(shape.in * ceil_div(of_channel, 4)));
  lookup_kernel<batch, T><<<blocks, dim3(lanes, 4), bytes, stream>>>(shape, panels, codes, theta, x, partial);
  const u64 numbers = batch * shape.out * shape.rows;
  lookup_finish<T>
      <<<blocks_for(ceil_div(numbers, 128)), 128, 0, stream>>>(shape.in * of_channel, numbers, partial, y);
  return launched();
}

}  // namespace

template <class T>
const char* launch_lookup(int device, void* stream, const Shape& shape, u64 batch, const u8* tall_codes,
                          const T* theta, const T* x, T* partial, T* y) {
  if (batch == 0 || shape.rows == 0 || shape.out == 0) return nullptr;
  if (const cudaError_t error = cudaSetDevice(device)) return text_of(error);
  return lookup_of<most_batch>(static_cast<cudaStream_t>(stream), shape, batch, tall_codes, theta, x, partial,
                               y);
}

INTERTWINE_CUDA_INSTANCES

}  // namespace intertwine::numeric_detail::cuda
