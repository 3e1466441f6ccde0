// Room for large arrays that are written once and read soon.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace intertwine {

/// An array of numbers that are not initialized. Large ones ask for huge pages: without, the processor faults at the first touch of
/// every 4 KiB, which takes longer than filling them. Where the system grants none, it is memory like any other.
template <class T>
class PageArray {
 public:
  /// \throws std::bad_alloc
  explicit PageArray(std::size_t count) : data_(allocated(count)) {}

  T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  static T* allocated(std::size_t count) {
    constexpr std::size_t huge = std::size_t{2} << 20U;
    const bool large = count >= 2 * huge / sizeof(T);
    const std::size_t unit = large ? huge : alignof(std::max_align_t);
    if (count > (~std::size_t{0} - unit) / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = (count * sizeof(T) / unit + 1) * unit;
    void* data = std::aligned_alloc(unit, bytes);
    if (data == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(data, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(data);
  }

  std::unique_ptr<T, Free> data_;
};

}  // namespace intertwine
