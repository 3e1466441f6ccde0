// Matrices of exact numbers from text and JSON of strangers.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "intertwine/exact/matrix.hpp"

namespace intertwine {

/// What is wrong with a matrix in JSON, and where: "row 2, entry 1 is no exact number: ...". Thrown to be caught by a
/// reader that knows the file.
struct MatrixFault {
  std::string text;
};

/// The entries, row by row, as a matrix. \throws LimitError if the common denominator is so large that the matrix
/// would take more than 1 GiB.
RationalMatrix matrix_of_entries(std::size_t rows, std::size_t cols, const std::vector<Rational>& entries);

/// A list of `dimension` rows of `dimension` exact numbers each: strings "p" or "p/q", or integers.
/// \throws MatrixFault
RationalMatrix rational_matrix_from_json(const nlohmann::json& rows, std::size_t dimension);

/// A list of rows of whole numbers from 0 to q - 1, square. \throws MatrixFault
std::vector<std::vector<std::uint32_t>> field_matrix_from_json(const nlohmann::json& rows, std::uint32_t q);

}  // namespace intertwine
