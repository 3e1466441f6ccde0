// Solutions of a problem, lifted from those of its reduction.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "intertwine/sdp/model.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"

namespace intertwine::sdp {

/// A matrix X, and how well it solves its problem.
struct Solution {
  std::vector<Block> blocks;
  std::vector<std::vector<double>> X;     ///< of every block, dense and row-major; of a diagonal one the diagonal
  double value = 0;                       ///< the objective of the model, with its sense and its constant
  double violation = 0;                   ///< the largest |<A_i, X> - b_i|
  std::optional<std::size_t> worst = {};  ///< the constraint that has it, from 0; nothing where all hold exactly
  std::vector<double> variables;          ///< of the model, in its order; 0 for a matrix
};

/// The invariant solution of a model from one of its reduced problem.
/// \param Z  a dense symmetric matrix for every block of the reduced problem. \throws DomainError for other sizes;
/// LimitError through `task`
Solution lifted(const Model& model, const Reduction& reduction, const std::vector<std::vector<double>>& Z,
                const Task& task = {});

/// A solution and the names of what it solves, for the writers.
struct NamedSolution {
  const Model& model;
  const Solution& solution;
};

}  // namespace intertwine::sdp
