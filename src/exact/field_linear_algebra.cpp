// Linear algebra over number fields, modulo split primes.
#include <flint/fmpz.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exact/field_coordinates.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/prime_images.hpp"

namespace intertwine {

namespace {

/// The numerators: a multiple of A by an integer, which no prime divides in the wrong place.
FieldMatrix integral(const FieldMatrix& A) { return {A.field(), A.coefficients().numerator(), A.cols()}; }

FieldMatrix scaled(const Rational& c, const FieldMatrix& A) { return {A.field(), c * A.coefficients(), A.cols()}; }

/// The matrix over K with the images image(B_e, C_e) of the images of B and C, modulo every good split prime and under
/// all embeddings e, as soon as verdict() accepts the candidate; nothing once it finds the case hopeless.
template <class Image, class Judge>
std::optional<FieldMatrix> lift(const FieldMatrix& B, const FieldMatrix& C, const Image& image, const Judge& verdict,
                                const Task& task) {
  const AbelianField& K = B.field();
  FieldLift collected(K);
  struct Images {
    AbelianField::SplitPrime prime;
    std::vector<std::optional<ModularMatrix>> of;  ///< by embedding
  };
  std::optional<FieldMatrix> result;
  take_prime_images(
      [&](std::size_t k) {
        Images next{elimination_prime(K, k, B.rows(), B.cols() + C.cols()),
                    std::vector<std::optional<ModularMatrix>>(K.degree())};
        const auto left = B.reduce(next.prime), right = C.reduce(next.prime);
        task.share(K.degree(), 1, [&](std::uint64_t first, std::uint64_t last) {
          for (std::uint64_t e = first; e < last; ++e) next.of[e] = image((*left)[e], (*right)[e]);
        });
        return next;
      },
      [&](const Images& next) {
        std::vector<ModularMatrix> found;
        for (const auto& matrix : next.of)
          if (matrix) found.push_back(*matrix);
        if (found.size() < K.degree()) return false;
        collected.add(next.prime, found);
        const std::optional<FieldMatrix> candidate = collected.candidate();
        if (!candidate) return false;
        const Verdict judged = verdict(*candidate);
        if (judged == Verdict::accepted) result = candidate;
        return judged != Verdict::too_early;
      },
      task);
  return result;
}

/// The solution X of B X = C for a nonsingular B, provided that accept(X); otherwise nothing.
template <class Accept>
std::optional<FieldMatrix> solve_nonsingular(const FieldMatrix& B, const FieldMatrix& C, const Accept& accept,
                                             const Task& task) {
  if (B.rows() == 0 || C.cols() == 0) {
    FieldMatrix X(B.field(), B.cols(), C.cols());
    if (!accept(X)) return std::nullopt;
    return X;
  }
  const auto image = [&](const ModularMatrix& left, const ModularMatrix& right) {
    return solve_modulo(left, right, task);
  };
  const auto verdict = [&](const FieldMatrix& X) {
    if (accept(X)) return Verdict::accepted;
    return B * X == C ? Verdict::hopeless : Verdict::too_early;
  };
  return lift(B, C, image, verdict, task);
}

struct FieldReduction {
  std::vector<std::size_t> rows, pivots, free;
  FieldMatrix X;
};

bool is_zero_at(const FieldMatrix& X, std::size_t i, std::size_t j) {
  for (std::size_t t = 0; t < X.field().degree(); ++t)
    if (X.coefficients().numerator().sign(i, t * X.cols() + j) != 0) return false;
  return true;
}

RankProfile first_profile(const FieldMatrix& A, std::size_t k) {
  return rank_profile(*A.reduce(elimination_prime(A.field(), k, A.rows(), A.cols()), 0));
}

// Why the answer is right: as for rational matrices. The minor on the profile is nonzero in one residue field, and
// A[:, free] = A[:, pivots] X is checked over K.
FieldReduction row_reduction(const FieldMatrix& A, const Task& task) {
  for (std::size_t k = 0;; ++k) {
    task.poll();
    RankProfile profile = first_profile(A, k);
    std::vector<std::size_t> free;
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (!std::ranges::binary_search(profile.cols, j)) free.push_back(j);
    const FieldMatrix rows = A.select_rows(profile.rows), pivot_part = A.select_cols(profile.cols),
                      free_part = A.select_cols(free);
    const auto accept = [&](const FieldMatrix& X) {
      for (std::size_t i = 0; i < profile.cols.size(); ++i)
        for (std::size_t j = 0; j < free.size() && free[j] < profile.cols[i]; ++j)
          if (!is_zero_at(X, i, j)) return false;
      return pivot_part * X == free_part;
    };
    std::optional<FieldMatrix> X =
        solve_nonsingular(rows.select_cols(profile.cols), rows.select_cols(free), accept, task);
    if (X) return {std::move(profile.rows), std::move(profile.cols), std::move(free), std::move(*X)};
  }
}

/// The zero matrix but for the blocks X (rows `rows`, columns `cols`) and the unit matrix (rows `unit_rows`, columns
/// `unit_cols`).
FieldMatrix with_unit(const FieldMatrix& X, std::size_t height, std::size_t width, const std::vector<std::size_t>& rows,
                      const std::vector<std::size_t>& cols, const std::vector<std::size_t>& unit_rows,
                      const std::vector<std::size_t>& unit_cols) {
  IntegerMatrix result(height, X.field().degree() * width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t t = 0; t < X.field().degree(); ++t)
      for (std::size_t j = 0; j < cols.size(); ++j)
        copy_fresh(result.flint().entry(rows[i], t * width + cols[j]),
                   X.coefficients().numerator().flint().entry(i, t * X.cols() + j));
  for (std::size_t i = 0; i < unit_rows.size(); ++i)
    result.set(unit_rows[i], unit_cols[i], X.coefficients().denominator());
  return {X.field(), RationalMatrix(std::move(result), X.coefficients().denominator()), width};
}

std::vector<std::size_t> range(std::size_t n) {
  std::vector<std::size_t> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = i;
  return result;
}

}  // namespace

std::size_t matrix_rank(const FieldMatrix& A, const Task& task) {
  if (A.field().is_rational()) return matrix_rank(A.coefficients(), task);
  const FieldMatrix N = integral(A);
  const std::size_t full = std::min(A.rows(), A.cols());
  if (first_profile(N, 0).cols.size() == full) return full;
  return row_reduction(A.rows() < A.cols() ? N.transpose() : N, task).pivots.size();
}

FieldEchelon reduced_echelon(const FieldMatrix& A, const Task& task) {
  if (A.field().is_rational()) {
    Echelon result = reduced_echelon(A.coefficients(), task);
    return {std::move(result.matrix), std::move(result.pivots)};
  }
  FieldReduction reduction = row_reduction(integral(A), task);
  const std::vector<std::size_t> all = range(reduction.pivots.size());
  FieldMatrix R = with_unit(reduction.X, all.size(), A.cols(), all, reduction.free, all, reduction.pivots);
  return {std::move(R), std::move(reduction.pivots)};
}

FieldMatrix null_space(const FieldMatrix& A, const Task& task) {
  const FieldReduction reduction = [&] {
    if (!A.field().is_rational()) return row_reduction(integral(A), task);
    RowReduction rational = row_reduction(A.coefficients().numerator(), task);
    return FieldReduction{std::move(rational.rows), std::move(rational.pivots), std::move(rational.free),
                          std::move(rational.X)};
  }();
  const std::vector<std::size_t> all = range(reduction.free.size());
  return with_unit(scaled(-1, reduction.X.transpose()), all.size(), A.cols(), all, reduction.pivots, all,
                   reduction.free);
}

std::optional<FieldMatrix> linear_solve(const FieldMatrix& A, const FieldMatrix& B, const Task& task) {
  if (A.rows() != B.rows())
    throw DomainError(fmt::format("solve: {} equations with right sides of height {}", A.rows(), B.rows()));
  if (A.field().is_rational()) {
    // One rational system for all coefficients.
    std::optional<RationalMatrix> X = linear_solve(A.coefficients(), B.coefficients(), task);
    if (!X) return std::nullopt;
    return FieldMatrix(B.field(), std::move(*X), B.cols());
  }
  const AbelianField K = AbelianField::compositum(A.field(), B.field());
  const FieldMatrix a = A.over(K), b = B.over(K), left = integral(a), right = integral(b);
  for (std::size_t k = 0;; ++k) {
    task.poll();
    const RankProfile profile = first_profile(left, k);
    const FieldMatrix pivot_part = left.select_cols(profile.cols);
    const auto accept = [&](const FieldMatrix& X) { return pivot_part * X == right; };
    const std::optional<FieldMatrix> Y =
        solve_nonsingular(pivot_part.select_rows(profile.rows), right.select_rows(profile.rows), accept, task);
    if (Y) {
      const FieldMatrix X = with_unit(*Y, A.cols(), B.cols(), profile.cols, range(B.cols()), {}, {});
      return scaled(Rational(a.coefficients().denominator(), b.coefficients().denominator()), X);
    }
    // No solution exists, as over Q, if the equations of the profile imply all others; otherwise the prime was bad.
    if (matrix_rank(left, task) == profile.rows.size()) return std::nullopt;
  }
}

FieldMatrix inverse(const FieldMatrix& A, const Task& task) {
  if (A.rows() != A.cols())
    throw DomainError(fmt::format("a {} x {} matrix has no inverse; it must be square", A.rows(), A.cols()));
  if (A.field().is_rational()) return inverse(A.coefficients(), task);
  const std::size_t n = A.rows();
  if (n == 0) return A;
  const FieldMatrix N = integral(A), one = FieldMatrix::identity(A.field(), n);
  if (first_profile(N, 0).cols.size() < n && matrix_rank(N, task) < n)
    throw DomainError(fmt::format("inverse: the {} x {} matrix is singular", n, n));
  const std::optional<FieldMatrix> X = lift(
      N, one, [](const ModularMatrix& left, const ModularMatrix&) { return left.inverse(); },
      [&](const FieldMatrix& Y) { return N * Y == one ? Verdict::accepted : Verdict::too_early; }, task);
  return scaled(Rational(A.coefficients().denominator()), *X);
}

}  // namespace intertwine
