// The automorphisms of graphs, whose vertices and edges may have labels, of hypergraphs, and of matrices.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/combinatorics/moved_points.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

class CodeRows;  // tables/weight_block.hpp

/// A graph on the vertices 0 ... vertices-1. Labels are compared, nothing else; having no edge is a label of its own.
struct LabelledGraph {
  struct Edge {
    std::uint32_t from = 0, to = 0, label = 0;
  };
  std::size_t vertices = 0;
  bool directed = false;    ///< otherwise an edge joins both ways
  std::vector<Edge> edges;  ///< from != to; a pair occurs once (of an undirected graph in one direction)
  std::vector<std::uint32_t> colours = {};  ///< the colours of the vertices; none given: all alike

  /// label(i, j) of all pairs, n x n and row-major, as a graph: label(i, i) is the colour of i, and the commonest
  /// other label means no edge.
  /// \throws DomainError unless there are n^2 labels; LimitError, Interrupted through `task`.
  static LabelledGraph from_labels(std::size_t n, std::span<const std::uint32_t> labels, const Task& task = {});
  /// The incidences of a hypergraph: its vertices, then a vertex for every different hyperedge, whose colour says how
  /// often it is given. Hyperedges are lists of different vertices in any order.
  /// \throws DomainError for a vertex that there is not or that a hyperedge has twice, or colours that are not one
  /// for each vertex; LimitError, Interrupted through `task`.
  static LabelledGraph from_hyperedges(std::size_t vertices, std::vector<std::vector<std::uint32_t>> hyperedges,
                                       const std::vector<std::uint32_t>& vertex_colours = {}, const Task& task = {});
  /// The rows of a matrix of any sides, then its columns, joined by the labels of their entries (row-major). With
  /// `negatives`, where negatives[a] is the label of minus what has label a, rows and columns have signs: vertices i
  /// and i + rows + columns are the two directions of axis i, as those of hyperoctahedral_group().
  /// \throws DomainError unless there are rows times columns labels, each with a negative if there are any;
  /// LimitError, Interrupted through `task`.
  static LabelledGraph from_matrix(std::size_t rows, std::size_t columns, std::span<const std::uint32_t> labels,
                                   std::span<const std::uint32_t> negatives = {}, const Task& task = {});
};

/// A group of permutations by generators that take the memory of what they move.
struct Automorphisms {
  static constexpr std::uint64_t most_images = 100'000'000;  ///< of the generators of a group, by default

  std::size_t degree = 0;               ///< points, of which most generators fix most
  std::vector<MovedPoints> generators;  ///< none is the identity
  Integer order = 1;
  std::vector<std::string> labels = {};  ///< what a file calls the points; empty: 0, 1, ...

  /// The points moved by the generators, added up: what they cost.
  std::uint64_t moved() const;
  /// See sparse_orbits().
  std::vector<std::vector<Point>> orbits() const;
  /// Are all labels whole numbers, none with zeros in front?
  bool labels_are_numbers() const;
  /// The group on its first `points`. \throws DomainError if it takes one of them elsewhere, or a generator fixes
  /// them all
  Automorphisms restricted(std::size_t points) &&;
  /// These automorphisms as a group; each generator takes the memory of all points. \throws LimitError for more than
  /// max_images images in all, or through `task`
  FiniteGroup group(std::string name, std::uint64_t max_images = most_images, const Task& task = {}) const;
  friend bool operator==(const Automorphisms&, const Automorphisms&) = default;
};

/// All permutations of the vertices that keep edges, their directions and labels, and colours.
///
/// \return generators and the order, proved by an exhausted search.
/// \throws DomainError for a graph without vertices, an end that is no vertex, a loop, a pair given twice, colours
///         that are not one for each vertex; LimitError after 10^6 nodes of the search that lead nowhere, or through
///         `task`; Interrupted. Never part of a group.
/// \par Method  vertices with the same neighbours are merged; then partitions are refined, and the tree of
///              individualized vertices is cut by the automorphisms found. There is one partition, cut on the way
///              down the tree and joined on the way back. [McKay 1981] Vertices are taken from cells of two and else
///              from the shortest; where that fails often, from the largest if these bound the tree better.
/// \par Cost    with m edges 48 m bytes beside the graph, and 112 bytes for each vertex; 16 bytes for each point that
///              a generator moves; O((n + m) log n) for the first refinement, those below by the vertices that they
///              tell apart and their edges; few for most graphs, exponentially many at worst.
/// \par Example the 15 edges of Petersen's graph: order 120.
Automorphisms automorphisms(const LabelledGraph& graph, const Task& task = {});
/// The automorphisms of the graph as a group. \throws as automorphisms() and Automorphisms::group()
FiniteGroup automorphism_group(const LabelledGraph& graph, const Task& task = {});

/// The permutations of rows and columns, with signs where asked for, that keep a table of tied codes
/// (weight_block.hpp). Points are rows, then columns; with signs line x has the points 2x and 2x + 1, its negative.
/// \param known  automorphisms by their images of points, which need not be found
/// \return nothing if more than `max_nodes` nodes of the search led nowhere
/// \throws DomainError for a code outside -params ... params and for a known permutation that does not keep the
///         table, which it names by its number; LimitError, Interrupted through `task`.
/// \par Method  equal lines, up to sign, are merged, and the search is that of automorphisms().
std::optional<Automorphisms> table_automorphisms(const CodeRows& table, std::uint64_t params, bool has_signs,
                                                 std::span<const std::vector<Point>> known, std::uint64_t max_nodes,
                                                 const Task& task = {});

}  // namespace intertwine
