// Modules over the integers of quadratic fields.
#include <catch2/catch.hpp>

#include "intertwine/exact/linear_algebra.hpp"
#include "representations/euclidean_reduction.hpp"
#include "representations/module_basis.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// The field that a sum of n-th roots of unity generates.
AbelianField quadratic(std::uint32_t n, const std::vector<std::int64_t>& exponents) {
  Cyclotomic sum;
  for (const std::int64_t k : exponents) sum += Cyclotomic::root_of_unity(n, k);
  return AbelianField::generated_by(std::span(&sum, 1));
}

/// x + y a for random small x and y.
FieldMatrix random_integral(const AbelianField& K, std::size_t rows, std::size_t cols, Rng& rng) {
  IntegerMatrix coefficients(rows, 2 * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < 2 * cols; ++j)
      coefficients.set(i, j, Integer(static_cast<long>(rng.below(7)) - 3));
  return {K, RationalMatrix(std::move(coefficients)), cols};
}

/// All entries are in Z[a].
bool is_integral(const FieldMatrix& A) { return A.coefficients().denominator() == 1; }

/// The vectors as rows, their coordinates at a^l one after the other: FieldMatrix keeps them so.
IntegerMatrix as_rows(const FieldMatrix& A) { return A.coefficients().numerator(); }

}  // namespace

TEST_CASE("a module over Euclidean integers has the basis that is found", "[euclidean_reduction][quick]") {
  // Q(sqrt(-7)), Q(i), Q(sqrt(-3)), Q(sqrt(-2)), Q(sqrt(-11)), Q(sqrt(5)), Q(sqrt(2)), Q(sqrt(13)): sums of roots of unity.
  const auto [n, exponents] =
      GENERATE(table<std::uint32_t, std::vector<std::int64_t>>({{7, {1, 2, 4}},
                                                                {4, {1}},
                                                                {3, {1}},
                                                                {8, {1, 3}},
                                                                {11, {1, 3, 4, 5, 9}},
                                                                {5, {1, 4}},
                                                                {8, {1, 7}},
                                                                {13, {1, 3, 4, 9, 10, 12}}}));
  CAPTURE(n, exponents);
  auto rng = test_rng();
  const AbelianField K = quadratic(n, exponents);
  REQUIRE(K.degree() == 2);
  for (int trial = 0; trial < 8; ++trial) {
    const std::size_t d = 2 + rng.below(5);
    const FieldMatrix B = random_integral(K, d, d + rng.below(4), rng);
    if (rank(B) < d) continue;
    // More generators of the same module: B itself and combinations, before and after it.
    const FieldMatrix parts[] = {random_integral(K, d, d, rng) * B, B, random_integral(K, 2, d, rng) * B};
    const auto found = euclidean_basis(as_rows(vertical_stack(parts)), K, {});
    REQUIRE(found);
    REQUIRE(found->rows() == d);
    const FieldMatrix C = columns_over(K, *found).transpose();
    // Each is made of the other over Z[a].
    const auto there = solve(B.transpose(), C.transpose()), back = solve(C.transpose(), B.transpose());
    REQUIRE(there);
    REQUIRE(back);
    REQUIRE(is_integral(*there));
    REQUIRE(is_integral(*back));
  }
}

TEST_CASE("an ideal that is not principal has no basis", "[euclidean_reduction][quick]") {
  // (2, (1 + sqrt(-15))/2) in the integers of Q(sqrt(-15)), of class number 2; a = b + sqrt(-15) is a sum of roots of unity.
  const AbelianField K = quadratic(15, {1, 2, 4, 8});
  REQUIRE(K.degree() == 2);
  IntegerMatrix generators(2, 2);
  generators.set(0, 0, Integer(2));
  generators.set(1, 1, Integer(1));
  const auto found = euclidean_basis(generators, K, {});
  REQUIRE((!found || found->rows() == 2));
}

TEST_CASE("independent vectors of a long basis become short", "[euclidean_reduction][quick]") {
  auto rng = test_rng();
  const AbelianField K = quadratic(7, {1, 2, 4});
  // The unit vectors times a product of elementary matrices.
  FieldMatrix T = FieldMatrix::identity(K, 6);
  for (int k = 0; k < 12; ++k) {
    FieldMatrix E = FieldMatrix::identity(K, 6);
    const std::size_t i = rng.below(6), j = (i + 1 + rng.below(5)) % 6;
    IntegerMatrix one(6, 12);
    for (std::size_t r = 0; r < 6; ++r) one.set(r, r, Integer(1));
    one.set(i, j, Integer(2));
    one.set(i, 6 + j, Integer(-1));
    E = FieldMatrix(K, RationalMatrix(std::move(one)), 6);
    T = E * T;
  }
  REQUIRE(T.height() > 3);
  const auto found = euclidean_basis(as_rows(T), K, {});
  REQUIRE(found);
  REQUIRE(found->rows() == 6);
  REQUIRE(found->height() == 1);  // unit vectors, times units
}
