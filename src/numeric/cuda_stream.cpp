// Devices, their memory, and the order of work on streams.
#include <fmt/format.h>

#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda.hpp"
#include "numeric/cuda/device.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::check;
using cuda::require_device;

namespace numeric_detail::cuda {

void require_device(int device) {
  if (!built()) throw DomainError("this build has no CUDA kernels; configure with -DINTERTWINE_CUDA=ON");
  const int count = device_count();
  if (device >= 0 && device < count) return;
  const std::string complaint = count == 0 ? device_complaint() : "";
  throw DomainError(fmt::format("there is no CUDA device {}: {} found{}{}; is the driver installed?", device, count,
                                complaint.empty() ? "" : ", the runtime says: ", complaint));
}

void check(const char* error, const char* doing) {
  if (error != nullptr) throw InternalError(fmt::format("CUDA: {} failed: {}", doing, error));
}

WorkOrder::~WorkOrder() {
  if (event_ != nullptr) event_destroy(device_, event_);
}

void WorkOrder::begin(void* stream) {
  u64 capture = 0;
  check(capture_number(device_, stream, &capture), "asking whether a stream is captured");
  captured_ = capture != 0;
  if (captured_) return;  // an event of outside has no place in a graph
  if (event_ == nullptr) check(event_create(device_, &event_, false), "making an event");
  if (used_ && last_ != stream) check(event_wait(device_, event_, stream), "waiting for another stream");
}

void WorkOrder::end(void* stream) {
  if (captured_) return;
  check(event_record(device_, event_, stream), "recording an event");
  last_ = stream;
  used_ = true;
}

}  // namespace numeric_detail::cuda

CudaStream::CudaStream(int device) : device_(device) {
  require_device(device);
  check(cuda::stream_create(device, &stream_), "making a stream");
}

CudaStream::~CudaStream() {
  if (stream_ != nullptr) cuda::stream_destroy(device_, stream_);
}

CudaStream::CudaStream(CudaStream&& other) noexcept
    : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}

CudaStream& CudaStream::operator=(CudaStream&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(stream_, other.stream_);
  return *this;
}

void CudaStream::wait() const { check(cuda::stream_wait(device_, stream_), "the work on a stream"); }

CudaGraph CudaGraph::capture(const CudaStream& stream, const std::function<void(void*)>& work, bool warm) {
  if (stream.get() == nullptr) throw DomainError("CudaGraph: the stream has been moved away");
  if (warm) {
    work(stream.get());
    stream.wait();
  }
  check(cuda::capture_begin(stream.device(), stream.get()), "beginning to capture a stream");
  CudaGraph graph;
  graph.device_ = stream.device();
  try {
    work(stream.get());
  } catch (...) {
    void* unused = nullptr;
    cuda::capture_end(stream.device(), stream.get(), &unused);
    if (unused != nullptr) cuda::graph_destroy(stream.device(), unused);
    throw;
  }
  check(cuda::capture_end(stream.device(), stream.get(), &graph.graph_), "making a graph of the captured work");
  return graph;
}

CudaGraph::~CudaGraph() {
  if (graph_ != nullptr) cuda::graph_destroy(device_, graph_);
}

CudaGraph::CudaGraph(CudaGraph&& other) noexcept
    : device_(other.device_), graph_(std::exchange(other.graph_, nullptr)) {}

CudaGraph& CudaGraph::operator=(CudaGraph&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(graph_, other.graph_);
  return *this;
}

void CudaGraph::launch(void* stream) const {
  if (graph_ == nullptr) throw DomainError("CudaGraph: the graph has been moved away");
  check(cuda::graph_launch(device_, graph_, stream), "launching a graph");
}

}  // namespace intertwine
