// The header of a NumPy array [NEP 1], as it stands in .npy files and in the entries of .npz files.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/containers/byte_source.hpp"

namespace intertwine {

struct NpyHeader {
  std::string descr;
  bool fortran_order = true;
  std::vector<std::uint64_t> shape;  ///< at most 8 sides, of any size: not yet compared with the data
};

/// Version 1.0 of the array header, padded so that the array begins at a multiple of 64.
std::string npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape);

struct NpyStart {
  NpyHeader header;
  std::string text;  ///< all bytes before the array
};

/// The header of the array that takes `bytes` bytes from `offset` on. Calls `refuse`, which must throw, with
/// the reason ("is no NumPy array") if there is none.
NpyStart parse_npy_start(const ByteSource& source, std::uint64_t offset, std::uint64_t bytes,
                         const std::function<void(const std::string&)>& refuse);

}  // namespace intertwine
