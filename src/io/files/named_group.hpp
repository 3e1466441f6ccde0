// Whether the name that a file gives its group stands for it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The group that a file calls `name`, given the one that its generators generate. The named one is taken when it has the very same
/// generators, because some representations (external products, named subgroups) refer to its structure. A name that stands for
/// a group that is not isomorphic is refused; what could not be compared, or has other generators, is added to `claims`. under `key`.
/// \throws VerificationError for a name of another group; LimitError where the time is over
FiniteGroup named_group(FiniteGroup G, std::string_view key, const std::string& name, std::vector<std::string>& claims,
                        const Task& task);

}  // namespace intertwine
