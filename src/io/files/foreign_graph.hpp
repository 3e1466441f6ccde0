// Graphs as other programs write them: node-link JSON of NetworkX and D3, GML, GraphML, matrices of Matrix Market.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// A graph on its way, whose labels and colours are texts that are equal or not. A loop is an edge from a vertex to
/// itself.
struct ForeignGraph {
  struct Edge {
    std::uint32_t from, to;
    std::string label;
  };
  std::size_t vertices = 0;
  bool directed = false;
  std::vector<std::string> names;    ///< of the vertices; empty: 0, 1, ...
  std::vector<std::string> colours;  ///< of the vertices; empty: all alike
  std::vector<Edge> edges;           ///< each pair once
};

/// {"directed": false, "multigraph": false, "nodes": [{"id": 1, ...}], "links": [{"source": 1, "target": 2, ...}]},
/// where "edges" may stand for "links". Other members of a node are its colour, those of a link its label, and the
/// labels of parallel links together are one label.
/// \throws DomainError that says what is wrong and where, LimitError for more than `most` vertices
ForeignGraph read_node_link(const nlohmann::json& document, std::uint64_t most, const Task& task);

/// GML: graph [ node [ id 0 label "a" ] edge [ source 0 target 1 ] ]. Vertices are called by their labels if these differ, by
/// their id otherwise; other keys are colours and labels, but for graphics. \throws as read_node_link
ForeignGraph read_gml(std::string_view text, std::uint64_t most, const Task& task);
/// GraphML: its nodes and edges with their data, which are colours and labels. \throws as read_node_link, and DomainError for
/// hyperedges, ports, several graphs, and edges that are directed otherwise than the graph
ForeignGraph read_graphml(std::string_view text, std::uint64_t most, const Task& task);

/// A square matrix, "%%MatrixMarket matrix coordinate real general" and the like: entries other than 0 are the labels
/// of edges, those on the diagonal of loops. Read are real, integer and pattern, general, symmetric and skew-symmetric,
/// coordinate and array. \throws as read_node_link
ForeignGraph read_matrix_market(std::string_view text, std::uint64_t most, const Task& task);

}  // namespace intertwine
