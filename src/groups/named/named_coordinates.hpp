// Coordinates of named groups.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine::named {

/// A symmetry of the n-gon in space: the turn by 2 pi / n, or the reflection that fixes the first corner, or neither; and
/// the change of the axis to its opposite.
struct AxialMap {
  bool turn, reflect, flip;
};

/// The basis: the first two corners of the n-gon (for n = 3, 4, 6 a lattice), then the axis. The matrices are over
/// Q(cos(2 pi / n)).
FiniteGroup::Coordinates axial_coordinates(std::size_t n, const std::vector<AxialMap>& maps);

/// The coordinates in the plane, for maps that leave the axis alone.
FiniteGroup::Coordinates planar_coordinates(std::size_t n, const std::vector<AxialMap>& maps);

/// Matrices given by their rows.
FiniteGroup::Coordinates given_coordinates(std::size_t dimension, const std::vector<IntegerMatrix>& matrices);

}  // namespace intertwine::named
