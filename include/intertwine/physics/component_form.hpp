// Matrices that satisfy linear equations, written in those of their components that can be chosen freely.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

struct ComponentForm {
  std::size_t rows, cols;
  std::vector<std::string> names;  ///< the names of the components, row by row: "c11", "xy"
  /// The free components (row, column), from 0, in row-major order; all others are linear combinations of them.
  std::vector<std::pair<std::size_t, std::size_t>> independent;
  FieldMatrix coefficients;  ///< (rows * cols) x independent: component row * cols + column of the matrix

  const std::string& component(std::size_t row, std::size_t col) const { return names[row * cols + col]; }
  /// "(c11 - c12)/2", "-2 d22", "sqrt(3/4) xx", "0".
  std::string entry(std::size_t row, std::size_t col) const;
};

/// The matrices whose components, row by row, every one of the equations (some rows by rows * cols) takes to 0. In the
/// choice of free components 11, 22, 33 come first, then the others among the first three rows and columns, then row by
/// row.
/// \par Method  the kernel of the equations, in echelon form with the columns in this order: the pivots are free.
ComponentForm component_form(std::size_t rows, std::size_t cols, std::vector<std::string> names,
                             const std::vector<FieldMatrix>& equations, const Task& task = {});

/// Takes the components of an n x n matrix, row by row, to those of its transpose.
RationalMatrix matrix_transposition(std::size_t n);

}  // namespace intertwine
