// The border between the host's code and the CUDA compiler's: plain functions, no exception, errors as text (nullptr: none).
// Streams are cudaStream_t, and all other pointers of the device unless a name says otherwise.
#pragma once
#include "numeric/cuda/bodies.hpp"

namespace intertwine::numeric_detail::cuda {

bool built();
/// For what the calling thread does next, cuBLAS too.
const char* use_device(int device);
int device_count();
/// The complaint of the runtime when there are no devices: "" if it was not asked or had no complaint.
const char* device_complaint();
const char* device_name(int device, char* text, int room);
const char* allocate(int device, void** memory, u64 bytes);
void release(int device, void* memory);
const char* copy_to_device(int device, void* to, const void* from, u64 bytes);
const char* copy_from_device(int device, void* to, const void* from, u64 bytes);
const char* copy_on_device(int device, void* stream, void* to, const void* from, u64 bytes);
const char* set_zero(int device, void* stream, void* memory, u64 bytes);
const char* synchronise(int device);

const char* stream_create(int device, void** stream);
void stream_destroy(int device, void* stream);
const char* stream_wait(int device, void* stream);
/// 0 if the stream is not being captured, else the number of the capture. The default stream never is.
const char* capture_number(int device, void* stream, u64* number);
const char* event_create(int device, void** event, bool timed);
void event_destroy(int device, void* event);
const char* event_record(int device, void* event, void* stream);
/// The stream waits for the event; the host does not.
const char* event_wait(int device, void* event, void* stream);
const char* event_milliseconds(int device, void* first, void* last, float* out);

const char* capture_begin(int device, void* stream);
/// Ends the capture in any case; *graph (an executable graph) is set on success.
const char* capture_end(int device, void* stream, void** graph);
const char* graph_launch(int device, void* graph, void* stream);
void graph_destroy(int device, void* graph);

/// W = table[code] for `count` arrays in as few launches as possible; first_block is set here. T: the types below.
template <class T>
const char* launch_gather(int device, void* stream, GatherItem* items, u64 count);
/// dtheta from dW likewise; sums are float for the types of 16 bits. first_task is set here.
template <class T, class Sum>
const char* launch_reduce(int device, void* stream, ReduceItem* items, u64 count);

/// At most most_batch rows; tables of one-byte codes.
template <class T, class Sum>
const char* launch_lookup(int device, void* stream, const Shape& shape, u64 batch, const u8* tall_codes, const T* theta,
                          const T* x, Sum* partial, T* y);

/// y [rows, cols] += bias [cols].
template <class T>
const char* launch_add_bias(int device, void* stream, u64 rows, u64 cols, const T* bias, T* y);
/// sums [cols] of dy [rows, cols].
template <class T, class Sum>
const char* launch_column_sums(int device, void* stream, u64 rows, u64 cols, const T* dy, Sum* sums);

/// The weights of all blocks from theta', and the gradients of theta' from those of the weights.
template <class T>
const char* launch_block_weights(int device, void* stream, const BlockShape* blocks, u64 count, u64 weights,
                                 const T* theta, T* out);
template <class Sum>
const char* launch_block_gradients(int device, void* stream, const BlockShape* blocks, u64 count, u64 params,
                                   const Sum* dweights, Sum* dtheta);

/// Steps of a layer of diagrams, for float and double.
template <class T>
const char* launch_axis_sum(int device, void* stream, const AxisSum& sum, const T* from, T* to);
template <class T>
const char* launch_gather_places(int device, void* stream, const PlaceMap& map, const u64* places, const T* from,
                                 T* to);
template <class T>
const char* launch_scatter_places(int device, void* stream, const PlaceMap& map, const u64* places, const T* from,
                                  T* to);

// Every type the launchers are made for.
#define INTERTWINE_CUDA_DIAGRAMS(T)                                                                 \
  template const char* launch_axis_sum(int, void*, const AxisSum&, const T*, T*);                   \
  template const char* launch_gather_places(int, void*, const PlaceMap&, const u64*, const T*, T*); \
  template const char* launch_scatter_places(int, void*, const PlaceMap&, const u64*, const T*, T*);
#define INTERTWINE_CUDA_TYPE(T, Sum)                                                                          \
  template const char* launch_gather<T>(int, void*, GatherItem*, u64);                                        \
  template const char* launch_reduce<T, Sum>(int, void*, ReduceItem*, u64);                                   \
  template const char* launch_lookup(int, void*, const Shape&, u64, const u8*, const T*, const T*, Sum*, T*); \
  template const char* launch_add_bias(int, void*, u64, u64, const T*, T*);                                   \
  template const char* launch_column_sums(int, void*, u64, u64, const T*, Sum*);                              \
  template const char* launch_block_weights(int, void*, const BlockShape*, u64, u64, const T*, T*);
#define INTERTWINE_CUDA_INSTANCES                                                                             \
  INTERTWINE_CUDA_TYPE(float, float)                                                                          \
  INTERTWINE_CUDA_TYPE(double, double)                                                                        \
  INTERTWINE_CUDA_TYPE(Bf16, float)                                                                           \
  INTERTWINE_CUDA_TYPE(Half, float)                                                                           \
  INTERTWINE_CUDA_DIAGRAMS(float)                                                                             \
  INTERTWINE_CUDA_DIAGRAMS(double)                                                                            \
  template const char* launch_block_gradients(int, void*, const BlockShape*, u64, u64, const float*, float*); \
  template const char* launch_block_gradients(int, void*, const BlockShape*, u64, u64, const double*, double*);

}  // namespace intertwine::numeric_detail::cuda
