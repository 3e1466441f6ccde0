#include "intertwine/io/sparse_table_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "intertwine/error.hpp"
#include "io/sparse_record.hpp"
#include "io/table_container.hpp"
#include "io/text.hpp"
#include "io/text_tables.hpp"

namespace intertwine {
namespace {

constexpr std::size_t max_value_digits = 100'000;  // of a text: numerator, stroke and denominator together
constexpr std::size_t poll_interval = 4096;

// ["1", "-3"], ["E(5)+E(5)^4"]
std::string json_values(const AbelianField& field, const IntegerMatrix& values, std::string_view array,
                        const Task& task) {
  std::string out = "[";
  for (std::size_t e = 0; e < values.cols(); ++e) {
    if (e % poll_interval == 0) task.poll();
    const std::string text = field.is_rational() ? values(0, e).str() : to_string(value_of(field, values, e));
    if (text.size() > max_value_digits)
      throw LimitError(
          fmt::format("a JSON table holds values of at most {} digits, and entry {} of {} has {}",
                      max_value_digits, e, array, text.size()));
    out += fmt::format("{}\"{}\"", e == 0 ? "" : ",", text);
  }
  return out + "]";
}

void require_small_enough(const SparseTable& table) {
  const std::uint64_t entries = table.row.size() + table.bias_row.size();
  if (entries > max_json_entries)
    throw LimitError(fmt::format(
        "a JSON table holds at most {} entries, and this basis has {}; write .safetensors or .npz",
        max_json_entries, entries));
}

void require_float_values(const SparseValues& values, const IntegerMatrix& exact, std::string_view array) {
  if (const auto e = values.first_too_large())
    throw LimitError(fmt::format(
        "entry {} of {} is {}, and values above 2^53 have no exact F64: write .json, which holds any integer",
        *e, array, shown(exact(0, *e).str())));
}

std::string write_json(const std::filesystem::path& path, const SparseTable& table, const Task& task) {
  const SparseArrays arrays(table, task);
  const std::string digest = arrays.digest();
  std::vector<std::pair<std::string_view, std::string>> lists;
  for (const PlannedArray& array : arrays.arrays()) {
    // The values themselves are exact, so that coordinates are not repeated.
    if (array.name == basis_coordinates_name || array.name == bias_coordinates_name) continue;
    if (array.dtype == Dtype::f64)
      lists.emplace_back(
          array.name, json_values(table.field, array.name == basis_val_name ? table.value : table.bias_value,
                                  array.name, task));
    else
      lists.emplace_back(array.name, json_list(array, array.contents));
  }
  const std::string text = json_document(with_sha256(file_metadata(table), digest), lists);
  if (text.size() > max_json_bytes)
    throw LimitError(fmt::format("a JSON table has at most {}, and this one {}; write .safetensors or .npz",
                                 format_bytes(max_json_bytes), format_bytes(text.size())));
  task.poll();
  write_file(path, text);
  return digest;
}

// An F64 as the integer it has to be.
std::int64_t integer_of(double value, std::string_view array, const std::string& name) {
  const bool whole =
      std::isfinite(value) && std::abs(value) <= double{max_float_value} && std::trunc(value) == value;
  if (!whole)
    throw FileError(fmt::format("{}: \"{}\" holds {}, not an integer up to 2^53", name, array, value));
  return static_cast<std::int64_t>(value);
}

IntegerMatrix binary_values(const ByteSource& source, const StoredArray& array, const Task& task) {
  const auto floats = load_array<double>(source, array);
  IntegerMatrix out(1, floats.size());
  for (std::size_t e = 0; e < floats.size(); ++e) {
    if (e % poll_interval == 0) task.poll();
    out.set(0, e, static_cast<long>(integer_of(floats[e], array.name, source.name())));
  }
  return out;
}

// f x entries.
IntegerMatrix binary_coordinates(const ByteSource& source, const StoredArray& array, const Task& task) {
  const auto items = load_array<std::int64_t>(source, array);
  IntegerMatrix out(array.shape[0], array.shape[1]);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i % poll_interval == 0) task.poll();
    out.set(i / array.shape[1], i % array.shape[1], static_cast<long>(items[i]));
  }
  return out;
}

void require_nearest(const AbelianField& field, const IntegerMatrix& coordinates, const ByteSource& source,
                     const StoredArray& array) {
  const auto floats = load_array<double>(source, array);
  const std::vector<double> nearest = real_values(field, coordinates);
  for (std::size_t e = 0; e < floats.size(); ++e)
    if (floats[e] != nearest[e])
      throw FileError(fmt::format("{}: \"{}\" holds {} at {}, and the coordinates there make {}",
                                  source.name(), array.name, floats[e], e, nearest[e]));
}

Integer integer_of(const std::string& text, std::string_view array, const std::string& name) {
  if (text.size() > max_value_digits)
    throw FileError(
        fmt::format("{}: \"{}\" holds a value of more than {} digits", name, array, max_value_digits));
  Rational value;
  try {
    value = parse_rational(text);
  } catch (const ParseError&) {
    throw FileError(fmt::format("{}: \"{}\" holds \"{}\", which is no number", name, array, shown(text)));
  }
  if (denominator(value) != 1)
    throw FileError(fmt::format("{}: \"{}\" holds \"{}\", which is no integer", name, array, shown(text)));
  return numerator(value);
}

// The coordinates of a cyclotomic number as column e.
void set_coordinates(IntegerMatrix& out, std::size_t e, const AbelianField& field, const std::string& text,
                     std::string_view array, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    return FileError(fmt::format("{}: \"{}\" holds \"{}\", which {}", name, array, shown(text), why));
  };
  if (text.size() > max_value_digits) throw refuse("is too long");
  Cyclotomic value;
  try {
    value = parse_cyclotomic(text);
  } catch (const Error&) {
    throw refuse("is no cyclotomic number");
  }
  if (!field.contains(value)) throw refuse("is not in " + field.to_string());
  const std::vector<Rational> coordinates = field.coordinates(value);
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    if (denominator(coordinates[c]) != 1)
      throw refuse("has coordinates that are no integers in " + field.to_string());
    out.set(c, e, Integer(numerator(coordinates[c])));
  }
}

IntegerMatrix json_values(const AbelianField& field, const nlohmann::json& document, std::string_view array,
                          const std::string& name, const Task& task) {
  const nlohmann::json& items = json_list_of(document, array, name);
  IntegerMatrix out(field.degree(), items.size());
  for (std::size_t e = 0; e < items.size(); ++e) {
    task.poll();
    if (!items[e].is_string())
      throw FileError(fmt::format("{}: \"{}\" holds something else than numbers as strings", name, array));
    const std::string& text = items[e].get_ref<const std::string&>();
    if (field.is_rational())
      out.set(0, e, integer_of(text, array, name));
    else
      set_coordinates(out, e, field, text, array, name);
  }
  return out;
}

// How many entries the file says an array has; that it has no other shape is checked later.
std::uint64_t length_of(const TableContainer& container, std::string_view array) {
  const std::string& name = container.source->name();
  if (container.document) return json_list_of(*container.document, array, name).size();
  for (const StoredArray& stored : container.stored.arrays)
    if (stored.name == array) return stored.shape.size() == 1 ? stored.shape[0] : 0;
  throw FileError(fmt::format("{}: the array \"{}\" is missing", name, array));
}

void load_indices(SparseTable& table, const ByteSource& source, const StoredArray& array) {
  if (array.name == basis_ptr_name) table.start = load_array<std::int64_t>(source, array);
  if (array.name == basis_row_name) table.row = load_array<std::int32_t>(source, array);
  if (array.name == basis_col_name) table.col = load_array<std::int32_t>(source, array);
  if (array.name == bias_ptr_name) table.bias_start = load_array<std::int64_t>(source, array);
  if (array.name == bias_row_name) table.bias_row = load_array<std::int32_t>(source, array);
}

// The arrays of a JSON document, whose exact values no data section could hold.
void read_document(SparseTable& table, TableContainer& container, std::vector<PlannedArray> arrays,
                   const Task& task) {
  const std::string name = container.source->name();
  table.value = json_values(table.field, *container.document, basis_val_name, name, task);
  table.bias_value = json_values(table.field, *container.document, bias_val_name, name, task);
  std::erase_if(arrays, [](const PlannedArray& array) {
    return array.dtype == Dtype::f64 || array.name == basis_coordinates_name ||
           array.name == bias_coordinates_name;
  });
  lay_out_document(container, arrays);
  for (const StoredArray& array : container.stored.arrays) load_indices(table, *container.source, array);
}

void read_binary(SparseTable& table, const TableContainer& container, const std::vector<PlannedArray>& arrays,
                 const Task& task) {
  const ByteSource& source = *container.source;
  std::vector<StoredArray> found;
  for (const PlannedArray& planned : arrays)
    found.push_back(require_array(container.stored, planned, source.name()));
  // The arrays lie within the file, so from here on the sizes are sizes that the file has.
  std::uint64_t bytes = 0;
  for (const StoredArray& array : found) bytes += 2 * array.bytes;
  task.require_memory(bytes, "the table " + source.name());
  checked_digest(source, container.stored, {}, task);
  for (const StoredArray& array : found) {
    load_indices(table, source, array);
    if (table.field.is_rational()) {
      if (array.name == basis_val_name) table.value = binary_values(source, array, task);
      if (array.name == bias_val_name) table.bias_value = binary_values(source, array, task);
    } else {
      if (array.name == basis_coordinates_name) table.value = binary_coordinates(source, array, task);
      if (array.name == bias_coordinates_name) table.bias_value = binary_coordinates(source, array, task);
    }
  }
  if (table.field.is_rational()) return;
  for (const StoredArray& array : found) {
    if (array.name == basis_val_name) require_nearest(table.field, table.value, source, array);
    if (array.name == bias_val_name) require_nearest(table.field, table.bias_value, source, array);
  }
}

}  // namespace

std::string write_sparse_table(const std::filesystem::path& path, const SparseTable& table,
                               const Task& task) {
  const TableFormat format = table_format(path);
  if (format == TableFormat::cpp_header)
    throw DomainError(fmt::format(
        "{}: C++ headers hold tied tables only; write a sparse basis as .safetensors, .npz or .json",
        shown_path(path)));
  require_consistent(table, task);
  if (format == TableFormat::json) {
    require_small_enough(table);
    return write_json(path, table, task);
  }
  task.require_memory(saturated_product(sizeof(double), table.row.size() + table.bias_row.size()),
                      "the values of a sparse basis as F64");
  const SparseArrays arrays(table, task);
  require_float_values(arrays.values(), table.value, basis_val_name);
  require_float_values(arrays.bias_values(), table.bias_value, bias_val_name);
  return BinaryFile(path, format, file_metadata(table), arrays.arrays(), task).finish();
}

SparseTable read_sparse_table(const std::filesystem::path& path, std::string* sha256, const Task& task) {
  TableContainer container = open_container(path, sparse_array_names);
  const std::string name = container.source->name();
  const TableFrame frame = frame_from_metadata(container.stored.metadata, name);
  require_kind(frame, TableKind::sparse_basis, name);
  const std::string stated = stated_sha256(container.stored.metadata, name);
  SparseTable table;
  set_frame(table, frame);
  table.metadata = free_metadata(container.stored.metadata);
  table.field = field_from_metadata(table.metadata, name);
  const bool text = container.document != nullptr;
  const auto arrays = planned_sparse_arrays(frame, length_of(container, basis_row_name),
                                            length_of(container, bias_row_name), table.field.degree());
  if (text)
    read_document(table, container, arrays, task);
  else
    read_binary(table, container, arrays, task);
  try {
    require_consistent(table, task);
  } catch (const DomainError& error) {
    throw FileError(fmt::format("{}: inconsistent: {}", name, error.what()));
  }
  if (text && SparseArrays(table, task).digest() != stated)
    throw FileError(fmt::format("{}: damaged: its data do not have the sha256 that it states", name));
  if (sha256 != nullptr) *sha256 = stated;
  return table;
}

}  // namespace intertwine
