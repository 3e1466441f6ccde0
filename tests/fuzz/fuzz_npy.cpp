// Hostile .npy files. An input is the whole file; the reader may refuse it with a FileError, and what it accepts has as many
// values as its shape says.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int descriptor = memfd_create("array", 0);
  if (descriptor < 0 || write(descriptor, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    const intertwine::NpyArray array = intertwine::read_npy("/proc/self/fd/" + std::to_string(descriptor));
    std::uint64_t count = 1;
    for (const std::uint64_t side : array.shape) count *= side;
    if (count != array.size() || intertwine::to_doubles(array).size() != array.size()) {
      std::fprintf(stderr, "broken: the shape is not that of the values\n");
      std::abort();
    }
  } catch (const intertwine::FileError&) {
  }
  close(descriptor);
  return 0;
}
