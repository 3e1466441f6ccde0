// The groups of linear molecules under their names in chemistry, on R^3 with the axis z: C∞v, which is O(2), and D∞h,
// which is O(2) x Ci. Their representations are those of these groups by matrices, with the names of species.
#pragma once
#include <optional>

#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/reductive/axial_character.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// C∞v, or D∞h where there is a centre of symmetry. Its factors are O(2), which turns the plane of x and y, and Ci.
ContinuousGroup linear_molecule_group(bool centre);
/// Has the group C∞v or D∞h, by its name, a centre? Nothing for other groups, O(2) and O(2) x Ci among them.
std::optional<bool> centre_of_linear_molecule(const ContinuousGroup& G);

/// Σ is trivial or the determinant of O(2), Λ the harmonic polynomials of degree lambda in x and y, times the sign of
/// Ci for u.
/// \throws DomainError unless the group has it; LimitError for degrees beyond harmonic_representation
ContinuousRepresentation axial_irrep(bool centre, const AxialIrrep& irrep);
/// What harmonic polynomials of degree l on R^3 are: the sum of Λ = l, ..., 1 and Σ+, in this order. That of degree 1
/// has the coordinates x, y, z, and is written vector. \throws LimitError
ContinuousRepresentation axial_harmonic(bool centre, unsigned l);
/// The determinant on R^3.
ContinuousRepresentation axial_parity(bool centre);
/// The species of V, a representation of C∞v or D∞h. \throws LimitError through `task`
AxialCharacter axial_character(const ContinuousRepresentation& V, const Task& task = {});

}  // namespace intertwine
