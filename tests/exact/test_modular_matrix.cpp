#include "intertwine/exact/modular_matrix.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "exact/random_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// A product through dimension `rank`.
ModularMatrix random_of_rank(std::uint64_t p, std::size_t rows, std::size_t cols, std::size_t rank, Rng& rng) {
  return ModularMatrix::random(p, rows, rank, rng) * ModularMatrix::random(p, rank, cols, rng);
}

ModularMatrix evaluate(const std::vector<std::uint64_t>& f, const ModularMatrix& A) {
  ModularMatrix result(A.prime(), A.rows(), A.rows());
  for (std::size_t k = f.size(); k-- > 0;) result = result * A + f[k] * ModularMatrix::identity(A.prime(), A.rows());
  return result;
}

bool is_zero(const ModularMatrix& A) { return A == ModularMatrix(A.prime(), A.rows(), A.cols()); }

ModularMatrix entry(std::uint64_t p, std::uint64_t value) {
  ModularMatrix result(p, 1, 1);
  result.set(0, 0, value);
  return result;
}

}  // namespace

TEST_CASE("the sequence of word primes", "[exact][quick]") {
  // The largest primes below 2^59 [Caldwell, "primes just less than a power of two"]: 2^59 - 55, - 99, - 225.
  const std::uint64_t two59 = std::uint64_t{1} << 59;
  REQUIRE(word_prime(2) == two59 - 225);
  REQUIRE(word_prime(0) == two59 - 55);
  REQUIRE(word_prime(1) == two59 - 99);
  for (std::size_t k = 0; k < 200; ++k) REQUIRE(word_prime(k) > word_prime(k + 1));
  REQUIRE_THROWS_AS(word_prime(1'000'000), DomainError);
}

TEST_CASE("linear algebra modulo primes small and large", "[exact][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t p :
       {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{101}, word_prime(0), (std::uint64_t{1} << 63) - 25})
    for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
      const std::size_t m = rng.below(9), n = rng.below(9), k = rng.below(4);
      const ModularMatrix A = random_of_rank(p, m, n, rng.below(7), rng);
      CAPTURE(p, trial, m, n);
      std::vector<std::size_t> pivots;
      const ModularMatrix R = A.echelon(&pivots);
      REQUIRE(R.rows() == A.rank());
      REQUIRE(pivots.size() == R.rows());
      for (std::size_t i = 0; i < R.rows(); ++i)
        for (std::size_t j = 0; j < n; ++j) {
          if (j < pivots[i]) REQUIRE(R(i, j) == 0);
          if (j == pivots[i])
            for (std::size_t l = 0; l < R.rows(); ++l) REQUIRE(R(l, j) == (l == i ? 1 : 0));
        }
      REQUIRE(A.select_cols(pivots) * R == A);  // the rows of A lie in the span of those of R
      const ModularMatrix K = A.kernel();
      REQUIRE(K.rows() == n - R.rows());
      REQUIRE(K.rank() == K.rows());
      REQUIRE(is_zero(A * K.transpose()));
      const ModularMatrix X = ModularMatrix::random(p, n, k, rng);
      const auto Y = A.solve(A * X);
      REQUIRE(Y);
      REQUIRE(A * *Y == A * X);
      const ModularMatrix b = ModularMatrix::random(p, m, 1, rng), parts[] = {A, b};
      REQUIRE(A.solve(b).has_value() == (horizontal_stack(parts).rank() == A.rank()));
      const ModularMatrix S = random_of_rank(p, m, m, rng.below(2) == 0 ? m : rng.below(m + 1), rng);
      const auto inverted = S.inverse();
      REQUIRE(inverted.has_value() == (S.rank() == m));
      if (inverted) REQUIRE(*inverted * S == ModularMatrix::identity(p, m));
    }
}

TEST_CASE("large matrices modulo small primes, against words", "[exact][quick]") {
  // Above some size products and eliminations modulo primes below 2^23 are done in doubles; here beside the definition of
  // the product, and beside elimination row by row.
  auto rng = test_rng();
  for (const std::uint64_t p : {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{251}, std::uint64_t{8388593}}) {
    const std::size_t m = 40 + rng.below(60), n = 40 + rng.below(300), rank = 10 + rng.below(30);
    CAPTURE(p, m, n, rank);
    const ModularMatrix A = random_of_rank(p, m, rank, rank, rng), B = random_of_rank(p, rank, n, rank, rng);
    ModularMatrix AB = A * B;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < rank; ++k) sum += A(i, k) * B(k, j) % p;
        REQUIRE(AB(i, j) == sum % p);
      }
    for (std::size_t j = 0; j < n; j += 1 + rng.below(4))  // pivots anywhere
      for (std::size_t i = 0; i < m; ++i) AB.set(i, j, 0);
    const PrimeField field(p == 2 ? 3 : p);
    if (p != 2) {
      IncrementalEchelon<PrimeField> columns(field, m);
      std::vector<std::size_t> least;  // the columns that do not depend on those before
      for (std::size_t j = 0; j < n; ++j)
        if (columns.insert(field.column(AB, j))) least.push_back(j);
      std::vector<std::size_t> pivots;
      const ModularMatrix R = AB.echelon(&pivots);
      REQUIRE(pivots == least);
      REQUIRE(AB.rank() == least.size());
      REQUIRE(AB.select_cols(pivots) * R == AB);
    }
    const ModularMatrix zero(p, 50, 60);  // no pivot at all
    REQUIRE(zero.echelon().rows() == 0);
    REQUIRE(zero.kernel() == ModularMatrix::identity(p, 60));
    REQUIRE(is_zero(AB * AB.kernel().transpose()));
    REQUIRE(AB.kernel().rows() + AB.rank() == n);
    const std::size_t side = 64 + rng.below(150);
    ModularMatrix S = ModularMatrix::random(p, side, side, rng);
    for (std::size_t i = 0; i < side;
         ++i)  // a triangle of units, rows turned around: regular, with zeros to pivot around
      for (std::size_t j = 0; j < side; ++j)
        if (i + j + 1 <= side) S.set(i, j, i + j + 1 == side ? 1 : 0);
    const auto inverse = S.inverse();
    REQUIRE(inverse.has_value());
    REQUIRE(*inverse * S == ModularMatrix::identity(p, side));
    for (std::size_t j = 0; j < side; ++j) S.set(side - 1, j, S(0, j));
    REQUIRE_FALSE(S.inverse().has_value());
    REQUIRE(S.rank() == side - 1);
  }
}

TEST_CASE("direct sums, sparse and tall matrices modulo word primes", "[exact][quick]") {
  // Direct sums are reduced by their summands, products with few entries formed by them, and what is large in slabs of
  // rows; the form of the same rows mixed, where nothing of that is seen, is the same, for there is one.
  auto rng = test_rng();
  for (const std::uint64_t p : {std::uint64_t{8388593}, word_prime(0), (std::uint64_t{1} << 63) - 25})
    for (int trial = 0; trial < 4 * test_multiplier(); ++trial) {
      const std::size_t m = 60 + rng.below(90), n = 60 + rng.below(90), count = 2 + rng.below(30);
      CAPTURE(p, trial, m, n, count);
      std::vector<std::size_t> row(m), col(n);  // the summand; 0: of no one
      for (std::size_t& b : row) b = rng.below(count);
      for (std::size_t& b : col) b = rng.below(count);
      ModularMatrix A(p, m, n);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (row[i] != 0 && row[i] == col[j] && rng.below(3) != 0) A.set(i, j, rng.below(3) % p);
      const ModularMatrix G = ModularMatrix::random(p, m, m, rng);
      REQUIRE(G.rank() == m);
      std::vector<std::size_t> pivots, mixed;
      const ModularMatrix R = A.echelon(&pivots);
      REQUIRE(R == (G * A).echelon(&mixed));
      REQUIRE(pivots == mixed);
      REQUIRE(A.rank() == R.rows());
      REQUIRE(A.kernel() == (G * A).kernel());
      REQUIRE((A * R.transpose()).transpose() == R * A.transpose());  // sparse from the left and from the right
      ModularMatrix S = ModularMatrix::identity(p, m);                // a permutation, and a triangle of few entries
      for (std::size_t i = 0; i + 1 < m; ++i)
        if (row[i] != 0) S.set(i, i + 1, p - 1);
      std::vector<std::size_t> turned;
      for (std::size_t i = m; i-- > 0;) turned.push_back(i);
      S = S.select_rows(turned);
      const auto inverse = S.inverse();
      REQUIRE(inverse.has_value());
      REQUIRE(*inverse * S == ModularMatrix::identity(p, m));
      S.set(0, m - 1, 0);
      REQUIRE(S.inverse().has_value() == (S.rank() == m));
    }
  // 700 rows are two slabs; with pivots in any order, and a rank that ends before the second does.
  const std::uint64_t p = word_prime(0);
  ModularMatrix A = random_of_rank(p, 700, 720, 650, rng);
  for (std::size_t j = 0; j < 720; j += 1 + rng.below(9))  // the first rows have none here
    for (std::size_t i = 0; i < 500; ++i) A.set(i, j, 0);
  std::vector<std::size_t> pivots;
  const ModularMatrix R = A.echelon(&pivots);
  REQUIRE(R.select_cols(pivots) == ModularMatrix::identity(p, pivots.size()));
  REQUIRE(std::ranges::is_sorted(pivots));
  for (std::size_t i = 0; i < R.rows(); ++i)
    for (std::size_t j = 0; j < pivots[i]; ++j) REQUIRE(R(i, j) == 0);
  REQUIRE(A.select_cols(pivots) * R == A);
  REQUIRE(A.rank() == R.rows());
  REQUIRE(A.transpose().rank() == R.rows());
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(A.echelon(nullptr, stopped), Interrupted);
  REQUIRE_THROWS_AS(A.kernel(stopped), Interrupted);
  REQUIRE_THROWS_AS(A.block(0, 0, 700, 700).inverse(stopped), Interrupted);
}

TEST_CASE("polynomials of modular matrices annihilate them", "[exact][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t p : {std::uint64_t{2}, std::uint64_t{7}, word_prime(1)})
    for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
      const std::size_t n = rng.below(8);
      const ModularMatrix A = random_of_rank(p, n, n, rng.below(n + 1), rng);
      CAPTURE(p, trial, n);
      const auto f = A.characteristic_polynomial(), m = A.minimal_polynomial();
      REQUIRE(f.size() == n + 1);
      REQUIRE(f.back() == 1);
      REQUIRE(m.back() == 1);
      REQUIRE(m.size() <= f.size());
      REQUIRE(is_zero(evaluate(f, A)));
      REQUIRE(is_zero(evaluate(m, A)));
      std::uint64_t trace = 0;
      for (std::size_t i = 0; i < n; ++i) trace = (trace + A(i, i)) % p;
      if (n > 0) REQUIRE((f[n - 1] + trace) % p == 0);
      // The powers below the minimal degree are independent.
      std::vector<ModularMatrix> powers;
      ModularMatrix power = ModularMatrix::identity(p, n);
      for (std::size_t k = 0; k + 1 < m.size(); ++k, power = power * A) {
        ModularMatrix flat(p, 1, n * n);
        for (std::size_t e = 0; e < n * n; ++e) flat.set(0, e, power(e / n, e % n));
        powers.push_back(flat);
      }
      if (!powers.empty()) REQUIRE(vertical_stack(powers).rank() == powers.size());
    }
}

TEST_CASE("orders of modular matrices", "[exact][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t p : {2, 3, 7})
    for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
      const std::size_t n = rng.below(4);
      const ModularMatrix A = ModularMatrix::random(p, n, n, rng), one = ModularMatrix::identity(p, n);
      CAPTURE(p, trial, n);
      ModularMatrix power = one;
      for (int k = 0; k <= 60; ++k, power = power * A) REQUIRE(A.has_order_dividing(k) == (power == one));
    }
  const std::uint64_t p = word_prime(0);
  ModularMatrix shear = ModularMatrix::identity(p, 2);
  shear.set(0, 1, 5);
  REQUIRE(shear.has_order_dividing(Integer(p) * p));
  REQUIRE_FALSE(shear.has_order_dividing(Integer(p) * p - 1));
  REQUIRE_THROWS_AS(ModularMatrix(p, 2, 3).has_order_dividing(1), DomainError);
}

TEST_CASE("reduction of rational matrices", "[exact][quick]") {
  const RationalMatrix A(IntegerMatrix{{1, -2}, {0, 8}}, 3);
  REQUIRE_FALSE(ModularMatrix::reduce(3, A));
  const auto mod7 = ModularMatrix::reduce(7, A);  // 1/3 = 5
  REQUIRE(mod7);
  REQUIRE((*mod7)(0, 0) == 5);
  REQUIRE((*mod7)(0, 1) == 4);
  REQUIRE((*mod7)(1, 1) == 5);
  const std::uint64_t p = word_prime(0);
  REQUIRE_FALSE(ModularMatrix::reduce(p, RationalMatrix(IntegerMatrix{{1}}, Integer(p) * p)));
  REQUIRE(ModularMatrix(p, IntegerMatrix{{-1}})(0, 0) == p - 1);
}

TEST_CASE("modular matrices of different shapes or moduli do not mix", "[exact][quick]") {
  const ModularMatrix A(7, 2, 3), B(5, 3, 2);
  REQUIRE_THROWS_AS(A * B, DomainError);
  REQUIRE_THROWS_AS(A * A, DomainError);
  REQUIRE_THROWS_AS(A + A.transpose(), DomainError);
  REQUIRE_THROWS_AS(A - ModularMatrix(5, 2, 3), DomainError);
  REQUIRE_THROWS_AS(A.inverse(), DomainError);
  REQUIRE_THROWS_AS(A.characteristic_polynomial(), DomainError);
  REQUIRE_THROWS_AS(A.minimal_polynomial(), DomainError);
  REQUIRE_THROWS_AS(A.solve(ModularMatrix(7, 3, 1)), DomainError);
  REQUIRE_THROWS_AS(A.select_rows(std::vector<std::size_t>{2}), DomainError);
  REQUIRE_THROWS_AS(A.select_cols(std::vector<std::size_t>{3}), DomainError);
  REQUIRE_THROWS_AS(A.block(1, 0, 2, 1), DomainError);
  REQUIRE_THROWS_AS(vertical_stack(std::vector<ModularMatrix>{A, B}), DomainError);
  REQUIRE_THROWS_AS(horizontal_stack(std::vector<ModularMatrix>{A, ModularMatrix(7, 3, 3)}), DomainError);
  REQUIRE_THROWS_AS(vertical_stack(std::span<const ModularMatrix>()), DomainError);
  REQUIRE_THROWS_AS(ModularMatrix(1, 2, 2), DomainError);
  REQUIRE_THROWS_AS(ModularMatrix(7, std::size_t{1} << 21, std::size_t{1} << 21), LimitError);
  REQUIRE(A.row(0).size() == 3);
  REQUIRE(ModularMatrix(7, 3, 0).row(2).empty());
}

TEST_CASE("rational matrices come back from their images", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const RationalMatrix A = test_exact::random_rational(rng, rng.below(6), rng.below(6), rng.below(5));
    CAPTURE(trial, A.to_string());
    RationalLift lift;
    std::optional<RationalMatrix> found;
    std::size_t primes = 0;
    // Entries of b bits need 2 b + 1 bits of modulus, and one prime more confirms.
    for (; !found && primes < 200; ++primes) {
      lift.add(*ModularMatrix::reduce(word_prime(primes), A));
      REQUIRE(lift.primes() == primes + 1);
      found = lift.candidate();
      if (found && *found != A) found.reset();  // a guess too early, as a user would find out
    }
    REQUIRE(found);
    const std::size_t bits = 1 + std::max(msb(Integer(A.numerator().height() + 1)), msb(A.denominator()));
    REQUIRE(primes <= (2 * bits + 2) / 58 + 3);
    REQUIRE(primes >= 2);
    lift.clear();
    REQUIRE(lift.primes() == 0);
    REQUIRE_FALSE(lift.candidate());
  }
}

TEST_CASE("a matrix whose rows and entries have unlike denominators is lifted", "[exact][quick]") {
  // The common denominator has 3 times the bits that the modulus needs for each entry alone.
  std::vector<Rational> entries;
  for (std::size_t k = 0; k < 36; ++k) entries.emplace_back(Integer(k) - 18, Integer(word_prime(900 + k)));
  const RationalMatrix A(6, 6, entries);
  RationalLift lift;
  for (std::size_t k = 0; k < 4; ++k) lift.add(*ModularMatrix::reduce(word_prime(k), A));
  REQUIRE(lift.candidate());
  REQUIRE(*lift.candidate() == A);
}

TEST_CASE("a lift notices bad images", "[exact][quick]") {
  RationalLift lift;
  lift.add(entry(word_prime(0), 5));
  REQUIRE_FALSE(lift.candidate());
  lift.add(entry(word_prime(1), 5));
  REQUIRE(lift.candidate() == RationalMatrix(IntegerMatrix{{5}}));
  lift.add(entry(word_prime(2), 6));
  REQUIRE_FALSE(lift.candidate());
  REQUIRE_THROWS_AS(lift.add(entry(word_prime(1), 5)), DomainError);
  REQUIRE_THROWS_AS(lift.add(ModularMatrix(word_prime(3), 1, 2)), DomainError);
}
