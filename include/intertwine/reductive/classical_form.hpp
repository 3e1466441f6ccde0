// Classical groups by what they act on: the letter of the type, C^n, and weights in the basis of C^n.
#pragma once
#include <vector>

#include "intertwine/reductive/lie_group.hpp"

namespace intertwine {

/// The letter of a classical group, or of a type A to D, and the dimension of its vector representation.
struct ClassicalForm {
  char letter;  ///< 'G' for GL(n) and U(n), ' ' for other groups
  int n;        ///< 0 for other groups
};
ClassicalForm classical_form(const LieGroup& group);

/// The coordinate i of a weight in the basis of C^n, times the denominator, as a row of coefficients of labels: n
/// rows for types A and G, n/2 for the others.
std::vector<std::vector<int>> coordinate_rows(ClassicalForm form, int rank, int& denominator);

}  // namespace intertwine
