// A computed or measured tensor beside those that symmetry allows.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/physics/molecule.hpp"
#include "intertwine/physics/tensor_properties.hpp"

namespace intertwine {

/// The allowed tensor that is nearest to a given one. Matrices are rows x cols in Voigt's notation, with the factors of the
/// property, in the axes that were given, or those of its form.
struct TensorProjection {
  TensorForm form;
  std::vector<double> given, nearest;  ///< row by row
  std::vector<double> constants;       ///< of form.independent, in the axes of the form
  double size;  ///< the norm of the given tensor: the root of the sum of squares of all its components
  double lost;  ///< that of its difference from the nearest one
  std::optional<Matrix3> axes = {};  ///< rows: directions of the axes of `given` and `nearest`
};

/// The norm is that of the tensor with all its indices, where a component of a symmetric pair of different indices counts twice;
/// so rotations do not change it, and the nearest tensor is the mean over the group.
/// \param axes  rows: directions of the axes in which the components are given, in those of the form, of any length
/// \throws DomainError for another number of components, for what is no finite number, and for axes that are not at right
/// angles to 1e-6 or are left-handed
TensorProjection project_tensor(const TensorForm& form, std::span<const double> matrix,
                                const std::optional<Matrix3>& axes = {});

/// The form of a tensor, and what it was asked for by.
struct TensorReport {
  TensorForm form;
  std::string group;                                ///< "D4h", "C∞v"
  std::string standing;                             ///< the point group that stands for one without end; else empty
  std::optional<TensorProjection> projection = {};  ///< of a tensor that was given
  std::optional<TensorForm> turned = {};            ///< the form in axes that were asked for
  std::string axes = {};                            ///< these axes as they were written
};

}  // namespace intertwine
