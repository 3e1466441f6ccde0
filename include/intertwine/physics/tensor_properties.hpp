// Tensor properties of crystals by their usual names: which components a point group leaves free, exactly. [Nye 1957]
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/physics/component_form.hpp"
#include "intertwine/physics/magnetic_point_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The behaviour of a property under time reversal: it stays, it changes its sign, or, of transport, Onsager's
/// relations hold [Onsager 1931]: it is transposed, as the conductivity is, or exchanged with the transpose of another
/// one, as those of Seebeck and Peltier are, which says nothing of its form [Kleiner 1966]. A mixed property is one of
/// which one part stays and another one changes its sign.
enum class TimeReversal { even, odd, transposing, exchanging, mixed };

/// A property as a matrix in Voigt's notation: pairs 11, 22, 33, 23, 13, 12 are 1 to 6. A side has 1, 3 or 6 rows: none,
/// one or a symmetric pair of indices; or 9, a pair, Voigt's six and then 32, 31, 21; 10, a symmetric triple, 111, 222,
/// 333, 233, 223, 133, 113, 122, 112, 123; 21, a symmetric pair of Voigt's pairs, 11, 12, …, 66. Beside sides of 9 or 10
/// components have all their axes as names, "x1122".
struct TensorProperty {
  std::string_view name;      ///< "elastic"
  std::string_view synonyms;  ///< "stiffness", separated by blanks
  std::string_view letter;    ///< the letter of its components: "c"
  std::string_view meaning;   ///< "stress by strain"
  std::size_t rows, cols;
  bool symmetric;              ///< the matrix is its own transpose; of 6 x 21, in all three pairs
  bool axial;                  ///< changes its sign under improper operations besides
  int row_factor, col_factor;  ///< 2 where components of unequal pairs count twice, as strains do; else 1
  TimeReversal time = TimeReversal::even;
};

/// All that are known.
std::span<const TensorProperty> tensor_properties();
/// By a name or synonym. \throws DomainError with the names
const TensorProperty& tensor_property(std::string_view name);

/// The tensors of a property that a group leaves fixed, by their free components: "c11", or "p3" where there is one row.
struct TensorForm : ComponentForm {
  TensorProperty property;
  FiniteGroup group;
  std::string magnetic = {};  ///< the symbol of a magnetic point group; else empty
};

/// The form in other axes: its entries are combinations of the constants, which stay components in the axes of `form`.
/// \param axes  rows: unit vectors along the new axes in those of the form, right-handed
/// \throws DomainError unless axes is an orthogonal 3 x 3 matrix of determinant 1; LimitError through `task`
TensorForm in_axes(const TensorForm& form, const FieldMatrix& axes, const Task& task = {});

/// The tensors that are invariant under G. Axes as in Nye's tables: the main axis is x3; half turns and mirrors of monoclinic groups
/// (C2, Cs, C2h) have x2 as axis or normal; C3v, C5v, …, D3h, D5h, … have a mirror across x1; D2d, D3, D3d, … a half turn about x1.
/// Which components are chosen free: component_form.
/// \par Method  the kernel of rho(g) - 1 for the generators, over the field of the matrices.
/// \throws DomainError unless G is a point group with coordinates
TensorForm tensor_form(const TensorProperty& property, const FiniteGroup& G, const Task& task = {});
/// The tensors that a magnetic point group leaves fixed: operations that reverse time change the sign of odd properties
/// besides, transposes the conductivity [Shtrikman & Thomas 1965], and says nothing of properties that it exchanges. An
/// ordinary point group is here a magnetic one without time reversal, but for the conductivity, which is symmetric
/// then; of crystals without magnetic order 1' is an operation, and odd properties are 0.
/// \throws DomainError for a mixed property, if some operation reverses time
TensorForm tensor_form(const TensorProperty& property, const MagneticPointGroup& M, const Task& task = {});

}  // namespace intertwine
