// The look-up tables [0, theta, -theta], one for each pair of channels, and memory aligned for them.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "numeric/plan.hpp"
#include "numeric/tied_pattern.hpp"

namespace intertwine::numeric_detail {

/// Uninitialised memory, aligned to a cache line.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t{64}))), size_(size) {}
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t k) { return data_.get()[k]; }
  const T& operator[](std::size_t k) const { return data_.get()[k]; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

template <class T>
struct Tables {
  Buffer<T> entries;  ///< table of the pair (co, ci) at (co * channels.in + ci) * room
  std::uint64_t room = 0;
  Multiplicity channels;
  const T* of(std::uint64_t out, std::uint64_t in) const {
    return entries.data() + (out * channels.in + in) * room;
  }
};

template <class T>
Tables<T> make_tables(std::uint64_t params, Multiplicity channels, const T* theta) {
  const std::uint64_t pairs = channels.out * channels.in, room = table_room(params);
  Tables<T> out{Buffer<T>(pairs * room), room, channels};
  if (pairs == 1) {
    T* to = out.entries.data();
    *to++ = T{};
    for (std::uint64_t k = 0; k < params; ++k) *to++ = theta[k];
    for (std::uint64_t k = 0; k < params; ++k) *to++ = -theta[k];
    for (; to != out.entries.data() + room; ++to) *to = T{};
    return out;
  }
  constexpr std::uint64_t block = 64;  // of pairs: a cache line or more of theta is used whole
  for (std::uint64_t first = 0; first < pairs; first += block)
    for (std::uint64_t e = 0; e < room; ++e)
      for (std::uint64_t c = first; c < pairs && c < first + block; ++c)
        out.entries[c * room + e] = table_entry(theta, params, pairs, c, e);
  return out;
}

/// rows * cols and the like, or DomainError naming `what` when it does not fit 62 bits.
std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors, const char* what);

/// Bytes of the last-level cache: arrays larger than this are written past the caches.
std::uint64_t last_level_cache();

}  // namespace intertwine::numeric_detail
