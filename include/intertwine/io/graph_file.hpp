// Graphs, hypergraphs and matrices in files.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

struct GraphFile {
  LabelledGraph graph;
  std::size_t
      points;  ///< the first vertices, on which the group acts: of a hypergraph those that are no hyperedges, otherwise all
  /// The names that the file gives the vertices, in their order; empty: 0, 1, ...
  std::vector<std::string> labels = {};
};

/// Reads a graph by the extension of its file: .g6 or .s6 (graph6, digraph6 and sparse6), .col or .dimacs, .json,
/// .edges or
/// .txt or .edgelist (pairs of vertices, a line each: any whole numbers, or names, of which those that occur are the
/// vertices, ascending), .npy or .mtx (a square matrix), .gml, .graphml; a .json file may have hyperedges, or be
/// node-link JSON;
/// docs/formats.md. The file is treated as hostile.
/// \throws FileError, LimitError naming the file and the place.
GraphFile read_graph_file(const std::filesystem::path& path, const Task& task = {});
/// Is this the name of a graph, by its extension? No .json, which may be of other kinds, and no matrix (.npy).
bool names_graph(const std::filesystem::path& path);
/// A graph for questions that see vertices and edges alone, without directions. \throws as read_graph_file; FileError
/// for a matrix (.npy), a
/// hypergraph, and a graph with directions
GraphFile read_plain_graph(const std::filesystem::path& path, const Task& task = {});
/// A matrix of any sides (.npy), whose rows and columns are permuted apart; with signs, where `signs`. \throws as
/// read_graph_file
GraphFile read_matrix_graph(const std::filesystem::path& path, bool signs, const Task& task = {});

/// The automorphisms of what a file holds, on its points and with its labels.
Automorphisms file_automorphisms(const GraphFile& file, const Task& task = {});

}  // namespace intertwine
