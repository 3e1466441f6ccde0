// NPZ: a zip file of NumPy arrays [NEP 1], and the metadata as a 0-d array of bytes that holds JSON.
#pragma once
#include "byte_source.hpp"
#include "file_layout.hpp"

namespace intertwine {

/// \param metadata     with their prefix, see file_metadata()
/// \param force_zip64  gives small files the structures that files of 4 GiB need
/// \throws LimitError if the metadata is too large.
FileLayout npz_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays, bool force_zip64 = false);

bool is_zip(std::string_view first_bytes);

/// \throws FileError. Returns the arrays with these names that are there, in the order of the data section;
/// others are not looked at.
StoredTable parse_npz(const ByteSource& source, std::span<const std::string_view> names);

}  // namespace intertwine
