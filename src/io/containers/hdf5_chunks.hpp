// Arrays of HDF5 that lie in chunks, compressed or not, laid out as one piece.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "byte_source.hpp"
#include "hdf5_file.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A filter that its chunks went through when they were written.
struct Hdf5Filter {
  enum : unsigned { deflate = 1, shuffle = 2, fletcher32 = 3 };
  unsigned id = 0;
  std::string name = {};
};

struct Hdf5Chunk {
  std::uint64_t number = 0;  ///< in the row-major order of the chunks
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t skipped = 0;  ///< bit k: without filter k
};

struct ChunkedArray {
  std::vector<std::uint64_t> shape, chunk;  ///< of one rank, no side of a chunk 0
  std::uint64_t item = 0;                   ///< bytes
  std::vector<Hdf5Filter> filters;          ///< in the order of writing
  std::vector<Hdf5Chunk> chunks;

  std::uint64_t chunk_count() const;  ///< how many the shape needs, saturated
  std::uint64_t chunk_size() const;   ///< in bytes, saturated
};

/// Adds the chunks that a tree of version 1 at this address names. `refuse` throws an error that names the array.
void chunks_of_tree(Hdf5File& file, std::uint64_t address, ChunkedArray& array,
                    const std::function<void(const std::string&)>& refuse);
/// Those of a fixed array.
void chunks_of_fixed_array(Hdf5File& file, std::uint64_t address, ChunkedArray& array,
                           const std::function<void(const std::string&)>& refuse);

/// Adds the bytes of the array, in row-major order, to `out`.
/// \throws what `refuse` throws for filters that are not known, chunks that are missing, there twice, overlapping, damaged or of another
/// size; LimitError through `task`
void append_chunks(std::vector<std::byte>& out, const ByteSource& source, const ChunkedArray& array,
                   const std::function<void(const std::string&)>& refuse, const Task& task);

}  // namespace intertwine
