// The formats of table files: one row for each, which readers, writers and sentences ask.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "file_layout.hpp"
#include "intertwine/io/containers.hpp"
#include "table_container.hpp"

namespace intertwine {

struct TableFormatRow {
  TableFormat format;
  std::vector<std::string_view> extensions;  ///< the first is the one that sentences name
  bool holds_all;                            ///< blocks, sparse bases, proofs and diagrams too
  /// Binary containers have these three, other formats none: the places of everything, the test of the first bytes, the
  /// reader.
  FileLayout (*layout)(const Metadata& metadata, const std::vector<PlannedArray>& arrays) = nullptr;
  bool (*begins)(std::string_view first_bytes) = nullptr;
  void (*read)(TableContainer& container, std::span<const std::string_view> names, const Task& task) = nullptr;
};

std::span<const TableFormatRow> table_format_rows();
const TableFormatRow& row_of(TableFormat format);
/// Is this format a binary container of arrays?
bool is_binary(TableFormat format);

}  // namespace intertwine
