// The border to CUDA in a build without it: there is no device, and every launch says why.
#include "numeric/cuda/launch.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {
constexpr const char* missing = "this build has no CUDA; configure with -DINTERTWINE_CUDA=ON";
}

bool built() { return false; }
int device_count() { return 0; }
const char* device_name(int, char*, int) { return missing; }
const char* allocate(int, void**, u64) { return missing; }
void release(int, void*) {}
const char* copy_to_device(int, void*, const void*, u64) { return missing; }
const char* copy_from_device(int, void*, const void*, u64) { return missing; }
const char* copy_on_device(int, void*, void*, const void*, u64) { return missing; }
const char* synchronise(int) { return missing; }

template <class T, class Code>
const char* launch_gather(int, void*, const Shape&, const Code*, const T*, T*) {
  return missing;
}
template <class T, class Sum>
const char* launch_bins(int, void*, const Shape&, const u8*, const T*, Sum*, Sum*) {
  return missing;
}
template <class T, class Sum>
const char* launch_segments(int, void*, const Shape&, const u32*, const Segment*, u64, const u64*, const T*,
                            Sum*, Sum*) {
  return missing;
}
template <class T>
const char* launch_lookup(int, void*, const Shape&, u64, const u8*, const T*, const T*, T*, T*) {
  return missing;
}

INTERTWINE_CUDA_INSTANCES

}  // namespace intertwine::numeric_detail::cuda
