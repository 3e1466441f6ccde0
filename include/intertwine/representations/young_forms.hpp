// Young's seminormal and orthogonal forms of the irreducible representations of the symmetric groups. (The natural form
// is specht_module.)
#pragma once
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The matrices of the adjacent transpositions (i, i+1), i = 0, ..., n-2, of S_n on the standard tableaux of the shape,
/// in the order of standard_tableaux. With r the content of i+1 minus that of i in T, and T' = T with i and i+1
/// exchanged: (i, i+1) v_T = 1/r v_T + v_T' if i is in a row above i+1, and 1/r v_T + (1 - 1/r^2) v_T' if it is below;
/// +-v_T where they share a row or column.
/// \throws LimitError if there are more than 4096 tableaux (also below). [James & Kerber 1981, 3.2-3.4]
std::vector<RationalMatrix> young_seminormal_form(const Partition& shape, const Task& task = {});

/// A symmetric orthogonal matrix with rational diagonal and positive square roots of rationals elsewhere.
struct YoungOrthogonalMatrix {
  struct Root {
    std::size_t row, col;
    Rational square;  ///< the square of the entry, which is positive
  };
  std::vector<Rational> diagonal;
  std::vector<Root> roots;  ///< the entries off the diagonal that are not 0, row by row
};

/// Young's orthogonal form, in the basis of unit length: entries 1/r on the diagonal and sqrt(1 - 1/r^2) at (T, T') and
/// (T', T).
std::vector<YoungOrthogonalMatrix> young_orthogonal_form(const Partition& shape, const Task& task = {});

}  // namespace intertwine
