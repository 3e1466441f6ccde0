// A matrix of formulas as LaTeX has it.
#pragma once
#include <string>
#include <vector>

namespace intertwine {

/// \begin{pmatrix} ... \end{pmatrix} on one line, an array between parentheses from 11 columns on.
std::string latex_matrix(const std::vector<std::vector<std::string>>& cells);

}  // namespace intertwine
