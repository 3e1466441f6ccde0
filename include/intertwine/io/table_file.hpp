// Files of weight-tying tables: safetensors (primary), NPZ, JSON and a C++ header. DESIGN of the format:
// docs/formats.md.
//
// Writing is atomic: a temporary file beside the target, flushed and renamed; on an error, or when a writer
// is destroyed unfinished, nothing is left. Reading treats the file as hostile: every size, offset, dtype,
// index, string is checked before it is used, and nothing is allocated on the word of the file alone.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

enum class TableFormat { safetensors, npz, json, cpp_header };

/// By the extension: .safetensors, .npz, .json, .hpp or .h. \throws DomainError naming the known ones.
TableFormat table_format(const std::filesystem::path& path);

/// Writes one table whose rows arrive in any order. Memory: O(cols) besides the header, for any table size
/// (the C++ header and JSON formats refuse what they cannot hold, see open()).
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// `codes` as a RowSink gets them. \throws FileError (disk full, ...) naming the file.
  virtual void write_row(std::uint64_t row, std::span<const std::byte> codes) = 0;
  /// Completes the file and puts it in place; returns the sha256 of the data section as 64 hex digits.
  virtual std::string finish() = 0;
};

/// \throws FileError if the file cannot be created; LimitError if the format cannot hold the table (C++
/// header: 1 MB).
std::unique_ptr<TableWriter> open_table_writer(const std::filesystem::path& path, TableFormat format,
                                               const TableHeader& header, const Task& task = {});

/// Writes a table in memory; returns the sha256 of its data section.
std::string write_table(const std::filesystem::path& path, const TiedTable& table, const Task& task = {});

/// An open table file, validated: safetensors, NPZ or JSON, told apart by its first bytes.
class TableFile : public CodeRows {
 public:
  /// \throws FileError with the reason: unreadable, truncated, damaged (sha256), inconsistent, another major
  /// version.
  static std::unique_ptr<TableFile> open(const std::filesystem::path& path, const Task& task = {});
  /// All metadata included. orbit_size and bias_code are checked to be of the stated shape; codes to be in
  /// range.
  virtual const TableHeader& header() const = 0;
  /// The sha256 of the data section, recomputed and found equal to the stated one.
  virtual const std::string& sha256() const = 0;
};

/// Writes text to a file atomically. \throws FileError.
void write_file(const std::filesystem::path& path, std::string_view contents);

/// Reads a whole text file. \throws FileError, also when it is larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = 256U << 20);

}  // namespace intertwine
