// The automorphisms of graphs, whose vertices and edges may have labels, and of square matrices.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A graph on the vertices 0 ... vertices-1. Labels are compared, nothing else; having no edge is a label of its own.
struct LabelledGraph {
  struct Edge {
    std::uint32_t from = 0, to = 0, label = 0;
  };
  std::size_t vertices = 0;
  bool directed = false;    ///< otherwise an edge joins both ways
  std::vector<Edge> edges;  ///< from != to; a pair occurs once (of an undirected graph in one direction)
  std::vector<std::uint32_t> colours = {};  ///< of the vertices; none given: all alike

  /// label(i, j) of all pairs, n x n and row-major, as a graph: label(i, i) is the colour of i, and the commonest other label means no edge.
  /// \throws DomainError unless there are n^2 labels; LimitError, Interrupted through `task`.
  static LabelledGraph from_labels(std::size_t n, std::span<const std::uint32_t> labels,
                                   const Task& task = {});
};

/// All permutations of the vertices that keep edges, their directions and labels, and colours.
///
/// \return the group with its order, both proved by an exhausted search.
/// \throws DomainError for a graph without vertices, an end that is no vertex, a loop, a pair given twice, colours that are not one for each vertex;
///         LimitError after 10^6 nodes of the search, or through `task`; Interrupted. Never part of a group.
/// \par Method  vertices with the same neighbours are merged; then partitions are refined, and the tree of individualized vertices is cut by
///              the automorphisms found. [McKay 1981]
/// \par Cost    with m edges 48 m bytes beside the graph, and 28 bytes for each vertex and base point; O((n + m) log n) for a refinement, few refinements for most
///              graphs, exponentially many at worst.
/// \par Example the 15 edges of Petersen's graph: order 120.
FiniteGroup automorphism_group(const LabelledGraph& graph, const Task& task = {});

}  // namespace intertwine
