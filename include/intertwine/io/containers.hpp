// Table files as they are: safetensors (primary), NPZ, JSON and a C++ header, and plain files. DESIGN of the format:
// docs/formats.md. Needs nothing of the exact side; table_file.hpp adds what takes exact arithmetic.
//
// Writing is atomic: a temporary file beside the target, flushed and renamed; on an error nothing is left. Reading treats
// the file as hostile: every size, offset, dtype, index, string is checked before it is used, and nothing is allocated on
// the word of the file alone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/tables/diagram_table.hpp"
#include "intertwine/tables/weight_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

enum class TableFormat { safetensors, npz, json, cpp_header };

/// By the extension: .safetensors, .npz, .json, .hpp or .h. \throws DomainError naming the known ones.
TableFormat table_format(const std::filesystem::path& path);
/// Has the file the extension of a table format?
bool is_table_name(const std::filesystem::path& path);

/// The contents that a file is to hold.
enum class TableContents {
  tied,   ///< one table of tied entries without a proof: all formats
  any,    ///< blocks, sparse bases, proofs, diagrams: not C++ headers
  large,  ///< more entries than text holds: binary containers
};
/// The extensions of the formats that hold such contents, one for each: ".safetensors", ".npz", ...
std::vector<std::string> table_extensions(TableContents contents);
/// ".safetensors, .npz or .json".
std::string listed_extensions(TableContents contents, std::string_view last = " or ");

/// \throws DomainError for the name of an HDF5 file, .h5 or .hdf5: Python alone reads and writes these, with h5py.
void refuse_hdf5_name(const std::filesystem::path& path);

/// The part of a table file that numeric layers need: safetensors, NPZ or JSON, told apart by its first bytes. As
/// read_table() of table_file.hpp, but that values over a field larger than Q are taken as the doubles that the file
/// states: that these are the nearest to the exact values is not checked, and exact values as text (JSON over such a
/// field, "p/q") are refused.
/// \throws as read_table
WeightTable read_numeric_table(const std::filesystem::path& path, const Task& task = {});

/// The kind that a file states, unchecked: "signed-orbit", "sparse-basis", "diagram", "blocks"; empty if it does not
/// say. \throws FileError for a file that is no table
std::string table_kind(const std::filesystem::path& path, const Task& task = {});

/// Writes a table of diagrams as .safetensors, .npz or .json; returns the digest of its data section (docs/formats.md).
/// \throws DomainError for another extension, and as require_consistent; FileError
std::string write_diagrams(const std::filesystem::path& path, const DiagramTable& table, const Task& task = {});
/// Reads one. \throws FileError, also for a table of another kind
DiagramTable read_diagrams(const std::filesystem::path& path, const Task& task = {});
/// The digest that a file of the table would have.
std::string digest(const DiagramTable& table);

/// Writes text to a file atomically. \throws FileError.
void write_file(const std::filesystem::path& path, std::string_view contents);
/// Writes to a file atomically the text that `write` sends to its stream, which keeps little of it.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

/// Reads a whole text file. \throws FileError, also when it is larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = 256U << 20);

/// Removes the temporary files of unfinished writers. Safe to call from a signal handler; only for one that
/// ends the process, since the writers are not told. Exceptions need no help: the writers' destructors do the
/// same.
void discard_unfinished_files() noexcept;

}  // namespace intertwine
