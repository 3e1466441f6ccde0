// Dense elimination over Q, written for tests only: the oracle for tiny cases.
#pragma once
#include <utility>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/sparse_matrix.hpp"

namespace test_algebra {

using Matrix = std::vector<std::vector<intertwine::Rational>>;  ///< rows

inline std::size_t rank(Matrix rows) {
  std::size_t rank = 0;
  const std::size_t cols = rows.empty() ? 0 : rows[0].size();
  for (std::size_t c = 0; c < cols && rank < rows.size(); ++c) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][c] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t i = rank + 1; i < rows.size(); ++i) {
      if (rows[i][c] == 0) continue;
      const intertwine::Rational factor = rows[i][c] / rows[rank][c];
      for (std::size_t j = c; j < cols; ++j) rows[i][j] -= factor * rows[rank][j];
    }
    ++rank;
  }
  return rank;
}

/// The signed permutation matrix e_i -> sign(i) e_{g(i)}.
inline intertwine::SparseMatrix matrix(const intertwine::SignedPermutation& g) {
  std::vector<intertwine::SparseMatrix::Entry> entries;
  for (intertwine::Point i = 0; i < g.degree(); ++i)
    entries.push_back({g(i).point(), i, intertwine::Rational(g(i).sign())});
  return {g.degree(), g.degree(), std::move(entries)};
}

/// dim {W : W V(g) = U(g) W for all given pairs of images}, m x n matrices W, by the nullspace over Q.
inline std::size_t hom_dimension(std::size_t m, std::size_t n, const std::vector<intertwine::SignedPermutation>& U,
                                 const std::vector<intertwine::SignedPermutation>& V) {
  Matrix equations;
  for (std::size_t k = 0; k < U.size(); ++k) {
    // (W V(g))[i, c] = sign W[i, g c];  (U(g) W)[g r, c] = sign W[r, c].
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t c = 0; c < n; ++c) {
        const intertwine::SignedPoint i = U[k](static_cast<intertwine::Point>(r)),
                                      j = V[k](static_cast<intertwine::Point>(c));
        auto& row = equations.emplace_back(m * n, intertwine::Rational(0));
        row[i.point() * n + j.point()] += j.sign();
        row[r * n + c] -= i.sign();
      }
  }
  return m * n - rank(std::move(equations));
}

}  // namespace test_algebra
