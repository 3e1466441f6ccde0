// Products of matrices of small integers in double precision: exact as long as no sum of products leaves the integers
// that doubles hold, and many times faster than products of words modulo a prime or of integers one by one.
#pragma once
#include <cstddef>

namespace intertwine {

/// Integers up to this size are doubles, and so are all sums on the way to one.
inline constexpr unsigned double_bits = 53;

/// C += A B for row-major matrices, C m x n, A m x k, B k x n; `lda` is the distance of the rows of A, likewise the
/// others. Exact if the entries are integers and |C| + |A| |B| stays below 2^53 everywhere.
void add_double_product(std::size_t m, std::size_t n, std::size_t k, const double* A, std::size_t lda, const double* B,
                        std::size_t ldb, double* C, std::size_t ldc);

}  // namespace intertwine
