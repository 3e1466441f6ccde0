// Bases over K of lattices that a generator of K maps to themselves.
#pragma once
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Vectors of a lattice L in Z[a]^n, K = Q(a), a L in L: a basis, over the integers of K, of L or of a multiple of the lattice that L generates over these,
/// where one was found; otherwise vectors independent over K, as many as the rank. There is no basis where the module is not free.
///
/// \par Method  All but the last come from module_flag(); the last generates the quotient by their span, an ideal, if that is principal.
/// \param lattice  rows: a basis of L, short vectors; the coordinates at a^l are in columns l n, ..., l n + n - 1.
/// \return the vectors as rows in the same form.
IntegerMatrix module_basis(const IntegerMatrix& lattice, const AbelianField& K, const Task& task);

/// A basis of the K-span of d vectors as the columns of a matrix over K.
FieldMatrix columns_over(const AbelianField& K, const IntegerMatrix& rows);

}  // namespace intertwine
