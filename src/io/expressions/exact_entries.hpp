// Matrices of exact numbers from text and JSON of strangers.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A fault of a matrix in JSON, and its place: "row 2, entry 1 is no exact number: ...". Thrown to be caught by a
/// reader that knows the file.
struct MatrixFault {
  std::string text;
};

/// The entries, row by row, as a matrix. \throws LimitError if the common denominator is so large that the matrix
/// would take more than 1 GiB.
RationalMatrix matrix_of_entries(std::size_t rows, std::size_t cols, const std::vector<Rational>& entries);

/// The entries as a matrix over the field that they generate. \throws LimitError likewise, and for fields of large
/// degree.
FieldMatrix matrix_of_entries(std::size_t rows, std::size_t cols, const std::vector<Cyclotomic>& entries);

/// A list of `dimension` rows of `dimension` exact numbers each: strings "p", "p/q" or "E(5)+E(5)^4", integers, or
/// {"n": 5, "c": [["1", 1], ["1", 4]]}, as the program's JSON answers write cyclotomic numbers.
/// \throws MatrixFault
FieldMatrix matrix_from_json(const nlohmann::json& rows, std::size_t dimension, const Task& task);
/// A list of rows with rational entries only. \throws MatrixFault
RationalMatrix rational_matrix_from_json(const nlohmann::json& rows, std::size_t dimension, const Task& task);

/// One such number; nothing if it is none. \throws LimitError for conductors above Cyclotomic::max_conductor.
std::optional<Cyclotomic> cyclotomic_from_json(const nlohmann::json& value, const Task& task);

/// A list of rows of whole numbers from 0 to q - 1, square. \throws MatrixFault
std::vector<std::vector<std::uint32_t>> field_matrix_from_json(const nlohmann::json& rows, std::uint32_t q);

}  // namespace intertwine
