// Vectors that generate one of the two copies of an irreducible representation in an induced module.
#pragma once
#include <optional>

#include "spherical.hpp"

namespace intertwine {

/// A vector w of M = Ind_H^G l with h w = l(h) w that generates an irreducible module of character chi, where <chi|_H, l> = 2 and K
/// contains the values of chi and l; `whole` is e_chi e_0. Nothing if none was found: there is none where the Schur index over K is 2, and otherwise one may be too long.
///
/// The vectors of e_chi M that H moves by l are the algebra of endomorphisms of e_chi M, by what these make of e_chi e_0: 2 x 2
/// matrices over K, or a division algebra. Matrices of determinant 0 are looked for, 2 det(s) = tr(s)^2 - tr(s^2) being
/// a quadratic form in four variables: among short vectors of the lattice of integral ones, the shortest of the first
/// that are found.
///
/// \par Cost  a short orbit of H for each of the suborbits; a search that grows with the size of the form's entries.
std::optional<SphericalVector> half_spherical(const SphericalVector& whole, std::size_t degree, const AbelianField& K,
                                              const Task& task);

}  // namespace intertwine
