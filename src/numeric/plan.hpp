// Index maths that the processor's kernels, the CUDA kernels and their emulation share. Nothing here depends on the
// number of threads, the instruction set or the device.
#pragma once
#include <cstdint>

#ifdef __CUDACC__
#define INTERTWINE_HOST_DEVICE __host__ __device__
#else
#define INTERTWINE_HOST_DEVICE
#endif

namespace intertwine::numeric_detail {

/// Entries of the look-up table [0, theta, -theta].
INTERTWINE_HOST_DEVICE constexpr std::uint64_t table_entries(std::uint64_t params) { return 2 * params + 1; }

/// Room for a table of so many entries that vector look-ups may read: a power of two from 16 to 256, above that a multiple of 16.
INTERTWINE_HOST_DEVICE constexpr std::uint64_t table_room(std::uint64_t entries) {
  if (entries > 256) return (entries + 15) / 16 * 16;
  std::uint64_t room = 16;
  while (room < entries) room *= 2;
  return room;
}

/// Entry e of the table of channel pair c among `channels` pairs, from theta of shape [params, channels].
template <class T>
INTERTWINE_HOST_DEVICE constexpr T table_entry(const T* theta, std::uint64_t params, std::uint64_t channels,
                                               std::uint64_t c, std::uint64_t e) {
  if (e == 0 || e > 2 * params) return T{};
  return e <= params ? theta[(e - 1) * channels + c] : -theta[(e - 1 - params) * channels + c];
}

/// Ceiling of a / b.
INTERTWINE_HOST_DEVICE constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace intertwine::numeric_detail
