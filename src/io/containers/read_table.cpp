// Reads weight tables, rows on demand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/tables/code_counter.hpp"
#include "io/containers/table_container.hpp"
#include "io/containers/table_io.hpp"
#include "io/containers/text.hpp"
#include "io/containers/text_tables.hpp"

namespace intertwine {
namespace {

// Codes of an open file, on demand.
class FileRows final : public CodeRows {
 public:
  FileRows(std::unique_ptr<ByteSource> source, const StoredArray& array, const WeightPattern& pattern)
      : source_(std::move(source)),
        offset_(array.offset),
        width_(array.bytes / (pattern.rows * pattern.cols)),
        rows_(pattern.rows),
        cols_(pattern.cols),
        params_(pattern.params) {}

  std::uint64_t rows() const override { return rows_; }
  std::uint64_t cols() const override { return cols_; }

  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    if (i >= rows_) throw DomainError(fmt::format("row {} of a table of {} rows (0-based)", i, rows_));
    if (out.size() != cols_)
      throw DomainError(fmt::format("a row has {} codes, and room for {} was given", cols_, out.size()));
    const std::span<std::byte> bytes = std::as_writable_bytes(out);
    if (width_ == 4) return read(i, bytes);
    // The narrow codes go to the end of the row and are widened from the front: never over one still unread.
    const std::span<std::byte> narrow = bytes.last(out.size() * width_);
    read(i, narrow);
    width_ == 1 ? widen<std::uint8_t>(narrow, out) : widen<std::uint16_t>(narrow, out);
  }

  void for_each_row(unsigned bytes_per_code, const RowSink& sink, const Task& task) const override {
    const bool widen = width_ == 2 && bytes_per_code == 4;
    if (bytes_per_code != width_ && !widen) return CodeRows::for_each_row(bytes_per_code, sink, task);
    const std::uint64_t row_bytes = cols_ * width_;
    const std::uint64_t block = std::max<std::uint64_t>(1, chunk_bytes / row_bytes);
    std::vector<std::byte> bytes(std::min(block, rows_) * row_bytes);
    for (std::uint64_t first = 0; first < rows_; first += block) {
      const std::uint64_t count = std::min(block, rows_ - first);
      const std::span<std::byte> part = std::span(bytes).first(count * row_bytes);
      read(first, part);
      task.progress("reading the table", first + count, rows_);
      for (std::uint64_t k = 0; k < count; ++k) {
        const std::span<const std::byte> row = part.subspan(k * row_bytes, row_bytes);
        sink(first + k, widen ? std::as_bytes(std::span<const std::int32_t>(widened(row))) : row);
      }
    }
  }

 private:
  // Codes that may lie in the last part of `out`; the files are little-endian, and so is the machine.
  template <class Code>
  static void widen(std::span<const std::byte> narrow, std::span<std::int32_t> out) {
    std::array<Code, 1024> part;
    for (std::size_t first = 0; first < out.size(); first += part.size()) {
      const std::size_t count = std::min(part.size(), out.size() - first);
      std::memcpy(part.data(), &narrow[first * sizeof(Code)], count * sizeof(Code));
      std::copy_n(part.begin(), count, &out[first]);
    }
  }

  // Rows from `first` on, as the file has them.
  void read(std::uint64_t first, std::span<std::byte> out) const {
    source_->read(offset_ + first * cols_ * width_, out);
    // The file may have been written to since it was checked; callers index by these codes.
    if (largest_code(out, static_cast<unsigned>(width_)) > 2 * params_)
      throw FileError(fmt::format("{}: it was changed while it was in use", source_->name()));
  }

  std::unique_ptr<ByteSource> source_;
  std::uint64_t offset_, width_, rows_, cols_, params_;
};

FileError inconsistent(const std::string& name, const Error& error) {
  return FileError(fmt::format("{}: inconsistent: {}", name, error.what()));
}

// How many entries the file says an array has; that it has no other shape is checked later.
std::uint64_t length_of(const TableContainer& container, std::string_view array) {
  const std::string& name = container.source->name();
  if (container.document) return json_list_of(*container.document, array, name).size();
  for (const StoredArray& stored : container.stored.arrays)
    if (stored.name == array) return stored.shape.size() == 1 ? stored.shape[0] : 0;
  throw FileError(fmt::format("{}: the array \"{}\" is missing", name, array));
}

// The first side of a matrix of a file, if it has one.
std::optional<std::uint64_t> height_of(const TableContainer& container, std::string_view array) {
  if (container.document) {
    if (!container.document->contains(array)) return std::nullopt;
    return json_list_of(*container.document, array, container.source->name()).size();
  }
  for (const StoredArray& stored : container.stored.arrays)
    if (stored.name == array) return stored.shape.empty() ? 0 : stored.shape[0];
  return std::nullopt;
}

// The arrays that the metadata ask for, as far as the file has given their lengths.
std::vector<PlannedArray> wanted_arrays(const WeightBlock& table, const TableContainer& container) {
  const std::string& name = container.source->name();
  SectionSizes sizes;
  if (!table.is_tied()) {
    sizes.entries = length_of(container, array_names::basis_row);
    sizes.bias_entries = length_of(container, array_names::bias_row);
    if (table.metadata.contains("field_generator") && !container.document) {
      sizes.degree = height_of(container, array_names::basis_coordinates).value_or(0);
      if (sizes.degree < 2)
        throw FileError(fmt::format("{}: the array \"{}\" has not two coordinates or more, which a field above Q has",
                                    name, array_names::basis_coordinates));
    }
  }
  if (const auto blocks = height_of(container, array_names::isotypic_blocks)) {
    if (*blocks == 0) throw FileError(fmt::format("{}: the isotypic form has no blocks", name));
    sizes.isotypic_blocks = *blocks;
  }
  std::vector<PlannedArray> arrays = planned_arrays(table, sizes);
  for (const StoredArray& stored : container.stored.arrays)
    if (stored.name == array_names::weight_code && stored.dtype == dtype_name(Dtype::u16))
      shorten_codes(arrays, table.weights.params);
  return arrays;
}

void load_isotypic(WeightBlock& table, const ByteSource& source, const StoredArray& array) {
  const auto form = [&]() -> IsotypicBlocks& {
    if (!table.isotypic) table.isotypic.emplace();
    return *table.isotypic;
  };
  if (array.name == array_names::T_out) form().T_out = load_array<double>(source, array);
  if (array.name == array_names::T_in) form().T_in = load_array<double>(source, array);
  if (array.name != array_names::isotypic_blocks) return;
  const auto numbers = load_array<std::int64_t>(source, array);
  for (std::size_t k = 0; k < numbers.size(); k += 4) {
    for (std::size_t c = 0; c < 4; ++c)
      if (numbers[k + c] < 0)
        throw FileError(fmt::format("{}: the isotypic form has the number {}", source.name(), numbers[k + c]));
    const auto at = [&](std::size_t c) { return static_cast<std::uint64_t>(numbers[k + c]); };
    form().blocks.push_back({at(0), at(1), at(2), at(3)});
  }
}

// The arrays of the proof that the metadata announce, to be laid out or found.
std::vector<PlannedArray> wanted_proof(WeightBlock& table, const TableContainer& container, const Task& task) {
  if (!table.proof) return {};
  if (auto* general = std::get_if<GeneratorImages::General>(&table.proof->images)) {
    general->degree = height_of(container, array_names::row_matrices[3]).value_or(0);
    for (const auto& [array, part] : {std::pair(array_names::row_matrices[1], &general->row),
                                      {array_names::column_matrices[1], &general->column}}) {
      const std::uint64_t length = length_of(container, array);
      for (const StoredArray& stored : container.stored.arrays)  // memory for what the file really has
        if (stored.name == array && stored.bytes != saturated_product(length, 4))
          throw FileError(fmt::format("{}: \"{}\" is no list of I32", container.source->name(), array));
      task.require_memory(4 * length, "the proof of the table " + container.source->name());
      part->row.resize(length);
    }
  }
  return in_section_order(proof_arrays(*table.proof, table.weights.rows, table.weights.cols));
}

void load_proof(GeneratorImages& proof, const ByteSource& source, const StoredArray& array) {
  const auto narrow = [&](std::vector<std::int32_t>& out) { out = load_array<std::int32_t>(source, array); };
  const auto wide = [&](std::vector<std::int64_t>& out) { out = load_array<std::int64_t>(source, array); };
  if (auto* images = std::get_if<GeneratorImages::Signed>(&proof.images))
    return narrow(array.name == array_names::row_images ? images->row : images->column);
  auto& general = std::get<GeneratorImages::General>(proof.images);
  for (const auto& [names, part] : {std::pair(std::span(array_names::row_matrices), &general.row),
                                    {std::span(array_names::column_matrices), &general.column}}) {
    if (array.name == names[0]) wide(part->start);
    if (array.name == names[1]) narrow(part->row);
    if (array.name == names[2]) narrow(part->col);
    if (array.name == names[3]) wide(part->numerator);
    if (array.name == names[4]) wide(part->denominator);
  }
}

// The proof, of what was read by exact arithmetic; numeric layers need none.
void read_proof(WeightBlock& table, const TableContainer& container, std::span<const PlannedArray> arrays,
                const Task& task) {
  const ByteSource& source = *container.source;
  std::vector<StoredArray> found;
  for (const PlannedArray& planned : arrays) found.push_back(require_array(container.stored, planned, source.name()));
  std::uint64_t bytes = 0;
  for (const StoredArray& array : found) bytes += array.bytes;
  task.require_memory(bytes, "the proof of the table " + source.name());
  digest_of(source, found, {}, task);
  for (const StoredArray& array : found) load_proof(*table.proof, source, array);
}

Codes load_codes(const ByteSource& source, const StoredArray& array, std::uint64_t params) {
  if (code_bytes(params) == 1) return load_array<std::uint8_t>(source, array);
  return load_array<std::int32_t>(source, array);
}

// A table of codes, which stay in the file.
void read_tied(WeightBlock& table, TableContainer container, const Task& task) {
  const std::string name = container.source->name();
  const std::vector<PlannedArray> arrays = wanted_arrays(table, container),
                                  proof = wanted_proof(table, container, task);
  if (container.document) {
    if (saturated_product(table.weights.rows, table.weights.cols) > max_json_entries)
      throw FileError(fmt::format("{}: JSON tables have at most {} entries", name, max_json_entries));
    lay_out_document(container, arrays, proof);
  }
  const ByteSource& source = *container.source;
  std::vector<StoredArray> found;
  for (const PlannedArray& planned : arrays) found.push_back(require_array(container.stored, planned, name));
  // The arrays lie within the file, so from here on sizes that the metadata states are sizes that the file
  // has.
  const std::uint64_t P = table.weights.params, Q = table.bias.params;
  std::uint64_t bytes =
      saturated_product(32, P) + saturated_product(24, Q) + saturated_product(code_bytes(Q), table.weights.rows);
  for (const StoredArray& array : found)
    if (array.name.starts_with("isotypic.")) bytes += array.bytes;
  task.require_memory(bytes, "the header of the table " + name);
  CodeCounter counter(P, table.weights.rows * table.weights.cols, code_bytes(P));
  const auto count = [&](const StoredArray& array, std::span<const std::byte> part) {
    if (array.name != array_names::weight_code) return;
    if (const auto bad = counter.add(part))
      throw FileError(fmt::format("{}: the weight code {} is outside 0..{}", name, *bad, 2 * P));
  };
  TiedEntries weights;
  StoredArray weight_codes;
  std::optional<Codes> bias;
  for (const StoredArray& array : found) {
    if (array.name == array_names::weight_code) weight_codes = array;
    if (array.name == array_names::orbit_size) weights.orbit_size = load_array<std::int64_t>(source, array);
    if (array.name == array_names::bias_code) bias = load_codes(source, array, Q);
    load_isotypic(table, source, array);
  }
  checked_digest(source, container.stored.metadata, found, count, task);
  read_proof(table, container, proof, task);
  weights.codes = std::make_shared<FileRows>(std::move(container.source), weight_codes, table.weights);
  try {
    // The orbit sizes of the bias are not in the file.
    table.bias.entries = tied_entries(code_rows(table.bias.rows, 1, std::move(*bias)), Q, task);
    table.weights.entries = std::move(weights);
    require_consistent_sizes(table, task);
  } catch (const DomainError& error) {
    throw inconsistent(name, error);
  } catch (const LimitError& error) {
    throw inconsistent(name, error);
  }
  const std::vector<std::int64_t>& stated = table.weights.tied().orbit_size;
  if (const auto k = counter.first_difference(stated))
    throw FileError(fmt::format("{}: inconsistent: parameter {} occurs {} times, and its orbit size is stated as {}",
                                name, *k, counter.total(*k), stated[*k]));
}

// "-0017" as "-17"; nothing if the text is no decimal integer.
std::optional<std::string> plain_integer(const std::string& text) {
  const bool sign = text.starts_with('-') || text.starts_with('+');
  const std::size_t digits = sign ? 1 : 0;
  if (text.size() == digits || text.find_first_not_of("0123456789", digits) != std::string::npos) return std::nullopt;
  const std::size_t first = text.find_first_not_of('0', digits);
  if (first == std::string::npos) return "0";
  return (text[0] == '-' ? "-" : "") + text.substr(first);
}

void read_json_values(SparseElements& elements, const nlohmann::json& document, std::string_view array,
                      const ValueTexts* texts, const std::string& name, const Task& task) {
  const nlohmann::json& items = json_list_of(document, array, name);
  std::vector<std::string> values;
  for (const nlohmann::json& item : items) {
    task.poll();
    if (!item.is_string())
      throw FileError(fmt::format("{}: \"{}\" holds something else than numbers as strings", name, array));
    values.push_back(item.get<std::string>());
    if (values.back().size() > max_value_digits)
      throw FileError(fmt::format("{}: \"{}\" holds a value of more than {} digits", name, array, max_value_digits));
  }
  const auto refuse = [&](const std::string& what) {
    throw FileError(fmt::format("{}: \"{}\" holds {}, which takes exact arithmetic to read; give the table as {}", name,
                                array, what, listed_extensions(TableContents::large)));
  };
  if (!elements.exact.generator.empty()) {
    if (texts == nullptr) refuse("numbers of a field larger than Q as text");
    return texts->set_values(elements, values, array, name, task);
  }
  for (std::string& value : values) {
    if (auto plain = plain_integer(value)) {
      value = std::move(*plain);
    } else {
      if (texts == nullptr) refuse(fmt::format("\"{}\"", shown(value)));
      value = texts->integer(value, array, name);
    }
  }
  set_integers(elements, values);
}

// F64 that have to be integers.
void require_integers(const std::vector<double>& values, const StoredArray& array, const std::string& name) {
  for (const double value : values)
    if (!(std::abs(value) <= double{max_exact_double} && std::trunc(value) == value))
      throw FileError(fmt::format("{}: \"{}\" holds {}, not an integer up to 2^53", name, array.name, value));
}

void load_elements(WeightBlock& table, const ByteSource& source, const StoredArray& array) {
  auto &weights = std::get<SparseElements>(table.weights.entries), &bias = std::get<SparseElements>(table.bias.entries);
  const auto load_values = [&](SparseElements& elements) {
    elements.value = load_array<double>(source, array);
    if (elements.exact.generator.empty()) require_integers(elements.value, array, source.name());
  };
  const auto load_coordinates = [&](SparseElements& elements) {
    elements.exact.degree = array.shape[0];
    elements.exact.coordinates = load_array<std::int64_t>(source, array);
  };
  if (array.name == array_names::basis_ptr) weights.start = load_array<std::int64_t>(source, array);
  if (array.name == array_names::basis_row) weights.row = load_array<std::int32_t>(source, array);
  if (array.name == array_names::basis_col) weights.col = load_array<std::int32_t>(source, array);
  if (array.name == array_names::basis_val) load_values(weights);
  if (array.name == array_names::basis_coordinates) load_coordinates(weights);
  if (array.name == array_names::bias_ptr) bias.start = load_array<std::int64_t>(source, array);
  if (array.name == array_names::bias_val) load_values(bias);
  if (array.name == array_names::bias_coordinates) load_coordinates(bias);
  if (array.name == array_names::bias_row) {
    bias.row = load_array<std::int32_t>(source, array);
    bias.col.assign(bias.row.size(), 0);
  }
  load_isotypic(table, source, array);
}

// General elements: of a JSON document, whose exact values no data section could hold, or of a binary file.
void read_sparse(WeightBlock& table, TableContainer container, const ValueTexts* texts, const Task& task) {
  const std::string name = container.source->name();
  const std::string stated = stated_sha256(container.stored.metadata, name);
  auto &weights = std::get<SparseElements>(table.weights.entries), &bias = std::get<SparseElements>(table.bias.entries);
  if (const auto generator = table.metadata.find("field_generator"); generator != table.metadata.end()) {
    if (generator->second.empty()) throw FileError(fmt::format("{}: the field_generator is empty", name));
    const auto field = table.metadata.find("field");
    weights.exact.generator = bias.exact.generator = generator->second;
    weights.exact.field = bias.exact.field = field == table.metadata.end() ? "" : field->second;
  }
  std::vector<PlannedArray> arrays = wanted_arrays(table, container);
  const std::vector<PlannedArray> proof = wanted_proof(table, container, task);
  const bool text = container.document != nullptr;
  if (text) {
    read_json_values(weights, *container.document, array_names::basis_val, texts, name, task);
    read_json_values(bias, *container.document, array_names::bias_val, texts, name, task);
    std::erase_if(arrays, [](const PlannedArray& array) {
      return array.name == array_names::basis_val || array.name == array_names::bias_val;
    });
    lay_out_document(container, arrays, proof);
  }
  const ByteSource& source = *container.source;
  std::vector<StoredArray> found;
  for (const PlannedArray& planned : arrays) found.push_back(require_array(container.stored, planned, name));
  // The arrays lie within the file, so from here on the sizes are sizes that the file has.
  std::uint64_t bytes = 0;
  for (const StoredArray& array : found) bytes += 2 * array.bytes;
  task.require_memory(bytes, "the table " + name);
  if (!text) checked_digest(source, container.stored.metadata, found, {}, task);
  for (const StoredArray& array : found) load_elements(table, source, array);
  read_proof(table, container, proof, task);
  try {
    require_consistent(table, task);
  } catch (const DomainError& error) {
    throw inconsistent(name, error);
  }
  if (text && digest(table, task) != stated)
    throw FileError(fmt::format("{}: damaged: its data do not have the sha256 that it states", name));
}

// The table of an open file.
WeightBlock read_opened(TableContainer container, const ValueTexts* texts, const Task& task) {
  WeightBlock table = table_from_metadata(container.stored.metadata, container.source->name());
  if (texts == nullptr) table.proof.reset();
  if (table.is_tied())
    read_tied(table, std::move(container), task);
  else
    read_sparse(table, std::move(container), texts, task);
  return table;
}

// The bytes of a file that several tables share, under the name of one of them.
class SharedSource final : public ByteSource {
 public:
  SharedSource(std::shared_ptr<const ByteSource> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}
  std::uint64_t size() const override { return file_->size(); }
  const std::string& name() const override { return name_; }
  void read(std::uint64_t offset, std::span<std::byte> out) const override { file_->read(offset, out); }

 private:
  std::shared_ptr<const ByteSource> file_;
  std::string name_;
};

// A block as the table that it is.
TableContainer block_of(const TableContainer& container, std::shared_ptr<const ByteSource> file,
                        const std::string& prefix) {
  TableContainer block;
  const std::string name = fmt::format("{}, {}", file->name(), prefix.substr(0, prefix.size() - 1));
  block.source = std::make_unique<SharedSource>(std::move(file), name);
  // Calls it for all entries of a map under a prefix, with the rest of their keys: other entries may be many.
  const auto each = [](const auto& map, const std::string& start, const auto& call) {
    for (auto at = map.lower_bound(start); at != map.end() && at->first.starts_with(start); ++at)
      call(at->first.substr(start.size()), at->second);
  };
  each(container.stored.metadata, block_key(prefix, {}), [&](const std::string& key, const std::string& value) {
    block.stored.metadata.emplace("intertwine." + key, value);
  });
  for (StoredArray array : container.stored.arrays)
    if (array.name.starts_with(prefix)) {
      array.name.erase(0, prefix.size());
      block.stored.arrays.push_back(std::move(array));
    }
  if (!container.document) return block;
  block.document = std::make_unique<nlohmann::json>(nlohmann::json::object());
  each(container.document->get_ref<const nlohmann::json::object_t&>(), prefix,
       [&](const std::string& key, const nlohmann::json& value) { (*block.document)[key] = value; });
  return block;
}

void require_finite(const WeightBlock& table, const std::filesystem::path& path) {
  for (const WeightPattern* pattern : {&table.weights, &table.bias})
    if (!pattern->is_tied())
      for (const double value : pattern->sparse().value)
        if (!std::isfinite(value))
          throw LimitError(fmt::format("{}: a value of the basis is too large for a double", shown_path(path)));
}

}  // namespace

namespace {

/// Another reader could take blocks beyond the parts, which nothing here looks at.
void require_no_more_blocks(const TableContainer& container, std::uint64_t parts_out, std::uint64_t parts_in,
                            const std::string& file) {
  std::set<std::string, std::less<>> known;
  for (std::size_t i = 0; i < parts_out; ++i)
    for (std::size_t j = 0; j < parts_in; ++j) known.insert(block_prefix(i, j));
  const auto require_known = [&](std::string_view name) {
    const std::string_view block = array_names::block_of(name);
    if (block.empty() || known.contains(block)) return;
    const std::string_view numbers = block.substr(block.find('.') + 1);
    if (!numbers.empty() && numbers.find_first_not_of("0123456789.") == std::string_view::npos)
      throw FileError(fmt::format("{}: \"{}\" is of a block beyond its parts", file, shown(name)));
  };
  constexpr std::string_view prefix = "intertwine.";
  for (const auto& [key, value] : container.stored.metadata)
    if (key.starts_with(prefix)) require_known(std::string_view(key).substr(prefix.size()));
  for (const StoredArray& array : container.stored.arrays) require_known(array.name);
  if (container.document)
    for (const auto& [name, value] : container.document->items()) require_known(name);
}

}  // namespace

WeightTable read_container(const std::filesystem::path& path, const ValueTexts* texts, const Task& task) {
  TableContainer container = open_container(path, array_names::all, task);
  if (!states_blocks(container.stored.metadata)) return read_opened(std::move(container), texts, task);
  const std::shared_ptr<const ByteSource> file = std::move(container.source);
  const auto [parts_out, parts_in] = parts_from_metadata(container.stored.metadata, file->name());
  WeightTable table;
  std::vector<std::string> digests;
  for (std::size_t i = 0; i < parts_out; ++i) {
    table.blocks.emplace_back();
    for (std::size_t j = 0; j < parts_in; ++j) {
      TableContainer block = block_of(container, file, block_prefix(i, j));
      digests.push_back(stated_sha256(block.stored.metadata, block.source->name()));
      table.blocks.back().push_back(read_opened(std::move(block), texts, task));
    }
  }
  require_no_more_blocks(container, parts_out, parts_in, file->name());
  try {
    require_fitting(table);
  } catch (const DomainError& error) {
    throw inconsistent(file->name(), error);
  } catch (const LimitError& error) {
    throw inconsistent(file->name(), error);
  }
  if (detail::digest_of_lines(table, digests) != stated_sha256(container.stored.metadata, file->name()))
    throw FileError(fmt::format("{}: damaged: its blocks do not have the sha256 that it states", file->name()));
  return table;
}

WeightTable read_numeric_table(const std::filesystem::path& path, const Task& task) {
  WeightTable table = read_container(path, nullptr, task);
  for (const auto& row : table.blocks)
    for (const WeightBlock& block : row) require_finite(block, path);
  return table;
}

}  // namespace intertwine
