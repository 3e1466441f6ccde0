// The automorphisms of graphs: coloured, directed and weighted ones are square matrices of labels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// All permutations g of 0 ... n-1 with label(g i, g j) = label(i, j) for all i and j. Labels are compared, nothing else:
/// label(i, i) is the colour of the vertex i, label(i, j) that of the edge from i to j.
///
/// \param labels  n x n, row-major.
/// \return the group with its order, both proved by an exhausted search.
/// \throws DomainError unless there are n^2 labels and n >= 1; LimitError after 10^6 nodes of the search, or through
///         `task`; Interrupted. Never part of a group.
/// \par Method  table_closure of the labels, the diagonal told apart: a pair (s, t) of permutations of rows and columns
///              that keeps the diagonal in its place has s = t. [McKay 1981]
/// \par Cost    12 n^2 bytes; O(n^2 log n) for a refinement, few refinements for most graphs, exponentially many at worst.
/// \par Example the 15 edges of Petersen's graph: order 120.
FiniteGroup automorphism_group(std::size_t n, std::span<const std::uint32_t> labels, const Task& task = {});

}  // namespace intertwine
