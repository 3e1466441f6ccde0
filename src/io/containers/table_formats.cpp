// The formats of table files and their names.
#include "io/containers/table_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "intertwine/error.hpp"
#include "io/containers/npz.hpp"
#include "io/containers/safetensors.hpp"
#include "io/containers/text.hpp"
#include "io/containers/zip.hpp"

namespace intertwine {
namespace {

void read_safetensors(TableContainer& container, std::span<const std::string_view>, const Task&) {
  container.stored = parse_safetensors(*container.source);
}

void read_npz(TableContainer& container, std::span<const std::string_view> names, const Task& task) {
  if (auto unpacked = unpacked_zip(*container.source, task)) container.source = std::move(unpacked);
  container.stored = parse_npz(*container.source, names);
}

const TableFormatRow* find_row(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  const auto rows = table_format_rows();
  const auto at = std::ranges::find_if(
      rows, [&](const TableFormatRow& row) { return std::ranges::count(row.extensions, extension) > 0; });
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

std::span<const TableFormatRow> table_format_rows() {
  static const std::vector<TableFormatRow> rows = {
      {TableFormat::safetensors, {".safetensors"}, true, safetensors_layout, is_safetensors, read_safetensors},
      {TableFormat::npz,
       {".npz"},
       true,
       [](const Metadata& metadata, const std::vector<PlannedArray>& arrays) { return npz_layout(metadata, arrays); },
       is_zip,
       read_npz},
      {TableFormat::json, {".json"}, true},
      {TableFormat::cpp_header, {".hpp", ".h"}, false},
  };
  return rows;
}

const TableFormatRow& row_of(TableFormat format) {
  return *std::ranges::find(table_format_rows(), format, &TableFormatRow::format);
}

bool is_binary(TableFormat format) { return row_of(format).layout != nullptr; }

std::vector<std::string> table_extensions(TableContents contents) {
  std::vector<std::string> result;
  for (const TableFormatRow& row : table_format_rows())
    if (contents == TableContents::tied || (contents == TableContents::any ? row.holds_all : is_binary(row.format)))
      result.emplace_back(row.extensions.front());
  return result;
}

std::string listed_extensions(TableContents contents, std::string_view last) {
  return listed(table_extensions(contents), last);
}

void refuse_hdf5_name(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".h5" && extension != ".hdf5") return;
  throw DomainError(
      fmt::format("{}: HDF5 is neither written nor read here; write {}, or use Python with h5py: "
                  "table.save(\"t.h5\"), intertwine.load_table(\"t.h5\")",
                  shown_path(path), listed_extensions(TableContents::any)));
}

bool is_table_name(const std::filesystem::path& path) { return find_row(path) != nullptr; }

TableFormat table_format(const std::filesystem::path& path) {
  refuse_hdf5_name(path);
  if (const TableFormatRow* row = find_row(path)) return row->format;
  std::vector<std::string> all;
  for (const TableFormatRow& row : table_format_rows())
    all.insert(all.end(), row.extensions.begin(), row.extensions.end());
  throw DomainError(fmt::format("the extension \"{}\" of a table file is not known: use {}", path.extension().string(),
                                listed(all, " or ")));
}

}  // namespace intertwine
