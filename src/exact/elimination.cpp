// Elimination of rational matrices modulo primes.
#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "exact/double_elimination.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_images.hpp"

namespace intertwine {

namespace {

/// The primes for elimination in a matrix of this shape: small ones, of which more are needed, where doubles are faster by
/// more than that.
struct Primes {
  Primes(std::size_t rows, std::size_t cols)
      : small(pays_in_doubles(double_prime(0), rows, std::min(rows, cols), cols)) {}
  std::uint64_t operator()(std::size_t k) const { return small ? double_prime(k) : word_prime(k); }
  bool small;
};

/// The rational matrix whose image modulo every prime p is image(p) (nothing for a bad p), as soon as accept()
/// likes the candidate; nothing if accept() finds the case hopeless. Candidates come to accept() only if plausible() has
/// nothing against them.
template <class Image, class Plausible, class Accept>
std::optional<RationalMatrix> lift(const Primes& prime, const Image& image, const Plausible& plausible,
                                   const Accept& accept, const Task& task) {
  RationalLift collected;
  std::optional<RationalMatrix> result;
  take_prime_images([&](std::size_t k) { return image(prime(k)); },
                    [&](const std::optional<ModularMatrix>& next) {
                      if (next) collected.add(*next);
                      const std::optional<RationalMatrix>& candidate = collected.guess();
                      if (!candidate || !plausible(*candidate)) return false;
                      const Verdict verdict = accept(*candidate);
                      if (verdict == Verdict::accepted) result = candidate;
                      return verdict != Verdict::too_early;
                    },
                    task);
  return result;
}

/// a modulo 2^64.
std::uint64_t low_word(const fmpz* a) {
  if (!COEFF_IS_MPZ(*a)) return static_cast<std::uint64_t>(*a);
  const mpz_srcptr z = COEFF_TO_PTR(*a);
  const std::uint64_t low = mpz_getlimbn(z, 0);
  return mpz_sgn(z) < 0 ? 0 - low : low;
}

/// A v modulo 2^64.
std::vector<std::uint64_t> low_product(const IntegerMatrix& A, const std::vector<std::uint64_t>& v) {
  std::vector<std::uint64_t> result(A.rows(), 0);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) result[i] += low_word(A.flint().entry(i, j)) * v[j];
  return result;
}

/// Is A X = B as far as one random vector and arithmetic modulo 2^64 tell? False only where it is not: a test that costs
/// next to nothing beside the exact one (Freivalds 1979).
bool seems_to_solve(const IntegerMatrix& A, const RationalMatrix& X, const IntegerMatrix& B) {
  Rng rng(5);
  std::vector<std::uint64_t> v(B.cols());
  for (std::uint64_t& entry : v) entry = rng.below(~std::uint64_t{0}) | 1U;
  const std::vector<std::uint64_t> left = low_product(A, low_product(X.numerator(), v)), right = low_product(B, v);
  const std::uint64_t denominator = low_word(FlintInteger(X.denominator()));
  for (std::size_t i = 0; i < right.size(); ++i)
    if (left[i] != denominator * right[i]) return false;
  return true;
}

/// A X = B.
bool solves(const IntegerMatrix& A, const RationalMatrix& X, const IntegerMatrix& B) {
  return A * X.numerator() == X.denominator() * B;
}

/// The solution X of B X = C for a nonsingular B, provided that accept(X); otherwise nothing.
/// \param known  X modulo a prime, if that is known
template <class Accept>
std::optional<RationalMatrix> solve_nonsingular(const IntegerMatrix& B, const IntegerMatrix& C,
                                                const std::optional<ModularMatrix>& known, const Accept& accept,
                                                const Task& task) {
  if (B.rows() == 0 || C.cols() == 0) {
    RationalMatrix X(B.cols(), C.cols());
    if (!accept(X)) return std::nullopt;
    return X;
  }
  const auto plausible = [&](const RationalMatrix& X) { return seems_to_solve(B, X, C); };
  if (known) {  // small numbers need no more
    RationalLift lifted;
    lifted.add(*known);
    if (lifted.guess() && plausible(*lifted.guess()) && accept(*lifted.guess())) return lifted.guess();
  }
  // Few right sides: Dixon's p-adic lifting inverts B once instead of once for every prime (measured: 8 times
  // faster for one right side at n = 300, slower from about n/3 on). It cannot be stopped, hence the bound.
  if (4 * C.cols() <= B.rows() && B.rows() <= 1000) {
    IntegerMatrix numerators(B.cols(), C.cols());
    FlintInteger denominator;
    if (fmpz_mat_solve_dixon_den(numerators.flint().m, denominator, B.flint().m, C.flint().m) != 0) {
      RationalMatrix X(std::move(numerators), integer_from(denominator));
      if (accept(X)) return X;
      if (solves(B, X, C)) return std::nullopt;
    }
  }
  const auto image = [&](std::uint64_t p) -> std::optional<ModularMatrix> {
    if (known && known->prime() == p) return known;
    return solve_modulo(ModularMatrix(p, B), ModularMatrix(p, C), task);
  };
  // accept() implies B X = C wherever it can hold for the true X; so the cheap order is this one.
  const auto verdict = [&](const RationalMatrix& X) {
    if (accept(X)) return Verdict::accepted;
    return solves(B, X, C) ? Verdict::hopeless : Verdict::too_early;
  };
  return lift(Primes(B.rows(), B.cols() + C.cols()), image, plausible, verdict, task);
}

/// (R_i, j) = 0 for every free column j left of pivot i.
bool is_echelon(const RationalMatrix& X, const std::vector<std::size_t>& pivots, const std::vector<std::size_t>& free) {
  for (std::size_t i = 0; i < pivots.size(); ++i)
    for (std::size_t j = 0; j < free.size() && free[j] < pivots[i]; ++j)
      if (X.numerator().sign(i, j) != 0) return false;
  return true;
}

/// rank_profile by one call of FLINT, which cannot be stopped.
RankProfile rank_profile_at_once(const ModularMatrix& A, std::optional<ModularMatrix>* X) {
  RankProfile result;
  ModularMatrix lu = A;
  std::vector<slong> permutation(A.rows());
  const auto rank = static_cast<std::size_t>(nmod_mat_lu(permutation.data(), lu.flint().m, 0));
  for (std::size_t i = 0, j = 0; i < rank; ++i, ++j) {
    while (lu(i, j) == 0 || j < i) ++j;  // left of the diagonal lies L
    result.cols.push_back(j);
    result.rows.push_back(static_cast<std::size_t>(permutation[i]));
  }
  std::ranges::sort(result.rows);
  if (X == nullptr) return result;
  // The first `rank` rows are U, upper triangular in the columns of the profile once L is taken away.
  ModularMatrix left(A.prime(), rank, rank);
  const std::vector<std::size_t> free = complement_of(result.cols, A.cols());
  ModularMatrix right = lu.block(0, 0, rank, A.cols()).select_cols(free);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = i; j < rank; ++j) left.set(i, j, lu(i, result.cols[j]));
    for (std::size_t j = 0; j < free.size() && free[j] < i; ++j) right.set(i, j, 0);
  }
  X->emplace(A.prime(), rank, free.size());
  if (rank != 0 && !free.empty()) nmod_mat_solve_triu((*X)->flint().m, left.flint().m, right.flint().m, 0);
  return result;
}

/// rank_profile by slabs of rows: a slab is reduced by the rows before it, then by itself, then they by it. Columns with a
/// pivot are those of the identity and are not carried along. Some copies of the matrix are in memory.
RankProfile rank_profile_by_slabs(const ModularMatrix& A, std::size_t height, std::optional<ModularMatrix>* X,
                                  const Task& task) {
  task.require_memory(std::uint64_t{8} * 4 * A.rows() * A.cols(), "elimination modulo a prime");
  RankProfile result;
  std::vector<std::size_t> found, free(A.cols());  // columns with a pivot, by row, and without
  std::iota(free.begin(), free.end(), 0);
  ModularMatrix reduced(A.prime(), 0, A.cols());  // its free columns
  for (std::size_t from = 0; from < A.rows() && !free.empty(); from += height) {
    task.poll();
    const ModularMatrix slab = A.block(from, 0, std::min(height, A.rows() - from), A.cols());
    std::optional<ModularMatrix> own;
    const RankProfile more = rank_profile_at_once(slab.select_cols(free) - slab.select_cols(found) * reduced, &own);
    task.poll();
    const std::vector<std::size_t> rest = complement_of(more.cols, free.size());
    const ModularMatrix parts[] = {reduced.select_cols(rest) - reduced.select_cols(more.cols) * *own, *own};
    reduced = vertical_stack(parts);
    for (const std::size_t i : more.rows) result.rows.push_back(from + i);
    for (const std::size_t j : more.cols) found.push_back(free[j]);
    std::vector<std::size_t> left;
    for (const std::size_t j : rest) left.push_back(free[j]);
    free = std::move(left);
  }
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return found[i]; });
  for (const std::size_t i : order) result.cols.push_back(found[i]);
  if (X != nullptr) *X = reduced.select_rows(order);
  return result;
}

}  // namespace

std::vector<std::size_t> complement_of(const std::vector<std::size_t>& chosen, std::size_t n) {
  std::vector<std::size_t> rest;
  for (std::size_t j = 0, next = 0; j < n; ++j) {
    if (next < chosen.size() && chosen[next] == j)
      ++next;
    else
      rest.push_back(j);
  }
  return rest;
}

RankProfile rank_profile(const ModularMatrix& A, std::optional<ModularMatrix>* X, const Task& task) {
  if (pays_in_doubles(A)) return rank_profile_in_doubles(A, X, task);
  if (A.rows() == 0 || A.cols() == 0) {
    if (X != nullptr) X->emplace(A.prime(), 0, A.cols());
    return {};
  }
  constexpr std::size_t least = 128;  // products with few rows are slow
  const std::size_t height = std::max(least, flint_at_once / A.cols() / std::min(A.rows(), A.cols()));
  return height < A.rows() ? rank_profile_by_slabs(A, height, X, task) : rank_profile_at_once(A, X);
}

std::optional<ModularMatrix> solve_modulo(const ModularMatrix& B, const ModularMatrix& C, const Task& task) {
  if (pays_in_doubles(B.prime(), B.rows(), B.rows(), B.cols() + C.cols())) {
    const ModularMatrix parts[] = {B, C};
    std::optional<ModularMatrix> X;
    const RankProfile profile = rank_profile_in_doubles(horizontal_stack(parts), &X, task);
    if (profile.cols.size() < B.cols() || profile.cols.back() >= B.cols()) return std::nullopt;
    return X;
  }
  ModularMatrix X(B.prime(), B.cols(), C.cols());
  if (nmod_mat_solve(X.flint().m, B.flint().m, C.flint().m) == 0) return std::nullopt;
  return X;
}

// Why the answer is right: the minor of A on the profile is nonzero modulo p, so rank A >= r over Q; and
// A[:, free] = A[:, pivots] X, checked over Z, gives rank A <= r and puts the row space into that of [I, X]. The
// zeros of an echelon form in X make the pivots the least ones. A prime that divides a relevant minor fails one
// of these two checks, and the next one is tried.
RowReduction row_reduction(const IntegerMatrix& A, const Task& task) {
  const Primes prime(A.rows(), A.cols());
  for (std::size_t k = 0;; ++k) {
    task.poll();
    std::optional<ModularMatrix> known;
    RankProfile profile = rank_profile(ModularMatrix(prime(k), A), &known, task);
    std::vector<std::size_t> free = complement_of(profile.cols, A.cols());
    const IntegerMatrix rows = A.select_rows(profile.rows);
    const IntegerMatrix pivot_part = A.select_cols(profile.cols);
    const IntegerMatrix free_part = A.select_cols(free);
    const auto accept = [&](const RationalMatrix& X) {
      return is_echelon(X, profile.cols, free) && solves(pivot_part, X, free_part);
    };
    std::optional<RationalMatrix> X =
        solve_nonsingular(rows.select_cols(profile.cols), rows.select_cols(free), known, accept, task);
    if (X) return {std::move(profile.rows), std::move(profile.cols), std::move(free), std::move(*X)};
  }
}

std::size_t matrix_rank(const RationalMatrix& A, const Task& task) {
  const IntegerMatrix& N = A.numerator();
  const std::size_t full = std::min(N.rows(), N.cols());
  if (ModularMatrix(Primes(N.rows(), N.cols())(0), N).rank() == full) return full;
  return row_reduction(N.rows() < N.cols() ? N.transpose() : N, task).pivots.size();
}

namespace {

/// The reduced echelon form of a matrix much wider than high if its rows are independent. Only the columns up to the last
/// pivot are eliminated; the rest is one product. Proved by the form of the result: it is an invertible matrix times A, with
/// the unit matrix at the pivots and zeros left of them.
std::optional<Echelon> echelon_of_wide(const IntegerMatrix& A, const Task& task) {
  const std::size_t r = A.rows();
  if (r == 0) return std::nullopt;
  for (std::size_t width = 4 * r, k = 0; width < A.cols(); width *= 2) {
    task.poll();
    const IntegerMatrix left = A.block(0, 0, r, width);
    const RankProfile profile = rank_profile(ModularMatrix(Primes(r, width)(k), left), nullptr, task);
    if (profile.cols.size() < r) continue;
    const RationalMatrix back = inverse(left.select_cols(profile.cols), task);
    RationalMatrix R(back.numerator() * A, back.denominator());
    bool echelon = true;
    for (std::size_t i = 0; i < r && echelon; ++i)
      for (std::size_t j = 0; j < profile.cols[i] && echelon; ++j) echelon = R.numerator().sign(i, j) == 0;
    if (echelon) return Echelon{std::move(R), profile.cols};
    ++k;
  }
  return std::nullopt;
}

}  // namespace

Echelon reduced_echelon(const RationalMatrix& A, const Task& task) {
  if (A.rows() <= A.cols() / 8)
    if (auto result = echelon_of_wide(A.numerator(), task)) return std::move(*result);
  RowReduction reduction = row_reduction(A.numerator(), task);
  IntegerMatrix R(reduction.pivots.size(), A.cols());
  const FlintMatrix& X = reduction.X.numerator().flint();
  for (std::size_t i = 0; i < reduction.pivots.size(); ++i) {
    R.set(i, reduction.pivots[i], reduction.X.denominator());
    for (std::size_t j = 0; j < reduction.free.size(); ++j)
      copy_fresh(R.flint().entry(i, reduction.free[j]), X.entry(i, j));
  }
  return {RationalMatrix(std::move(R), reduction.X.denominator()), std::move(reduction.pivots)};
}

IntegerMatrix kernel_of(const RowReduction& reduction) {
  IntegerMatrix K(reduction.free.size(), reduction.free.size() + reduction.pivots.size());
  const FlintMatrix& X = reduction.X.numerator().flint();
  const FlintInteger denominator(reduction.X.denominator());
  FlintInteger content;
  for (std::size_t f = 0; f < reduction.free.size(); ++f) {
    fmpz_set(content, denominator);
    for (std::size_t i = 0; i < reduction.pivots.size() && !fmpz_is_one(content); ++i)
      if (!fmpz_is_zero(X.entry(i, f))) fmpz_gcd(content, content, X.entry(i, f));
    fmpz_divexact(K.flint().entry(f, reduction.free[f]), denominator, content);
    for (std::size_t i = 0; i < reduction.pivots.size(); ++i) {
      if (fmpz_is_zero(X.entry(i, f))) continue;
      fmpz* out = K.flint().entry(f, reduction.pivots[i]);
      fmpz_divexact(out, X.entry(i, f), content);
      fmpz_neg(out, out);
    }
  }
  return K;
}

IntegerMatrix null_space(const RationalMatrix& A, const Task& task) {
  return kernel_of(row_reduction(A.numerator(), task));
}

std::optional<RationalMatrix> linear_solve(const RationalMatrix& A, const RationalMatrix& B, const Task& task) {
  if (A.rows() != B.rows())
    throw DomainError(fmt::format("solve: {} equations with right sides of height {}", A.rows(), B.rows()));
  const IntegerMatrix &N = A.numerator(), &right = B.numerator();
  const Primes prime(N.rows(), N.cols());
  for (std::size_t k = 0;; ++k) {
    task.poll();
    const RankProfile profile = rank_profile(ModularMatrix(prime(k), N), nullptr, task);
    const IntegerMatrix pivot_part = N.select_cols(profile.cols);
    const auto accept = [&](const RationalMatrix& X) { return solves(pivot_part, X, right); };
    const std::optional<RationalMatrix> Y = solve_nonsingular(
        pivot_part.select_rows(profile.rows), right.select_rows(profile.rows), std::nullopt, accept, task);
    if (Y) {
      IntegerMatrix X(A.cols(), B.cols());
      for (std::size_t i = 0; i < profile.cols.size(); ++i)
        for (std::size_t j = 0; j < B.cols(); ++j)
          copy_fresh(X.flint().entry(profile.cols[i], j), Y->numerator().flint().entry(i, j));
      return RationalMatrix(A.denominator() * X, Y->denominator() * B.denominator());
    }
    // The equations of the profile have this solution and no other with zeros outside the pivots. If they
    // imply all others, that is if their number is the rank, no solution exists; otherwise the prime was bad.
    if (matrix_rank(N, task) == profile.rows.size()) return std::nullopt;
  }
}

RationalMatrix inverse(const RationalMatrix& A, const Task& task) {
  if (A.rows() != A.cols())
    throw DomainError(fmt::format("a {} x {} matrix has no inverse; it must be square", A.rows(), A.cols()));
  const std::size_t n = A.rows();
  if (n == 0) return A;
  const IntegerMatrix& N = A.numerator();
  const Primes prime(n, n);
  if (ModularMatrix(prime(0), N).rank() < n && matrix_rank(N, task) < n)
    throw DomainError(fmt::format("inverse: the {} x {} matrix is singular", n, n));
  const IntegerMatrix one = IntegerMatrix::identity(n);
  const std::optional<RationalMatrix> X = lift(
      prime, [&](std::uint64_t p) { return ModularMatrix(p, N).inverse(); },
      [&](const RationalMatrix& Y) { return seems_to_solve(N, Y, one); },
      [&](const RationalMatrix& Y) { return solves(N, Y, one) ? Verdict::accepted : Verdict::too_early; }, task);
  return Rational(A.denominator()) * *X;
}

Rational determinant(const RationalMatrix& A) {
  if (A.rows() != A.cols()) throw DomainError(fmt::format("determinant of a {} x {} matrix", A.rows(), A.cols()));
  FlintInteger det;
  fmpz_mat_det(det, A.numerator().flint().m);
  return Rational(integer_from(det), Integer(pow(A.denominator(), static_cast<unsigned>(A.rows()))));
}

}  // namespace intertwine
