// The JSON form of a table: the same metadata and arrays, as text.
#pragma once
#include <string>

#include "byte_source.hpp"
#include "table_record.hpp"

namespace intertwine {

/// Entries that the text forms hold.
inline constexpr std::uint64_t max_json_entries = std::uint64_t{1} << 20;

/// The document. `weight` are the codes as they lie in the data section.
std::string json_table(const TableHeader& header, std::span<const std::byte> weight,
                       const std::string& sha256);

/// Reads the document and lays its arrays out as the data section would be. \throws FileError.
struct JsonTable {
  StoredTable table;
  std::vector<std::byte> data;
};
JsonTable parse_json_table(std::string_view text, const std::string& name);

/// As a C++ header with constexpr arrays; at most `max_header_bytes` of them.
inline constexpr std::uint64_t max_header_bytes = std::uint64_t{1} << 20;
std::string cpp_header_table(const TableHeader& header, std::span<const std::byte> weight,
                             const std::string& sha256, const std::string& file_name);

/// A namespace for a file: its name without extension, as an identifier that is no keyword and not reserved.
std::string identifier_for(std::string_view stem);

}  // namespace intertwine
