#include "intertwine/equivariant/automorphism_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "automorphism_search.hpp"
#include "graph_table.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_graph_nodes = 1'000'000;

/// The commonest label off the diagonal; of equally common ones the least.
std::uint32_t commonest(std::size_t n, std::span<const std::uint32_t> labels) {
  std::unordered_map<std::uint32_t, std::size_t> count;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n;) {  // by stretches of one label
      const std::size_t first = j;
      const std::uint32_t label = labels[i * n + j];
      while (j < n && labels[i * n + j] == label) ++j;
      count[label] += j - first - (first <= i && i < j ? 1 : 0);
    }
  const auto best = std::ranges::max_element(count, [](const auto& a, const auto& b) {
    return std::pair(a.second, ~a.first) < std::pair(b.second, ~b.first);
  });
  return best->first;
}

}  // namespace

LabelledGraph LabelledGraph::from_labels(std::size_t n, std::span<const std::uint32_t> labels,
                                         const Task& task) {
  if (labels.size() != n * n)
    throw DomainError(
        fmt::format("{} labels are not those of {} vertices: give all n x n of them", labels.size(), n));
  LabelledGraph graph{n, false, {}, {}};
  if (n == 0) return graph;
  graph.colours.reserve(n);
  for (std::size_t i = 0; i < n; ++i) graph.colours.push_back(labels[i * n + i]);
  for (std::size_t i = 0; i < n && !graph.directed; ++i) {
    task.poll();
    for (std::size_t j = 0; j < i && !graph.directed; ++j)
      graph.directed = labels[i * n + j] != labels[j * n + i];
  }
  const std::uint32_t usual = commonest(n, labels);
  const auto is_edge = [&](std::size_t i, std::size_t j) { return i != j && labels[i * n + j] != usual; };
  std::size_t edges = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = graph.directed ? 0 : i; j < n; ++j) edges += is_edge(i, j) ? 1 : 0;
  task.require_memory(sizeof(Edge) * edges, "the edges of a graph");
  graph.edges.reserve(edges);
  for (std::size_t i = 0; i < n; ++i) {
    task.poll();
    for (std::size_t j = graph.directed ? 0 : i; j < n; ++j)
      if (is_edge(i, j))
        graph.edges.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), labels[i * n + j]});
  }
  return graph;
}

FiniteGroup automorphism_group(const LabelledGraph& graph, const Task& task) {
  const GraphTable table(graph, task);
  const auto found = automorphisms(table, {}, max_graph_nodes, task);
  if (!found)
    throw LimitError(
        fmt::format("the automorphisms of {} vertices were not found within {} nodes of the search and {} "
                    "points of its partitions; tell vertices apart by colours",
                    graph.vertices, max_graph_nodes, max_path_points));
  const MergedLines& lines = table.merging();
  task.require_memory(lines.kernel_bytes() + found->generators.size() * lines.full_points() * sizeof(Point),
                      "the generators of the automorphisms");
  std::vector<Permutation> generators = lines.kernel_generators();
  for (const auto& g : found->generators) generators.push_back(lines.lifted(g));
  return FiniteGroup::with_known_order(graph.vertices, std::move(generators), "automorphisms",
                                       found->order * lines.kernel_order());
}

}  // namespace intertwine
