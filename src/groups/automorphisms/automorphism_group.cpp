// The automorphism groups of labelled graphs.
#include "intertwine/groups/automorphism_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

LabelledGraph LabelledGraph::from_hyperedges(std::size_t vertices, std::vector<std::vector<std::uint32_t>> hyperedges,
                                             const std::vector<std::uint32_t>& vertex_colours, const Task& task) {
  if (!vertex_colours.empty() && vertex_colours.size() != vertices)
    throw DomainError(fmt::format("{} colours are not those of {} vertices", vertex_colours.size(), vertices));
  std::size_t incidences = 0;
  for (std::size_t k = 0; k < hyperedges.size(); ++k) {
    task.poll();
    std::vector<std::uint32_t>& hyperedge = hyperedges[k];
    std::ranges::sort(hyperedge);
    if (std::ranges::adjacent_find(hyperedge) != hyperedge.end() ||
        (!hyperedge.empty() && hyperedge.back() >= vertices))
      throw DomainError(
          fmt::format("hyperedge {} has a vertex twice, or one beyond the {} of the hypergraph", k, vertices));
    incidences += hyperedge.size();
  }
  task.require_memory(sizeof(Edge) * incidences, "the incidences of a hypergraph");
  std::ranges::sort(hyperedges);
  LabelledGraph graph{vertices, false, {}, {}};
  for (std::size_t v = 0; v < vertices; ++v)  // even colours for vertices, odd ones for multiplicities
    graph.colours.push_back(vertex_colours.empty() ? 0 : vertex_colours[v]);
  std::map<std::uint32_t, std::uint32_t> number;  // colours may be any numbers
  for (std::uint32_t& colour : graph.colours)
    colour = 2 * number.try_emplace(colour, static_cast<std::uint32_t>(number.size())).first->second;
  for (std::size_t first = 0; first < hyperedges.size();) {
    task.poll();
    std::size_t next = first;
    while (next < hyperedges.size() && hyperedges[next] == hyperedges[first]) ++next;
    if (!hyperedges[first].empty()) {
      for (const std::uint32_t v : hyperedges[first])
        graph.edges.push_back({v, static_cast<std::uint32_t>(graph.vertices), 1});
      graph.colours.push_back(static_cast<std::uint32_t>(2 * (next - first) - 1));
      ++graph.vertices;
    }
    first = next;
  }
  return graph;
}

LabelledGraph LabelledGraph::from_matrix(std::size_t rows, std::size_t columns, std::span<const std::uint32_t> labels,
                                         std::span<const std::uint32_t> negatives, const Task& task) {
  if (labels.size() != rows * columns)
    throw DomainError(fmt::format("{} labels are not those of a matrix of {} x {}", labels.size(), rows, columns));
  const bool with_signs = !negatives.empty();
  std::unordered_map<std::uint32_t, std::size_t> count;
  for (const std::uint32_t label : labels) {
    if (with_signs && label >= negatives.size()) throw DomainError(fmt::format("label {} has no negative", label));
    ++count[label];
    if (with_signs) ++count[negatives[label]];
  }
  std::uint32_t usual = 0, largest = 0;
  for (const auto& [label, times] : count) {
    largest = std::max(largest, label);
    if (times > count[usual] || (times == count[usual] && label < usual)) usual = label;
  }
  const auto axes = static_cast<std::uint32_t>(rows + columns);
  LabelledGraph graph{(with_signs ? 2 : 1) * (rows + columns), false, {}, {}};
  for (std::size_t v = 0; v < graph.vertices; ++v) graph.colours.push_back(v % axes < rows ? 0 : 1);
  const auto join = [&](std::uint32_t row, std::uint32_t column, std::uint32_t label) {
    if (label != usual) graph.edges.push_back({row, column, label});
  };
  task.require_memory(sizeof(Edge) * (with_signs ? 4 : 1) * labels.size(), "the entries of a matrix");
  for (std::uint32_t i = 0; i < rows; ++i) {
    task.poll();
    for (std::uint32_t j = 0; j < columns; ++j) {
      const auto column = static_cast<std::uint32_t>(rows) + j;
      const std::uint32_t label = labels[i * columns + j];
      join(i, column, label);
      if (!with_signs) continue;
      join(i + axes, column + axes, label);
      join(i, column + axes, negatives[label]);
      join(i + axes, column, negatives[label]);
    }
  }
  for (std::uint32_t a = 0; with_signs && a < axes; ++a) graph.edges.push_back({a, a + axes, largest + 1});
  return graph;
}

LabelledGraph LabelledGraph::from_labels(std::size_t n, std::span<const std::uint32_t> labels, const Task& task) {
  if (labels.size() != n * n)
    throw DomainError(fmt::format("{} labels are not those of {} vertices: give all n x n of them", labels.size(), n));
  LabelledGraph graph{n, false, {}, {}};
  if (n == 0) return graph;
  graph.colours.reserve(n);
  for (std::size_t i = 0; i < n; ++i) graph.colours.push_back(labels[i * n + i]);
  for (std::size_t i = 0; i < n && !graph.directed; ++i) {
    task.poll();
    for (std::size_t j = 0; j < i && !graph.directed; ++j) graph.directed = labels[i * n + j] != labels[j * n + i];
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
        graph.edges.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), labels[i * n + j]});
  }
  return graph;
}

std::uint64_t Automorphisms::moved() const {
  std::uint64_t count = 0;
  for (const MovedPoints& g : generators) count += g.size();
  return count;
}

std::vector<std::vector<Point>> Automorphisms::orbits() const { return sparse_orbits(degree, generators); }

bool Automorphisms::labels_are_numbers() const {
  return std::ranges::all_of(labels, [](const std::string& label) {
    return !label.empty() && label.find_first_not_of("0123456789") == std::string::npos &&
           (label.size() == 1 || label[0] != '0') && label.size() < 20;
  });
}

Automorphisms Automorphisms::restricted(std::size_t points) && {
  if (points >= degree) return std::move(*this);
  Automorphisms part{points, {}, order};
  for (const MovedPoints& g : generators) {
    const auto end = std::ranges::lower_bound(g, points, {}, &MovedPoints::value_type::first);
    for (auto at = g.begin(); at != end; ++at)
      if (at->second >= points)
        throw DomainError(fmt::format("an automorphism takes vertex {} to {}, which is not among the first {}",
                                      at->first, at->second, points));
    if (end == g.begin())
      throw DomainError(fmt::format("an automorphism fixes the first {} vertices and no others", points));
    part.generators.emplace_back(g.begin(), end);
  }
  return part;
}

FiniteGroup Automorphisms::group(std::string name, std::uint64_t max_images, const Task& task) const {
  const std::uint64_t images = std::uint64_t{generators.size()} * degree;
  if (images > max_images)
    throw LimitError(
        fmt::format("a group would need {} generators on {} vertices, more than the limit of {} images in all; tell "
                    "vertices apart by colours, or ask for the automorphisms alone",
                    generators.size(), degree, max_images));
  task.require_memory(images * sizeof(Point), "the generators of the automorphisms");
  std::vector<Permutation> whole;
  for (const MovedPoints& g : generators) {
    task.poll();
    whole.push_back(to_permutation(degree, g));
  }
  return FiniteGroup::with_known_order(degree, std::move(whole), std::move(name), order);
}

Automorphisms automorphisms(const LabelledGraph& graph, const Task& task) {
  const GraphTable table(graph, task);
  auto found = automorphisms(table, {}, max_graph_nodes, task);
  if (!found)
    throw LimitError(
        fmt::format("the automorphisms of {} vertices were not found after {} nodes that led nowhere; tell "
                    "vertices apart by colours",
                    graph.vertices, max_graph_nodes));
  return table.merging().lifted(*std::move(found), task);
}

FiniteGroup automorphism_group(const LabelledGraph& graph, const Task& task) {
  return automorphisms(graph, task).group("automorphisms", Automorphisms::most_images, task);
}

}  // namespace intertwine
