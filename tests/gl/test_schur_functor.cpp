#include "intertwine/gl/schur_functor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Method = SchurFunctor::Method;

RationalMatrix random_matrix(Rng& rng, std::size_t rows, std::size_t cols, bool fractions = true) {
  std::vector<Rational> entries;
  for (std::size_t k = 0; k < rows * cols; ++k)
    entries.emplace_back(static_cast<long>(rng.below(9)) - 4, fractions ? 1 + static_cast<long>(rng.below(3)) : 1);
  return {rows, cols, entries};
}

Rational power(Rational base, int exponent) {
  Rational result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

std::vector<double> doubles(const RationalMatrix& A) {
  std::vector<double> values;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) values.push_back(static_cast<double>(A(i, j)));
  return values;
}

std::vector<Partition> shapes_up_to(int weight) {
  std::vector<Partition> shapes;
  for (int d = 0; d <= weight; ++d)
    for (const Partition& shape : partitions(d)) shapes.push_back(shape);
  return shapes;
}

}  // namespace

TEST_CASE("Schur functors of small matrices are those computed by hand", "[gl][quick]") {
  // Sym^2 of [[a, b], [c, d]] on x^2, xy, y^2.
  const RationalMatrix A = IntegerMatrix{{2, 3}, {5, 7}};
  const SchurFunctor sym({2});
  const RationalMatrix B = sym(A);
  const auto position = [](const SchurFunctor& S, std::vector<std::vector<int>> rows, int n) {
    const auto basis = S.basis(n);
    const auto found = std::find(basis.begin(), basis.end(), Tableau(std::move(rows)));
    REQUIRE(found != basis.end());
    return static_cast<std::size_t>(found - basis.begin());
  };
  const std::size_t xx = position(sym, {{0, 0}}, 2), xy = position(sym, {{0, 1}}, 2), yy = position(sym, {{1, 1}}, 2);
  REQUIRE(B(xx, xx) == 4);  // (2x + 5y)^2
  REQUIRE(B(xy, xx) == 20);
  REQUIRE(B(yy, xx) == 25);
  REQUIRE(B(xx, xy) == 6);  // (2x + 5y)(3x + 7y)
  REQUIRE(B(xy, xy) == 29);
  REQUIRE(B(yy, xy) == 35);
  REQUIRE(B(xy, yy) == 42);  // (3x + 7y)^2
  REQUIRE(std::vector{xx, xy, yy} == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(SchurFunctor({1})(A) == A);
  // S_(2,1)(K^2) is K^2 times the determinant.
  REQUIRE(SchurFunctor({2, 1})(A) == Rational(-1) * A);
  REQUIRE(SchurFunctor({2, 2, 2})(A) == RationalMatrix(0, 0));
  REQUIRE(SchurFunctor(Partition{})(A) == RationalMatrix::identity(1));
  REQUIRE(SchurFunctor(Partition{})(RationalMatrix(0, 3)) == RationalMatrix::identity(1));
  // The transposition of two letters on S_(2,1)(K^3): [a b / c] = det(a, c) x_b, x_b in the first row, where
  // det(1, 2) x_3 - det(1, 3) x_2 + det(2, 3) x_1 = 0.
  const RationalMatrix swap = IntegerMatrix{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  const SchurFunctor hook({2, 1});
  const RationalMatrix C = hook(swap);
  const std::size_t t123 = position(hook, {{0, 1}, {2}}, 3), t132 = position(hook, {{0, 2}, {1}}, 3);
  REQUIRE(C(t132, t132) == -1);  // [2 3 / 1] = -[1 3 / 2]
  REQUIRE(C(t123, t132) == 0);
  REQUIRE(C(t123, t123) == 1);  // [2 1 / 3] = [1 2 / 3] - [1 3 / 2]
  REQUIRE(C(t132, t123) == -1);
}

TEST_CASE("Schur functors are functors, by both methods", "[gl][quick]") {
  Rng rng = test_rng();
  for (const Partition& shape : shapes_up_to(5)) {
    const SchurFunctor S(shape), powers(shape, Method::symmetric_powers), minors(shape, Method::minors);
    CAPTURE(to_string(shape));
    for (const std::size_t n : {0U, 1U, 2U, 3U}) {
      const auto N = static_cast<std::size_t>(S.dimension(static_cast<int>(n)));
      REQUIRE(powers(RationalMatrix::identity(n)) == RationalMatrix::identity(N));
      REQUIRE(minors(RationalMatrix::identity(n)) == RationalMatrix::identity(N));
    }
    for (int trial = 0; trial < test_multiplier(); ++trial) {
      const std::size_t l = 1 + rng.below(3), m = 1 + rng.below(4), n = 1 + rng.below(3);
      const RationalMatrix A = random_matrix(rng, l, m), B = random_matrix(rng, m, n);
      const RationalMatrix image = S(A * B);
      CAPTURE(A.to_string(), B.to_string());
      REQUIRE(image == S(A) * S(B));
      REQUIRE(image == powers(A * B));
      REQUIRE(image == minors(A * B));
      REQUIRE(S(B).rows() == S.basis(static_cast<int>(m)).size());
      REQUIRE(S(B).cols() == S.basis(static_cast<int>(n)).size());
    }
  }
}

TEST_CASE("full columns are powers of the determinant", "[gl][quick]") {
  Rng rng = test_rng();
  for (int n = 1; n <= 3; ++n)
    for (const Partition& shape : shapes_up_to(6)) {
      if (shape.length() != n) continue;
      const RationalMatrix A = random_matrix(rng, n, n);
      CAPTURE(n, to_string(shape), A.to_string());
      REQUIRE(SchurFunctor(shape)(A) == SchurFunctor(shape, Method::minors)(A));
      REQUIRE(SchurFunctor(shape)(A) == SchurFunctor(shape, Method::symmetric_powers)(A));
      const auto entries = doubles(A);
      const auto taken_out = SchurFunctor(shape)(entries, n, n);
      const auto whole = SchurFunctor(shape, Method::minors)(entries, n, n);
      for (std::size_t k = 0; k < whole.size(); ++k) REQUIRE(taken_out[k] == Approx(whole[k]).margin(1e-6));
    }
  // Far beyond the arrangements of a tableau: 60 columns of three cells.
  const RationalMatrix A = IntegerMatrix{{1, 2, 0}, {0, 1, 3}, {1, 0, 1}};
  REQUIRE(SchurFunctor({61, 60, 60})(A) == power(7, 60) * A);
}

TEST_CASE("the columns are the products of minors of X A in those of X", "[gl][quick]") {
  // The definition, at random matrices X.
  Rng rng = test_rng();
  const auto product = [](const Tableau& T, const RationalMatrix& X) {
    Rational value = 1;
    const Tableau transposed = T.transposed();
    for (const auto& column : transposed.rows()) {
      const std::vector<std::size_t> cols(column.begin(), column.end());
      value *= determinant(X.select_cols(cols).block(0, 0, cols.size(), cols.size()));
    }
    return value;
  };
  for (const Partition& shape : shapes_up_to(6)) {
    const SchurFunctor S(shape);
    const std::size_t m = 2 + rng.below(2), n = 2 + rng.below(2);
    const RationalMatrix A = random_matrix(rng, m, n), image = S(A);
    const RationalMatrix X = random_matrix(rng, static_cast<std::size_t>(std::max(1, shape.length())), m, false);
    const auto rows = S.basis(static_cast<int>(m)), cols = S.basis(static_cast<int>(n));
    CAPTURE(to_string(shape), A.to_string(), X.to_string());
    for (std::size_t j = 0; j < cols.size(); ++j) {
      Rational sum = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) sum += image(i, j) * product(rows[i], X);
      REQUIRE(sum == product(cols[j], X * A));
    }
  }
}

TEST_CASE("exterior powers are the minors", "[gl][quick]") {
  Rng rng = test_rng();
  const RationalMatrix A = random_matrix(rng, 5, 4);
  for (int d = 1; d <= 4; ++d) {
    const SchurFunctor S(Partition(std::vector<int>(d, 1)));
    const RationalMatrix image = S(A);
    const auto set = [](const Tableau& T) {
      std::vector<std::size_t> letters;
      for (const auto& row : T.rows()) letters.push_back(static_cast<std::size_t>(row[0]));
      return letters;
    };
    const auto rows = S.basis(5), cols = S.basis(4);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) REQUIRE(set(rows[i]) < set(rows[i + 1]));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < cols.size(); ++j)
        REQUIRE(image(i, j) == determinant(A.select_rows(set(rows[i])).select_cols(set(cols[j]))));
  }
}

TEST_CASE("traces are Schur polynomials of the eigenvalues, determinants are powers", "[gl][quick]") {
  Rng rng = test_rng();
  for (const Partition& shape : shapes_up_to(5)) {
    const std::size_t n = 2 + rng.below(2);
    const RationalMatrix A = random_matrix(rng, n, n);
    // s_lambda = sum over cycle types mu of chi^lambda(mu) p_mu / z_mu, p_k = trace of A^k.
    std::vector<Rational> traces;
    RationalMatrix B = RationalMatrix::identity(n);
    for (int k = 0; k <= shape.weight(); ++k, B = B * A) traces.push_back(B.trace());
    Rational expected = 0;
    for (const Partition& mu : partitions(shape.weight())) {
      Rational term(symmetric_group_character(shape, mu), centralizer_order(mu));
      for (const int k : mu) term *= traces[k];
      expected += term;
    }
    const SchurFunctor S(shape);
    const RationalMatrix image = S(A);
    CAPTURE(to_string(shape), A.to_string());
    REQUIRE(image.trace() == expected);
    const auto dimension = static_cast<int>(S.dimension(static_cast<int>(n)));
    REQUIRE(determinant(image) == power(determinant(A), shape.weight() * dimension / static_cast<int>(n)));
  }
}

TEST_CASE("diagonal matrices act by the weights, integral ones integrally", "[gl][quick]") {
  Rng rng = test_rng();
  for (const Partition& shape : shapes_up_to(4)) {
    const SchurFunctor S(shape);
    const std::vector<Rational> t = {2, Rational(1, 3), -5};
    std::vector<Rational> entries(9);
    for (std::size_t i = 0; i < 3; ++i) entries[4 * i] = t[i];
    const RationalMatrix image = S(RationalMatrix(3, 3, entries));
    const auto weights = S.weights(3);
    REQUIRE(weights.size() == image.rows());
    for (std::size_t i = 0; i < image.rows(); ++i)
      for (std::size_t j = 0; j < image.cols(); ++j)
        REQUIRE(image(i, j) ==
                (i == j ? power(t[0], weights[i][0]) * power(t[1], weights[i][1]) * power(t[2], weights[i][2])
                        : Rational(0)));
    REQUIRE(S(random_matrix(rng, 3, 4, false)).is_integral());
    // A cycle of the coordinates: its third power is the identity.
    const RationalMatrix P = S(RationalMatrix(IntegerMatrix{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}));
    REQUIRE(P.is_integral());
    REQUIRE(P * P * P == RationalMatrix::identity(P.rows()));
  }
}

TEST_CASE("Schur functors of cyclotomic matrices", "[gl][quick]") {
  Rng rng = test_rng();
  const auto random = [&](std::size_t n) {
    std::vector<Cyclotomic> A;
    for (std::size_t k = 0; k < n * n; ++k)
      A.push_back(Cyclotomic::root_of_unity(5, static_cast<long>(rng.below(5))) +
                  Cyclotomic(static_cast<int>(rng.below(4)) - 2));
    return A;
  };
  const auto product = [](const std::vector<Cyclotomic>& A, const std::vector<Cyclotomic>& B, std::size_t n) {
    std::vector<Cyclotomic> C(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) C[i * n + j] += A[i * n + k] * B[k * n + j];
    return C;
  };
  const auto A = random(3), B = random(3);
  for (const Partition& shape : shapes_up_to(4)) {
    const SchurFunctor S(shape);
    const auto dimension = static_cast<std::size_t>(S.dimension(3));
    const std::span<const Cyclotomic> a(A), b(B);
    const auto AB = product(A, B, 3);
    const auto left = S(std::span<const Cyclotomic>(AB), 3, 3), SA = S(a, 3, 3), SB = S(b, 3, 3);
    CAPTURE(to_string(shape));
    REQUIRE(SA.size() == dimension * dimension);
    REQUIRE(left == product(SA, SB, dimension));
    // The trace is the Schur polynomial of the eigenvalues, through the traces of A, A^2, ...
    Cyclotomic trace = 0;
    for (std::size_t i = 0; i < dimension; ++i) trace += SA[i * dimension + i];
    std::vector<Cyclotomic> p;
    for (auto power = A; p.size() < 5; power = product(power, A, 3)) p.push_back(power[0] + power[4] + power[8]);
    REQUIRE(schur_from_power_sums(shape, std::span<const Cyclotomic>(p)) == trace);
  }
  REQUIRE_THROWS_AS(SchurFunctor({2})(std::span<const Cyclotomic>(A), 2, 2), DomainError);
}

TEST_CASE("double precision agrees with exact arithmetic", "[gl][quick]") {
  Rng rng = test_rng();
  for (const Partition& shape : shapes_up_to(5)) {
    const RationalMatrix A = random_matrix(rng, 3, 4, false);
    const SchurFunctor S(shape);
    // Small integers: doubles are exact.
    REQUIRE(S(doubles(A), 3, 4) == doubles(S(A)));
    const RationalMatrix B = random_matrix(rng, 3, 2);
    const std::vector<double> rounded = S(doubles(B), 3, 2), exact = doubles(S(B));
    REQUIRE(rounded.size() == exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k) REQUIRE(std::abs(rounded[k] - exact[k]) < 1e-9);
  }
}

TEST_CASE("Schur functors refuse what is too large or no matrix, before the work", "[gl][quick]") {
  const SchurFunctor S({2, 1});
  const std::vector<double> three(3), bad = {1, std::numeric_limits<double>::infinity()};
  REQUIRE_THROWS_AS(S(three, 2, 2), DomainError);
  REQUIRE_THROWS_AS(S(bad, 1, 2), DomainError);
  REQUIRE_THROWS_AS(S.basis(-1), DomainError);
  REQUIRE_THROWS_AS(S.basis(1001), LimitError);
  REQUIRE_THROWS_AS(S(RationalMatrix(1001, 1)), LimitError);
  REQUIRE_THROWS_AS(S(RationalMatrix(100, 100)), LimitError);  // 333300^2 entries
  REQUIRE_THROWS_AS(S.weights(1000), LimitError);
  REQUIRE_THROWS_AS(SchurFunctor({1'000'000}), LimitError);
  REQUIRE_THROWS_AS(SchurFunctor({9000})(RationalMatrix::identity(2)), LimitError);
  REQUIRE(SchurFunctor({9000})(RationalMatrix::identity(1)) == RationalMatrix::identity(1));
  REQUIRE_THROWS_AS(SchurFunctor({20, 20, 20})(RationalMatrix::identity(4)), LimitError);
  REQUIRE_THROWS_AS(S(RationalMatrix::identity(10), Task(1000, 0, {})), LimitError);
  REQUIRE(SchurFunctor({30})(RationalMatrix(IntegerMatrix{{2}}))(0, 0) == Integer(1) << 30);
}

TEST_CASE("a matrix of a Schur functor comes with its tableaux", "[gl][quick]") {
  const SchurFunctor S({2});
  const SchurFunctorMatrix square = schur_functor_matrix(S, RationalMatrix(IntegerMatrix{{2, 3}, {5, 1}}));
  REQUIRE(square.matrix == S(RationalMatrix(IntegerMatrix{{2, 3}, {5, 1}})));
  REQUIRE(*square.trace == square.matrix.trace());
  REQUIRE(square.row_tableaux == S.basis(2));
  const SchurFunctorMatrix flat = schur_functor_matrix(S, RationalMatrix(IntegerMatrix{{1, 2, 0}, {0, 1, 3}}));
  REQUIRE_FALSE(flat.trace);
  REQUIRE(flat.row_tableaux.size() == flat.matrix.rows());
  REQUIRE(flat.column_tableaux.size() == flat.matrix.cols());
  REQUIRE(flat.source == 3);
}
