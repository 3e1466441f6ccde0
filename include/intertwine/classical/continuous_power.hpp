// The base and the kind of a symmetric or exterior power of a continuous group.
#pragma once
#include <optional>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/representations/power.hpp"

namespace intertwine {

/// The base and the kind of the power V, with the coordinates that power_of of finite groups has.
std::optional<PowerOf<ContinuousRepresentation>> power_of(const ContinuousRepresentation& V);

}  // namespace intertwine
