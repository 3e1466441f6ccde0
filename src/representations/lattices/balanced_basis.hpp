// Bases that are short together with their dual bases.
#pragma once
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// C T for a matrix T over Z[a], K = Q(a), of determinant 1, chosen to make the sum over the columns c_j and all
/// embeddings of |c_j|^2 |c*_j|^2 small, c* being the dual basis. The entries of a matrix that maps the columns to
/// unitary images, C R = rho C, are (rho c_j, c*_i), so that they become small.
///
/// Floating point numbers only choose the steps, each of which adds a multiple of one column to another.
/// \par Source  [Seysen 1993], with all embeddings at once
FieldMatrix balanced_basis(const FieldMatrix& C, const AbelianField& K, const Task& task);

}  // namespace intertwine
