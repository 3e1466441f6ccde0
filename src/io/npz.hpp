// NPZ: a zip file of NumPy arrays [NEP 1], and the metadata as a 0-d array of bytes that holds JSON.
#pragma once
#include "byte_source.hpp"
#include "file_layout.hpp"

namespace intertwine {

/// \throws LimitError if the metadata is too large. `header` must outlive the layout.
/// `force_zip64` gives small files the structures that files of 4 GiB need.
FileLayout npz_layout(const TableHeader& header, const std::vector<PlannedArray>& arrays,
                      bool force_zip64 = false);

bool is_zip(std::string_view first_bytes);

/// \throws FileError. Returns the table's own arrays, in the order of planned_arrays(); others are not looked
/// at.
StoredTable parse_npz(const ByteSource& source);

}  // namespace intertwine
