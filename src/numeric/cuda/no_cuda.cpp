// The border to CUDA in a build without it: there is no device, and every call says why.
#include "numeric/cuda/launch.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {
constexpr const char* missing = "this build has no CUDA; configure with -DINTERTWINE_CUDA=ON";
}

bool built() { return false; }
const char* use_device(int) { return missing; }
int device_count() { return 0; }
const char* device_complaint() { return ""; }
const char* device_name(int, char*, int) { return missing; }
const char* allocate(int, void**, u64) { return missing; }
void release(int, void*) {}
const char* copy_to_device(int, void*, const void*, u64) { return missing; }
const char* copy_from_device(int, void*, const void*, u64) { return missing; }
const char* copy_on_device(int, void*, void*, const void*, u64) { return missing; }
const char* set_zero(int, void*, void*, u64) { return missing; }
const char* synchronise(int) { return missing; }
const char* stream_create(int, void**) { return missing; }
void stream_destroy(int, void*) {}
const char* stream_wait(int, void*) { return missing; }
const char* capture_number(int, void*, u64*) { return missing; }
const char* event_create(int, void**, bool) { return missing; }
void event_destroy(int, void*) {}
const char* event_record(int, void*, void*) { return missing; }
const char* event_wait(int, void*, void*) { return missing; }
const char* event_milliseconds(int, void*, void*, float*) { return missing; }
const char* capture_begin(int, void*) { return missing; }
const char* capture_end(int, void*, void**) { return missing; }
const char* graph_launch(int, void*, void*) { return missing; }
void graph_destroy(int, void*) {}

template <class T>
const char* launch_gather(int, void*, GatherItem*, u64) {
  return missing;
}
template <class T, class Sum>
const char* launch_reduce(int, void*, ReduceItem*, u64) {
  return missing;
}
template <class T, class Sum>
const char* launch_lookup(int, void*, const Shape&, u64, const u8*, const T*, const T*, Sum*, T*) {
  return missing;
}
template <class T>
const char* launch_add_bias(int, void*, u64, u64, const T*, T*) {
  return missing;
}
template <class T, class Sum>
const char* launch_column_sums(int, void*, u64, u64, const T*, Sum*) {
  return missing;
}
template <class T>
const char* launch_block_weights(int, void*, const BlockShape*, u64, u64, const T*, T*) {
  return missing;
}
template <class Sum>
const char* launch_block_gradients(int, void*, const BlockShape*, u64, u64, const Sum*, Sum*) {
  return missing;
}
template <class T>
const char* launch_axis_sum(int, void*, const AxisSum&, const T*, T*) {
  return missing;
}
template <class T>
const char* launch_gather_places(int, void*, const PlaceMap&, const u64*, const T*, T*) {
  return missing;
}
template <class T>
const char* launch_scatter_places(int, void*, const PlaceMap&, const u64*, const T*, T*) {
  return missing;
}

INTERTWINE_CUDA_INSTANCES

}  // namespace intertwine::numeric_detail::cuda
