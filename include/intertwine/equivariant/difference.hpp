// V - W, where that is a representation.
#pragma once
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The kernel of an equivariant map from V onto W: a representation U with V isomorphic to U + W, over the field of both. There
/// is one if and only if no irreducible character occurs more often in W than in V. perm - trivial has the matrices of std in
/// another basis, perm^2 - perm permutes the pairs of different points.
///
/// The map depends on V and W alone, so that V.to_string() - W.to_string() is read back as the same matrices. If V is monomial
/// and a basis element of Hom_G(V, W) takes basis vectors of V to those of W or to 0, one each, the first of these is
/// taken; U is spanned by the basis vectors of V that it takes to 0, and monomial as well. Otherwise it is the first element of the
/// basis that is onto, or a sum of them with integral coefficients.
///
/// \throws DomainError if the groups differ, or naming a constituent that W has more often than V; LimitError through `task`, and
/// where images are asked for of differences with dim V > 4096 or dim V dim W > 2^22 that are not monomial, and of monomial ones
/// above 2^24: these have a character alone, which needs the character table of the group.
/// \par Cost  a basis of Hom_G(V, W) and a kernel of a dim W x dim V matrix; then that of V for every image.
Representation difference(const Representation& V, const Representation& W, const Task& task = {});

}  // namespace intertwine
