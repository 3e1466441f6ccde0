// Irreducible representations that stay irreducible on the stabilizers of one and of two points, from matrices of the first.
#pragma once
#include <optional>

#include "intertwine/representations/irreducible.hpp"

namespace intertwine {

/// Matrices of row `row` of a group G with character chi, where H, the stabilizer of some point, and D = H ∩ t H t^-1 for some t
/// that generates G together with H act irreducibly by chi. Nothing if there are none, or if classes or matrices of H are not found.
///
/// \par Method  irreducible_representation of H gives R(h). R(t) is the matrix X with X R(t^-1 d t) = R(d) X for the d in D and with the trace
///              chi(t): modulo split primes it takes the words in a few generators on an eigenvector to those on another, as in tests of
///              isomorphism [Parker 1984; Holt, Eick & O'Brien 2005, 7.5]. Every other element is a product of elements of H and of t, t
///              as few times as can be.
/// \par Proof   R extends to G, as chi|_H is irreducible, and every X is a multiple of R(t), as chi|_D is. That X is one is checked
///              over the field.
/// \par Cost    as for H, and for every prime and embedding a minimal polynomial and some twenty products of matrices, again where no eigenvalue is single.
std::optional<IrreducibleRepresentation> extended_irreducible(const CharacterTable& table, std::size_t row,
                                                              const Task& task);

}  // namespace intertwine
