// Groups in JSON files.
#pragma once
#include <filesystem>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads {"degree": n, "generators": [...]}; see parse_finite_group. The file is treated as hostile.
/// \throws FileError, LimitError naming the file and the entry.
FiniteGroup read_group_file(const std::filesystem::path& path, const Task& task = {});

}  // namespace intertwine
