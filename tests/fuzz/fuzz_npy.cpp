// Hostile .npy files. An input is the whole file; the reader may refuse it with a FileError, and what it accepts has as many
// values as its shape says.
// covers: src/io/containers/npy.cpp src/io/containers/npy_header.cpp
#include <cstdint>

#include "intertwine/error.hpp"
#include "intertwine/io/npy.hpp"
#include "memory_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  try {
    const intertwine::NpyArray array = intertwine::read_npy(file.path());
    std::uint64_t count = 1;
    for (const std::uint64_t side : array.shape) count *= side;
    require(count == array.size() && intertwine::to_doubles(array).size() == array.size(),
            "the shape is that of the values");
  } catch (const intertwine::FileError&) {
  }
  return 0;
}
