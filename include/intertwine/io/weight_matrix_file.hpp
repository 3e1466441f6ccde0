// Weight matrices of users: read, symmetrized, written.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/equivariant/symmetrizer.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A matrix from a file: exact, or in double precision and row-major.
struct WeightMatrix {
  std::variant<FieldMatrix, std::vector<double>> values;
  bool single = false;  ///< the file held float32
};

/// Reads a matrix of this shape from .npy (float32 or float64; with `exact` the fractions that these numbers are) or .json (rows of
/// exact numbers, read_field_matrix). \throws FileError as read_npy and read_field_matrix; DomainError for another extension,
/// another shape, or an entry that is not finite.
WeightMatrix read_weight_matrix(const std::filesystem::path& path, std::uint64_t rows, std::uint64_t cols, bool exact,
                                const Task& task = {});

/// Refuses before the work what the two functions here would refuse after it: files of other extensions than .npy and
/// .json, and .json where the result is not exact. \throws DomainError
void require_weight_files(const std::string& weights, std::span<const std::string> outputs, bool exact);

/// S(W) in each of the files: .npy, rounded if it is exact, as float32 if `single`; or .json. \throws FileError; DomainError before
/// anything is written where a .npy file would have to hold numbers that are not real
void write_weight_matrix(std::span<const std::string> files, const Symmetrization& result, bool single);

/// The entries in columns that line up.
std::string matrix_text(const Symmetrization& result);

}  // namespace intertwine
