// Solutions of semidefinite programs as solvers write them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "intertwine/sdp/solution.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The matrices Z of a reduced problem from a file of CSDP (multipliers on one line, then "2 BLOCK ROW COLUMN VALUE"
/// for entries of Z, counted from 1), from an output of SDPA (yMat), or from JSON, a list with a matrix for each
/// block. The beginning of the file says which. The file is treated as hostile. \throws FileError naming the line or
/// the block, also for a solution of a problem of other sizes; LimitError through `task`
std::vector<std::vector<double>> read_solution(const std::filesystem::path& path, const sdp::ReducedProblem& problem,
                                               const Task& task = {});
std::vector<std::vector<double>> parse_solution(const std::string& text, const std::string& name,
                                                const sdp::ReducedProblem& problem, const Task& task = {});

namespace sdp {}  // namespace sdp

}  // namespace intertwine
