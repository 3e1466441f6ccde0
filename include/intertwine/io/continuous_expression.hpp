// Expressions of continuous groups and their representations: "O(3)", "S5 x O(3)", "perm # vector", "2*vector +
// harmonic(2)"; and of groups of every size: "S(n)", "S(n) x O(3)".
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/tables/diagram_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Is some factor of the product that the text writes named like a classical group: SO, O, SL, GL, Sp, SU or U with one
/// number, in parentheses or not, or SO, SO+ or O with two? (`SL(2,3)` is finite; so is `O` alone, the octahedral
/// group.) The expression may still be wrong: parse_continuous_group says so.
bool names_continuous_group(std::string_view text);

/// `G x H x ...`, at least one factor a classical group; the others are group expressions. Parentheses around products
/// are free.
/// \throws ParseError with the position; DomainError and LimitError as ClassicalGroup; what parse_finite_group throws
ContinuousGroup parse_continuous_group(std::string_view text, const Task& task = {});

/// Is some factor of the product SE(n), E(n) or ISpin(n)?
bool names_euclidean_group(std::string_view text);
/// `SE(n)`, `E(n)`, n >= 2, or `ISpin(n)`, n >= 3, alone or as one factor of a product such as `S5 x E(3)`. \throws as
/// parse_continuous_group; ParseError unless one factor is such
EuclideanGroup parse_euclidean_group(std::string_view text, const Task& task = {});

/// Is it "R^n : ..."?
bool names_orthogonal_action(std::string_view text);
/// `R^n : G` for a finite group that turns R^n by its coordinates (`cartesian`): `R^2 : C4`, `R^2 : D6`, `R^3 : Oh`,
/// `R^3 : D4`. In the plane C<n> and D<n> are the groups of the n-gon, in space the point groups of these names. `R^3 :
/// S4 by sign*std` says the representation, which is brought to an orthonormal frame (in_orthonormal_frame) where it is
/// not by orthogonal matrices.
/// \throws as parse_finite_group, parse_representation, cartesian_representation and OrthogonalAction
OrthogonalAction parse_orthogonal_action(std::string_view text, const Task& task = {});

/// The representation of G that an expression names. `^` binds strongest, then `*`, then `#`, then `+`; a leading
/// integer is a multiplicity. Over a product `V # W` is the external tensor product: one operand for each factor, those
/// of finite factors as parse_representation reads them. `spinor` and `irrep(..)` name complex modules, as
/// parse_lie_representation reads them: over groups other than SU(n) and U(n) those without real matrices are refused,
/// and `real(spinor)` and `real(irrep(..))` are real.
/// \throws ParseError with the position; what the constructors throw
ContinuousRepresentation parse_representation(const ContinuousGroup& G, std::string_view text, const Task& task = {});
/// The representation that the text in a file names, where `spinor` and `irrep(..)` may stand for real modules without
/// `real`.
ContinuousRepresentation parse_stored_representation(const ContinuousGroup& G, std::string_view text,
                                                     const Task& task = {});

/// Is some factor of the product one with n for a size, as in "S(n)"?
bool names_every_size(std::string_view text);
/// The diagrams between two tensors over a product of groups with diagrams: "S(n) x O(3)", "8*(perm^2 # vector)". The
/// axes of the factors have the letters a, b, ...; a representation is `perm` of S(n), `coordinates` of B(n)
/// (`unsigned`: the same without signs) and `vector` of the others, with `dual(vector)` where that is another, and
/// their products and powers; `trivial` has no axes. Empty: the natural one, and as the input. Multiplicities are
/// channels. Nothing for a group of one size (names_every_size). \throws ParseError with the position; what
/// parse_diagram_group and diagram_table throw
std::optional<DiagramTable> parse_diagrams(std::string_view group, std::string_view in, std::string_view out, bool mean,
                                           const Task& task = {});

/// The commands of the program that take continuous groups, and the same for sentences: "basis, tie, ... and verify".
std::vector<std::string> names_of_continuous_commands();
std::string continuous_commands();
/// The forms of names with a line of meaning for each, in two columns; and names to complete.
std::string meanings_of_continuous_groups();
std::vector<std::string> continuous_group_examples();
/// Forms of names for --help, one a line.
std::string known_continuous_groups();
std::string known_continuous_representations();

}  // namespace intertwine
