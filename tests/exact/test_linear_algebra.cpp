#include "intertwine/exact/linear_algebra.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "exact/random_matrix.hpp"
#include "exact/segment_reduction.hpp"
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
    REQUIRE(matrix_rank(A) == R.rows());
    REQUIRE(matrix_rank(A.transpose()) == R.rows());
    require_kernel(A, null_space(A), R.rows());
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
    REQUIRE(matrix_rank(H) == n);
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
    const auto Y = linear_solve(A, A * X);
    REQUIRE(Y);
    REQUIRE(A * *Y == A * X);
    if (matrix_rank(A) == n) REQUIRE(*Y == X);
    // A right side outside the column space: A with it has a larger rank.
    const RationalMatrix b = test_exact::random_rational(rng, m, 1, 5);
    const RationalMatrix parts[] = {A, b};
    REQUIRE(linear_solve(A, b).has_value() == (matrix_rank(horizontal_stack(parts)) == matrix_rank(A)));
  }
  REQUIRE_THROWS_AS(linear_solve(RationalMatrix(2, 2), RationalMatrix(3, 1)), DomainError);
}

TEST_CASE("matrices that a word prime sees wrongly", "[exact][quick]") {
  // Modulo the first primes these have smaller ranks, later pivots or no inverse.
  const Integer p = word_prime(0), q = word_prime(1);
  const IntegerMatrix zero_mod_p = p * IntegerMatrix{{1, 2}, {3, 4}};
  REQUIRE(matrix_rank(zero_mod_p) == 2);
  REQUIRE(null_space(zero_mod_p).rows() == 0);
  REQUIRE(inverse(zero_mod_p) == Rational(1, p) * inverse(IntegerMatrix{{1, 2}, {3, 4}}));
  REQUIRE(matrix_rank(Integer(p * q) * IntegerMatrix{{1, 2}, {2, 4}}) == 1);

  IntegerMatrix diagonal = IntegerMatrix::identity(3);
  diagonal.set(0, 0, p);
  diagonal.set(1, 1, Integer(p * q));
  REQUIRE(matrix_rank(diagonal) == 3);
  REQUIRE(determinant(diagonal) == Rational(p * p * q));
  REQUIRE(*linear_solve(diagonal, IntegerMatrix{{1}, {1}, {1}}) ==
          inverse(diagonal) * RationalMatrix(IntegerMatrix{{1}, {1}, {1}}));

  IntegerMatrix late(1, 2);  // the pivot is column 0, modulo p column 1
  late.set(0, 0, p);
  late.set(0, 1, 1L);
  REQUIRE(reduced_echelon(late).pivots == std::vector<std::size_t>{0});
  REQUIRE(reduced_echelon(late).matrix(0, 1) == Rational(1, p));
  IntegerMatrix orthogonal(1, 2);
  orthogonal.set(0, 0, -1L);
  orthogonal.set(0, 1, p);
  REQUIRE(null_space(late) == orthogonal);

  // Consistent modulo p, not over Q; and the other way round.
  const IntegerMatrix A = {{1, 0}, {1, 0}};
  IntegerMatrix b(2, 1);
  b.set(0, 0, 1L);
  b.set(1, 0, Integer(p + 1));
  REQUIRE_FALSE(linear_solve(A, b));
  IntegerMatrix drop(2, 2);
  drop.set(0, 0, 1L);
  drop.set(1, 1, p);
  REQUIRE(*linear_solve(drop, IntegerMatrix{{1}, {1}}) ==
          RationalMatrix(2, 1, std::vector<Rational>{1, Rational(1, p)}));
  REQUIRE(minimal_polynomial(zero_mod_p) == Polynomial{Rational(-2 * p * p), Rational(-5 * p), 1});
  // Modulo p the minimal polynomial of diag(0, p) is x.
  IntegerMatrix nearly_zero(2, 2);
  nearly_zero.set(1, 1, p);
  REQUIRE(minimal_polynomial(nearly_zero) == Polynomial{0, Rational(-p), 1});
}

TEST_CASE("larger matrices of known rank", "[exact][quick]") {
  auto rng = test_rng();
  for (const auto& [m, n, r] : {std::tuple{60, 40, 25}, {40, 60, 40}, {120, 30, 30}, {50, 50, 3}}) {
    const RationalMatrix A = test_exact::random_rational(rng, m, n, r);
    CAPTURE(m, n, r);
    const std::size_t found = matrix_rank(A);
    REQUIRE(found <= static_cast<std::size_t>(r));
    const IntegerMatrix K = null_space(A);
    REQUIRE(K.rows() == n - found);
    REQUIRE((A * RationalMatrix(K.transpose())).is_zero());
    REQUIRE(matrix_rank(K) == K.rows());
    const Echelon E = reduced_echelon(A);
    REQUIRE(E.pivots.size() == found);
    REQUIRE(A.select_cols(E.pivots) * E.matrix == A);
  }
}

TEST_CASE("echelon forms of large and wide matrices", "[exact][quick]") {
  // C R for an echelon form R and a regular C: elimination in doubles, and for wide matrices only up to the last pivot.
  auto rng = test_rng();
  for (const auto& [r, n] :
       std::vector<std::pair<std::size_t, std::size_t>>{{30, 70}, {60, 61}, {12, 3000}, {40, 900}}) {
    for (const bool late : {false, true}) {
      CAPTURE(r, n, late);
      std::vector<std::size_t> pivots;
      while (pivots.size() < r) {
        const std::size_t j = late ? n - 1 - rng.below(2 * r < n ? 2 * r : n) : rng.below(n);
        if (std::find(pivots.begin(), pivots.end(), j) == pivots.end()) pivots.push_back(j);
      }
      std::sort(pivots.begin(), pivots.end());
      IntegerMatrix R(r, n), C = IntegerMatrix::identity(r);
      for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t j = pivots[i] + 1; j < n; ++j) R.set(i, j, static_cast<long>(rng.below(9)) - 4);
        for (std::size_t k = 0; k < r; ++k) R.set(k, pivots[i], k == i ? 6L : 0L);
      }
      for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = i + 1; j < r; ++j) C.set(i, j, static_cast<long>(rng.below(5)) - 2);
      const IntegerMatrix A = C.transpose() * (C * R);
      const Echelon found = reduced_echelon(RationalMatrix(A));
      REQUIRE(found.pivots == pivots);
      REQUIRE(found.matrix == RationalMatrix(R, 6));
      std::vector<std::size_t> twice(2 * r);  // dependent rows
      for (std::size_t i = 0; i < twice.size(); ++i) twice[i] = i / 2;
      REQUIRE(reduced_echelon(RationalMatrix(A.select_rows(twice))).matrix == found.matrix);
      REQUIRE(matrix_rank(RationalMatrix(A.select_rows(twice))) == r);
    }
  }
}

TEST_CASE("inverses and determinants", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const std::size_t n = rng.below(9);
    const RationalMatrix A = test_exact::random_rational(rng, n, n, n), B = test_exact::random_rational(rng, n, n, n);
    CAPTURE(trial, A.to_string());
    REQUIRE(determinant(A * B) == determinant(A) * determinant(B));
    REQUIRE((determinant(A) == 0) == (matrix_rank(A) < n));
    if (matrix_rank(A) < n) {
      REQUIRE_THROWS_AS(inverse(A), DomainError);
    } else {
      REQUIRE(A * inverse(A) == RationalMatrix::identity(n));
      REQUIRE(determinant(inverse(A)) * determinant(A) == 1);
    }
  }
  REQUIRE_THROWS_AS(inverse(RationalMatrix(2, 3)), DomainError);
  REQUIRE_THROWS_AS(determinant(RationalMatrix(2, 3)), DomainError);
  REQUIRE(determinant(RationalMatrix(0, 0)) == 1);
  REQUIRE_THROWS_AS(inverse(RationalMatrix(2, 2)), DomainError);
}

TEST_CASE("empty systems", "[exact][quick]") {
  REQUIRE(matrix_rank(RationalMatrix(0, 5)) == 0);
  REQUIRE(null_space(RationalMatrix(0, 3)) == IntegerMatrix::identity(3));
  REQUIRE(null_space(RationalMatrix(3, 0)) == IntegerMatrix(0, 0));
  REQUIRE(null_space(RationalMatrix(2, 3)) == IntegerMatrix::identity(3));
  REQUIRE(reduced_echelon(RationalMatrix(4, 2)).matrix == RationalMatrix(0, 2));
  REQUIRE(*linear_solve(RationalMatrix(0, 3), RationalMatrix(0, 2)) == RationalMatrix(3, 2));
  REQUIRE(*linear_solve(RationalMatrix(3, 0), RationalMatrix(3, 2)) == RationalMatrix(0, 2));
  REQUIRE_FALSE(linear_solve(RationalMatrix(3, 0), RationalMatrix(IntegerMatrix{{0}, {1}, {0}})));
  REQUIRE(inverse(RationalMatrix(0, 0)) == RationalMatrix(0, 0));
  REQUIRE(lll(IntegerMatrix(0, 3)) == IntegerMatrix(0, 3));
  REQUIRE(saturate(IntegerMatrix(2, 3)) == IntegerMatrix(0, 3));
  REQUIRE(kernel_lattice(RationalMatrix::identity(3)) == IntegerMatrix(0, 3));
  REQUIRE(sparsify(IntegerMatrix(0, 3)) == IntegerMatrix(0, 3));
}

TEST_CASE("polynomials of matrices", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const std::size_t n = 1 + rng.below(7);
    const RationalMatrix A = test_exact::random_rational(rng, n, n, rng.below(n + 1));
    CAPTURE(trial, A.to_string());
    const Polynomial f = characteristic_polynomial(A), m = minimal_polynomial(A);
    REQUIRE(f.size() == n + 1);
    REQUIRE(f.back() == 1);
    REQUIRE(f[n - 1] == -A.trace());
    REQUIRE(f[0] == (n % 2 == 0 ? 1 : -1) * determinant(A));
    REQUIRE(evaluate(f, A).is_zero());  // Cayley and Hamilton
    REQUIRE(evaluate(m, A).is_zero());
    REQUIRE(m.back() == 1);
    // f and m have the same irreducible factors, and the powers of A below the degree of m are independent.
    std::vector<RationalMatrix> powers;
    for (std::size_t k = 0; k + 1 < m.size(); ++k) {
      Polynomial power(k + 1, Rational(0));
      power[k] = 1;
      powers.push_back(evaluate(power, A).reshape(1, n * n));
    }
    REQUIRE(matrix_rank(vertical_stack(powers)) == powers.size());
    const auto of_f = irreducible_factors(f), of_m = irreducible_factors(m);
    REQUIRE(of_f.size() == of_m.size());
    for (std::size_t i = 0; i < of_f.size(); ++i) {
      REQUIRE(of_f[i].first == of_m[i].first);
      REQUIRE(of_f[i].second >= of_m[i].second);
    }
  }
  // The companion matrix of x^3 - 2 x + 5, twice, and half of it.
  const RationalMatrix C = IntegerMatrix{{0, 0, -5}, {1, 0, 2}, {0, 1, 0}};
  const RationalMatrix twice[] = {C, C};
  REQUIRE(minimal_polynomial(direct_sum(twice)) == Polynomial{5, -2, 0, 1});
  REQUIRE(characteristic_polynomial(direct_sum(twice)) == Polynomial{25, -20, 4, 10, -4, 0, 1});
  REQUIRE(minimal_polynomial(Rational(1, 2) * C) == Polynomial{Rational(5, 8), Rational(-1, 2), 0, 1});
  REQUIRE(minimal_polynomial(RationalMatrix(3, 3)) == Polynomial{0, 1});
  REQUIRE(minimal_polynomial(RationalMatrix(0, 0)) == Polynomial{1});
  REQUIRE(characteristic_polynomial(RationalMatrix(0, 0)) == Polynomial{1});
  REQUIRE(evaluate({}, C).is_zero());
  REQUIRE(evaluate({Rational(2, 3)}, C) == Rational(2, 3) * RationalMatrix::identity(3));
  REQUIRE_THROWS_AS(characteristic_polynomial(RationalMatrix(2, 3)), DomainError);
  REQUIRE_THROWS_AS(minimal_polynomial(RationalMatrix(2, 3)), DomainError);
  REQUIRE_THROWS_AS(evaluate({1}, RationalMatrix(2, 3)), DomainError);
}

TEST_CASE("factors", "[exact][quick]") {
  // 6 (x - 1/2)^2 (x^2 + 1) x = 6 x^5 - 6 x^4 + 15/2 x^3 - 6 x^2 + 3/2 x
  const Polynomial f = {0, Rational(3, 2), -6, Rational(15, 2), -6, 6};
  const auto factors = irreducible_factors(f);
  REQUIRE(factors.size() == 3);
  REQUIRE(factors[0] == std::pair<Polynomial, unsigned>{{Rational(-1, 2), 1}, 2});
  REQUIRE(factors[1] == std::pair<Polynomial, unsigned>{{0, 1}, 1});
  REQUIRE(factors[2] == std::pair<Polynomial, unsigned>{{1, 0, 1}, 1});
  REQUIRE(irreducible_factors({Rational(3, 4)}).empty());
  // x^4 + 1 is irreducible over Q though reducible modulo every prime.
  REQUIRE(irreducible_factors({1, 0, 0, 0, 1}).size() == 1);
  REQUIRE_THROWS_AS(irreducible_factors({}), DomainError);
  REQUIRE_THROWS_AS(irreducible_factors({0, 0}), DomainError);
}

namespace {

/// Every minor of full size has a common divisor 1 exactly if the rows span a saturated lattice; by the Smith form, if
/// the rank is full modulo every prime that divides one nonzero minor. Here: the primes up to 100 and large ones.
bool looks_saturated(const IntegerMatrix& S) {
  for (const std::uint64_t p : {2U,  3U,  5U,  7U,  11U, 13U, 17U, 19U, 23U, 29U, 31U, 37U, 41U,
                                43U, 47U, 53U, 59U, 61U, 67U, 71U, 73U, 79U, 83U, 89U, 97U})
    if (ModularMatrix(p, S).rank() < S.rows()) return false;
  return ModularMatrix(word_prime(0), S).rank() == S.rows();
}

bool same_span(const IntegerMatrix& A, const IntegerMatrix& B) {
  return reduced_echelon(A).matrix == reduced_echelon(B).matrix;
}

/// The rows of A are integral combinations of the independent rows of B.
bool lattice_contains(const IntegerMatrix& B, const IntegerMatrix& A) {
  const auto X = linear_solve(RationalMatrix(B.transpose()), RationalMatrix(A.transpose()));
  return X && X->is_integral();
}

}  // namespace

TEST_CASE("lattice bases", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const std::size_t r = rng.below(6), n = r + rng.below(5) + (trial % 8 == 0 ? 60 : 0);
    IntegerMatrix A = test_exact::random_rational(rng, r, n, 1 + rng.below(6)).numerator();
    if (rng.below(2) == 0) A = Integer(12) * A;
    CAPTURE(trial, A.to_string());
    const IntegerMatrix L = lll(A);
    const std::size_t d = matrix_rank(A);
    REQUIRE(L.rows() == d);
    REQUIRE(matrix_rank(L) == d);
    REQUIRE(lattice_contains(L, A));
    REQUIRE(same_span(L, A));
    if (d == r) REQUIRE(lattice_contains(A, L));
    const IntegerMatrix S = saturate(A);
    REQUIRE(S.rows() == d);
    REQUIRE(same_span(S, A));
    REQUIRE(lattice_contains(S, A));
    REQUIRE(looks_saturated(S));
    // Two routes to one lattice: the kernel of the kernel.
    const IntegerMatrix dual = kernel_lattice(null_space(A));
    REQUIRE(dual.rows() == d);
    REQUIRE(looks_saturated(dual));
    REQUIRE(lattice_contains(S, dual));
    REQUIRE(lattice_contains(dual, S));
  }
}

TEST_CASE("saturation of lattices of large index", "[exact][quick]") {
  auto rng = test_rng();
  for (const std::size_t n : {3, 12, 40}) {
    const IntegerMatrix A = test_exact::random_integral(rng, n, n + 4), T = test_exact::random_integral(rng, n, n);
    if (matrix_rank(A) < n || matrix_rank(T) < n) continue;
    const IntegerMatrix S = saturate(T * A);
    REQUIRE(S.rows() == n);
    REQUIRE(lattice_contains(S, A));
    REQUIRE(looks_saturated(S));
  }
  const Integer p = word_prime(0);
  REQUIRE(saturate(p * IntegerMatrix{{2, 4}}) == IntegerMatrix{{1, 2}});
  // Here the index is no content: (1, 1) and (1, -1) generate a lattice of index 2 in Z^2.
  REQUIRE(abs(determinant(saturate(IntegerMatrix{{1, 1}, {1, -1}}))) == 1);
}

TEST_CASE("reduction finds the short vectors of a hidden lattice", "[exact][quick]") {
  // Rows (1, t), the lattice of relations of (t, -1): its shortest vectors are those of the continued fraction.
  const IntegerMatrix L = lll(IntegerMatrix{{1, 0, 1000}, {0, 1, 3141}, {0, 0, 100000}});
  REQUIRE(L.rows() == 3);
  REQUIRE(abs(determinant(L)) == 100000);
  REQUIRE(L.height() < 200);
}

namespace {

/// The squared lengths of the orthogonal parts of the rows, and the largest |mu|.
std::pair<std::vector<long double>, long double> orthogonal_parts(const IntegerMatrix& L) {
  std::vector<std::vector<long double>> parts;
  std::vector<long double> lengths;
  long double largest = 0;
  for (std::size_t k = 0; k < L.rows(); ++k) {
    auto& u = parts.emplace_back();
    for (std::size_t j = 0; j < L.cols(); ++j) u.push_back(L(k, j).convert_to<long double>());
    for (std::size_t i = 0; i < k; ++i) {
      const long double mu = std::inner_product(u.begin(), u.end(), parts[i].begin(), 0.0L) / lengths[i];
      largest = std::max(largest, std::abs(mu));
      for (std::size_t j = 0; j < u.size(); ++j) u[j] -= mu * parts[i][j];
    }
    lengths.push_back(std::inner_product(u.begin(), u.end(), u.begin(), 0.0L));
  }
  return {lengths, largest};
}

}  // namespace

TEST_CASE("reduction in ranks above sixty-four", "[exact][quick]") {
  auto rng = test_rng();
  const auto small = [&](std::size_t rows, std::size_t cols) {
    IntegerMatrix A(rows, cols);
    for (std::size_t k = 0; k < rows * cols; ++k) A.set(k / cols, k % cols, static_cast<long>(rng.below(7)) - 3);
    return A;
  };
  for (const std::size_t r : {65, 70, 90, 130}) {
    // Of large index in what the second factor generates; and generators that are not independent.
    const IntegerMatrix A = small(r, r) * small(r, r + 9);
    if (matrix_rank(A) < r) continue;
    const IntegerMatrix parts[] = {Integer(2) * A, Integer(3) * A};
    CAPTURE(r);
    const IntegerMatrix L = lll(r == 90 ? vertical_stack(parts) : A);
    REQUIRE(L.rows() == r);
    REQUIRE(lattice_contains(L, A));
    REQUIRE(lattice_contains(A, L));
    const auto [lengths, mu] = orthogonal_parts(L);
    CHECK(mu < 0.511L);
    for (std::size_t k = 1; k < L.rows(); ++k) CHECK(lengths[k] > (0.989L - 0.2612L) * lengths[k - 1]);
  }
  // Numbers for which doubles are no integers.
  const IntegerMatrix M = small(66, 70);
  const IntegerMatrix L = lll(Integer(1LL << 60) * M);
  CHECK(lattice_contains(L, Integer(1LL << 60) * M));
  CHECK(L == Integer(1LL << 60) * exact_quotient(L, Integer(1LL << 60)));
  const Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(lll(M, stopped), Interrupted);
}

TEST_CASE("reduction ends where multiples are halves", "[exact][quick]") {
  // Hexagonal planes of 60 sizes: mu = -1/2 exactly, in doubles a little more or less.
  IntegerMatrix A(120, 180);
  for (std::size_t k = 0; k < 60; ++k)
    for (std::size_t i = 0; i < 2; ++i) {
      A.set(2 * k + i, 3 * k + i, static_cast<long>(k + 1));
      A.set(2 * k + i, 3 * k + i + 1, -static_cast<long>(k + 1));
    }
  const auto L = segment_reduction(A, {});
  REQUIRE(L);
  REQUIRE(lattice_contains(*L, A));
  REQUIRE(lattice_contains(A, *L));
}

TEST_CASE("sparse bases", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 30 * test_multiplier(); ++trial) {
    const std::size_t r = 1 + rng.below(7), n = r + rng.below(20);
    const IntegerMatrix A = test_exact::random_integral(rng, r, n);
    CAPTURE(trial, A.to_string());
    if (matrix_rank(A) < r) {
      REQUIRE_THROWS_AS(sparsify(A), DomainError);
      continue;
    }
    const IntegerMatrix S = sparsify(A);
    REQUIRE(S.rows() == r);
    REQUIRE(same_span(S, A));
    REQUIRE(S == sparsify(A));
    std::size_t last = 0;
    for (std::size_t i = 0; i < r; ++i) {
      REQUIRE(S.block(i, 0, 1, n).content() == 1);
      std::size_t first = 0;
      while (S.sign(i, first) == 0) ++first;
      REQUIRE(S.sign(i, first) == 1);
      REQUIRE(first >= last);
      last = first;
    }
  }
}

TEST_CASE("a hidden sparse basis is found again", "[exact][quick]") {
  auto rng = test_rng();
  for (const std::size_t r : {5, 30, 100}) {
    const std::size_t n = 6 * r;
    // Disjoint supports of 0/+-1, as of tied weights, mixed by row operations.
    IntegerMatrix hidden(r, n);
    for (std::size_t j = 0; j < n; ++j) hidden.set(j % r, j, j < r || rng.below(2) == 0 ? 1L : -1L);
    IntegerMatrix T = IntegerMatrix::identity(r);
    for (std::size_t k = 0; k < 5 * r; ++k) {
      const std::size_t i = rng.below(r), j = rng.below(r);
      IntegerMatrix step = IntegerMatrix::identity(r);
      if (i != j) step.set(i, j, static_cast<long>(rng.below(5)) - 2);
      T = step * T;
    }
    REQUIRE(sparsify(T * hidden) == hidden);
  }
}

TEST_CASE("sparse bases beat echelon bases", "[exact][quick]") {
  // Commuting matrices of a tensor square of the representation of S_5 on e_i - e_5.
  const RationalMatrix s = IntegerMatrix{{0, 0, 0, -1}, {1, 0, 0, -1}, {0, 1, 0, -1}, {0, 0, 1, -1}};
  const RationalMatrix t = IntegerMatrix{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  std::vector<RationalMatrix> equations;
  for (const RationalMatrix& g : {s, t}) {
    const RationalMatrix V = kronecker_product(g, g), one = RationalMatrix::identity(16);
    equations.push_back(kronecker_product(V, one) - kronecker_product(one, V.transpose()));
  }
  const IntegerMatrix K = null_space(vertical_stack(equations));
  REQUIRE(K.rows() == 4);  // std (x) std is the sum of 4 different irreducible representations
  std::vector<IntegerMatrix> echelon;
  const Echelon E = reduced_echelon(K);
  for (std::size_t i = 0; i < 4; ++i) echelon.push_back(E.matrix.block(i, 0, 1, 256).numerator());
  const IntegerMatrix R = vertical_stack(echelon), S = sparsify(K);
  REQUIRE(same_span(S, K));
  REQUIRE(S.nonzeros() < R.nonzeros());
  REQUIRE(S.height() <= R.height());
  // A dense random space has small vectors that its echelon form hides.
  auto rng = test_rng();
  IntegerMatrix A(12, 60);
  for (std::size_t k = 0; k < 12 * 60; ++k) A.set(k / 60, k % 60, static_cast<long>(rng.below(7)) - 3);
  REQUIRE(sparsify(A).height() < 20);
}

TEST_CASE("linear algebra can be stopped", "[exact][quick]") {
  const Task task(0, 0, {});
  task.cancel();
  const RationalMatrix A = hilbert(4);
  REQUIRE_THROWS_AS(reduced_echelon(A, task), Interrupted);
  REQUIRE_THROWS_AS(null_space(A, task), Interrupted);
  REQUIRE_THROWS_AS(inverse(A, task), Interrupted);
  REQUIRE_THROWS_AS(linear_solve(A, A, task), Interrupted);
  REQUIRE_THROWS_AS(characteristic_polynomial(A, task), Interrupted);
  REQUIRE_THROWS_AS(minimal_polynomial(A, task), Interrupted);
  REQUIRE_THROWS_AS(kernel_lattice(A, task), Interrupted);
  REQUIRE_THROWS_AS(sparsify(A.numerator(), task), Interrupted);
  REQUIRE_THROWS_AS(sparsify(A.numerator(), Task(100, 0, {})), LimitError);
}
