#include "intertwine/exact/sparse_matrix.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Dense = std::vector<std::vector<Rational>>;

Dense dense(const SparseMatrix& A) {
  Dense result(A.rows(), std::vector<Rational>(A.cols(), Rational(0)));
  for (const auto& e : A.entries()) result[e.row][e.col] = e.value;
  return result;
}

SparseMatrix random_matrix(std::uint64_t rows, std::uint64_t cols, Rng& rng) {
  std::vector<SparseMatrix::Entry> entries;
  if (rows * cols > 0)
    for (std::uint64_t k = rng.below(2 * rows * cols); k > 0; --k)
      entries.push_back(
          {rng.below(rows), rng.below(cols),
           Rational(static_cast<std::int64_t>(rng.below(7)) - 3) / static_cast<std::int64_t>(1 + rng.below(4))});
  return {rows, cols, std::move(entries)};
}

}  // namespace

TEST_CASE("entries are sorted, added and never zero", "[exact][quick]") {
  const SparseMatrix A(
      2, 3, {{1, 2, Rational(1)}, {0, 1, Rational(5)}, {1, 2, Rational(2)}, {0, 0, Rational(1)}, {0, 0, Rational(-1)}});
  REQUIRE(A.entries().size() == 2);
  REQUIRE(A.entries()[0] == SparseMatrix::Entry{0, 1, Rational(5)});
  REQUIRE(A.entries()[1] == SparseMatrix::Entry{1, 2, Rational(3)});
  REQUIRE(A(1, 2) == 3);
  REQUIRE(A(0, 0) == 0);
  REQUIRE_THROWS_AS(SparseMatrix(2, 3, {{2, 0, Rational(1)}}), DomainError);
  REQUIRE_THROWS_AS(SparseMatrix(2, 3, {{0, 3, Rational(0)}}), DomainError);
  REQUIRE_THROWS_AS(A(2, 0), DomainError);
  REQUIRE_THROWS_AS(A(0, 3), DomainError);
}

TEST_CASE("sparse matrices written out", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const SparseMatrix A = random_matrix(rng.below(6), rng.below(6), rng);
    std::vector<Rational> all;
    for (const auto& row : dense(A)) all.insert(all.end(), row.begin(), row.end());
    REQUIRE(to_dense(A) == RationalMatrix(A.rows(), A.cols(), all));
  }
  const std::uint64_t many = std::uint64_t{1} << 40;
  CHECK_THROWS_AS(to_dense(SparseMatrix(1000, 1000, {}), Task(7'999'999, 0, {})), LimitError);
  CHECK(to_dense(SparseMatrix(1000, 1000, {}), Task(8'000'000, 0, {})).is_zero());
  CHECK_THROWS_AS(to_dense(SparseMatrix(many, many, {}), Task(many, 0, {})), LimitError);
}

TEST_CASE("a product of sparse matrices can be stopped", "[exact][quick]") {
  const SparseMatrix A(2, 2, {{0, 1, Rational(1)}, {1, 0, Rational(2)}});
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE(A.times(A, {}) == SparseMatrix(2, 2, {{0, 0, Rational(2)}, {1, 1, Rational(2)}}));
  REQUIRE_THROWS_AS(A.times(A, stopped), Interrupted);
}

TEST_CASE("sparse operations agree with dense ones", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const std::uint64_t m = rng.below(6), k = rng.below(6), n = rng.below(6);
    const SparseMatrix A = random_matrix(m, k, rng), B = random_matrix(k, n, rng), C = random_matrix(m, k, rng);
    const Dense a = dense(A), b = dense(B), c = dense(C);
    const SparseMatrix product = A * B, sum = A + C, scaled = Rational(3) / 2 * A, transposed = A.transpose();
    std::vector<Rational> v;
    for (std::uint64_t j = 0; j < k; ++j) v.emplace_back(static_cast<std::int64_t>(rng.below(9)) - 4);
    const auto image = A.apply(v);
    CAPTURE(trial, m, k, n);
    for (std::uint64_t i = 0; i < m; ++i) {
      Rational expected = 0;
      for (std::uint64_t j = 0; j < k; ++j) {
        expected += a[i][j] * v[j];
        REQUIRE(A(i, j) == a[i][j]);
        REQUIRE(sum(i, j) == a[i][j] + c[i][j]);
        REQUIRE(scaled(i, j) == Rational(3) / 2 * a[i][j]);
        REQUIRE(transposed(j, i) == a[i][j]);
      }
      REQUIRE(image[i] == expected);
      for (std::uint64_t j = 0; j < n; ++j) {
        Rational entry = 0;
        for (std::uint64_t l = 0; l < k; ++l) entry += a[i][l] * b[l][j];
        REQUIRE(product(i, j) == entry);
      }
    }
    for (const auto& e : product.entries()) REQUIRE(e.value != 0);
    REQUIRE((A + Rational(-1) * A).entries().empty());
    REQUIRE((Rational(0) * A).entries().empty());
    REQUIRE(transposed.transpose() == A);
    REQUIRE((A * B).transpose() == B.transpose() * A.transpose());
  }
}

TEST_CASE("shapes that do not fit are refused", "[exact][quick]") {
  const SparseMatrix A(2, 3, {}), B(2, 2, {});
  REQUIRE_THROWS_AS(A * A, DomainError);
  REQUIRE_THROWS_AS(A + B, DomainError);
  REQUIRE_THROWS_AS(A.apply(std::vector<Rational>(2)), DomainError);
  REQUIRE(SparseMatrix() == SparseMatrix(0, 0, {}));
  REQUIRE_FALSE(A == B);
}
