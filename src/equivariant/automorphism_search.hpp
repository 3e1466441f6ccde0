// The automorphism group of a SearchTable.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "point_partition.hpp"
#include "search_table.hpp"

namespace intertwine {

/// Points of all partitions on the first path of a search (levels times points), at most.
inline constexpr std::uint64_t max_path_points = std::uint64_t{1} << 26;

/// A group on the points of the table.
struct Automorphisms {
  std::vector<std::vector<Point>> generators;  ///< images; together with nothing else they generate the group
  Integer order;
};

/// All automorphisms of the table, or nothing if more than `max_nodes` nodes or too much memory would be needed.
/// `known` are automorphisms. \throws LimitError, Interrupted through `task`.
std::optional<Automorphisms> automorphisms(const SearchTable& table, std::vector<std::vector<Point>> known,
                                           std::uint64_t max_nodes, const Task& task);

}  // namespace intertwine
