// Graphs and square matrices in files, as tables of labels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// Vertices 0 ... n-1 and label(i, j) for each ordered pair; label(i, i) is the colour of i. Equal values have equal labels.
struct LabelledGraph {
  std::size_t vertices = 0;
  std::vector<std::uint32_t> labels;  ///< n x n, row-major
};

/// Reads a graph by the extension of its file: .g6 (graph6 and digraph6), .col or .dimacs, .json, .edges or .txt (pairs of
/// 0-based vertices, a line each), .npy (a square matrix); docs/formats.md. The file is treated as hostile.
/// \throws FileError, LimitError naming the file and the place.
LabelledGraph read_graph_file(const std::filesystem::path& path, const Task& task = {});

}  // namespace intertwine
