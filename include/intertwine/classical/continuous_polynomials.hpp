// Equivariant polynomial maps between representations of continuous groups.
#pragma once
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A basis of the homogeneous polynomial maps F: V -> W of one degree with F(g x) = g F(x); over Q. Groups stand for their Zariski closures, as
/// in ClassicalGroup: the maps are those of every group with the same closure.
struct ContinuousPolynomialMaps : PolynomialBasis {
  ContinuousRepresentation source, target;
};

/// The equivariant polynomial maps of degree d; see polynomial_maps for what linear maps of Sym^d V have to do with them.
///
/// \par Method   With V a sum of leaves, Sym^d V is the sum of Sym^a V_1 * Sym^b V_2 * ... with a + b + ... = d:
/// hom_basis for each of these and each summand of W, equal ones once. Over products of groups V_1^a * V_2^b * ... in
/// place of them, and of the maps that come of it as many as are independent.
/// \throws DomainError if the groups differ; LimitError for
///         powers Sym^a above ContinuousRepresentation::max_functor_dimension, more than 2000 summands or 10^5 products, and through `task`
/// \par Example  SO(3), V = W = vector, d = 3: (x1^2 + x2^2 + x3^2) x; V = 2*vector, W = vector, d = 2: the cross product
ContinuousPolynomialMaps polynomial_maps(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                         unsigned d, const Task& task = {});

/// How many there are, by characters alone.
Integer polynomial_dimension(const ContinuousRepresentation& V, const ContinuousRepresentation& W, unsigned d,
                             const Task& task = {});

/// Verifies the maps as for finite groups; for an element X of a Lie algebra, that the derivative of F in the direction
/// X x is X F(x).
/// \throws VerificationError naming the first claim that fails; LimitError through `task`.
void verify(const ContinuousPolynomialMaps& F, const Task& task = {});

}  // namespace intertwine
