// Memory, streams, events and graphs of the CUDA runtime.
#include <cuda_runtime.h>

#include "numeric/cuda/launch.hpp"

namespace intertwine::numeric_detail::cuda {
namespace {

// The error, taken back from the runtime: it must not be found again by a later call that went well.
const char* text_of(cudaError_t error) {
  if (error == cudaSuccess) return nullptr;
  cudaGetLastError();
  return cudaGetErrorString(error);
}

template <class Body>
const char* on_device(int device, const Body& body) {
  const cudaError_t error = cudaSetDevice(device);
  return text_of(error == cudaSuccess ? body() : error);
}

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(void* event) { return static_cast<cudaEvent_t>(event); }

}  // namespace

bool built() { return true; }

const char* use_device(int device) { return text_of(cudaSetDevice(device)); }

int device_count() {
  int count = 0;
  return text_of(cudaGetDeviceCount(&count)) == nullptr ? count : 0;
}

const char* device_complaint() {
  int count = 0;
  const char* text = text_of(cudaGetDeviceCount(&count));
  return text == nullptr ? "" : text;
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
  return on_device(device, [&] { return cudaMalloc(memory, bytes < 16 ? 16 : bytes); });
}

void release(int device, void* memory) {
  on_device(device, [&] { return cudaFree(memory); });
}

const char* copy_to_device(int device, void* to, const void* from, u64 bytes) {
  return on_device(device, [&] {
    if (bytes == 0) return cudaSuccess;
    const cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    // The last of it may still be on its way, and streams of ours do not wait for the default stream.
    return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamLegacy) : error;
  });
}

const char* copy_from_device(int device, void* to, const void* from, u64 bytes) {
  // Streams of ours do not wait for the default stream, nor it for them.
  return on_device(device, [&] {
    const cudaError_t error = cudaDeviceSynchronize();
    return error != cudaSuccess || bytes == 0 ? error : cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
  });
}

const char* copy_on_device(int device, void* stream, void* to, const void* from, u64 bytes) {
  return on_device(device, [&] {
    return bytes == 0 ? cudaSuccess : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_of(stream));
  });
}

const char* set_zero(int device, void* stream, void* memory, u64 bytes) {
  return on_device(device,
                   [&] { return bytes == 0 ? cudaSuccess : cudaMemsetAsync(memory, 0, bytes, stream_of(stream)); });
}

const char* synchronise(int device) {
  return on_device(device, [] { return cudaDeviceSynchronize(); });
}

const char* stream_create(int device, void** stream) {
  return on_device(device, [&] {
    return cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking);
  });
}

void stream_destroy(int device, void* stream) {
  on_device(device, [&] { return cudaStreamDestroy(stream_of(stream)); });
}

const char* stream_wait(int device, void* stream) {
  return on_device(device, [&] { return cudaStreamSynchronize(stream_of(stream)); });
}

const char* capture_number(int device, void* stream, u64* number) {
  *number = 0;
  // The default streams (0, 1 and 2 are names of theirs) cannot be captured but for the one of the thread, which is.
  if (stream == nullptr || stream_of(stream) == cudaStreamLegacy) return nullptr;
  return on_device(device, [&] {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    const cudaError_t error = cudaStreamGetCaptureInfo(stream_of(stream), &status, &id);
    if (error == cudaSuccess && status != cudaStreamCaptureStatusNone) *number = id == 0 ? 1 : id;
    return error;
  });
}

const char* event_create(int device, void** event, bool timed) {
  return on_device(device, [&] {
    return cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event),
                                    timed ? cudaEventDefault : cudaEventDisableTiming);
  });
}

void event_destroy(int device, void* event) {
  on_device(device, [&] { return cudaEventDestroy(event_of(event)); });
}

const char* event_record(int device, void* event, void* stream) {
  return on_device(device, [&] { return cudaEventRecord(event_of(event), stream_of(stream)); });
}

const char* event_wait(int device, void* event, void* stream) {
  return on_device(device, [&] { return cudaStreamWaitEvent(stream_of(stream), event_of(event), 0); });
}

const char* event_milliseconds(int device, void* first, void* last, float* out) {
  return on_device(device, [&] {
    const cudaError_t error = cudaEventSynchronize(event_of(last));
    return error != cudaSuccess ? error : cudaEventElapsedTime(out, event_of(first), event_of(last));
  });
}

const char* capture_begin(int device, void* stream) {
  return on_device(device, [&] { return cudaStreamBeginCapture(stream_of(stream), cudaStreamCaptureModeThreadLocal); });
}

const char* capture_end(int device, void* stream, void** graph) {
  return on_device(device, [&] {
    cudaGraph_t captured = nullptr;
    cudaError_t error = cudaStreamEndCapture(stream_of(stream), &captured);
    if (error == cudaSuccess)
      error = cudaGraphInstantiateWithFlags(reinterpret_cast<cudaGraphExec_t*>(graph), captured, 0);
    if (captured != nullptr) cudaGraphDestroy(captured);
    return error;
  });
}

const char* graph_launch(int device, void* graph, void* stream) {
  return on_device(device, [&] { return cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), stream_of(stream)); });
}

void graph_destroy(int device, void* graph) {
  on_device(device, [&] { return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph)); });
}

}  // namespace intertwine::numeric_detail::cuda
