// Irreducible representations by their dimension.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/reductive/root_system.hpp"
#include "intertwine/task.hpp"

namespace intertwine::detail {

/// The highest weights of the irreducible representations of this dimension, of a type without a torus.
/// \par Cost  a dimension for every irreducible representation that is not larger.
std::vector<Weight> weights_of_dimension(const RootSystem& type, std::uint64_t dimension, const Task& task);

}  // namespace intertwine::detail
