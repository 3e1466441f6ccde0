// Axes that a tensor is wanted in, as people write them: directions, Euler's angles, a turn about a direction.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/physics/molecule.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Three directions at right angles, in the axes of a form. A value.
struct TensorAxes {
  Matrix3 directions;                ///< rows, of any lengths
  std::optional<FieldMatrix> exact;  ///< rows of length 1; nothing if a number was a decimal
  std::string inexact;               ///< why `exact` is nothing: the sentence about the first decimal
};

/// Reads one of these, with numbers between commas or blanks:
/// - "1,1,0,-1,1,0,0,0,1": the directions of the new axes x, y and z, of any lengths;
/// - "zxz 30,45,60" or "zyz 30,45,60": the axes turned by the first angle about z, then by the second about the x (y)
///   that they have by then, then by the third about their z [Goldstein 1980];
/// - "turn 45 about 1,1,1": the axes turned about a direction, counter-clockwise as seen from its tip.
/// Angles are in degrees, and rational; decimals mean what they say.
/// \throws DomainError for another shape, for a direction that is 0, for directions that are not at right angles or are
/// left-handed, and for directions whose length has no rational square
TensorAxes parse_tensor_axes(std::string_view text, const Task& task = {});

}  // namespace intertwine
