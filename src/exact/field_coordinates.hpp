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
FieldMatrix from_entry_coordinates(const AbelianField& K, const RationalMatrix& E, std::size_t rows, std::size_t cols);
/// The matrix over K whose entries have the coordinates x T, x those of A's entries.
FieldMatrix transformed(const FieldMatrix& A, const AbelianField& K, const RationalMatrix& T);

/// sum A_t root^t for coefficients [A_0 | A_1 | ...] modulo p.
ModularMatrix evaluated(const ModularMatrix& coefficients, std::size_t cols, const AbelianField::SplitPrime& prime,
                        std::size_t embedding);

}  // namespace intertwine
