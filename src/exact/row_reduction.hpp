// The elimination behind echelon forms, kernels and lattices.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The verdict on a candidate lifted from residues.
enum class Verdict { accepted, too_early, hopeless };

/// Independent rows (ascending) and the least independent columns; the minor on them is not 0.
struct RankProfile {
  std::vector<std::size_t> rows, cols;
};
/// \param X  if given: receives the right part of the reduced echelon form, A[:, free] = A[:, cols] X modulo the prime for the
///           columns `free` that are not in the profile
RankProfile rank_profile(const ModularMatrix& A, std::optional<ModularMatrix>* X = nullptr, const Task& task = {});

/// How many multiplications modulo a prime of words FLINT, which cannot be stopped, is given at once: a fifth of a second.
constexpr std::size_t flint_at_once = 200'000'000;

/// The solution X of B X = C modulo their prime; nothing if B is singular.
std::optional<ModularMatrix> solve_modulo(const ModularMatrix& B, const ModularMatrix& C, const Task& task);

/// The row space of A is spanned by the rows of the reduced echelon matrix with the unit matrix in the columns
/// `pivots` and X in the columns `free`. A[rows, :] is a basis of it from A.
struct RowReduction {
  std::vector<std::size_t> rows, pivots, free;
  RationalMatrix X;
};
/// Exact and proved.
RowReduction row_reduction(const IntegerMatrix& A, const Task& task);
/// The kernel: row i is primitive, positive at free[i] and 0 at the other free columns.
IntegerMatrix kernel_of(const RowReduction& reduction);

/// Every row divided by its content, the first nonzero entry positive.
IntegerMatrix primitive_rows(IntegerMatrix A);

}  // namespace intertwine
