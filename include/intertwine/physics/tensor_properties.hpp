// Tensor properties of crystals by their usual names: which components a point group leaves free, exactly. [Nye 1957]
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A property as a matrix in Voigt's notation: pairs 11, 22, 33, 23, 13, 12 are 1 to 6.
struct TensorProperty {
  std::string_view name;       ///< "elastic"
  std::string_view synonyms;   ///< "stiffness", separated by blanks
  std::string_view letter;     ///< of its components: "c"
  std::string_view meaning;    ///< "stress by strain"
  std::size_t rows, cols;      ///< 1, 3 or 6: none, one or a symmetric pair of indices
  bool symmetric;              ///< the matrix is its own transpose
  bool axial;                  ///< changes its sign under improper operations besides
  int row_factor, col_factor;  ///< 2 where components of unequal pairs count twice, as strains do; else 1
};

/// All that are known.
std::span<const TensorProperty> tensor_properties();
/// By a name or synonym. \throws DomainError with the names
const TensorProperty& tensor_property(std::string_view name);

struct TensorForm {
  TensorProperty property;
  FiniteGroup group;
  /// The free components (row, column), from 0, in row-major order; all others are linear combinations of them.
  std::vector<std::pair<std::size_t, std::size_t>> independent;
  FieldMatrix coefficients;  ///< (rows * cols) x independent: component row * cols + column of the matrix

  /// "c11", or "p3" where there is one row.
  std::string component(std::size_t row, std::size_t col) const;
  /// "(c11 - c12)/2", "-2 d22", "0".
  std::string entry(std::size_t row, std::size_t col) const;
};

/// The tensors that are invariant under G. Axes as in Nye's tables: the main axis is x3; half turns and mirrors of monoclinic groups
/// (C2, Cs, C2h) have x2 as axis or normal; C3v, C5v, …, D3h, D5h, … have a mirror across x1; D2d, D3, D3d, … a half turn about x1.
/// Of the components that can be chosen free, 11, 22, 33 come first, then those of normal components, then row by row.
/// \par Method  the kernel of rho(g) - 1 for the generators, over the field of the matrices.
/// \throws DomainError as orthonormal_matrices
TensorForm tensor_form(const TensorProperty& property, const FiniteGroup& G, const Task& task = {});

}  // namespace intertwine
