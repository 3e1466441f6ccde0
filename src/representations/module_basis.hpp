// Bases over K of lattices that a generator of K maps to themselves.
#pragma once
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Vectors of a lattice L in Z[a]^n, K = Q(a), a L in L, that are independent over K, as many as the rank of L over
/// Z[a], short ones first. Where they are found among the basis vectors and sums of two of them, they are a basis of L
/// over Z[a] at all small primes; otherwise they are only independent.
/// \param lattice  rows: a basis of L, short vectors; the coordinates at a^l are in columns l n, ..., l n + n - 1.
/// \return the vectors as rows in the same form.
IntegerMatrix module_basis(const IntegerMatrix& lattice, const AbelianField& K, const Task& task);

/// A basis of the K-span of d vectors as the columns of a matrix over K.
FieldMatrix columns_over(const AbelianField& K, const IntegerMatrix& rows);
/// a x for every row x.
IntegerMatrix times_generator(const IntegerMatrix& rows, const AbelianField& K);

}  // namespace intertwine
