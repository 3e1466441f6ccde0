// The automorphism group of a ColourTable.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "colour_table.hpp"
#include "intertwine/exact/integer.hpp"
#include "point_partition.hpp"

namespace intertwine {

/// A group on the points of the merged table.
struct Automorphisms {
  std::vector<std::vector<Point>> generators;  ///< images; together with nothing else they generate the group
  Integer order;
};

/// All automorphisms of the table, or nothing if more than `max_nodes` nodes or too much memory would be needed.
/// `known` are automorphisms. \throws LimitError, Interrupted through `task`.
std::optional<Automorphisms> automorphisms(const ColourTable& table, std::vector<std::vector<Point>> known,
                                           std::uint64_t max_nodes, const Task& task);

}  // namespace intertwine
