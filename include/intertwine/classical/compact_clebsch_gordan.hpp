// Clebsch-Gordan coefficients of the compact classical groups SU(n), U(n), SO(n), O(n), Sp(2n), exactly, in the bases of their
// representations as continuous_representation.hpp makes them.
#pragma once
#include <optional>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The positive definite form H that an irreducible representation V of a compact classical group leaves fixed, H(0, 0) = 1:
/// H rho(X) = rho(X^T)^T H for the matrices X of the Lie algebra on the defining module. Real symmetric; for SU(n), U(n), Sp(2n) it
/// is taken as Hermitian. SL(n) and GL(n) are taken for SU(n) and U(n), whose modules they have.
/// \throws DomainError unless V is irreducible, and for O(p,q)
FieldMatrix invariant_form(const ContinuousRepresentation& V, const Task& task = {});

/// The copies of U in V (x) W.
struct CompactConstituent : OrthogonalCopies {
  CompactConstituent(OrthogonalCopies copies, ContinuousRepresentation U)
      : OrthogonalCopies(std::move(copies)), representation(std::move(U)) {}
  ContinuousRepresentation representation;
};

struct CompactClebschGordan {
  ContinuousRepresentation left, right;  ///< V and W
  FieldMatrix left_form, right_form;
  std::vector<CompactConstituent> constituents;  ///< the representations asked for that occur
};

/// Which of these irreducible representations V (x) W has, and how.
/// \par Method  hom_basis of U -> V (x) W, its certificate included, made orthogonal for the invariant forms.
/// \throws DomainError if the groups differ, if one is not irreducible, or if none of them occurs; what hom_basis
/// throws
CompactClebschGordan clebsch_gordan(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                    const std::vector<ContinuousRepresentation>& list, const Task& task = {});

/// S_left (x) S_right of C^n for SU(n), U(n), SL(n), GL(n): all its constituents by Littlewood and Richardson, or the one of the shape
/// `only`. Full columns of n boxes are dropped for SU(n) and SL(n). \throws DomainError for other groups, and for shapes of more than n
/// rows; LimitError as schur_power
CompactClebschGordan clebsch_gordan(const ContinuousGroup& G, const Partition& left, const Partition& right,
                                    const std::optional<Partition>& only = {}, const Task& task = {});

/// Proves that the maps commute with all generators, and that they are orthogonal with the norms stated. \throws VerificationError
void verify(const CompactClebschGordan& answer, const Task& task = {});

}  // namespace intertwine
