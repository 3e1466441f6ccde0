// Two representations in one question.
#pragma once
#include "intertwine/hom/group_representation.hpp"

namespace intertwine::hom {

/// \throws DomainError unless both are of one group
void require_same_group(const Representation& V, const Representation& W);

}  // namespace intertwine::hom
