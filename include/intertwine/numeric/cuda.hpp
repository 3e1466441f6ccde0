// The numeric layers on NVIDIA GPUs. They are always declared: without CUDA in the build or without a device,
// cuda_devices() is 0 and the rest says so in a DomainError; nothing falls back silently.
//
// Pointers are of the device; work is queued on a stream (a cudaStream_t; nullptr for the default one) and not waited for.
// Any thread and any stream may use any object: where work on two streams needs the same working memory, the later stream
// waits for the earlier by an event, the host never does; a stream is destroyed only when its work is done. The order
// of work on the caller's own arrays is the caller's business, and so is the order of a graph's launches beside other
// uses of the objects that were captured.
//
// The order of every sum depends on the table alone, so results are the same bits in every run and on every device; it is not
// that of the processor's kernels, so reduce and apply differ from those in rounding. materialise gives the same bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "intertwine/numeric/prepared_pattern.hpp"

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

/// A stream of a device; it does not wait for the default stream. Destroy it after its work is done.
class CudaStream {
 public:
  /// \throws DomainError if there is no such device
  explicit CudaStream(int device = 0);
  ~CudaStream();
  CudaStream(CudaStream&& other) noexcept;
  CudaStream& operator=(CudaStream&& other) noexcept;
  int device() const { return device_; }
  /// The cudaStream_t.
  void* get() const { return stream_; }
  /// Waits for everything queued here. \throws InternalError with what went wrong
  void wait() const;

 private:
  int device_ = 0;
  void* stream_ = nullptr;
};

/// Work of a stream, recorded once and launched as a whole as often as wanted: what to do about layers so small that launching
/// them one by one takes longer than they do. It keeps the addresses of all arrays: these, and the objects that were used, must
/// live as long as it is launched.
class CudaGraph {
 public:
  /// Calls work(stream) and records what it queues. With `warm` the work is first done once as it is, so that kernels and
  /// libraries are loaded. The work may use one stream only, and not wait.
  /// \throws what `work` throws; InternalError if something that it does cannot be recorded.
  static CudaGraph capture(const CudaStream& stream, const std::function<void(void*)>& work, bool warm = true);
  ~CudaGraph();
  CudaGraph(CudaGraph&& other) noexcept;
  CudaGraph& operator=(CudaGraph&& other) noexcept;
  /// Queues it all on a stream.
  void launch(void* stream) const;

 private:
  CudaGraph() = default;
  int device_ = 0;
  void* graph_ = nullptr;
};

/// A pattern on a device, with the working memory of its kernels.
class CudaPattern {
 public:
  /// \throws DomainError if the pattern is not tied or there is no such device; LimitError for 2^31 entries or more, or if
  /// memory is short.
  CudaPattern(const PreparedPattern& pattern, Multiplicity channels, int device = 0);
  ~CudaPattern();
  CudaPattern(CudaPattern&&) noexcept;
  CudaPattern& operator=(CudaPattern&&) noexcept;

  /// theta [P, out, in] -> W [out, M, in, N]. T is float, double, Bf16 or Half. \throws InternalError if a launch fails.
  template <class T>
  void materialise(const T* theta, T* W, void* stream = nullptr) const;
  /// dW -> dtheta; sums of Bf16 and Half are float.
  template <class T>
  void reduce(const T* dW, SumOf<T>* dtheta, void* stream = nullptr) const;
  /// y = W x by look-up, x [batch, in, N], y [batch, out, M]; for small batches (they go eight rows at a time). Sums of Bf16
  /// and Half are float, rounded once. The first call takes memory for partial sums, in / 64 of eight results.
  /// \throws DomainError for tables of more than 127 parameters; LimitError if memory is short
  template <class T>
  void apply(std::uint64_t batch, const T* theta, const T* x, T* y, void* stream = nullptr) const;

  int device() const;
  struct State;
  State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// materialise and reduce of many patterns, sixteen a launch: for arrays too small to fill a device. The results have
/// the same bits as one by one.
/// \throws DomainError if the lists are not of the same length, the patterns not of one device, or (reduce) one is there twice.
template <class T>
void materialise(std::span<const CudaPattern* const> patterns, std::span<const T* const> theta, std::span<T* const> W,
                 void* stream = nullptr);
template <class T>
void reduce_gradient(std::span<const CudaPattern* const> patterns, std::span<const T* const> dW,
                     std::span<SumOf<T>* const> dtheta, void* stream = nullptr);

}  // namespace intertwine
