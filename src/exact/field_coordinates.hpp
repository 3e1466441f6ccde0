// Coordinates of matrices over number fields, entry by entry, and modulo split primes.
#pragma once
#include <span>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// The coordinates of 1, b, ..., b^(count - 1) in K as rows, b given by its own.
RationalMatrix powers(const AbelianField& K, std::span<const Rational> b, std::size_t count);
/// The matrix whose row t has the coordinates of c a^t.
RationalMatrix multiplication(const AbelianField& K, std::span<const Rational> c);

/// Row i cols + j: the coordinates of entry (i, j).
RationalMatrix entry_coordinates(const FieldMatrix& A);
/// The way back.
FieldMatrix from_entry_coordinates(const AbelianField& K, const RationalMatrix& E, std::size_t rows,
                                   std::size_t cols);
/// The matrix over K whose entries have the coordinates x T, x those of A's entries.
FieldMatrix transformed(const FieldMatrix& A, const AbelianField& K, const RationalMatrix& T);

/// a x for every row x, the coordinates at a^l in columns l n, ..., l n + n - 1.
IntegerMatrix times_generator(const IntegerMatrix& rows, const AbelianField& K);
/// The rows in this form times 1, a, ..., a^(m-1), one list below the other.
IntegerMatrix times_powers(const IntegerMatrix& rows, const AbelianField& K);

/// Prime number k of those that are best for elimination in matrices of this size: small ones, where there are as many and doubles pay.
AbelianField::SplitPrime elimination_prime(const AbelianField& K, std::size_t k, std::size_t rows,
                                           std::size_t cols);

/// Columns that are independent over K: the first that are so modulo one prime, which nearly every prime shows to be the first over K.
std::vector<std::size_t> independent_columns(const FieldMatrix& A);

/// sum A_t root^t for coefficients [A_0 | A_1 | ...] modulo p.
ModularMatrix evaluated(const ModularMatrix& coefficients, std::size_t cols,
                        const AbelianField::SplitPrime& prime, std::size_t embedding);
/// The images under all embeddings; nothing if p divides the denominator.
std::optional<std::vector<ModularMatrix>> images(const FieldMatrix& A, const AbelianField::SplitPrime& prime);

}  // namespace intertwine
