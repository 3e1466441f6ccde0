// Lifted solutions.
#include "intertwine/sdp/solution.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace intertwine::sdp {

namespace {

/// X by the numbers of rows of all blocks together.
class Entries {
 public:
  Entries(const std::vector<Block>& blocks, const std::vector<std::vector<double>>& X) : blocks_(blocks), X_(X) {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      first_.push_back(static_cast<std::uint32_t>(owner_.size()));
      owner_.insert(owner_.end(), blocks[k].size, static_cast<std::uint32_t>(k));
    }
  }
  double at(std::uint32_t row, std::uint32_t col) const {
    const std::uint32_t k = owner_[row], i = row - first_[k], j = col - first_[k];
    return blocks_[k].diagonal ? X_[k][i] : X_[k][std::size_t{i} * blocks_[k].size + j];
  }
  /// <A, X>
  double product(const SymmetricMatrix& A) const {
    double sum = 0;
    for (const SymmetricEntry& e : A) sum += (e.row == e.col ? 1 : 2) * e.value.convert_to<double>() * at(e.row, e.col);
    return sum;
  }

 private:
  const std::vector<Block>& blocks_;
  const std::vector<std::vector<double>>& X_;
  std::vector<std::uint32_t> first_, owner_;
};

}  // namespace

Solution lifted(const Model& model, const Reduction& reduction, const std::vector<std::vector<double>>& Z,
                const Task& task) {
  const Problem& problem = model.problem;
  std::uint64_t entries = 0;
  for (const Block& block : problem.blocks())
    entries += block.diagonal ? block.size : std::uint64_t{block.size} * block.size;
  task.require_memory(2 * sizeof(double) * entries, "the entries of a solution");
  Solution solution;
  solution.blocks = problem.blocks();
  solution.X = reduction.lift(Z);
  const Entries X(solution.blocks, solution.X);
  const double product = X.product(problem.objective());
  solution.value = model.constant.convert_to<double>() + (model.maximize ? -product : product);
  for (std::size_t k = 0; k < problem.constraints().size(); ++k) {
    task.poll();
    const double off = std::abs(X.product(problem.constraints()[k]) - problem.right_sides()[k].convert_to<double>());
    if (!(off > solution.violation)) continue;
    solution.violation = off;
    solution.worst = k;
  }
  for (const ModelVariable& variable : model.variables) {
    double& sum = solution.variables.emplace_back(0);
    for (const SymmetricEntry& e : variable.places) sum += e.value.convert_to<double>() * X.at(e.row, e.col);
  }
  return solution;
}

}  // namespace intertwine::sdp
