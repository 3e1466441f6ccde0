#include "intertwine/io/table_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "intertwine/error.hpp"
#include "io/byte_source.hpp"
#include "io/code_counter.hpp"
#include "io/npz.hpp"
#include "io/safetensors.hpp"
#include "io/sha256.hpp"
#include "io/text.hpp"
#include "io/text_tables.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t max_json_bytes = std::uint64_t{64} << 20;

const StoredArray& require_array(const StoredTable& stored, const PlannedArray& planned,
                                 const std::string& name) {
  for (const StoredArray& array : stored.arrays) {
    if (array.name != planned.name) continue;
    if (array.dtype != dtype_name(planned.dtype) || array.shape != planned.shape ||
        array.bytes != planned.bytes)
      throw FileError(fmt::format("{}: \"{}\" is {} [{}], and the metadata asks for {} [{}]", name,
                                  planned.name, shown(array.dtype), fmt::join(array.shape, ", "),
                                  dtype_name(planned.dtype), fmt::join(planned.shape, ", ")));
    return array;
  }
  throw FileError(fmt::format("{}: the array \"{}\" is missing", name, planned.name));
}

template <class Item>
std::vector<Item> load(const ByteSource& source, const StoredArray& array) {
  std::vector<Item> out(array.bytes / sizeof(Item));
  source.read(array.offset, std::as_writable_bytes(std::span(out)));
  return out;
}

// Everything a table file needs to answer: where the codes are, and a header that agrees with them.
struct Opened {
  std::unique_ptr<ByteSource> source;
  TableHeader header;
  std::string sha256;
  std::uint64_t weight_offset = 0;
};

// The one pass over the contents: digest, checksums, and the histogram of the codes.
class ContentsCheck {
 public:
  ContentsCheck(const ByteSource& source, const TableHeader& header, const Task& task)
      : source_(source), header_(header), task_(task), counter_(header.params), buffer_(chunk_bytes) {}

  void run(const StoredTable& stored) {
    for (const StoredArray& array : stored.arrays) total_ += array.bytes;
    for (const StoredArray& array : stored.arrays) pass(array);
  }

  std::string digest() { return sha256_.hex(); }

  void require_orbit_sizes() const {
    const auto totals = counter_.totals();
    for (std::size_t k = 0; k < totals.size(); ++k)
      if (totals[k] != header_.orbit_size[k])
        throw FileError(
            fmt::format("{}: inconsistent: parameter {} occurs {} times, and its orbit size is stated as {}",
                        source_.name(), k, totals[k], header_.orbit_size[k]));
  }

 private:
  void pass(const StoredArray& array) {
    const bool codes = array.name == weight_code_name;
    std::uint32_t crc = array.prefix_crc;
    for (std::uint64_t done = 0; done < array.bytes;) {
      const std::uint64_t count = std::min(chunk_bytes, array.bytes - done);
      const std::span<std::byte> part(buffer_.data(), count);
      source_.read(array.offset + done, part);
      sha256_.add(part);
      if (array.has_crc)
        crc = static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), count));
      if (codes) {
        if (const auto bad = counter_.add(part))
          throw FileError(fmt::format("{}: the weight code {} is outside 0..{}", source_.name(), *bad,
                                      2 * header_.params));
      }
      done += count;
      done_ += count;
      task_.progress("checking the table", done_, total_);
    }
    if (array.has_crc && crc != array.entry_crc)
      throw FileError(
          fmt::format("{}: damaged: the checksum of \"{}\" is wrong", source_.name(), shown(array.name)));
  }

  const ByteSource& source_;
  const TableHeader& header_;
  const Task& task_;
  CodeCounter counter_;
  std::vector<std::byte> buffer_;
  Sha256 sha256_;
  std::uint64_t done_ = 0, total_ = 0;
};

Opened open_stored(std::unique_ptr<ByteSource> source, const StoredTable& stored, const Task& task) {
  Opened out;
  out.source = std::move(source);
  const std::string& name = out.source->name();
  TableHeader& header = out.header;
  header = header_from_metadata(stored.metadata, name);
  out.sha256 = stated_sha256(stored.metadata, name);
  std::vector<StoredArray> found;
  for (const PlannedArray& planned : planned_arrays(header))
    found.push_back(require_array(stored, planned, name));
  // The arrays lie within the file, so from here on sizes that the metadata states are sizes that the file
  // has.
  task.require_memory(saturated_product(32, header.params) + saturated_product(24, header.bias_params) +
                          saturated_product(code_bytes(header.bias_params), header.rows),
                      "the header of the table " + name);
  for (const StoredArray& array : found) {
    if (array.name == weight_code_name) out.weight_offset = array.offset;
    if (array.name == orbit_size_name) header.orbit_size = load<std::int64_t>(*out.source, array);
    if (array.name != bias_code_name) continue;
    if (code_bytes(header.bias_params) == 1)
      header.bias_code = load<std::uint8_t>(*out.source, array);
    else
      header.bias_code = load<std::int32_t>(*out.source, array);
  }
  ContentsCheck check(*out.source, header, task);
  check.run(stored);
  if (check.digest() != out.sha256)
    throw FileError(fmt::format("{}: damaged: its data do not have the sha256 that it states", name));
  try {
    require_consistent(header);
  } catch (const Error& error) {
    throw FileError(fmt::format("{}: inconsistent: {}", name, error.what()));
  }
  check.require_orbit_sizes();
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
  auto source = std::make_unique<FileSource>(path);
  const std::string name = source->name();
  const std::string first = source->text(0, std::min<std::uint64_t>(source->size(), 64));
  if (is_safetensors(first)) {
    const StoredTable stored = parse_safetensors(*source);
    return std::make_unique<OpenTable>(open_stored(std::move(source), stored, task));
  }
  if (is_zip(first)) {
    const StoredTable stored = parse_npz(*source);
    return std::make_unique<OpenTable>(open_stored(std::move(source), stored, task));
  }
  const std::size_t start = first.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || first[start] != '{')
    throw FileError(
        fmt::format("{}: neither safetensors, NPZ nor JSON, so it is no table file{}", name,
                    first.starts_with("//") ? " (C++ headers are for compilers, and are not read)" : ""));
  if (source->size() > max_json_bytes)
    throw FileError(
        fmt::format("{}: JSON tables of more than {} are not read", name, format_bytes(max_json_bytes)));
  JsonTable parsed = parse_json_table(source->text(0, source->size()), name);
  auto memory = std::make_unique<MemorySource>(name, std::move(parsed.data));
  return std::make_unique<OpenTable>(open_stored(std::move(memory), parsed.table, task));
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
