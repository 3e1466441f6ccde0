// The text forms of a table: JSON, which is read back, and C++ headers.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "table_metadata.hpp"

namespace intertwine {

/// Entries that the text forms hold, and bytes of a JSON file that is read.
inline constexpr std::uint64_t max_json_entries = std::uint64_t{1} << 20;
inline constexpr std::uint64_t max_json_bytes = std::uint64_t{64} << 20;

/// An array as a JSON list, of lists if it has two dimensions. `bytes` are its contents. F64 are written with as many
/// digits as give the same double again.
std::string json_list(const PlannedArray& array, std::span<const std::byte> bytes);

/// The document: the metadata, then the arrays by name with their text.
std::string json_document(const Metadata& metadata, std::span<const std::pair<std::string, std::string>> arrays);

/// The document of a file `name`, and the metadata of one. \throws FileError.
nlohmann::json parse_json_document(std::string_view text, const std::string& name);
Metadata metadata_of(const nlohmann::json& document, const std::string& name);

/// The list under a name. \throws FileError if it is missing, no list or longer than max_json_entries.
const nlohmann::json& json_list_of(const nlohmann::json& document, std::string_view array, const std::string& name);

/// Appends the numbers of an array to `out`, as they would lie in the data section. \throws FileError for
/// a missing list, another shape, and integers that are negative or too large.
void read_json_list(const nlohmann::json& document, const PlannedArray& array, const std::string& name,
                    std::vector<std::byte>& out);

/// The table as a C++ header with constexpr arrays of tied entries; beyond `max_cpp_header_bytes` the header only
/// declares arrays.
inline constexpr std::uint64_t max_cpp_header_bytes = std::uint64_t{1} << 20;
std::string cpp_header_table(const WeightBlock& table, std::span<const PlannedArray> arrays, const std::string& sha256,
                             const std::filesystem::path& path);

/// The assembler file that defines what such a header `name` declares, from the arrays in `name`.safetensors.
std::string cpp_header_assembly(std::span<const StoredArray> arrays, const std::string& name);

/// A namespace for a file: its name without extension, as an identifier that is no keyword and not reserved.
std::string identifier_for(std::string_view stem);

}  // namespace intertwine
