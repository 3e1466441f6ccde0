#include "intertwine/exact/linear_algebra.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "exact/random_matrix.hpp"
#include "intertwine/error.hpp"
#include "support/linear_algebra.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

RationalMatrix hilbert(std::size_t n) {
  std::vector<Rational> entries;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) entries.emplace_back(1, i + j + 1);
  return {n, n, entries};
}

test_algebra::Matrix rows_of(const RationalMatrix& A) {
  test_algebra::Matrix rows(A.rows(), std::vector<Rational>(A.cols()));
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) rows[i][j] = A(i, j);
  return rows;
}

/// Gauss and Jordan over Q: the oracle.
RationalMatrix echelon_by_elimination(const RationalMatrix& A) {
  test_algebra::Matrix rows = rows_of(A);
  std::size_t rank = 0;
  for (std::size_t c = 0; c < A.cols() && rank < rows.size(); ++c) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][c] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    const Rational head = rows[rank][c];
    for (Rational& a : rows[rank]) a /= head;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank || rows[i][c] == 0) continue;
      const Rational factor = rows[i][c];
      for (std::size_t j = 0; j < A.cols(); ++j) rows[i][j] -= factor * rows[rank][j];
    }
    ++rank;
  }
  std::vector<Rational> flat;
  for (std::size_t i = 0; i < rank; ++i) flat.insert(flat.end(), rows[i].begin(), rows[i].end());
  return {rank, A.cols(), flat};
}

void require_kernel(const RationalMatrix& A, const IntegerMatrix& K, std::size_t rank_of_A) {
  REQUIRE(K.rows() == A.cols() - rank_of_A);
  REQUIRE(K.cols() == A.cols());
  REQUIRE((A * RationalMatrix(K.transpose())).is_zero());
  REQUIRE(test_algebra::rank(rows_of(K)) == K.rows());
}

}  // namespace

TEST_CASE("elimination agrees with Gauss and Jordan on random matrices", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const RationalMatrix A = test_exact::random_rational(rng, rng.below(9), rng.below(9), rng.below(6));
    CAPTURE(trial, A.to_string());
    const RationalMatrix R = echelon_by_elimination(A);
    const Echelon E = reduced_echelon(A);
    REQUIRE(E.matrix == R);
    REQUIRE(E.pivots.size() == R.rows());
    for (std::size_t i = 0; i < R.rows(); ++i)
      for (std::size_t k = 0; k < R.rows(); ++k) REQUIRE(R(k, E.pivots[i]) == (i == k ? 1 : 0));
    REQUIRE(rank(A) == R.rows());
    REQUIRE(rank(A.transpose()) == R.rows());
    require_kernel(A, kernel(A), R.rows());
  }
}

TEST_CASE("the inverse of the Hilbert matrix is integral", "[exact][quick]") {
  // The sum of the entries of the inverse of the n x n Hilbert matrix is n^2, and its determinant is the
  // reciprocal of an integer: OEIS A005249.
  for (const std::size_t n : {1, 2, 5, 20}) {
    const RationalMatrix H = hilbert(n), inverted = inverse(H);
    REQUIRE(inverted.is_integral());
    REQUIRE(H * inverted == RationalMatrix::identity(n));
    Rational sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sum += inverted(i, j);
    REQUIRE(sum == Rational(n * n));
    REQUIRE(rank(H) == n);
  }
  REQUIRE(determinant(hilbert(5)) == Rational(1, Integer("266716800000")));
}

TEST_CASE("solving", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t m = rng.below(8), n = rng.below(8), k = rng.below(4);
    const RationalMatrix A = test_exact::random_rational(rng, m, n, rng.below(6));
    const RationalMatrix X = test_exact::random_rational(rng, n, k, 5);
    CAPTURE(trial, A.to_string(), X.to_string());
    const auto Y = solve(A, A * X);
    REQUIRE(Y);
    REQUIRE(A * *Y == A * X);
    if (rank(A) == n) REQUIRE(*Y == X);
    // A right side outside the column space: A with it has a larger rank.
    const RationalMatrix b = test_exact::random_rational(rng, m, 1, 5);
    const RationalMatrix parts[] = {A, b};
    REQUIRE(solve(A, b).has_value() == (rank(horizontal_stack(parts)) == rank(A)));
  }
  REQUIRE_THROWS_AS(solve(RationalMatrix(2, 2), RationalMatrix(3, 1)), DomainError);
}
