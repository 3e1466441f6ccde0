// The places of everything in a binary table file, known before the first code is.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "table_metadata.hpp"

namespace intertwine {

struct FilePiece {
  std::uint64_t offset = 0;
  std::string bytes;
};

/// The file is the arrays at their offsets and the pieces around them. The pieces need the metadata, with the digest of the data,
/// and, in zip files, the checksum of each array, but their lengths do not: so codes can be written in any
/// order, once, and the pieces last.
struct FileLayout {
  std::vector<std::uint64_t> array_offset;  ///< one an array, in their order
  std::uint64_t size = 0;
  bool needs_crc = false;
  std::function<std::vector<FilePiece>(const Metadata& metadata, std::span<const std::uint32_t> crcs)> pieces;
};

}  // namespace intertwine
