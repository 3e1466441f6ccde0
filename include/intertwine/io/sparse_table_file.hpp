// Files of general sparse bases, kind `sparse-basis`: safetensors, NPZ and JSON. DESIGN of the format:
// docs/formats.md. Writing and reading are as in table_file.hpp: atomic, and hostile input is refused in words.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/equivariant/sparse_table.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Writes a basis in the format of the path's extension; returns the sha256 of its data section as 64 hex digits.
/// The digest is the same in every format, and does not depend on rows, cols and the multiplicities, which are
/// metadata. `order` and `sign_rule` are stated where they hold, unless table.metadata has them.
/// \throws DomainError if the parts of the table disagree: an element without entries, entries out of range or
///         not strictly increasing in row-major order, a value of 0; also for the extensions .hpp and .h, whose
///         headers hold tied tables only;
///         LimitError if the format cannot hold the table: values above 2^53 in absolute value outside of JSON,
///         more than 2^31 rows or columns, in JSON more than 1048576 entries (weights and bias together), 64 MiB
///         or values of more than 100000 digits; FileError (disk full, ...) naming the file.
/// \par Cost  one pass over the entries; in binary formats 8 bytes an entry of memory.
std::string write_sparse_table(const std::filesystem::path& path, const SparseTable& table,
                               const Task& task = {});

/// A whole file, checked: everything that write_sparse_table() demands, and the digest. The file is told apart by
/// its first bytes. `sha256` is set to the digest unless it is null.
/// \throws FileError with the reason: unreadable, truncated, damaged, inconsistent, values that are no finite
///         integers, a tied table; LimitError if the task does not allow the memory, or for more rows or columns than
///         write_sparse_table() allows.
/// \par Cost  two passes over the file; 24 bytes an entry of memory and what values above one word take.
SparseTable read_sparse_table(const std::filesystem::path& path, std::string* sha256 = nullptr,
                              const Task& task = {});

}  // namespace intertwine
