// Files of weight tables, read and written with every number exact. DESIGN of the format: docs/formats.md.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/io/containers.hpp"
#include "intertwine/tables/weight_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Writes a table in the format of the path's extension; returns the sha256 of its data section as 64 hex digits, the same
/// in every format. Rows of codes are taken as they come (CodeRows::for_each_row), so that a table larger than memory can
/// be written; JSON and C++ headers hold small tables only. `order` and `sign_rule` are stated where they hold, unless
/// table.metadata has them.
/// \throws DomainError if the table is not consistent (require_consistent): what a reader would refuse is not written; also
///         for .hpp and .h, whose headers hold tied entries only;
///         LimitError if the format cannot hold the table (JSON: 1048576 entries, 64 MiB, values of 100000 digits; C++
///         header: 1 MiB of arrays; outside of JSON: integers above 2^53); FileError (disk full, ...) naming the file.
/// \par Cost  one pass over the codes or entries and one over the file. Memory: O(cols) and O(rows + params) beside the
///            table.
///         as require_fitting, for several blocks; DomainError for these in C++ headers; LimitError beyond 256.
std::string write_table(const std::filesystem::path& path, const WeightTable& table, const Task& task = {});

/// Reads a table: safetensors, NPZ or JSON, told apart by the first bytes. Everything is checked that write_table()
/// demands, and the digest. Codes stay in the file and are read on demand, from any number of threads, and checked again
/// to be in range; elements are in memory.
/// \throws FileError with the reason: unreadable, truncated, damaged (sha256), inconsistent, another major version, later
///         (while rows are read) also that the file has changed; LimitError if the task does not allow the memory.
/// \par Cost  about a second a GB of codes; two passes and 24 bytes an entry of elements.
WeightTable read_table(const std::filesystem::path& path, const Task& task = {});

}  // namespace intertwine
