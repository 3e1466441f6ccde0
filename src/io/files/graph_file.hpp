// Graphs and square matrices in files.
#pragma once
#include <filesystem>

#include "intertwine/equivariant/automorphism_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads a graph by the extension of its file: .g6 or .s6 (graph6, digraph6 and sparse6), .col or .dimacs, .json, .edges or .txt (pairs of
/// 0-based vertices, a line each), .npy (a square matrix); docs/formats.md. The file is treated as hostile.
/// \throws FileError, LimitError naming the file and the place.
LabelledGraph read_graph_file(const std::filesystem::path& path, const Task& task = {});

}  // namespace intertwine
