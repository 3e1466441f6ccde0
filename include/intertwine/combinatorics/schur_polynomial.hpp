// Values of Schur polynomials: at numbers, at the eigenvalues of a matrix, and from power sums.
#pragma once
#include <span>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// s_lambda(x_1, ..., x_n), the trace of S_lambda(diag(x_1, ..., x_n)); 0 if lambda has more than n rows.
///
/// \par Method   complete (or, for tall lambda, elementary) symmetric polynomials by one pass over the numbers, then
///               the Jacobi-Trudi determinant with as many rows as lambda has rows (columns).
/// \throws LimitError if lambda has more than 1000 rows and columns, or a weight above 10^6.
/// \par Example  schur_polynomial({2, 1}, {1, 1, 1}) = 8
Rational schur_polynomial(const Partition& lambda, std::span<const Rational> x, const Task& task = {});
Cyclotomic schur_polynomial(const Partition& lambda, std::span<const Cyclotomic> x, const Task& task = {});

/// s_lambda from the power sums p_1, p_2, ...: p[k - 1] = p_k. Newton's identities, then the determinant as above.
/// \throws DomainError if fewer power sums are given than the longest hook of lambda has cells; LimitError as above.
Rational schur_from_power_sums(const Partition& lambda, std::span<const Rational> p, const Task& task = {});
Cyclotomic schur_from_power_sums(const Partition& lambda, std::span<const Cyclotomic> p, const Task& task = {});

/// s_lambda of the eigenvalues of A, which is the trace of S_lambda(A): from the traces of the powers of A, so that no
/// eigenvalue and no matrix S_lambda(A) is formed. \throws DomainError unless A is square; LimitError as above.
/// \par Cost  about 2 sqrt(h) products of matrices, h the longest hook of lambda.
Rational schur_at_eigenvalues(const Partition& lambda, const RationalMatrix& A, const Task& task = {});

/// The power sums tr A, tr A^2, ..., tr A^count. \throws DomainError unless A is square.
std::vector<Rational> traces_of_powers(const RationalMatrix& A, std::size_t count, const Task& task = {});

}  // namespace intertwine
