// Semidefinite programs as modelling tools state them: with a sense, a constant, and names of variables.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/sdp/semidefinite_problem.hpp"

namespace intertwine::sdp {

/// A variable of a model by its places in X.
struct ModelVariable {
  std::string name;
  bool is_matrix = false;       ///< it is the whole block whose first row is `first_row`
  std::uint32_t first_row = 0;  ///< of a matrix
  SymmetricMatrix places = {};  ///< of a number: it is the sum of value times X[row, col]
};

/// A problem and what it was before it became a minimum of linear equations.
struct Model {
  Problem problem;        ///< the objective without its constant, its negative if the model maximizes
  bool maximize = false;  ///< the optimum of the model is the constant minus that of `problem`
  Rational constant = 0;  ///< of the objective
  std::vector<ModelVariable> variables = {};  ///< in the order of the file
};

}  // namespace intertwine::sdp
