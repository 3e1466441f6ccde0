// What every form of the table file shares: the arrays, their order, the metadata. DESIGN of the format:
// docs/formats.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/equivariant/tied_table.hpp"

namespace intertwine {

inline constexpr std::string_view weight_code_name = "weight.code";
inline constexpr std::string_view orbit_size_name = "weight.orbit_size";
inline constexpr std::string_view bias_code_name = "bias.code";

/// Every integer in a file is little-endian; arrays are handed over as they lie in memory.
enum class Dtype : std::uint8_t { u8, i32, i64 };
unsigned item_bytes(Dtype dtype);
std::string_view dtype_name(Dtype dtype);  ///< "U8", "I32", "I64"

/// One array of a table that is to be written.
struct PlannedArray {
  std::string_view name;
  Dtype dtype = Dtype::u8;
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;
  std::span<const std::byte>
      contents;  ///< empty for weight.code, whose rows come later; else points into the header
};

/// The arrays in the order of the data section: larger items first (so that all are aligned), then by name.
std::vector<PlannedArray> planned_arrays(const TableHeader& header);

/// \throws DomainError if the parts of the header disagree; LimitError if it is too large for the format.
void require_consistent(const TableHeader& header);

/// Every key of the file with its prefix. `sha256` is 64 characters, so the length does not depend on it.
std::map<std::string, std::string> file_metadata(const TableHeader& header, const std::string& sha256);

/// 64 characters in place of the digest while it is not known.
std::string unknown_sha256();

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
  std::map<std::string, std::string> metadata;  ///< full keys; other writers' keys as well
  std::vector<StoredArray> arrays;              ///< in the order in which the sha256 runs over them
};

/// The header that the metadata states, without orbit_size and bias_code. \throws FileError naming the file
/// `name`.
TableHeader header_from_metadata(const std::map<std::string, std::string>& metadata, const std::string& name);

/// The digest that the metadata states. \throws FileError.
std::string stated_sha256(const std::map<std::string, std::string>& metadata, const std::string& name);

/// a * b, or the largest number if that does not fit: sizes are compared, never wrapped.
std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b);

}  // namespace intertwine
