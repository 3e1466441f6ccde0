// Writes weight tables and their digests.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/tables/code_counter.hpp"
#include "intertwine/tables/sha256.hpp"
#include "io/containers/table_container.hpp"
#include "io/containers/table_formats.hpp"
#include "io/containers/table_io.hpp"
#include "io/containers/text.hpp"
#include "io/containers/text_tables.hpp"

namespace intertwine {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t poll_interval = 4096;

// Checks rows as they come: each row once and whole, each code in range, as many of each as is stated.
class RowLedger {
 public:
  /// \param width  of a code in bytes
  /// \param pieces  how many pieces are counted at the same time, at most
  RowLedger(const WeightPattern& pattern, unsigned width, std::size_t pieces)
      : pattern_(pattern), seen_(pattern.rows), row_bytes_(pattern.cols * width) {
    for (counters_.reserve(pieces); counters_.size() < pieces;)  // in place: a counter may have hundreds of megabytes
      counters_.emplace_back(pattern.params, pattern.rows * pattern.cols, width);
  }

  void add(std::uint64_t row, std::span<const std::byte> codes) {
    if (row >= pattern_.rows)
      throw DomainError(fmt::format("write_table: row {} of a table of {} rows", row, pattern_.rows));
    if (codes.size() != row_bytes_)
      throw DomainError(
          fmt::format("write_table: row {} has {} bytes of codes, not {}", row, codes.size(), row_bytes_));
    if (seen_[row]) throw DomainError(fmt::format("write_table: row {} came twice", row));
    seen_[row] = true;
    ++rows_;
  }
  /// Counts the codes of whole rows, from `row` on, as piece number k of those that are counted at the same time.
  void count(std::size_t k, std::uint64_t row, std::span<const std::byte> codes) {
    for (; !codes.empty(); codes = codes.subspan(row_bytes_), ++row)
      if (const auto bad = counters_[k].add(codes.first(row_bytes_)))
        throw DomainError(
            fmt::format("write_table: row {} has the code {}, outside 0..{}", row, *bad, 2 * pattern_.params));
  }

  void require_complete() const {
    if (rows_ != pattern_.rows) throw DomainError(fmt::format("write_table: {} of {} rows came", rows_, pattern_.rows));
    const std::vector<std::int64_t>& stated = pattern_.tied().orbit_size;
    for (std::uint64_t k = 0; k < pattern_.params; ++k) {
      std::int64_t total = 0;
      for (const CodeCounter& counter : counters_) total += counter.total(k);
      if (total != stated[k])
        throw DomainError(fmt::format("write_table: parameter {} occurs {} times, and its orbit size is stated as {}",
                                      k, total, stated[k]));
    }
  }

  std::uint64_t row_bytes() const { return row_bytes_; }

 private:
  const WeightPattern& pattern_;
  std::vector<bool> seen_;
  std::vector<CodeCounter> counters_;
  std::uint64_t row_bytes_;
  std::uint64_t rows_ = 0;
};

// Hands rows of codes of `width` bytes to `write` (offset in the array, bytes) as they come; those that follow each other are gathered into large
// pieces. On several threads as many pieces are counted and written side by side.
template <class Write>
void stream_rows(const WeightPattern& pattern, unsigned width, const Task& task, const Write& write) {
  constexpr std::uint64_t few_params = 1U << 16U;  // each piece that is counted has numbers for all of them
  const std::size_t together = pattern.params <= few_params ? task.threads() : 1;
  RowLedger ledger(pattern, width, together);
  struct Piece {
    std::uint64_t first_row;
    std::vector<std::byte> bytes;
  };
  std::vector<Piece> pieces(together);
  std::size_t current = 0;
  std::uint64_t next_row = 0;
  const auto flush = [&] {
    task.share(together, 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t k = begin; k < end; ++k) {
        auto& [first_row, bytes] = pieces[k];
        ledger.count(k, first_row, bytes);
        if (!bytes.empty()) write(first_row * ledger.row_bytes(), std::span<const std::byte>(bytes));
        bytes.clear();
      }
    });
    current = 0;
  };
  pattern.tied().codes->for_each_row(
      width,
      [&](std::uint64_t row, std::span<const std::byte> codes) {
        task.poll();
        ledger.add(row, codes);
        if (together == 1 && codes.size() >= buffer_bytes) {  // large enough by itself
          flush();
          ledger.count(0, row, codes);
          return write(row * ledger.row_bytes(), codes);
        }
        if (std::vector<std::byte>& bytes = pieces[current].bytes;
            !bytes.empty() && (row != next_row || bytes.size() + codes.size() > buffer_bytes) && ++current == together)
          flush();
        Piece& piece = pieces[current];
        if (piece.bytes.empty()) {
          piece.first_row = row;
          piece.bytes.reserve(std::max(buffer_bytes, codes.size()));
        }
        piece.bytes.insert(piece.bytes.end(), codes.begin(), codes.end());
        next_row = row + 1;
      },
      task);
  flush();
  ledger.require_complete();
}

void require_small_enough(TableFormat format, const WeightBlock& table) {
  const WeightPattern& weights = table.weights;
  if (table.is_tied()) {
    const std::uint64_t entries = saturated_product(weights.rows, weights.cols);
    if (format == TableFormat::json && std::max(entries, weights.params) > max_json_entries)
      throw LimitError(fmt::format("a JSON table holds at most {} entries, and this one has {}; write {}",
                                   max_json_entries, entries, listed_extensions(TableContents::large)));
  } else if (format == TableFormat::json) {
    const std::uint64_t entries = weights.sparse().row.size() + table.bias.sparse().row.size();
    if (entries > max_json_entries)
      throw LimitError(fmt::format("a JSON table holds at most {} entries, and this basis has {}; write {}",
                                   max_json_entries, entries, listed_extensions(TableContents::large)));
  }
  if (format == TableFormat::json && table.proof)
    for (const PlannedArray& array : proof_arrays(*table.proof, weights.rows, weights.cols))
      if (array.contents.size() / item_bytes(array.dtype) > max_json_entries)
        throw LimitError(fmt::format("a JSON table holds proofs of at most {} numbers, and {} has {}; write {}",
                                     max_json_entries, array.name, array.contents.size() / item_bytes(array.dtype),
                                     listed_extensions(TableContents::large)));
  const std::uint64_t side = std::max(weights.rows, weights.cols);
  if (format == TableFormat::json && table.isotypic && saturated_product(side, side) > max_json_entries)
    throw LimitError(fmt::format("a JSON table holds an isotypic form of at most {} entries; write {}",
                                 max_json_entries, listed_extensions(TableContents::large)));
}

void require_float_values(const WeightPattern& pattern, std::string_view array) {
  if (pattern.is_tied()) return;
  if (const auto e = pattern.sparse().first_beyond_double())
    throw LimitError(fmt::format(
        "entry {} of {} is {}, and values above 2^53 have no exact F64: write .json, which holds any integer", *e,
        array, shown(pattern.sparse().integer(*e))));
}

// ["1", "-3"], ["E(5)+E(5)^4"]
std::string json_values(const SparseElements& elements, std::string_view array, const ValueTexts* texts,
                        const Task& task) {
  std::string out = "[";
  for (std::size_t e = 0; e < elements.value.size(); ++e) {
    if (e % poll_interval == 0) task.poll();
    const std::string text = elements.exact.degree == 1 ? elements.integer(e) : texts->text(elements, e);
    if (text.size() > max_value_digits)
      throw LimitError(fmt::format("a JSON table holds values of at most {} digits, and entry {} of {} has {}",
                                   max_value_digits, e, array, text.size()));
    out += fmt::format("{}\"{}\"", e == 0 ? "" : ",", text);
  }
  return out + "]";
}

using JsonLists = std::vector<std::pair<std::string, std::string>>;

// The arrays of a table by name, with `prefix` before it.
void add_json_lists(JsonLists& lists, const std::string& prefix, const WeightBlock& table,
                    std::span<const PlannedArray> arrays, const ValueTexts* texts, const Task& task) {
  for (const PlannedArray& array : arrays) {
    // The values themselves are exact, so that coordinates are not repeated.
    if (array.name == array_names::basis_coordinates || array.name == array_names::bias_coordinates) continue;
    const WeightPattern* values = array.name == array_names::basis_val  ? &table.weights
                                  : array.name == array_names::bias_val ? &table.bias
                                                                        : nullptr;
    lists.emplace_back(prefix + std::string(array.name), values != nullptr
                                                             ? json_values(values->sparse(), array.name, texts, task)
                                                             : json_list(array, array.contents));
  }
}

std::string json_text(const Metadata& metadata, const JsonLists& lists) {
  std::string text = json_document(metadata, lists);
  if (text.size() > max_json_bytes)
    throw LimitError(fmt::format("a JSON table has at most {}, and this one {}; write {}", format_bytes(max_json_bytes),
                                 format_bytes(text.size()), listed_extensions(TableContents::large)));
  return text;
}

// Refuses what a reader would.
const WeightBlock& checked(const WeightBlock& table, TableFormat format, const Task& task) {
  if (!table.is_tied() || (table.weights.tied().codes && table.weights.tied().codes->in_memory() != nullptr))
    require_consistent(table, task);
  else
    require_consistent_sizes(table, task);
  require_writable_metadata(table);
  require_small_enough(format, table);
  if (is_binary(format)) {
    require_float_values(table.weights, array_names::basis_val);
    require_float_values(table.bias, array_names::bias_val);
  }
  return table;
}

// The contents of a file of a table, or of a block, which has a prefix before its names. The arrays point into the
// table and into this object.
class Contents {
 public:
  Contents(const WeightBlock& table, std::string prefix, TableFormat format, const Task& task)
      : section_(checked(table, format, task), task),
        table_(table),
        prefix_(std::move(prefix)),
        task_(task),
        arrays_(section_.arrays()),
        metadata_(file_metadata(table)) {
    if (table.proof) {
      const auto more = proof_arrays(*table.proof, table.weights.rows, table.weights.cols);
      arrays_.insert(arrays_.end(), more.begin(), more.end());
      arrays_ = in_section_order(std::move(arrays_));
    }
    const bool binary = is_binary(format);
    shortened_ = binary && table.is_tied() && shorten_codes(arrays_, table.weights.params);
    if (shortened_) metadata_["intertwine.version"] = "1.2";
    for (const PlannedArray& array : arrays_) names_.push_back(prefix_ + std::string(array.name));
  }

  const std::string& prefix() const { return prefix_; }
  const std::vector<PlannedArray>& arrays() const { return arrays_; }
  // The arrays under the names that the file gives them.
  std::vector<PlannedArray> named_arrays() const {
    std::vector<PlannedArray> out = arrays_;
    for (std::size_t k = 0; k < out.size(); ++k) out[k].name = names_[k];
    return out;
  }
  void add_to(Metadata& all, const std::string& sha256) const {
    for (const auto& [key, value] : with_sha256(metadata_, sha256)) all[block_key(prefix_, key)] = value;
  }
  void add_to(JsonLists& lists, const ValueTexts* texts) const {
    add_json_lists(lists, prefix_, table_, arrays_, texts, task_);
  }

  // The codes that the arrays lack.
  void write_codes(BinaryFile& file) const {
    if (!codes_are_missing()) return;
    const std::uint64_t start = file.offset_of(prefix_ + std::string(array_names::weight_code));
    stream_rows(table_.weights, shortened_ ? 2 : code_bytes(table_.weights.params), task_,
                [&](std::uint64_t offset, std::span<const std::byte> bytes) { file.write_at(start + offset, bytes); });
  }

  // All codes in memory, for the text forms; the digest.
  std::string gather() {
    Sha256 sha256;
    for (PlannedArray& array : arrays_) {
      if (array.name == array_names::weight_code && codes_are_missing()) {
        codes_.resize(array.bytes);
        stream_rows(table_.weights, code_bytes(table_.weights.params), task_,
                    [&](std::uint64_t offset, std::span<const std::byte> bytes) {
                      std::copy(bytes.begin(), bytes.end(), codes_.begin() + static_cast<std::ptrdiff_t>(offset));
                    });
        array.contents = codes_;
      }
      if (!array_names::is_proof(array.name)) sha256.add(array.contents);
    }
    return sha256.hex();
  }

 private:
  bool codes_are_missing() const {
    for (const PlannedArray& array : arrays_)
      if (array.name == array_names::weight_code) return array.contents.size() != array.bytes;
    return false;
  }

  DataSection section_;
  const WeightBlock& table_;
  std::string prefix_;
  const Task& task_;
  std::vector<PlannedArray> arrays_;
  Metadata metadata_;
  bool shortened_ = false;
  std::vector<std::string> names_;
  std::vector<std::byte> codes_;
};

// A document whose arrays are gathered; its digest is known.
void write_json(const std::filesystem::path& path, const std::deque<Contents>& all, const Metadata& metadata,
                const ValueTexts* texts) {
  JsonLists lists;
  for (const Contents& contents : all) contents.add_to(lists, texts);
  write_file(path, json_text(metadata, lists));
}

// A header whose arrays no compiler should have to read: they lie in a table file beside it, which an assembler file includes.
std::string write_large_header(const std::filesystem::path& path, const WeightBlock& table, const Task& task) {
  const std::string name = path.filename().string();
  if (name != shown_path(name) || name.find_first_of("\"\\") != std::string::npos)
    throw DomainError(
        fmt::format("{}: the arrays of a large C++ header lie in a file that an assembler includes; give it a "
                    "name in ASCII without quotes and backslashes",
                    shown_path(path)));
  const std::filesystem::path data = path.string() + ".safetensors";
  const std::string digest = write_container(data, table, nullptr, task);
  const TableContainer written = open_container(data, array_names::all, task);
  std::vector<PlannedArray> arrays = planned_arrays(table, {});
  shorten_codes(arrays, table.weights.params);
  write_file(path.string() + ".S", cpp_header_assembly(written.stored.arrays, name));
  write_file(path, cpp_header_table(table, arrays, digest, path));
  return digest;
}

}  // namespace

namespace {

/// The file of one block, whose arrays and metadata have no prefix.
std::string write_single(const std::filesystem::path& path, const WeightBlock& table, const ValueTexts* texts,
                         const Task& task) {
  const TableFormat format = table_format(path);
  if (format == TableFormat::cpp_header && (!table.is_tied() || table.isotypic || table.proof))
    throw DomainError(fmt::format("{}: C++ headers hold tied tables only; write {} as {}", shown_path(path),
                                  !table.is_tied() ? "a sparse basis"
                                  : table.isotypic ? "an isotypic form"
                                                   : "a proof",
                                  listed_extensions(TableContents::any)));
  std::deque<Contents> all;
  Contents& contents = all.emplace_back(table, "", format, task);
  Metadata metadata;
  if (is_binary(format)) {
    contents.add_to(metadata, unknown_sha256);
    BinaryFile file(path, format, metadata, contents.arrays(), task);
    contents.write_codes(file);
    return file.finish();
  }
  std::uint64_t total = 0;
  for (const PlannedArray& array : contents.arrays()) total += array.bytes;
  if (format == TableFormat::cpp_header && total > max_cpp_header_bytes) return write_large_header(path, table, task);
  const std::string digest = contents.gather();
  contents.add_to(metadata, digest);
  if (format == TableFormat::json)
    write_json(path, all, metadata, texts);
  else
    write_file(path, cpp_header_table(table, contents.arrays(), digest, path));
  return digest;
}

}  // namespace

std::string write_container(const std::filesystem::path& path, const WeightTable& table, const ValueTexts* texts,
                            const Task& task) {
  if (table.is_single()) return write_single(path, table.block(), texts, task);
  const TableFormat format = table_format(path);
  if (format == TableFormat::cpp_header)
    throw DomainError(fmt::format("{}: C++ headers hold one table, not blocks; write {}, or the single table",
                                  shown_path(path), listed_extensions(TableContents::any)),
                      Remedy::single_table);
  require_fitting(table);
  Metadata metadata = blocks_metadata(table.blocks.size(), table.blocks.front().size());
  std::deque<Contents> all;
  for (std::size_t i = 0; i < table.blocks.size(); ++i)
    for (std::size_t j = 0; j < table.blocks[i].size(); ++j)
      all.emplace_back(table.blocks[i][j], block_prefix(i, j), format, task);
  if (format == TableFormat::json) {
    std::vector<std::string> digests;
    for (Contents& block : all) {
      digests.push_back(block.gather());
      block.add_to(metadata, digests.back());
    }
    const std::string whole = digest(table, digests);
    write_json(path, all, with_sha256(metadata, whole), texts);
    return whole;
  }
  std::vector<PlannedArray> arrays;
  for (const Contents& block : all) {
    block.add_to(metadata, unknown_sha256);
    const std::vector<PlannedArray> its = block.named_arrays();
    arrays.insert(arrays.end(), its.begin(), its.end());
  }
  BinaryFile file(path, format, metadata, in_section_order(std::move(arrays)), task);
  for (const Contents& block : all) block.write_codes(file);
  return file.finish([&](const std::map<std::string, std::string>& found) {
    std::vector<std::string> digests;
    for (const Contents& block : all) digests.push_back(found.at(block.prefix()));
    return digest(table, digests);
  });
}

}  // namespace intertwine
