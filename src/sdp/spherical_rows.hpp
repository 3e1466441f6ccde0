// First rows on the points of a permutation group whose orbitals are symmetric.
#pragma once
#include <optional>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/representations/first_rows.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine::sdp {

/// first_rows() by spherical functions, where V permutes its basis transitively and every orbit of pairs holds (j, i)
/// with (i, j); otherwise nothing. Then invariant matrices commute, constituents occur once and are real, and the
/// vector of one is its spherical function without denominators, an integer at the first point.
///
/// \par Method  chi(g) n / chi(1) is the sum over the orbits of pairs of the number of points x with (x, g x) there
///              times the value of the spherical function: a system of linear equations with one solution, over the
///              field of chi. No matrices of irreducible representations are needed.
/// \par Cost    as many steps as points for every class, and equations in as many unknowns as orbits
std::optional<std::vector<FirstRows>> spherical_rows(const Representation& V, const CharacterTable& table,
                                                     const OrbitalPattern& pattern, const Task& task);

}  // namespace intertwine::sdp
