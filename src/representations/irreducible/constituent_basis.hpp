// Bases with small entries of irreducible constituents of induced modules.
#pragma once
#include "spherical.hpp"

namespace intertwine {

/// The columns are a basis of the constituent of degree d that the spherical vector generates, n x d over K. K must
/// contain the values of the character and of the linear character.
///
/// \par Method  All images of the spherical vector, with coordinates in Z[a], K = Q(a), generate a lattice of rank d [K : Q] that
///              G maps to itself; it is reduced, and short vectors that are a basis of it over Z[a] are looked for. Over Q G then acts
///              by integral matrices; over larger fields that is usual but not certain.
FieldMatrix constituent_basis(const SphericalVector& v, std::size_t d, const AbelianField& K, const Task& task);
/// Is that what suits a constituent of degree d, over a field of degree m, of a module of dimension n? For others there is
/// SampledConstituent.
bool has_small_constituent(std::size_t n, std::size_t d, std::size_t m);

}  // namespace intertwine
