// HDF5 [HDF5 File Format Specification 3.0]: what tables need of it. Written are a root group of arrays, each contiguous and uncompressed, with
// the metadata as its attributes, in the structures of the oldest version, which every program that reads HDF5 knows.
#pragma once
#include "byte_source.hpp"
#include "file_layout.hpp"

namespace intertwine {

/// \param metadata  with their prefix, see file_metadata(): variable-length strings in UTF-8
/// \throws LimitError for more than 65000 entries of metadata, or a key of more than 60000 bytes: attributes hold no more
FileLayout hdf5_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays);

bool is_hdf5(std::string_view first_bytes);

struct Hdf5Table {
  StoredTable stored;
  std::vector<std::byte>
      unpacked;  ///< what lay in chunks, as if it lay behind the end of the file: where its arrays are
};

/// Reads superblocks of versions 0 to 3, object headers of both versions, groups as symbol tables and as lists of links, attributes that are
/// strings of fixed or variable length: what h5py writes, with compact attributes; arrays in one piece or in chunks (found by a tree of
/// version 1, in a fixed array, one after the other, or a single one), through the filters deflate, shuffle and fletcher32.
/// \param names  as parse_npz; other arrays are not looked at
/// \throws FileError; LimitError through `task`
Hdf5Table parse_hdf5(const ByteSource& source, std::span<const std::string_view> names,
                     const Task& task = {});

}  // namespace intertwine
