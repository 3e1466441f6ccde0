#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/code_counter.hpp"
#include "io/table_container.hpp"
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
        counter_(header.params, saturated_product(header.rows, header.cols)),
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
    if (const auto k = counter_.first_difference(header_.orbit_size))
      throw DomainError(
          fmt::format("finish: parameter {} occurs {} times, and its orbit size is stated as {}", *k,
                      counter_.total(*k), header_.orbit_size[*k]));
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
      : ledger_(header),
        task_(std::move(task)),
        file_(path, format, file_metadata(header), planned_arrays(header), task_),
        weight_offset_(file_.offset_of(weight_code_name)) {
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
    return file_.finish();
  }

 private:
  void flush() {
    if (buffer_.empty()) return;
    file_.write_at(weight_offset_ + first_row_ * ledger_.row_bytes(), buffer_);
    buffer_.clear();
  }

  RowLedger ledger_;
  Task task_;
  BinaryFile file_;
  std::uint64_t weight_offset_;
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
    const std::vector<PlannedArray> arrays = planned_arrays(header_);
    const auto contents = [&](const PlannedArray& array) {
      return array.name == weight_code_name ? std::span<const std::byte>(weight_) : array.contents;
    };
    Sha256 sha256;
    for (const PlannedArray& array : arrays) sha256.add(contents(array));
    const std::string digest = sha256.hex();
    std::string text;
    if (format_ == TableFormat::json) {
      std::vector<std::pair<std::string_view, std::string>> lists;
      for (const PlannedArray& array : arrays)
        lists.emplace_back(array.name, json_list(array, contents(array)));
      text = json_document(with_sha256(file_metadata(header_), digest), lists);
    } else {
      text = cpp_header_table(header_, weight_, digest, stem_);
    }
    task_.poll();
    file_.write_at(0, text);
    file_.commit(text.size());
    return digest;
  }

 private:
  const TableHeader& header_;
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
