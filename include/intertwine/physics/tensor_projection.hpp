// A computed or measured tensor beside those that symmetry allows.
#pragma once
#include <span>
#include <vector>

#include "intertwine/physics/tensor_properties.hpp"

namespace intertwine {

/// The allowed tensor that is nearest to a given one. Matrices are rows x cols in Voigt's notation, with the factors of the
/// property, in the axes of its form.
struct TensorProjection {
  TensorForm form;
  std::vector<double> given, nearest;  ///< row by row
  std::vector<double> constants;       ///< of form.independent
  double size;  ///< the norm of the given tensor: the root of the sum of squares of all its components
  double lost;  ///< that of its difference from the nearest one
};

/// The norm is that of the tensor with all its indices, where a component of a symmetric pair of different indices counts twice;
/// so rotations do not change it, and the nearest tensor is the mean over the group.
/// \throws DomainError for another number of components, and for what is no finite number
TensorProjection project_tensor(const TensorForm& form, std::span<const double> matrix);

}  // namespace intertwine
