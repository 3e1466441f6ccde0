// Table files of every kind as wholes: opened and checked for damage, or written with their digest.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "atomic_file.hpp"
#include "byte_source.hpp"
#include "file_layout.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/tables/sha256.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A table file taken apart: where its arrays lie in `source`, or the document if it is JSON.
struct TableContainer {
  std::unique_ptr<ByteSource> source;
  StoredTable stored;                        ///< the stored table; for JSON its metadata only
  std::unique_ptr<nlohmann::json> document;  ///< the document, for JSON only
};

/// Opens a file as what its first bytes say. \param names  the arrays that are wanted of an NPZ file.
/// \throws FileError.
TableContainer open_container(const std::filesystem::path& path, std::span<const std::string_view> names,
                              const Task& task = {});

/// Gives a JSON table the arrays that are wanted, and those of its proof, as the data section would hold them: `source` and `stored` are
/// as those of a binary file then, and `document` is gone. \throws FileError.
void lay_out_document(TableContainer& container, std::span<const PlannedArray> arrays,
                      std::span<const PlannedArray> proof);

/// Makes the weight codes U16 where these hold them and memory has I32, as binary files have them since version 1.2; says whether
/// it did. Their contents are not there then.
bool shorten_codes(std::vector<PlannedArray>& arrays, std::uint64_t params);
/// Codes of two bytes as those of four, which the digest is of.
std::vector<std::int32_t> widened(std::span<const std::byte> codes);

/// A whole file of a binary format in memory, of arrays with their contents. \throws as BinaryFile
std::string file_bytes(TableFormat format, const Metadata& metadata, const std::vector<PlannedArray>& arrays);

/// Sees the contents of an array piece by piece; those of U16 widened.
using ContentsSink = std::function<void(const StoredArray& array, std::span<const std::byte> part)>;

/// One pass over these arrays of a file: their digest in this order. \throws FileError for wrong checksums.
std::string digest_of(const ByteSource& source, std::span<const StoredArray> arrays, const ContentsSink& sink,
                      const Task& task);
/// The digest, as digest_of() finds it. \throws FileError also for a digest that is not the one that the metadata
/// state.
std::string checked_digest(const ByteSource& source, const Metadata& metadata, std::span<const StoredArray> arrays,
                           const ContentsSink& sink, const Task& task);

/// The items of one array.
template <class Item>
std::vector<Item> load_array(const ByteSource& source, const StoredArray& array) {
  std::vector<Item> out(array.bytes / sizeof(Item));
  source.read(array.offset, std::as_writable_bytes(std::span(out)));
  return out;
}

/// A safetensors or NPZ file that is being written. Arrays without contents are written piece by piece, in any
/// order; finish() does the rest.
class BinaryFile {
 public:
  /// The contents of `arrays` must outlive the object. \throws FileError; LimitError for metadata that the
  /// container cannot hold.
  BinaryFile(const std::filesystem::path& path, TableFormat format, const Metadata& metadata,
             std::vector<PlannedArray> arrays, const Task& task);
  /// The place in the file where an array begins.
  std::uint64_t offset_of(std::string_view array) const;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) { file_.write_at(offset, bytes); }
  /// Completes the file and puts it in place; returns the digest of its data section. \param whole  of a file of blocks: the digest of all from
  /// those of the data sections of the blocks, by the prefix of their names, which the metadata then state as well
  std::string finish(const std::function<std::string(const std::map<std::string, std::string>&)>& whole = {});

 private:
  std::uint32_t checksum(std::uint32_t before, std::span<const std::byte> bytes) const;
  std::uint32_t add_written(const PlannedArray& array, std::uint64_t offset, Sha256& sha256) const;

  Metadata metadata_;
  std::vector<PlannedArray> arrays_;
  FileLayout layout_;
  Task task_;
  AtomicFile file_;
};

}  // namespace intertwine
