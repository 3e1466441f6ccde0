// Sparse bases as files hold them: kind sparse-basis.
#pragma once
#include <array>
#include <optional>

#include "intertwine/equivariant/sparse_table.hpp"
#include "intertwine/task.hpp"
#include "table_record.hpp"

namespace intertwine {

inline constexpr std::string_view basis_ptr_name = "weight.basis_ptr";
inline constexpr std::string_view basis_row_name = "weight.basis_row";
inline constexpr std::string_view basis_col_name = "weight.basis_col";
inline constexpr std::string_view basis_val_name = "weight.basis_val";
inline constexpr std::string_view bias_ptr_name = "bias.basis_ptr";
inline constexpr std::string_view bias_row_name = "bias.basis_row";
inline constexpr std::string_view bias_val_name = "bias.basis_val";
/// Over fields larger than Q: the integral coordinates of the values.
inline constexpr std::string_view basis_coordinates_name = "weight.basis_coordinates";
inline constexpr std::string_view bias_coordinates_name = "bias.basis_coordinates";
inline constexpr std::array sparse_array_names = {
    basis_ptr_name, basis_row_name, basis_col_name,         basis_val_name,       bias_ptr_name,
    bias_row_name,  bias_val_name,  basis_coordinates_name, bias_coordinates_name};

/// Integers up to this are exact in F64, and so are their neighbours.
inline constexpr std::int64_t max_float_value = std::int64_t{1} << 53;

/// The values of one array as the digest runs over them. Over Q: F64 if all of them fit, otherwise the decimal numbers,
/// each with a line feed behind it. Over larger fields: the nearest F64, and the coordinates as I64.
class SparseValues {
 public:
  /// \throws LimitError for coordinates above 2^62 in absolute value over a field that is not Q.
  SparseValues(const AbelianField& field, const IntegerMatrix& values, const Task& task);
  /// The first value above 2^53, if there is one.
  std::optional<std::size_t> first_too_large() const { return too_large_; }
  std::span<const std::byte> contents() const;
  std::span<const std::byte> coordinates() const { return std::as_bytes(std::span(coordinates_)); }

 private:
  std::vector<double> floats_;
  std::vector<std::int64_t> coordinates_;  ///< f x entries, row-major; none over Q
  std::string text_;
  std::optional<std::size_t> too_large_;
};

/// The arrays of a table with `entries` of the weight and `bias_entries` over a field of this degree, without contents,
/// in the order of the data section.
std::vector<PlannedArray> planned_sparse_arrays(const TableFrame& frame, std::uint64_t entries,
                                                std::uint64_t bias_entries, std::uint64_t degree);

/// The arrays of a table and the digest of their contents. The contents point into the table and into this
/// object; they do not have the planned size where values do not fit F64.
class SparseArrays {
 public:
  SparseArrays(const SparseTable& table, const Task& task);
  SparseArrays(const SparseArrays&) = delete;
  SparseArrays& operator=(const SparseArrays&) = delete;
  const std::vector<PlannedArray>& arrays() const { return arrays_; }
  const SparseValues& values() const { return values_; }
  const SparseValues& bias_values() const { return bias_values_; }
  std::string digest() const;

 private:
  SparseValues values_, bias_values_;
  std::vector<PlannedArray> arrays_;
};

/// \throws DomainError if the parts of the table disagree; LimitError if it is too large for the format.
void require_consistent(const SparseTable& table, const Task& task);

/// The field of which the metadata (keys without the prefix) name the generator; Q if they name none.
/// \throws FileError naming the file `name`.
AbelianField field_from_metadata(const Metadata& metadata, const std::string& name);

/// Every key of the file with its prefix, without the digest.
Metadata file_metadata(const SparseTable& table);

}  // namespace intertwine
