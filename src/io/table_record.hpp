// What every table file shares, whatever its kind and its container: arrays, their order, the metadata. DESIGN
// of the format: docs/formats.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/io/table_file.hpp"

namespace intertwine {

/// Every number in a file is little-endian; arrays are handed over as they lie in memory. Arrays of later types
/// come first in the data section, so that all are aligned.
enum class Dtype : std::uint8_t { u8, i32, f64, i64 };
unsigned item_bytes(Dtype dtype);
std::string_view dtype_name(Dtype dtype);  ///< as safetensors spells it: "U8", "I32", "F64", "I64"
std::string_view npy_descr(Dtype dtype);   ///< as NumPy spells it: "|u1", "<i4", "<f8", "<i8"
std::optional<Dtype> dtype_of_descr(std::string_view descr);

/// True if an array of type `a` with this name lies before the other one in the data section: by type, then by
/// name. Types of other writers come last.
bool earlier_in_section(std::string_view dtype_a, std::string_view name_a, std::string_view dtype_b,
                        std::string_view name_b);

/// One array of a table that is to be written, or that is looked for.
struct PlannedArray {
  std::string_view name;
  Dtype dtype = Dtype::u8;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> contents = {};  ///< empty where they come later or are not known
  std::uint64_t bytes = 0;                   ///< set by in_section_order
};

/// The arrays in the order of the data section, with their sizes (saturated).
std::vector<PlannedArray> in_section_order(std::vector<PlannedArray> arrays);

/// Strings under keys: with the prefix "intertwine." in files, without it in tables.
using Metadata = std::map<std::string, std::string>;

/// What the metadata of every kind say in numbers.
struct TableFrame {
  TableKind kind = TableKind::signed_orbit;
  std::uint64_t rows = 0, cols = 0, params = 0, bias_params = 0;
  std::uint64_t multiplicity_in = 1, multiplicity_out = 1;
};

/// The frame of a TableHeader or a SparseTable, and back.
template <class Table>
TableFrame frame_of(TableKind kind, const Table& table) {
  return {kind,
          table.rows,
          table.cols,
          table.params,
          table.bias_params,
          table.multiplicity_in,
          table.multiplicity_out};
}
template <class Table>
void set_frame(Table& table, const TableFrame& frame) {
  table.rows = frame.rows;
  table.cols = frame.cols;
  table.params = frame.params;
  table.bias_params = frame.bias_params;
  table.multiplicity_in = frame.multiplicity_in;
  table.multiplicity_out = frame.multiplicity_out;
}

/// \throws DomainError if the frame is empty or the metadata cannot be written; LimitError if the frame is too
/// large for the format.
void require_consistent_frame(const TableFrame& frame, const Metadata& metadata);

/// Every key of the file with its prefix. Keys of `usual` that the table does not have are added. The digest is
/// 64 zeros, so that the length does not depend on it.
Metadata file_metadata(const TableFrame& frame, const Metadata& metadata, const Metadata& usual);
Metadata with_sha256(Metadata file_metadata, const std::string& sha256);

/// One array as a file states it; its extent lies within the file.
struct StoredArray {
  std::string name;
  std::string dtype;  ///< as safetensors spells it; unknown ones are allowed in arrays that are not read
  std::vector<std::uint64_t> shape;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool has_crc = false;  ///< NPZ: the checksum of the zip entry, and of the bytes of it before the array
  std::uint32_t entry_crc = 0;
  std::uint32_t prefix_crc = 0;
};

/// A table file taken apart, before its contents are believed.
struct StoredTable {
  Metadata metadata;                ///< full keys; other writers' keys as well
  std::vector<StoredArray> arrays;  ///< in the order in which the sha256 runs over them
};

/// The frame that the metadata of a file state. \throws FileError naming the file `name`, also for another
/// format, version or an unknown kind.
TableFrame frame_from_metadata(const Metadata& metadata, const std::string& name);

/// The metadata that a frame does not say, under keys without the prefix.
Metadata free_metadata(const Metadata& metadata);

/// \throws FileError that says what the file holds instead, and what reads it.
void require_kind(const TableFrame& frame, TableKind kind, const std::string& name);

/// The digest that the metadata states. \throws FileError.
std::string stated_sha256(const Metadata& metadata, const std::string& name);

/// The array that is looked for. \throws FileError if it is missing or of another type, shape or size.
const StoredArray& require_array(const StoredTable& stored, const PlannedArray& planned,
                                 const std::string& name);

/// a * b, or the largest number if that does not fit: sizes are compared, never wrapped.
std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b);

}  // namespace intertwine
