// Exact matrices as JSON: a list of rows, numbers as strings ("3", "-5/2", "E(5)+E(5)^4") or integers.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads [["1", "-1/2"], [0, 3]]. At most 2^22 entries in 256 MiB. The list [] is the 0 x 0 matrix.
/// \throws FileError naming the file, and the entry (0-based), if it is no such list: rows of different lengths,
/// other numbers than integers and strings (0.1 is written "1/10"), text that is no number.
RationalMatrix read_exact_matrix(const std::filesystem::path& path, const Task& task = {});
/// Reads a matrix of cyclotomic numbers: strings as parse_cyclotomic reads them, or {"n": 5, "c": [["1", 1], ["1",
/// 4]]}. Over the smallest field. \throws as read_exact_matrix; LimitError for more than 2^25 coordinates over a field
/// larger than Q.
FieldMatrix read_field_matrix(const std::filesystem::path& path, const Task& task = {});

/// The text of such a file, a row a line, every number a string.
std::string exact_matrix_json(const FieldMatrix& A);

}  // namespace intertwine
