// Bases with small entries of irreducible constituents of induced modules.
#pragma once
#include "spherical.hpp"

namespace intertwine {

/// The columns are a basis of the constituent of degree d that the spherical vector generates, n x d over K. K must
/// contain the values of the character and of the linear character.
///
/// \par Method  The vectors of the constituent with coordinates in Z[a], K = Q(a), are a lattice of rank d [K : Q] that
///              G maps to itself. It is found by saturation from d independent images of the spherical vector and
///              reduced; short vectors that are independent over K are taken. Over Q they are a basis of the lattice,
///              so that G acts by integral matrices; over larger fields that is usual but not certain. Above rank 200
///              the lattice is that of d independent images only, so that matrices have denominators.
FieldMatrix constituent_basis(const SphericalVector& v, std::size_t d, const AbelianField& K,
                              const Task& task);

}  // namespace intertwine
