// The common part of the host's side of everything on a device: errors, uploads, and the order of work that uses the
// same memory.
#pragma once
#include <algorithm>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "intertwine/numeric/cuda.hpp"
#include "numeric/cuda/launch.hpp"

namespace intertwine::numeric_detail::cuda {

/// \throws DomainError if there is no such device
void require_device(int device);
/// \throws InternalError with what failed, if anything did
void check(const char* error, const char* doing);

template <class Items>
CudaMemory uploaded(int device, const Items& items) {
  const auto bytes = std::as_bytes(std::span(items));
  CudaMemory memory(device, bytes.size());
  memory.upload(bytes);
  return memory;
}

template <class T>
T* as(const CudaMemory& memory) {
  return static_cast<T*>(memory.data());
}

/// Can fours of T be read and written from here on? (Two accesses for double.)
template <class T>
bool aligned_for_fours(const T* p) {
  return reinterpret_cast<std::uintptr_t>(p) % alignof(Four<std::remove_const_t<T>>) == 0;
}

/// The order of work on one piece of working memory, whatever streams it is queued on: the streams wait for one another, the
/// host does not. Threads queue one after the other. In a capture the order is that of the captured stream alone.
class WorkOrder {
 public:
  explicit WorkOrder(int device) : device_(device) {}
  ~WorkOrder();
  WorkOrder(const WorkOrder&) = delete;
  WorkOrder& operator=(const WorkOrder&) = delete;

  /// Runs `queue`, which queues work on the stream.
  template <class Queue>
  void run(void* stream, const Queue& queue) {
    const std::lock_guard lock(mutex_);
    begin(stream);
    try {
      queue();
    } catch (...) {
      end(stream);
      throw;
    }
    end(stream);
  }
  /// Runs work that uses several pieces of memory at once.
  template <class Queue>
  static void run_all(std::vector<WorkOrder*> orders, void* stream, const Queue& queue) {
    std::sort(orders.begin(), orders.end());  // always the same order of locking
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    run_from(orders, 0, stream, queue);
  }

 private:
  template <class Queue>
  static void run_from(const std::vector<WorkOrder*>& orders, std::size_t k, void* stream, const Queue& queue) {
    if (k == orders.size()) return queue();
    orders[k]->run(stream, [&] { run_from(orders, k + 1, stream, queue); });
  }
  void begin(void* stream);
  void end(void* stream);

  int device_;
  std::mutex mutex_;
  void* event_ = nullptr;
  void* last_ = nullptr;  ///< the stream of the last work
  bool used_ = false, captured_ = false;
};

}  // namespace intertwine::numeric_detail::cuda
