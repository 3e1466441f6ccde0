// What a symmetric or exterior power of a continuous group is a power of.
#pragma once
#include <optional>

#include "intertwine/lie/continuous_representation.hpp"
#include "intertwine/representations/power.hpp"

namespace intertwine {

/// As power_of of finite groups, with the same coordinates.
std::optional<PowerOf<ContinuousRepresentation>> power_of(const ContinuousRepresentation& V);

}  // namespace intertwine
