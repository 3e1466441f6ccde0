// Representations of O(3) and SO(3) in e3nn's words: "32x0e+16x1o+8x2e" [Geiger & Smidt 2022].
#pragma once
#include <string>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The irreducible representation of a degree and a parity of O(3) or SO(3), in the library's own basis: trivial and
/// vector, harmonic(l) otherwise, times det where the parity is not that of polynomials of degree l.
/// \param parity  'e' or 'o': what -1 is, 1 or -1; SO(3), which has no -1, forgets it and may go without, by 0
/// \throws DomainError for other groups, and for O(3) without a parity; as harmonic_representation
ContinuousRepresentation o3_irreducible(const ContinuousGroup& G, unsigned degree, char parity);

/// "32x0e+16x1o+8x2e" for a sum of multiples of irreducible representations of O(3), "32x0+16x1+8x2" for SO(3), in the
/// order of its summands. It says the types and not the basis of each summand.
/// \throws DomainError for other groups, and for another sum
std::string o3_irreps(const ContinuousRepresentation& V, const Task& task = {});

}  // namespace intertwine
