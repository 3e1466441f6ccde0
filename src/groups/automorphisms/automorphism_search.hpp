// The automorphism group of a SearchTable.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/task.hpp"
#include "point_partition.hpp"
#include "search_table.hpp"

namespace intertwine {

/// All automorphisms of the table, or nothing if more than `max_nodes` nodes led to none.
/// `known` are automorphisms. \throws LimitError, Interrupted through `task`.
std::optional<Automorphisms> automorphisms(const SearchTable& table, std::vector<std::vector<Point>> known,
                                           std::uint64_t max_nodes, const Task& task);

}  // namespace intertwine
