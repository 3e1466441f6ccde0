// Bases over K of lattices that a generator of K maps to themselves.
#pragma once
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Vectors of a lattice L in Z[a]^n, K = Q(a), a L in L, that are a basis of L over Z[a] where one was found, and
/// otherwise independent over K, as many as the rank of L over Z[a]. For a field of degree 3 and more: a basis over the integers of K of a multiple of the
/// lattice that L generates over these, where one was found.
///
/// \par Method  Short vectors that are part of a basis at all small primes are taken first. Over quadratic fields they span a
///              sublattice of small index, which is enlarged by one prime ideal after the other, where these are principal and of
///              degree 1. Over larger ones, where length is measured under all embeddings, all but the last are taken, and that is
///              completing_vector().
/// \param lattice  rows: a basis of L, short vectors; the coordinates at a^l are in columns l n, ..., l n + n - 1.
/// \return the vectors as rows in the same form.
IntegerMatrix module_basis(const IntegerMatrix& lattice, const AbelianField& K, const Task& task);

/// A basis of the K-span of d vectors as the columns of a matrix over K.
FieldMatrix columns_over(const AbelianField& K, const IntegerMatrix& rows);

}  // namespace intertwine
