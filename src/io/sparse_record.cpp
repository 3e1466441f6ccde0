#include "io/sparse_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "intertwine/error.hpp"
#include "io/sha256.hpp"
#include "io/text.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t max_side = std::uint64_t{1} << 31;  // indices are I32
constexpr std::size_t poll_interval = 4096;

// The weight or the bias: elements of entries at (row, col), or at (row, 0) where `col` is null.
struct Part {
  std::string_view name;
  std::uint64_t rows, cols, elements;
  const std::vector<std::int64_t>& start;
  const std::vector<std::int32_t>& row;
  const std::vector<std::int32_t>* col;
  const AbelianField& field;
  const IntegerMatrix& value;

  bool is_zero(std::size_t e) const {
    for (std::size_t c = 0; c < value.rows(); ++c)
      if (value.sign(c, e) != 0) return false;
    return true;
  }
  // Row-major; indices are known to be in range.
  std::uint64_t place(std::size_t e) const {
    return static_cast<std::uint64_t>(row[e]) * cols +
           (col == nullptr ? 0 : static_cast<std::uint64_t>((*col)[e]));
  }
};

Part weight_of(const SparseTable& t) {
  return {"weight", t.rows, t.cols, t.params, t.start, t.row, &t.col, t.field, t.value};
}
Part bias_of(const SparseTable& t) {
  return {"bias", t.rows, 1, t.bias_params, t.bias_start, t.bias_row, nullptr, t.field, t.bias_value};
}

void require_lengths(const Part& part) {
  const std::size_t entries = part.row.size();
  if ((part.col != nullptr && part.col->size() != entries) || part.value.cols() != entries ||
      (part.value.rows() != part.field.degree() && entries != 0))
    throw DomainError(fmt::format(
        "the {} has {} rows, {} columns and {} x {} values of entries; give one of each an entry", part.name,
        entries, part.col == nullptr ? entries : part.col->size(), part.value.rows(), part.value.cols()));
  if (part.start.size() != part.elements + 1)
    throw DomainError(fmt::format("the {} has {} elements and {} starts; give one more start than elements",
                                  part.name, part.elements, part.start.size()));
  if (part.start.front() != 0 || part.start.back() != static_cast<std::int64_t>(entries))
    throw DomainError(fmt::format("the starts of the {} run from {} to {}, and its entries from 0 to {}",
                                  part.name, part.start.front(), part.start.back(), entries));
  for (std::uint64_t k = 0; k < part.elements; ++k)
    if (part.start[k] >= part.start[k + 1])
      throw DomainError(fmt::format(
          "the {} element {} begins at entry {} and the next one at {}; every element has entries", part.name,
          k, part.start[k], part.start[k + 1]));
}

// The starts are known to be sound: they increase from 0 to the number of entries.
void require_entries(const Part& part, const Task& task) {
  const auto outside = [](std::int32_t index, std::uint64_t side) {
    return index < 0 || static_cast<std::uint64_t>(index) >= side;
  };
  for (std::uint64_t k = 0; k < part.elements; ++k) {
    const auto begin = static_cast<std::size_t>(part.start[k]);
    const auto end = static_cast<std::size_t>(part.start[k + 1]);
    for (std::size_t e = begin; e < end; ++e) {
      if (e % poll_interval == 0) task.poll();
      if (outside(part.row[e], part.rows) || (part.col != nullptr && outside((*part.col)[e], part.cols)))
        throw DomainError(fmt::format("the {} element {} has an entry at ({}, {}), outside of {} x {}",
                                      part.name, k, part.row[e], part.col == nullptr ? 0 : (*part.col)[e],
                                      part.rows, part.cols));
      if (e > begin && part.place(e - 1) >= part.place(e))
        throw DomainError(fmt::format(
            "the entries of the {} element {} are not strictly increasing in row-major order", part.name, k));
      if (part.is_zero(e))
        throw DomainError(
            fmt::format("the {} element {} has an entry of value 0; leave it out", part.name, k));
    }
  }
}

// Whether the elements come in the order of their first entries, and whether those are positive.
bool in_order(const Part& part) {
  for (std::uint64_t k = 0; k + 1 < part.elements; ++k)
    if (part.place(static_cast<std::size_t>(part.start[k])) >
        part.place(static_cast<std::size_t>(part.start[k + 1])))
      return false;
  return true;
}
bool begins_positive(const Part& part) {
  for (std::uint64_t k = 0; k < part.elements; ++k) {
    const auto e = static_cast<std::size_t>(part.start[k]);
    if (part.field.is_rational() ? part.value.sign(0, e) < 0 : value_of(part.field, part.value, e).sign() < 0)
      return false;
  }
  return true;
}

}  // namespace

SparseValues::SparseValues(const AbelianField& field, const IntegerMatrix& values, const Task& task) {
  const std::size_t count = values.cols();
  if (!field.is_rational()) {
    floats_ = real_values(field, values);
    const Integer bound = Integer(1) << 62;
    for (std::size_t c = 0; c < values.rows() && count > 0; ++c)
      for (std::size_t e = 0; e < count; ++e) {
        const Integer x = values(c, e);
        if (abs(x) > bound)
          throw LimitError(
              fmt::format("entry {} has the coordinate {} in {}, and tables hold coordinates up to 2^62", e,
                          x.str(), field.to_string()));
        coordinates_.push_back(x.convert_to<std::int64_t>());
      }
    return;
  }
  floats_.reserve(count);
  for (std::size_t e = 0; e < count; ++e) {
    if (e % poll_interval == 0) task.poll();
    const Integer value = values(0, e);
    if (abs(value) > max_float_value) {
      too_large_ = e;
      break;
    }
    floats_.push_back(static_cast<double>(value.convert_to<std::int64_t>()));
  }
  if (!too_large_) return;
  floats_ = {};
  for (std::size_t e = 0; e < count; ++e) {
    task.poll();
    text_ += values(0, e).str() + '\n';
  }
}

std::span<const std::byte> SparseValues::contents() const {
  return too_large_ ? std::as_bytes(std::span(text_)) : std::as_bytes(std::span(floats_));
}

std::vector<PlannedArray> planned_sparse_arrays(const TableFrame& frame, std::uint64_t entries,
                                                std::uint64_t bias_entries, std::uint64_t degree) {
  std::vector<PlannedArray> arrays{{basis_ptr_name, Dtype::i64, {frame.params + 1}},
                                   {basis_row_name, Dtype::i32, {entries}},
                                   {basis_col_name, Dtype::i32, {entries}},
                                   {basis_val_name, Dtype::f64, {entries}},
                                   {bias_ptr_name, Dtype::i64, {frame.bias_params + 1}},
                                   {bias_row_name, Dtype::i32, {bias_entries}},
                                   {bias_val_name, Dtype::f64, {bias_entries}}};
  if (degree > 1) {
    arrays.push_back({basis_coordinates_name, Dtype::i64, {degree, entries}});
    arrays.push_back({bias_coordinates_name, Dtype::i64, {degree, bias_entries}});
  }
  return in_section_order(std::move(arrays));
}

SparseArrays::SparseArrays(const SparseTable& table, const Task& task)
    : values_(table.field, table.value, task),
      bias_values_(table.field, table.bias_value, task),
      arrays_(planned_sparse_arrays(frame_of(TableKind::sparse_basis, table), table.row.size(),
                                    table.bias_row.size(), table.field.degree())) {
  const std::pair<std::string_view, std::span<const std::byte>> contents[] = {
      {basis_ptr_name, std::as_bytes(std::span(table.start))},
      {basis_row_name, std::as_bytes(std::span(table.row))},
      {basis_col_name, std::as_bytes(std::span(table.col))},
      {basis_val_name, values_.contents()},
      {bias_ptr_name, std::as_bytes(std::span(table.bias_start))},
      {bias_row_name, std::as_bytes(std::span(table.bias_row))},
      {bias_val_name, bias_values_.contents()},
      {basis_coordinates_name, values_.coordinates()},
      {bias_coordinates_name, bias_values_.coordinates()}};
  for (PlannedArray& array : arrays_)
    for (const auto& [name, bytes] : contents)
      if (array.name == name) array.contents = bytes;
}

std::string SparseArrays::digest() const {
  Sha256 sha256;
  for (const PlannedArray& array : arrays_) sha256.add(array.contents);
  return sha256.hex();
}

AbelianField field_from_metadata(const Metadata& metadata, const std::string& name) {
  const auto found = metadata.find("field_generator");
  if (found == metadata.end()) return {};
  const auto refuse = [&](const std::string& why) {
    return FileError(fmt::format("{}: the field_generator \"{}\" {}", name, shown(found->second), why));
  };
  if (found->second.size() > 10'000) throw refuse("is too long");
  Cyclotomic generator;
  try {
    generator = parse_cyclotomic(found->second);
  } catch (const Error&) {
    throw refuse("is no cyclotomic number");
  }
  if (generator.conductor() > 10'000) throw refuse("has a conductor above 10000");
  const AbelianField field = AbelianField::generated_by({&generator, 1});
  if (field.is_rational() || field.generator() != generator || !field.is_real())
    throw refuse("is not the generator of a real field larger than Q as this program chooses it");
  return field;
}

void require_consistent(const SparseTable& table, const Task& task) {
  if (!table.field.is_real())
    throw DomainError(
        "the basis is over " + table.field.to_string() +
        ", and the weights of a table are real; take the real forms of the representations: real(R)");
  require_consistent_frame(frame_of(TableKind::sparse_basis, table), table.metadata);
  if (std::max(table.rows, table.cols) > max_side)
    throw LimitError(fmt::format("a sparse basis has at most {} rows and columns, and this one is {} x {}",
                                 max_side, table.rows, table.cols));
  for (const Part& part : {weight_of(table), bias_of(table)}) {
    require_lengths(part);
    require_entries(part, task);
  }
}

Metadata file_metadata(const SparseTable& table) {
  const Part weight = weight_of(table);
  const Part bias = bias_of(table);
  Metadata usual;
  if (in_order(weight) && in_order(bias)) usual["order"] = "by smallest row-major entry";
  if (begins_positive(weight) && begins_positive(bias)) usual["sign_rule"] = "the smallest entry is +";
  Metadata metadata = table.metadata;
  if (!table.field.is_rational()) {
    metadata["field"] = table.field.to_string();
    metadata["field_generator"] = to_string(table.field.generator());
  }
  return file_metadata(frame_of(TableKind::sparse_basis, table), metadata, usual);
}

}  // namespace intertwine
