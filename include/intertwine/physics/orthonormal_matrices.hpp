// The exact matrices of point groups on orthonormal axes.
#pragma once
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// The basis of G's coordinates on the axes of cartesian_matrices (molecule.hpp), as columns: a matrix M of the coordinate
/// representation is axes M axes^-1 there. \throws DomainError unless G is a point group with coordinates
FieldMatrix orthonormal_axes(const FiniteGroup& G);
/// The orthogonal matrices of G's generators on these axes. \throws DomainError as orthonormal_axes
std::vector<FieldMatrix> orthonormal_matrices(const FiniteGroup& G);
/// Of a 3 x 3 matrix.
Cyclotomic determinant_in_space(const FieldMatrix& R);
/// The same matrix over the least field that contains its entries.
FieldMatrix over_least_field(const FieldMatrix& M);

}  // namespace intertwine
