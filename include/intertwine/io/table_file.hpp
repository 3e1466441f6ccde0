// Files of weight-tying tables: safetensors (primary), NPZ, JSON and a C++ header. DESIGN of the format:
// docs/formats.md.
//
// Writing is atomic: a temporary file beside the target, flushed and renamed; on an error, or when a writer
// is destroyed unfinished, nothing is left. Reading treats the file as hostile: every size, offset, dtype,
// index, string is checked before it is used, and nothing is allocated on the word of the file alone.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

enum class TableFormat { safetensors, npz, json, cpp_header };

/// By the extension: .safetensors, .npz, .json, .hpp or .h. \throws DomainError naming the known ones.
TableFormat table_format(const std::filesystem::path& path);

/// What a table file holds: codes of tied entries (TableFile), or a general sparse basis (read_sparse_table()).
enum class TableKind { signed_orbit, sparse_basis };

/// What the metadata of a file say that it holds; its arrays are neither read nor checked (a JSON file is parsed
/// as a whole). \throws FileError if it is no table file, or one of another version or kind.
TableKind table_kind(const std::filesystem::path& path);

/// Writes one table whose rows arrive in any order, from one thread at a time. Memory: O(cols) and O(rows +
/// params) for the header, for any table size (the C++ header and JSON formats hold small tables only, see
/// open_table_writer()).
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// `codes` as a RowSink gets them. Rows that follow each other are gathered into large writes.
  /// \throws FileError (disk full, ...) naming the file; DomainError for a row twice, of another length or
  /// with a code above 2P.
  virtual void write_row(std::uint64_t row, std::span<const std::byte> codes) = 0;
  /// Completes the file and puts it in place; returns the sha256 of the data section as 64 hex digits. One
  /// sequential pass over the file. \throws FileError; DomainError if rows are missing or the codes do not
  /// occur as often as header.orbit_size says: what a reader would refuse is not written.
  virtual std::string finish() = 0;
};

/// The header must outlive the writer (it can be large, and is not copied).
/// \throws FileError if the file cannot be created; DomainError if the header is inconsistent; LimitError if
/// the format cannot hold the table (JSON: 1048576 entries; C++ header: 1 MiB of arrays).
std::unique_ptr<TableWriter> open_table_writer(const std::filesystem::path& path, TableFormat format,
                                               const TableHeader& header, const Task& task = {});

/// Writes a table in memory, in the format of the path's extension; returns the sha256 of its data section.
/// The digest is the same in every format.
std::string write_table(const std::filesystem::path& path, const TiedTable& table, const Task& task = {});

/// An open table file, validated: safetensors, NPZ or JSON, told apart by its first bytes. Safe to read from
/// many threads. Memory: the header (O(rows + params)), and the table only for JSON.
class TableFile : public CodeRows {
 public:
  /// Reads the whole file once, to check it: about a second a GB.
  /// \throws FileError with the reason: unreadable, truncated, damaged (sha256), inconsistent, another major
  /// version, a sparse basis; LimitError if the header needs more memory than the task allows.
  static std::unique_ptr<TableFile> open(const std::filesystem::path& path, const Task& task = {});
  /// All metadata included. orbit_size and bias_code are checked to be of the stated shape; codes to be in
  /// range.
  virtual const TableHeader& header() const = 0;
  /// The sha256 of the data section, recomputed and found equal to the stated one.
  virtual const std::string& sha256() const = 0;
  /// The codes of `count` rows from `first` on, as the file has them: count * cols * code_bytes(params)
  /// bytes, row-major, little-endian. The codes are checked again to be in range. \throws DomainError for
  /// rows that are not there or another size of `out`; FileError if the file changed since it was opened.
  virtual void codes(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const = 0;
};

/// A whole table file in memory. \throws as TableFile::open; LimitError if the task does not allow the
/// memory.
TiedTable read_table(const std::filesystem::path& path, const Task& task = {});

/// Writes text to a file atomically. \throws FileError.
void write_file(const std::filesystem::path& path, std::string_view contents);

/// Reads a whole text file. \throws FileError, also when it is larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = 256U << 20);

/// Removes the temporary files of unfinished writers. Safe to call from a signal handler; only for one that
/// ends the process, since the writers are not told. Exceptions need no help: the writers' destructors do the
/// same.
void discard_unfinished_files() noexcept;

}  // namespace intertwine
