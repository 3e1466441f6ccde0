// Two representations of one group, whatever its kind.
#pragma once
#include "intertwine/hom/group_representation.hpp"

namespace intertwine::hom {

/// \throws DomainError naming the groups, unless they are one
void require_same_group(const Representation& V, const Representation& W);

/// f of both sides by matrices, whatever their kind. \param what  what asks for matrices.
/// \throws DomainError if the groups differ, or one side is known by its character only
template <class F>
auto with_matrices(const char* what, const Representation& V, const Representation& U, F f) {
  require_same_group(V, U);
  V.require_matrices(what);
  U.require_matrices(what);
  if (const auto* a = V.as<intertwine::Representation>()) return f(*a, *U.as<intertwine::Representation>());
  return f(*V.as<ContinuousRepresentation>(), *U.as<ContinuousRepresentation>());
}

}  // namespace intertwine::hom
