#include "intertwine/exact/matrix.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "exact/random_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// The product entry by entry: the oracle.
RationalMatrix product_by_definition(const RationalMatrix& A, const RationalMatrix& B) {
  std::vector<Rational> entries;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < B.cols(); ++j) {
      Rational sum = 0;
      for (std::size_t k = 0; k < A.cols(); ++k) sum += A(i, k) * B(k, j);
      entries.push_back(sum);
    }
  return {A.rows(), B.cols(), entries};
}

}  // namespace

TEST_CASE("integer matrices hold what they are given", "[exact][quick]") {
  const IntegerMatrix A = {{1, -2, 0}, {0, 4, 6}};
  REQUIRE(A.rows() == 2);
  REQUIRE(A.cols() == 3);
  REQUIRE(A.to_string() == "[[1, -2, 0], [0, 4, 6]]");
  REQUIRE(A.transpose().to_string() == "[[1, 0], [-2, 4], [0, 6]]");
  REQUIRE(A.reshape(3, 2).to_string() == "[[1, -2], [0, 0], [4, 6]]");
  REQUIRE(A.block(0, 1, 2, 2).to_string() == "[[-2, 0], [4, 6]]");
  REQUIRE(A.select_rows(std::vector<std::size_t>{1, 1, 0}).to_string() == "[[0, 4, 6], [0, 4, 6], [1, -2, 0]]");
  REQUIRE(A.select_cols(std::vector<std::size_t>{2, 0}).to_string() == "[[0, 1], [6, 0]]");
  REQUIRE(A.height() == 6);
  REQUIRE(A.nonzeros() == 4);
  REQUIRE(A.content() == 1);
  REQUIRE((Integer(-6) * A).content() == 6);
  REQUIRE(exact_quotient(Integer(-6) * A, -6) == A);
  REQUIRE(A.sign(0, 1) == -1);
  REQUIRE(A.sign(0, 2) == 0);
  REQUIRE(IntegerMatrix({{1, 2}, {3, -8}}).trace() == -7);
  REQUIRE(IntegerMatrix(2, 2).content() == 0);
  REQUIRE(IntegerMatrix(2, 2).is_zero());
  IntegerMatrix B = A;
  B.set(0, 0, Integer("-123456789012345678901234567890"));
  REQUIRE(B(0, 0) == Integer("-123456789012345678901234567890"));
  REQUIRE(A(0, 0) == 1);
  REQUIRE(B.height() == Integer("123456789012345678901234567890"));
  const IntegerMatrix C = std::move(B);
  REQUIRE(C.sign(0, 0) == -1);
}

TEST_CASE("rational matrices are kept in lowest terms", "[exact][quick]") {
  const std::vector<Rational> entries = {Rational(1, 2), Rational(2, 3), 0, Rational(-5, 6)};
  const RationalMatrix A(2, 2, entries);
  REQUIRE(A.denominator() == 6);
  REQUIRE(A.to_string() == "[[1/2, 2/3], [0, -5/6]]");
  REQUIRE(A.trace() == Rational(-1, 3));
  REQUIRE(RationalMatrix(IntegerMatrix{{2, 4}, {0, 6}}, -4).to_string() == "[[-1/2, -1], [0, -3/2]]");
  REQUIRE(RationalMatrix(IntegerMatrix{{2, 4}, {0, 6}}, -2).is_integral());
  REQUIRE(RationalMatrix(IntegerMatrix(2, 3), 17).denominator() == 1);
  REQUIRE(A.block(0, 0, 1, 1).denominator() == 2);
  REQUIRE(A.select_cols(std::vector<std::size_t>{1}).denominator() == 6);
  REQUIRE(A.select_rows(std::vector<std::size_t>{1}).to_string() == "[[0, -5/6]]");
  REQUIRE((A - A).denominator() == 1);
  REQUIRE(Rational(6) * A == RationalMatrix(IntegerMatrix{{3, 4}, {0, -5}}));
  REQUIRE(RationalMatrix(0, 0, std::vector<Rational>()).denominator() == 1);
}

TEST_CASE("rings of matrices", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t m = rng.below(7), n = rng.below(7), k = rng.below(7);
    const RationalMatrix A = test_exact::random_any(rng, m, n), B = test_exact::random_any(rng, n, k),
                         C = test_exact::random_any(rng, n, k);
    CAPTURE(trial, A.to_string(), B.to_string());
    REQUIRE(A * B == product_by_definition(A, B));
    REQUIRE(A * (B + C) == A * B + A * C);
    REQUIRE(A * (B - C) == A * B - A * C);
    REQUIRE((A * B).transpose() == B.transpose() * A.transpose());
    REQUIRE(RationalMatrix::identity(m) * A == A);
    REQUIRE(Rational(2, 3) * A + Rational(1, 3) * A == A);
    REQUIRE((A - A).is_zero());
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) REQUIRE(A.transpose()(j, i) == A(i, j));
  }
}

TEST_CASE("Kronecker products and stacks", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 30 * test_multiplier(); ++trial) {
    const RationalMatrix A = test_exact::random_any(rng, 1 + rng.below(3), rng.below(4)),
                         B = test_exact::random_any(rng, rng.below(4), 1 + rng.below(3)),
                         C = test_exact::random_any(rng, A.cols(), 2), D = test_exact::random_any(rng, B.cols(), 3);
    CAPTURE(trial, A.to_string(), B.to_string());
    const RationalMatrix K = kronecker_product(A, B);
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j)
        for (std::size_t k = 0; k < B.rows(); ++k)
          for (std::size_t l = 0; l < B.cols(); ++l)
            REQUIRE(K(i * B.rows() + k, j * B.cols() + l) == A(i, j) * B(k, l));
    REQUIRE(K * kronecker_product(C, D) == kronecker_product(A * C, B * D));
    const RationalMatrix parts[] = {A, B};
    const RationalMatrix sum = direct_sum(parts);
    REQUIRE(sum.block(0, 0, A.rows(), A.cols()) == A);
    REQUIRE(sum.block(A.rows(), A.cols(), B.rows(), B.cols()) == B);
    REQUIRE(sum.block(0, A.cols(), A.rows(), B.cols()).is_zero());
    const RationalMatrix beside[] = {A, A * C}, above[] = {C, A * C};
    REQUIRE(horizontal_stack(beside).block(0, A.cols(), A.rows(), 2) == A * C);
    REQUIRE(vertical_stack(above).block(A.cols(), 0, A.rows(), 2) == A * C);
    REQUIRE(horizontal_stack(beside).transpose() ==
            vertical_stack(std::vector<RationalMatrix>{A.transpose(), (A * C).transpose()}));
  }
  REQUIRE(vertical_stack(std::span<const IntegerMatrix>()) == IntegerMatrix(0, 0));
  REQUIRE(horizontal_stack(std::span<const RationalMatrix>()) == RationalMatrix(0, 0));
}

TEST_CASE("empty matrices have a shape", "[exact][quick]") {
  const IntegerMatrix A(0, 3), B(3, 0);
  REQUIRE(A.cols() == 3);
  REQUIRE(A.transpose() == B);
  REQUIRE(B * A == IntegerMatrix(3, 3));
  REQUIRE((A * B).rows() == 0);
  REQUIRE(A.height() == 0);
  REQUIRE(A.to_string() == "[]");
  REQUIRE(B.to_string() == "[[], [], []]");
  REQUIRE_FALSE(A == B);
  REQUIRE(A.reshape(5, 0).rows() == 5);
  REQUIRE(IntegerMatrix::identity(0) == IntegerMatrix());
}

TEST_CASE("wrong shapes are refused", "[exact][quick]") {
  const IntegerMatrix A(2, 3);
  REQUIRE_THROWS_AS(A * A, DomainError);
  REQUIRE_THROWS_AS(A + A.transpose(), DomainError);
  REQUIRE_THROWS_AS(A - A.transpose(), DomainError);
  REQUIRE_THROWS_AS(RationalMatrix(A) + RationalMatrix(A.transpose()), DomainError);
  REQUIRE_THROWS_AS(A.trace(), DomainError);
  REQUIRE_THROWS_AS(A(2, 0), DomainError);
  REQUIRE_THROWS_AS(A(0, 3), DomainError);
  REQUIRE_THROWS_AS(A.sign(0, 3), DomainError);
  REQUIRE_THROWS_AS(IntegerMatrix(A).set(5, 0, 1L), DomainError);
  REQUIRE_THROWS_AS(A.block(1, 1, 2, 1), DomainError);
  REQUIRE_THROWS_AS(A.block(0, 0, 1, std::numeric_limits<std::size_t>::max()), DomainError);
  REQUIRE_THROWS_AS(A.reshape(4, 2), DomainError);
  REQUIRE_THROWS_AS(A.select_rows(std::vector<std::size_t>{2}), DomainError);
  REQUIRE_THROWS_AS(A.select_cols(std::vector<std::size_t>{3}), DomainError);
  REQUIRE_THROWS_AS(IntegerMatrix({{1, 2}, {3}}), DomainError);
  REQUIRE_THROWS_AS(IntegerMatrix(2, 2, std::vector<Integer>(3)), DomainError);
  REQUIRE_THROWS_AS(RationalMatrix(2, 2, std::vector<Rational>(5)), DomainError);
  REQUIRE_THROWS_AS(RationalMatrix(A, 0), DomainError);
  REQUIRE_THROWS_AS(exact_quotient(IntegerMatrix{{2, 3}}, 2), DomainError);
  REQUIRE_THROWS_AS(exact_quotient(IntegerMatrix{{2, 3}}, 0), DomainError);
  const IntegerMatrix parts[] = {A, A.transpose()};
  REQUIRE_THROWS_AS(vertical_stack(parts), DomainError);
  REQUIRE_THROWS_AS(horizontal_stack(parts), DomainError);
  REQUIRE_THROWS_AS(IntegerMatrix(std::size_t{1} << 21, std::size_t{1} << 20), LimitError);
  REQUIRE_THROWS_AS(IntegerMatrix(std::numeric_limits<std::size_t>::max(), 2), LimitError);
  REQUIRE_THROWS_AS(IntegerMatrix(std::numeric_limits<std::size_t>::max(), 0), LimitError);
}

// Factors with few entries are multiplied another way.
TEST_CASE("products with sparse factors", "[exact][quick]") {
  auto rng = test_rng();
  const std::size_t m = 70, k = 90, n = 80;
  IntegerMatrix sparse(m, k), dense(k, n);
  for (int e = 0; e < 150; ++e)
    sparse.set(rng.below(m), rng.below(k), (Integer(1) << static_cast<int>(rng.below(90))) - Integer(1000));
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < n; ++j) dense.set(i, j, Integer(rng()) - (Integer(1) << 63));
  const IntegerMatrix product = sparse * dense, mirrored = dense.transpose() * sparse.transpose();
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Integer sum = 0;
      for (std::size_t t = 0; t < k; ++t)
        if (sparse.sign(i, t) != 0) sum += sparse(i, t) * dense(t, j);
      REQUIRE(product(i, j) == sum);
      REQUIRE(mirrored(j, i) == sum);
    }
}

TEST_CASE("large products of integers on both sides of 2^53", "[exact][quick]") {
  auto rng = test_rng();
  for (const unsigned bits : {2U, 20U, 22U, 23U, 24U, 25U, 26U, 30U, 62U, 70U}) {
    const std::size_t m = 20 + rng.below(20), k = 30 + rng.below(600), n = 20 + rng.below(20);
    CAPTURE(bits, m, k, n);
    const Integer largest = (Integer(1) << bits) - 1;
    // Rows and columns of the largest numbers there are, and signs at random elsewhere.
    const auto entry = [&](bool extreme) {
      return extreme ? largest : Integer(rng.below(2) == 0 ? Integer(-largest + rng.below(3)) : Integer(rng.below(3)));
    };
    IntegerMatrix A(m, k), B(k, n);
    for (std::size_t l = 0; l < k; ++l) {
      for (std::size_t i = 0; i < m; ++i) A.set(i, l, entry(i == 0));
      for (std::size_t j = 0; j < n; ++j) B.set(l, j, entry(j == 0));
    }
    const IntegerMatrix AB = A * B;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Integer sum = 0;
        for (std::size_t l = 0; l < k; ++l) sum += A(i, l) * B(l, j);
        REQUIRE(AB(i, j) == sum);
      }
  }
}

TEST_CASE("large products of which one factor is halved", "[exact][quick]") {
  // Modulo two primes whose product is above twice every entry; the numbers of one factor are too large for doubles.
  auto rng = test_rng();
  const auto random = [&](std::size_t m, std::size_t n, unsigned bits) {
    IntegerMatrix A(m, n);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const Integer x = rng.below(std::uint64_t{1} << bits);
        A.set(i, j, rng.below(2) == 0 ? x : Integer(-x));
      }
    return A;
  };
  for (const auto& [many, few] : {std::pair{50U, 4U}, {41U, 12U}, {62U, 9U}, {60U, 20U}}) {
    IntegerMatrix A = random(390, 400, many), B = random(400, 385, few);
    A.set(0, 0, -(Integer(1) << many) + 1);  // the largest number has both signs
    A.set(1, 0, (Integer(1) << many) - 1);
    CAPTURE(many, few);
    const IntegerMatrix C = A * B, D = B.transpose() * A.transpose();
    for (const std::size_t k : {0U, 1U}) {
      const std::uint64_t p = word_prime(k);
      REQUIRE(ModularMatrix(p, C) == ModularMatrix(p, A) * ModularMatrix(p, B));
    }
    REQUIRE(D == C.transpose());
  }
}
