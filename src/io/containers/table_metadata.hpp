// The metadata of table files, and their arrays as they are stated: what every container shares.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/tables/data_section.hpp"
#include "intertwine/tables/diagram_table.hpp"
#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

/// Strings under keys: with the prefix "intertwine." in files, without it in tables.
using Metadata = std::map<std::string, std::string>;

/// \throws DomainError if the metadata cannot be written.
void require_writable_metadata(const WeightBlock& table);

/// In the place of a digest until it is known, so that lengths do not depend on it.
inline const std::string unknown_sha256(64, '0');

/// Every key of the file with its prefix; the digest is unknown_sha256.
Metadata file_metadata(const WeightBlock& table);
/// Every key of a table of diagrams.
Metadata file_metadata(const DiagramTable& table);
/// The keys of blocks, without those of each block, which are under block_key(prefix, key).
Metadata blocks_metadata(std::uint64_t parts_out, std::uint64_t parts_in);
/// "intertwine.block.0.1.rows" of "block.0.1." and "intertwine.rows", or of an empty key the beginning of all of them.
std::string block_key(const std::string& prefix, std::string_view key);
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

/// A table without arrays that has the kind, the sizes and the free metadata that a file states. \throws FileError naming the
/// file `name`, also for another format, version or an unknown kind.
WeightBlock table_from_metadata(const Metadata& metadata, const std::string& name);

/// A table of diagrams with these metadata, without its diagrams.
DiagramTable diagrams_from_metadata(const Metadata& metadata, const std::string& name);

/// The numbers of parts of the output and of the input of blocks.
bool states_blocks(const Metadata& metadata);
std::pair<std::uint64_t, std::uint64_t> parts_from_metadata(const Metadata& metadata, const std::string& name);

/// The digest that the metadata states. \throws FileError.
std::string stated_sha256(const Metadata& metadata, const std::string& name);

/// The array that is looked for. \throws FileError if it is missing or of another type, shape or size.
const StoredArray& require_array(const StoredTable& stored, const PlannedArray& planned, const std::string& name);

}  // namespace intertwine
