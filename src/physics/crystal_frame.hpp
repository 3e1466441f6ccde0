// How a named point group stands in the axes of a crystal.
#pragma once
#include <cstddef>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// For every generator of the named point group of this space group the number of the operation that it stands for, in
/// the first frame that fits: axes of the cell, then turned about z, or with z along b. Exact.
/// \param hexagonal  are a and b of the setting at 120 degrees?
std::vector<std::size_t> operations_of_generators(const FiniteGroup& point_group, const SpaceGroup& group,
                                                  bool hexagonal, const Task& task = {});

}  // namespace intertwine
