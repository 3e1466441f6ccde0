// The container zip [PKWARE APPNOTE 6.3]: what NPZ needs of it. Entries are written stored, and read stored or deflated.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "byte_source.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// One entry to be written: its name and the length of its contents.
struct ZipEntry {
  std::string name;
  std::uint64_t bytes = 0;
};

/// The structures around the contents of entries that lie one after the other from byte 0.
/// Entries or files of 4 GiB and more get zip64 fields; `force_zip64` gives them to all.
class ZipLayout {
 public:
  explicit ZipLayout(std::vector<ZipEntry> entries, bool force_zip64 = false);
  std::uint64_t header_offset(std::size_t k) const { return header_offset_[k]; }
  std::uint64_t contents_offset(std::size_t k) const { return contents_offset_[k]; }
  std::uint64_t size() const { return size_; }
  std::uint64_t directory_offset() const { return directory_offset_; }
  std::string local_header(std::size_t k, std::uint32_t crc) const;
  /// The central directory and what follows it, to the end of the file.
  std::string directory(const std::vector<std::uint32_t>& crcs) const;

 private:
  bool wide(std::size_t k) const;
  std::vector<ZipEntry> entries_;
  std::vector<std::uint64_t> header_offset_, contents_offset_;
  std::uint64_t directory_offset_ = 0, size_ = 0;
  bool force_zip64_;
};

/// An entry of a zip file that was read, and its extent within the file.
struct ZipMember {
  std::string name;
  std::uint64_t offset = 0;        ///< the offset of the contents
  std::uint64_t bytes = 0;         ///< the bytes of the contents, unpacked
  std::uint64_t stored_bytes = 0;  ///< the bytes that the contents take in the file
  bool compressed = false;
  std::uint32_t crc = 0;  ///< the checksum of the unpacked contents
};

/// The members in the order in which they lie. Every byte of the file belongs to exactly one structure.
/// \throws FileError for anything else: encrypted, overlapping, inconsistent or truncated files.
std::vector<ZipMember> parse_zip(const ByteSource& source);
/// The entries of the file, unpacked, as a file in memory; nothing if none was compressed.
/// \throws FileError as parse_zip, and for entries that do not unpack to what they state; LimitError for memory
std::unique_ptr<ByteSource> unpacked_zip(const ByteSource& source, const Task& task = {});

}  // namespace intertwine
