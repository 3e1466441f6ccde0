// Sym^k and Lambda^k of a general matrix, column by column.
#pragma once
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// Which power, of matrices of which size.
struct PowerOfMatrices {
  std::size_t n;
  unsigned k;  ///< at least 1
  bool symmetric;
};

/// The matrix of Sym^k A (or Lambda^k A) on the monomials (wedges) in lexicographic order, A being n x n.
///
/// The column of e_{i1} ... e_{ik} is the product of k linear forms; the products of the first j of them are shared
/// by all lists that begin alike. Cost: for every list of length j <= k one product of the form with j - 1 factors
/// by a linear one, so at most k C^2 n small steps with C = C(n + k - 1, k), fewer where A has zeros. Arithmetic of
/// 64 bits, of any size once that overflows. \throws LimitError if the tables would exceed 2^29 entries.
RationalMatrix power_matrix(const PowerOfMatrices& power, const RationalMatrix& A);
/// The matrix of the power over a number field, in arithmetic of its elements.
FieldMatrix power_matrix(const PowerOfMatrices& power, const FieldMatrix& A);

/// power_matrix(A) X, or its transpose times X, a few hundred columns of it at a time.
RationalMatrix apply_power(const PowerOfMatrices& power, const RationalMatrix& A, const RationalMatrix& X,
                           bool transposed);

}  // namespace intertwine
