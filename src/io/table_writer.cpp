#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/atomic_file.hpp"
#include "io/code_counter.hpp"
#include "io/npz.hpp"
#include "io/safetensors.hpp"
#include "io/sha256.hpp"
#include "io/text_tables.hpp"

namespace intertwine {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

// What every writer checks: each row once and whole, each code in range, as many of each as the header says.
class RowLedger {
 public:
  explicit RowLedger(const TableHeader& header)
      : header_(header),
        seen_(header.rows),
        counter_(header.params),
        row_bytes_(header.cols * code_bytes(header.params)) {}

  void add(std::uint64_t row, std::span<const std::byte> codes) {
    if (row >= header_.rows)
      throw DomainError(fmt::format("write_row: row {} of a table of {} rows", row, header_.rows));
    if (codes.size() != row_bytes_)
      throw DomainError(
          fmt::format("write_row: row {} has {} bytes of codes, not {}", row, codes.size(), row_bytes_));
    if (seen_[row]) throw DomainError(fmt::format("write_row: row {} came twice", row));
    if (const auto bad = counter_.add(codes))
      throw DomainError(
          fmt::format("write_row: row {} has the code {}, outside 0..{}", row, *bad, 2 * header_.params));
    seen_[row] = true;
    ++rows_;
  }

  void require_complete() const {
    if (rows_ != header_.rows)
      throw DomainError(fmt::format("finish: {} of {} rows were written", rows_, header_.rows));
    const auto totals = counter_.totals();
    for (std::size_t k = 0; k < totals.size(); ++k)
      if (totals[k] != header_.orbit_size[k])
        throw DomainError(
            fmt::format("finish: parameter {} occurs {} times, and its orbit size is stated as {}", k,
                        totals[k], header_.orbit_size[k]));
  }

  std::uint64_t row_bytes() const { return row_bytes_; }

 private:
  const TableHeader& header_;
  std::vector<bool> seen_;
  CodeCounter counter_;
  std::uint64_t row_bytes_;
  std::uint64_t rows_ = 0;
};

void require_usable(bool finished) {
  if (finished) throw DomainError("a table writer is used after finish(); open another one");
}

// Safetensors and NPZ: rows go to their place in the file, the rest is written by finish().
class BinaryWriter final : public TableWriter {
 public:
  BinaryWriter(const std::filesystem::path& path, TableFormat format, const TableHeader& header, Task task)
      : header_(header),
        ledger_(header_),
        arrays_(planned_arrays(header_)),
        layout_(format == TableFormat::npz ? npz_layout(header_, arrays_)
                                           : safetensors_layout(header_, arrays_)),
        task_(std::move(task)),
        file_(path) {
    for (std::size_t k = 0; k < arrays_.size(); ++k)
      if (arrays_[k].name == weight_code_name) weight_offset_ = layout_.array_offset[k];
    file_.reserve(layout_.size);
    if (ledger_.row_bytes() < buffer_bytes) buffer_.reserve(buffer_bytes);
  }

  void write_row(std::uint64_t row, std::span<const std::byte> codes) override {
    require_usable(finished_);
    task_.poll();
    ledger_.add(row, codes);
    if (row != next_row_ || buffer_.size() + codes.size() > buffer_bytes) flush();
    if (codes.size() >= buffer_bytes) {
      file_.write_at(weight_offset_ + row * ledger_.row_bytes(), codes);
      return;
    }
    if (buffer_.empty()) first_row_ = row;
    buffer_.insert(buffer_.end(), codes.begin(), codes.end());
    next_row_ = row + 1;
  }

  std::string finish() override {
    require_usable(finished_);
    ledger_.require_complete();
    flush();
    finished_ = true;
    Sha256 sha256;
    std::vector<std::uint32_t> crcs;
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      if (arrays_[k].name == weight_code_name) {
        crcs.push_back(digest_weight(layout_.array_offset[k], arrays_[k].bytes, sha256));
        continue;
      }
      file_.write_at(layout_.array_offset[k], arrays_[k].contents);
      sha256.add(arrays_[k].contents);
      crcs.push_back(checksum(0, arrays_[k].contents));
    }
    const std::string digest = sha256.hex();
    for (const FilePiece& piece : layout_.pieces(digest, crcs)) file_.write_at(piece.offset, piece.bytes);
    task_.poll();
    file_.commit(layout_.size);
    return digest;
  }

 private:
  std::uint32_t checksum(std::uint32_t before, std::span<const std::byte> bytes) const {
    if (!layout_.needs_crc) return 0;
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  }

  // Reads the codes back from the file: the digest is of what is stored.
  std::uint32_t digest_weight(std::uint64_t offset, std::uint64_t bytes, Sha256& sha256) {
    buffer_.resize(buffer_bytes);
    std::uint32_t crc = checksum(0, {});
    for (std::uint64_t done = 0; done < bytes;) {
      const std::uint64_t count = std::min<std::uint64_t>(buffer_bytes, bytes - done);
      const std::span<std::byte> part(buffer_.data(), count);
      file_.read_at(offset + done, part);
      sha256.add(part);
      crc = checksum(crc, part);
      done += count;
      task_.progress("hashing the table", done, bytes);
    }
    return crc;
  }

  void flush() {
    if (buffer_.empty()) return;
    file_.write_at(weight_offset_ + first_row_ * ledger_.row_bytes(), buffer_);
    buffer_.clear();
  }

  TableHeader header_;
  RowLedger ledger_;
  std::vector<PlannedArray> arrays_;
  FileLayout layout_;
  Task task_;
  AtomicFile file_;
  std::uint64_t weight_offset_ = 0;
  std::uint64_t first_row_ = 0, next_row_ = 0;
  std::vector<std::byte> buffer_;
  bool finished_ = false;
};

// JSON and C++ headers: small tables, kept until finish().
class TextWriter final : public TableWriter {
 public:
  TextWriter(const std::filesystem::path& path, TableFormat format, const TableHeader& header, Task task)
      : header_(header),
        ledger_(header_),
        format_(format),
        stem_(path.stem().string()),
        task_(std::move(task)),
        file_(path),
        weight_(header_.rows * ledger_.row_bytes()) {}

  void write_row(std::uint64_t row, std::span<const std::byte> codes) override {
    require_usable(finished_);
    task_.poll();
    ledger_.add(row, codes);
    std::copy(codes.begin(), codes.end(),
              weight_.begin() + static_cast<std::ptrdiff_t>(row * ledger_.row_bytes()));
  }

  std::string finish() override {
    require_usable(finished_);
    ledger_.require_complete();
    finished_ = true;
    Sha256 sha256;
    for (const PlannedArray& array : planned_arrays(header_))
      sha256.add(array.name == weight_code_name ? std::span<const std::byte>(weight_) : array.contents);
    const std::string digest = sha256.hex();
    const std::string text = format_ == TableFormat::json ? json_table(header_, weight_, digest)
                                                          : cpp_header_table(header_, weight_, digest, stem_);
    task_.poll();
    file_.write_at(0, text);
    file_.commit(text.size());
    return digest;
  }

 private:
  TableHeader header_;
  RowLedger ledger_;
  TableFormat format_;
  std::string stem_;
  Task task_;
  AtomicFile file_;
  std::vector<std::byte> weight_;
  bool finished_ = false;
};

void require_small_enough(TableFormat format, const TableHeader& header) {
  const std::uint64_t entries = saturated_product(header.rows, header.cols);
  if (format == TableFormat::json && std::max(entries, header.params) > max_json_entries)
    throw LimitError(
        fmt::format("a JSON table holds at most {} entries, and this one has {}; write .safetensors or .npz",
                    max_json_entries, entries));
  if (format != TableFormat::cpp_header) return;
  std::uint64_t bytes = 0;
  for (const PlannedArray& array : planned_arrays(header)) bytes += array.bytes;
  if (bytes > max_header_bytes)
    throw LimitError(
        fmt::format("a C++ header holds at most {} of arrays, and this table has {}; write .safetensors",
                    format_bytes(max_header_bytes), format_bytes(bytes)));
}

}  // namespace

TableFormat table_format(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".safetensors") return TableFormat::safetensors;
  if (extension == ".npz") return TableFormat::npz;
  if (extension == ".json") return TableFormat::json;
  if (extension == ".hpp" || extension == ".h") return TableFormat::cpp_header;
  throw DomainError(fmt::format(
      "the extension \"{}\" of a table file is not known: use .safetensors, .npz, .json, .hpp or .h",
      extension));
}

std::unique_ptr<TableWriter> open_table_writer(const std::filesystem::path& path, TableFormat format,
                                               const TableHeader& header, const Task& task) {
  require_consistent(header);
  require_small_enough(format, header);
  if (format == TableFormat::json || format == TableFormat::cpp_header)
    return std::make_unique<TextWriter>(path, format, header, task);
  return std::make_unique<BinaryWriter>(path, format, header, task);
}

std::string write_table(const std::filesystem::path& path, const TiedTable& table, const Task& task) {
  const TableHeader& header = table.header;
  const TableFormat format = table_format(path);
  require_consistent(header);
  const auto codes =
      std::visit([](const auto& items) { return std::as_bytes(std::span(items)); }, table.weight_code);
  const std::uint64_t row_bytes = header.cols * code_bytes(header.params);
  const bool narrow = std::holds_alternative<std::vector<std::uint8_t>>(table.weight_code);
  if (narrow != (code_bytes(header.params) == 1) || codes.size() != saturated_product(header.rows, row_bytes))
    throw DomainError(fmt::format("write_table: the weight codes are not {} x {} numbers of {} byte(s)",
                                  header.rows, header.cols, code_bytes(header.params)));
  const auto writer = open_table_writer(path, format, header, task);
  for (std::uint64_t row = 0; row < header.rows; ++row) {
    writer->write_row(row, codes.subspan(row * row_bytes, row_bytes));
    task.progress("writing the table", row + 1, header.rows);
  }
  return writer->finish();
}

}  // namespace intertwine
