// The same layers on NVIDIA GPUs. Always here: without CUDA in the build or without a device, cuda_devices() is 0 and the
// rest says so in a DomainError; nothing falls back silently.
//
// Pointers are of the device; work is queued on a stream (a cudaStream_t; nullptr for the default one) and not waited for.
// The order of every sum depends on the table alone, so results are the same bits in every run and on every device; it is not
// that of the processor's kernels, so reduce and apply differ from those in rounding. materialise gives the same bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "intertwine/numeric/tied_pattern.hpp"

namespace intertwine {

/// Was the library built with the CUDA kernels?
bool built_with_cuda();
/// Devices that can be used; 0 without CUDA in the build, a driver, or a device.
int cuda_devices();
/// \throws DomainError if there is no such device
std::string cuda_device_name(int device);
/// Waits for everything queued on the device. \throws DomainError if there is none, InternalError with what went wrong there.
void cuda_synchronise(int device);

/// Memory of a device, freed with the object.
class CudaMemory {
 public:
  /// \throws DomainError if there is no such device; LimitError if the memory cannot be had.
  CudaMemory(int device, std::uint64_t bytes);
  ~CudaMemory();
  CudaMemory(CudaMemory&& other) noexcept;
  CudaMemory& operator=(CudaMemory&& other) noexcept;
  void* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  /// \throws DomainError if `bytes` is larger than the memory
  void upload(std::span<const std::byte> bytes) const;
  void download(std::span<std::byte> bytes) const;

 private:
  int device_ = 0;
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

/// A pattern on a device, with the working memory of its kernels: one stream at a time may use it.
class CudaPattern {
 public:
  /// \throws DomainError if there is no such device; LimitError for 2^31 entries or more, or if memory is short.
  CudaPattern(const TiedPattern& pattern, Multiplicity channels, int device = 0);
  ~CudaPattern();
  CudaPattern(CudaPattern&&) noexcept;
  CudaPattern& operator=(CudaPattern&&) noexcept;

  /// theta [P, out, in] -> W [out, M, in, N]. T is float, double or Bf16. \throws InternalError if a launch fails.
  template <class T>
  void materialise(const T* theta, T* W, void* stream = nullptr) const;
  /// dW -> dtheta; sums of Bf16 are float.
  template <class T>
  void reduce(const T* dW, SumOf<T>* dtheta, void* stream = nullptr) const;
  /// y = W x by look-up, x [batch, in, N], y [batch, out, M], T float or double; for small batches (they go eight rows at a
  /// time). \throws DomainError for tables of more than 127 parameters.
  template <class T>
  void apply(std::uint64_t batch, const T* theta, const T* x, T* y, void* stream = nullptr) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace intertwine
