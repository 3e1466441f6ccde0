// The look-up tables [0, theta, -theta], without -theta where no entry has it, one for each pair of channels, and memory aligned for them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "numeric/pattern_data.hpp"
#include "numeric/plan.hpp"

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

/// The tables of output channels [first, first + count) of a product and all its input channels.
template <class T>
struct Tables {
  Buffer<T> entries;  ///< table of the pair (out, in) at ((out - first) * inputs + in) * room
  std::uint64_t room = 0, inputs = 0, first = 0, count = 0;
  const T* of(std::uint64_t out, std::uint64_t in) const {
    return entries.data() + ((out - first) * inputs + in) * room;
  }
};

/// The tables of some output channels from theta [params, out, in]; `channels` are those of theta, and of a product with the transpose
/// outputs are its inputs.
template <class T>
void fill_tables(const PatternData& pattern, Multiplicity channels, bool transpose, const T* theta, Tables<T>& tables) {
  const std::uint64_t params = pattern.params, pairs = channels.out * channels.in, room = tables.room,
                      wanted = tables.count * tables.inputs;
  constexpr std::uint64_t block = 64;  // of tables: a cache line or more of theta is used whole
  for (std::uint64_t start = 0; start < wanted; start += block) {
    const std::uint64_t end = std::min(wanted, start + block);
    T* to = tables.entries.data();
    for (std::uint64_t c = start; c < end; ++c) {
      to[c * room] = T{};
      for (std::uint64_t e = pattern.entries(); e < room; ++e) to[c * room + e] = T{};
    }
    std::uint64_t from[block];
    for (std::uint64_t c = start; c < end; ++c) {
      const std::uint64_t out = tables.first + c / tables.inputs, in = c % tables.inputs;
      from[c - start] = transpose ? in * channels.in + out : out * channels.in + in;
    }
    for (std::uint64_t k = 0; k < params; ++k)
      for (std::uint64_t c = start; c < end; ++c) {
        const T value = theta[k * pairs + from[c - start]];
        to[c * room + 1 + k] = value;
        if (pattern.signs) to[c * room + 1 + params + k] = -value;
      }
  }
}

/// Calls use(tables) for all output channels, a few at a time, so that tables take little memory beside theta: as many as fill about
/// four million bytes, and a multiple of `step`.
template <class T, class Use>
void for_tables(const PatternData& pattern, Multiplicity channels, bool transpose, const T* theta, std::uint64_t step,
                const Use& use) {
  const std::uint64_t outputs = transpose ? channels.in : channels.out;
  Tables<T> tables;
  tables.inputs = transpose ? channels.out : channels.in;
  tables.room = table_room(pattern.entries());
  constexpr std::uint64_t most = (std::uint64_t{1} << 22) / sizeof(T);
  const std::uint64_t at_once =
      std::min(outputs, ceil_div(std::max<std::uint64_t>(1, most / (tables.inputs * tables.room + 1)), step) * step);
  if (outputs == 0) return;
  tables.entries = Buffer<T>(at_once * tables.inputs * tables.room);
  for (; tables.first < outputs; tables.first += at_once) {
    tables.count = std::min(at_once, outputs - tables.first);
    fill_tables(pattern, channels, transpose, theta, tables);
    use(tables);
  }
}

/// rows * cols and the like, or DomainError naming `what` when it does not fit 62 bits.
std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors, const char* what);
/// \throws DomainError, which names the function and the array, unless size = batch * each.
void check_array(const char* function, const char* name, std::uint64_t size, std::uint64_t batch, std::uint64_t each);

/// Bytes of the last-level cache: arrays larger than this are written past the caches.
std::uint64_t last_level_cache();

}  // namespace intertwine::numeric_detail
