// Invariant subspaces as representations.
#pragma once
#include <string>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The representation R on the invariant subspace of V that the columns of C span: rho(g) C = C R(g), in that basis.
/// Its field is that of V and C together. Verified: the columns are independent and rho(s) C = C R(s) for every
/// generator s, exactly.
/// \param C  dim V x d.
/// \throws DomainError if the columns are dependent, naming d and the rank, or their span is not invariant, naming a
///         generator.
/// \par Cost  one application of V to d vectors, and one product of d x d matrices, for every image asked for.
Representation submodule(const Representation& V, const FieldMatrix& C, std::string text = {}, const Task& task = {});

}  // namespace intertwine
