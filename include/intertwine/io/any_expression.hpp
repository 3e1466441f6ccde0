// Groups of every kind and their representations as people write them: what the other readers of expressions read, by
// one name.
#pragma once
#include <string_view>
#include <variant>

#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/hom/group.hpp"
#include "intertwine/hom/group_representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A finite group as parse_finite_group reads it, a product with a classical group as parse_continuous_group, a product
/// of reductive groups as parse_lie_group, or C∞v and D∞h (Coov, Cinfv, Dooh, Dinfh). `SU(3)`, which two of them read,
/// is one group.
/// \throws ParseError with the position, also for SE(n), E(n) and ISpin(n), which have infinitely many translations,
/// and for `S(n)` of every n; what the readers throw
/// \par Example  parse_group("S5 x O(3)")
hom::Group parse_group(std::string_view text, const Task& task = {});

/// A group of the kernels of equivariant convolutions: a finite one, whose cosets are the points; one with all
/// translations of R^n; or a finite one that turns R^n, whose kernels are taken up to a degree.
using KernelGroup = std::variant<FiniteGroup, EuclideanGroup, OrthogonalAction>;
/// `S4`, `SE(3)`, `R^2 : C4`. \throws DomainError for other groups, such as SO(3), saying what to write; what the readers
/// throw
KernelGroup parse_kernel_group(std::string_view text, const Task& task = {});

/// Which form of a representation a question is about, where the group has both.
enum class Form {
  matrices,       ///< by matrices; by its character where there are none, or none that are small enough
  only_matrices,  ///< by matrices, and refused where there are none
  character       ///< by its character; by matrices where the text gives some, as `rep(@file.json)`
};
/// The representation of G that an expression names. A text means one representation, whatever the form.
/// \throws ParseError with the position; what the readers of the kinds throw
hom::Representation parse_representation(const hom::Group& G, std::string_view text, Form form = Form::matrices,
                                         const Task& task = {});

}  // namespace intertwine
