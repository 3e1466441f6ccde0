// The border between the host's code and the CUDA compiler's: plain functions, no exception, errors as text (nullptr: none).
#pragma once
#include "numeric/cuda/bodies.hpp"

namespace intertwine::numeric_detail::cuda {

bool built();
int device_count();
const char* device_name(int device, char* text, int room);
const char* allocate(int device, void** memory, u64 bytes);
void release(int device, void* memory);
const char* copy_to_device(int device, void* to, const void* from, u64 bytes);
const char* copy_from_device(int device, void* to, const void* from, u64 bytes);
const char* copy_on_device(int device, void* stream, void* to, const void* from, u64 bytes);
const char* synchronise(int device);

/// Code is u8, u16 or u32; T is float, double or u16 (bfloat16). All pointers are of the device, stream is a cudaStream_t.
template <class T, class Code>
const char* launch_gather(int device, void* stream, const Shape& shape, const Code* codes, const T* theta,
                          T* W);

template <class T, class Sum>
const char* launch_bins(int device, void* stream, const Shape& shape, const u8* codes, const T* dW,
                        Sum* partial, Sum* dtheta);

template <class T, class Sum>
const char* launch_segments(int device, void* stream, const Shape& shape, const u32* entries,
                            const Segment* pieces, u64 count, const u64* piece_ptr, const T* dW, Sum* partial,
                            Sum* dtheta);

/// At most most_batch rows; tables of at most shared_entries.
template <class T>
const char* launch_lookup(int device, void* stream, const Shape& shape, u64 batch, const u8* tall_codes,
                          const T* theta, const T* x, T* partial, T* y);

// Every type the launchers are made for.
#define INTERTWINE_CUDA_GATHER(T)                                                         \
  template const char* launch_gather(int, void*, const Shape&, const u8*, const T*, T*);  \
  template const char* launch_gather(int, void*, const Shape&, const u16*, const T*, T*); \
  template const char* launch_gather(int, void*, const Shape&, const u32*, const T*, T*);
#define INTERTWINE_CUDA_REDUCE(T, Sum)                                                            \
  template const char* launch_bins(int, void*, const Shape&, const u8*, const T*, Sum*, Sum*);    \
  template const char* launch_segments(int, void*, const Shape&, const u32*, const Segment*, u64, \
                                       const u64*, const T*, Sum*, Sum*);
#define INTERTWINE_CUDA_LOOKUP(T) \
  template const char* launch_lookup(int, void*, const Shape&, u64, const u8*, const T*, const T*, T*, T*);
#define INTERTWINE_CUDA_INSTANCES        \
  INTERTWINE_CUDA_GATHER(float)          \
  INTERTWINE_CUDA_GATHER(double)         \
  INTERTWINE_CUDA_GATHER(u16)            \
  INTERTWINE_CUDA_REDUCE(float, float)   \
  INTERTWINE_CUDA_REDUCE(double, double) \
  INTERTWINE_CUDA_REDUCE(u16, float)     \
  INTERTWINE_CUDA_LOOKUP(float)          \
  INTERTWINE_CUDA_LOOKUP(double)

}  // namespace intertwine::numeric_detail::cuda
