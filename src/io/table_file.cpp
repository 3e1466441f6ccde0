#include "intertwine/io/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "io/code_counter.hpp"
#include "io/table_container.hpp"
#include "io/text.hpp"
#include "io/text_tables.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;

// Everything a table file needs to answer: where the codes are, and a header that agrees with them.
struct Opened {
  std::unique_ptr<ByteSource> source;
  TableHeader header;
  std::string sha256;
  std::uint64_t weight_offset = 0;
};

Opened open_codes(TableContainer container, const Task& task) {
  const std::string name = container.source->name();
  Opened out;
  TableHeader& header = out.header;
  header = header_from_metadata(container.stored.metadata, name);
  const std::vector<PlannedArray> arrays = planned_arrays(header);
  if (container.document) {
    if (saturated_product(header.rows, header.cols) > max_json_entries)
      throw FileError(fmt::format("{}: JSON tables have at most {} entries", name, max_json_entries));
    lay_out_document(container, arrays);
  }
  out.source = std::move(container.source);
  const ByteSource& source = *out.source;
  std::vector<StoredArray> found;
  for (const PlannedArray& planned : arrays) found.push_back(require_array(container.stored, planned, name));
  // The arrays lie within the file, so from here on sizes that the metadata states are sizes that the file
  // has.
  task.require_memory(saturated_product(32, header.params) + saturated_product(24, header.bias_params) +
                          saturated_product(code_bytes(header.bias_params), header.rows),
                      "the header of the table " + name);
  for (const StoredArray& array : found) {
    if (array.name == weight_code_name) out.weight_offset = array.offset;
    if (array.name == orbit_size_name) header.orbit_size = load_array<std::int64_t>(source, array);
    if (array.name != bias_code_name) continue;
    if (code_bytes(header.bias_params) == 1)
      header.bias_code = load_array<std::uint8_t>(source, array);
    else
      header.bias_code = load_array<std::int32_t>(source, array);
  }
  CodeCounter counter(header.params, header.rows * header.cols);
  const auto count = [&](const StoredArray& array, std::span<const std::byte> part) {
    if (array.name != weight_code_name) return;
    if (const auto bad = counter.add(part))
      throw FileError(fmt::format("{}: the weight code {} is outside 0..{}", name, *bad, 2 * header.params));
  };
  out.sha256 = checked_digest(source, container.stored, count, task);
  try {
    require_consistent(header);
  } catch (const Error& error) {
    throw FileError(fmt::format("{}: inconsistent: {}", name, error.what()));
  }
  if (const auto k = counter.first_difference(header.orbit_size))
    throw FileError(
        fmt::format("{}: inconsistent: parameter {} occurs {} times, and its orbit size is stated as {}",
                    name, *k, counter.total(*k), header.orbit_size[*k]));
  return out;
}

class OpenTable final : public TableFile {
 public:
  explicit OpenTable(Opened opened) : opened_(std::move(opened)) {}

  std::uint64_t rows() const override { return opened_.header.rows; }
  std::uint64_t cols() const override { return opened_.header.cols; }
  const TableHeader& header() const override { return opened_.header; }
  const std::string& sha256() const override { return opened_.sha256; }

  void codes(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
    const std::uint64_t row_bytes = cols() * code_bytes(opened_.header.params);
    if (first > rows() || count > rows() - first)
      throw DomainError(fmt::format("rows {} to {} of a table of {} rows", first, first + count, rows()));
    if (out.size() != count * row_bytes)
      throw DomainError(fmt::format("{} rows have {} bytes of codes, and room for {} was given", count,
                                    count * row_bytes, out.size()));
    opened_.source->read(opened_.weight_offset + first * row_bytes, out);
    // The file may have been written to since it was checked; callers index by these codes.
    if (largest_code(out, code_bytes(opened_.header.params)) > 2 * opened_.header.params)
      throw FileError(fmt::format("{}: it was changed while it was in use", opened_.source->name()));
  }

  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    if (out.size() != cols())
      throw DomainError(fmt::format("a row has {} codes, and room for {} was given", cols(), out.size()));
    const std::span<std::byte> bytes = std::as_writable_bytes(out);
    if (code_bytes(opened_.header.params) == 4) return codes(i, 1, bytes);
    // The narrow codes go to the last quarter of the row and are widened from the front: never over one still
    // unread.
    const std::span<std::byte> narrow = bytes.last(out.size());
    codes(i, 1, narrow);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<std::int32_t>(narrow[j]);
  }

 private:
  Opened opened_;
};

}  // namespace

std::unique_ptr<TableFile> TableFile::open(const std::filesystem::path& path, const Task& task) {
  return std::make_unique<OpenTable>(open_codes(open_container(path, tied_array_names), task));
}

TableKind table_kind(const std::filesystem::path& path) {
  const TableContainer container = open_container(path, {});
  return frame_from_metadata(container.stored.metadata, container.source->name()).kind;
}

TiedTable read_table(const std::filesystem::path& path, const Task& task) {
  const auto file = TableFile::open(path, task);
  TiedTable table{file->header(), {}};
  const std::uint64_t row_bytes = file->cols() * code_bytes(table.header.params);
  const std::uint64_t entries = file->rows() * file->cols();
  task.require_memory(file->rows() * row_bytes, "the table " + shown_path(path));
  std::span<std::byte> bytes;
  if (code_bytes(table.header.params) == 1) {
    bytes = std::as_writable_bytes(std::span(table.weight_code.emplace<0>(entries)));
  } else {
    bytes = std::as_writable_bytes(std::span(table.weight_code.emplace<1>(entries)));
  }
  const std::uint64_t block = std::max<std::uint64_t>(1, chunk_bytes / row_bytes);
  for (std::uint64_t row = 0; row < file->rows(); row += block) {
    const std::uint64_t count = std::min(block, file->rows() - row);
    file->codes(row, count, bytes.subspan(row * row_bytes, count * row_bytes));
    task.progress("reading the table", row + count, file->rows());
  }
  return table;
}

}  // namespace intertwine
