// Attributes and links of HDF5 where there are many: objects in a fractal heap, found by a tree of version 2.
#pragma once
#include <vector>

#include "hdf5_file.hpp"

namespace intertwine {

/// A stretch of the file.
struct Hdf5Object {
  std::uint64_t offset = 0, bytes = 0;
};

/// The objects of a heap that an index of names lists, in its order. \throws FileError
std::vector<Hdf5Object> dense_objects(Hdf5File& file, std::uint64_t heap, std::uint64_t names);

}  // namespace intertwine
