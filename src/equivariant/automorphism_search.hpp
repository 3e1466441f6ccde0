// The automorphism group of a SearchTable.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "point_partition.hpp"
#include "search_table.hpp"

namespace intertwine {

/// A permutation by the points that it moves, ascending, and their images.
using MovedPoints = std::vector<std::pair<Point, Point>>;

/// A group on the points of the table.
struct Automorphisms {
  std::vector<MovedPoints> generators;  ///< together with nothing else they generate the group
  Integer order;
};

/// All automorphisms of the table, or nothing if more than `max_nodes` nodes would be needed.
/// `known` are automorphisms. \throws LimitError, Interrupted through `task`.
std::optional<Automorphisms> automorphisms(const SearchTable& table, std::vector<std::vector<Point>> known,
                                           std::uint64_t max_nodes, const Task& task);

}  // namespace intertwine
