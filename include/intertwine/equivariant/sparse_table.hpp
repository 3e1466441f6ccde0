// A general basis as a table: what a numeric layer and a file need of an equivariant basis whose elements are
// not tied entries, and nothing of groups. Kind `sparse-basis` of the file format.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/matrix.hpp"

namespace intertwine {

/// W = sum_k theta_k B_k with sparse B_k: B_k has the value value[e] at (row[e], col[e]) for start[k] <= e <
/// start[k + 1], in row-major order. The bias likewise. 0-based.
struct SparseTable {
  std::uint64_t rows = 0;         ///< M, the output dimension of the site pattern
  std::uint64_t cols = 0;         ///< N, the input dimension
  std::uint64_t params = 0;       ///< P
  std::uint64_t bias_params = 0;  ///< Q
  std::uint64_t multiplicity_in = 1;
  std::uint64_t multiplicity_out = 1;
  std::vector<std::int64_t> start;              ///< [P + 1]
  AbelianField field;                           ///< Q or real, of degree f
  std::vector<std::int32_t> row, col;           ///< [entries]
  IntegerMatrix value{1, 0};                    ///< f x entries: coordinates in the field, no column zero
  std::vector<std::int64_t> bias_start;         ///< [Q + 1]
  std::vector<std::int32_t> bias_row;           ///< [bias entries]
  IntegerMatrix bias_value{1, 0};               ///< f x bias entries, no column zero
  std::map<std::string, std::string> metadata;  ///< as in TableHeader
};

/// The number with the coordinates in column e.
Cyclotomic value_of(const AbelianField& field, const IntegerMatrix& coordinates, std::size_t e);
/// The doubles nearest to the values with these coordinates. \throws DomainError unless the field is real.
std::vector<double> real_values(const AbelianField& field, const IntegerMatrix& coordinates);

}  // namespace intertwine
