// Classical groups by the basis of C^n on which they act.
#include "intertwine/reductive/classical_form.hpp"

#include <string>

namespace intertwine {

ClassicalForm classical_form(const LieGroup& group) {
  const std::string& family = group.family();
  if (family == "U" || family == "GL") return {'G', group.degree()};
  if (family == "SU" || family == "SL") return {'A', group.degree()};
  if (family == "Sp") return {'C', group.degree()};
  if (!family.empty() && group.degree() > 2) return {group.degree() % 2 == 0 ? 'D' : 'B', group.degree()};
  if (group.type().factors().size() != 1 || group.type().torus_rank() > 0) return {' ', 0};
  const auto [letter, n] = group.type().factors()[0];
  return letter == 'A'   ? ClassicalForm{'A', n + 1}
         : letter == 'B' ? ClassicalForm{'B', 2 * n + 1}
         : letter == 'C' ? ClassicalForm{'C', 2 * n}
         : letter == 'D' ? ClassicalForm{'D', 2 * n}
                         : ClassicalForm{' ', 0};
}

std::vector<std::vector<int>> coordinate_rows(ClassicalForm form, int rank, int& denominator) {
  const auto [letter, n] = form;
  const int rows = letter == 'G' || letter == 'A' ? n : n / 2;
  denominator = letter == 'G' ? n : letter == 'B' || letter == 'D' ? 2 : 1;
  std::vector<std::vector<int>> result(rows, std::vector<int>(rank, 0));
  for (int i = 0; i < rows; ++i) {
    std::vector<int>& row = result[i];
    const int labels = letter == 'G' ? rank - 1 : rank;
    for (int j = i; j < labels; ++j) row[j] = denominator;
    if (letter == 'G') {
      for (int j = 0; j < labels; ++j) row[j] -= j + 1;
      row[rank - 1] = 1;
    } else if (letter == 'B') {
      row[rank - 1] = 1;
    } else if (letter == 'D') {
      row[rank - 1] = 1;
      row[rank - 2] = i == rows - 1 ? -1 : 1;
    }
  }
  return result;
}

}  // namespace intertwine
