// Arrays on device 0, for the checks and measurements.
#pragma once
#include <span>
#include <vector>

#include "intertwine/numeric/cuda.hpp"
#include "support/random.hpp"

namespace test_gpu {

template <class T>
intertwine::CudaMemory on_device(const std::vector<T>& values) {
  intertwine::CudaMemory memory(0, values.size() * sizeof(T));
  memory.upload(std::as_bytes(std::span(values)));
  return memory;
}

template <class T>
std::vector<T> from_device(const intertwine::CudaMemory& memory, std::size_t count) {
  std::vector<T> out(count);
  memory.download(std::as_writable_bytes(std::span(out)));
  return out;
}

template <class T>
T* at(const intertwine::CudaMemory& memory) {
  return static_cast<T*>(memory.data());
}

/// Prints what every kernel reaches on the device.
void measure(intertwine::Rng& rng);

}  // namespace test_gpu
