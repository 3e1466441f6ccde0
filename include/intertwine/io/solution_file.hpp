// Solutions of semidefinite programs as solvers write them, and lifted ones as answers.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/sdp/solution.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The matrices Z of a reduced problem from a file of CSDP (multipliers on one line, then "2 BLOCK ROW COLUMN VALUE"
/// for entries of Z, counted from 1), from an output of SDPA (yMat), or from JSON, a list with a matrix for each
/// block. The beginning of the file says which. The file is treated as hostile. \throws FileError naming the line or
/// the block, also for a solution of a problem of other sizes; LimitError through `task`
std::vector<std::vector<double>> read_solution(const std::filesystem::path& path,
                                               const sdp::ReducedProblem& problem, const Task& task = {});
std::vector<std::vector<double>> parse_solution(const std::string& text, const std::string& name,
                                                const sdp::ReducedProblem& problem, const Task& task = {});

namespace sdp {

/// A solution and the names of what it solves, for the writers.
struct NamedSolution {
  const Model& model;
  const Solution& solution;
};

/// The value, and the constraint that is off most where one is off by 1e-12 or more.
std::string to_text(const Solution& solution);
/// The members of {"value", "violation", "variables": [{"name", "value"}], "solution": [rows, or of a diagonal block a
/// list of numbers]}.
void write_json(JsonWriter& json, const NamedSolution& answer);
std::string to_json(const NamedSolution& answer);
/// `block.k` float64 [n, n], [n] of a diagonal block, k from 1; `value` and `violation` float64 [1].
AnswerArrays to_arrays(const Solution& solution, const Task& task = {});

}  // namespace sdp

}  // namespace intertwine
