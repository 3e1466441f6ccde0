// Modules over the integers of number fields.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "representations/lattices/balanced_basis.hpp"
#include "representations/lattices/module_basis.hpp"
#include "representations/lattices/module_flag.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// The field that a sum of n-th roots of unity generates.
AbelianField generated(std::uint32_t n, const std::vector<std::int64_t>& exponents) {
  Cyclotomic sum;
  for (const std::int64_t k : exponents) sum += Cyclotomic::root_of_unity(n, k);
  return AbelianField::generated_by(std::span(&sum, 1));
}

/// Entries with small random coordinates at 1, a, a^2, ...
FieldMatrix random_integral(const AbelianField& K, std::size_t rows, std::size_t cols, Rng& rng) {
  IntegerMatrix coefficients(rows, K.degree() * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < coefficients.cols(); ++j)
      coefficients.set(i, j, Integer(static_cast<long>(rng.below(7)) - 3));
  return {K, RationalMatrix(std::move(coefficients)), cols};
}

/// All entries are in Z[a].
bool is_integral(const FieldMatrix& A) { return A.coefficients().denominator() == 1; }

/// A basis over Z of what the rows generate over Z[a]: FieldMatrix keeps the coordinates at a^l one after the other.
IntegerMatrix lattice_of(const FieldMatrix& A) {
  std::vector<IntegerMatrix> parts;
  FieldMatrix multiple = A;
  for (std::size_t l = 0; l < A.field().degree(); ++l, multiple = A.field().generator() * multiple)
    parts.push_back(multiple.coefficients().numerator());
  return lll(vertical_stack(parts));
}

/// The index in the module with this basis over Z of what the vectors generate over Z[a].
Rational index(const IntegerMatrix& vectors, const IntegerMatrix& lattice, const AbelianField& K) {
  const IntegerMatrix span = lattice_of(columns_over(K, vectors).transpose());
  const auto X = linear_solve(lattice.transpose(), span.transpose());
  REQUIRE(X);
  return abs(determinant(*X));
}

}  // namespace

TEST_CASE("free modules have the basis that is found", "[module_basis][quick]") {
  // Q(sqrt(-7)), Q(i), Q(sqrt(-3)), Q(sqrt(-2)), Q(sqrt(-11)), Q(sqrt(5)), Q(sqrt(2)), Q(sqrt(13)); Q(sqrt(-15)) and Q(sqrt(-23)), of class numbers 2
  // and 3; Q(sqrt(-5)) with a = sqrt(-5), 2; the cubic fields of conductors 7 and 9; Q(E(5)): sums of roots of unity whose powers generate the integers.
  const auto [n, exponents] =
      GENERATE(table<std::uint32_t, std::vector<std::int64_t>>({{7, {1, 2, 4}},
                                                                {4, {1}},
                                                                {3, {1}},
                                                                {8, {1, 3}},
                                                                {11, {1, 3, 4, 5, 9}},
                                                                {5, {1, 4}},
                                                                {8, {1, 7}},
                                                                {13, {1, 3, 4, 9, 10, 12}},
                                                                {15, {1, 2, 4, 8}},
                                                                {23, {1, 2, 3, 4, 6, 8, 9, 12, 13, 16, 18}},
                                                                {20, {1, 3, 7, 9}},
                                                                {7, {1, 6}},
                                                                {9, {1, 8}},
                                                                {5, {1}}}));
  CAPTURE(n, exponents);
  auto rng = test_rng();
  const AbelianField K = generated(n, exponents);
  for (int trial = 0; trial < 6; ++trial) {
    const std::size_t d = 1 + rng.below(5);
    const FieldMatrix B = random_integral(K, d, d + rng.below(4), rng);
    if (matrix_rank(B) < d) continue;
    const IntegerMatrix lattice = lattice_of(B), found = module_basis(lattice, K, {});
    REQUIRE(found.rows() == d);
    REQUIRE(index(found, lattice, K) == 1);
    const FieldMatrix C = columns_over(K, found).transpose();
    // Each is made of the other over Z[a].
    const auto there = linear_solve(B.transpose(), C.transpose()), back = linear_solve(C.transpose(), B.transpose());
    REQUIRE(there);
    REQUIRE(back);
    REQUIRE(is_integral(*there));
    REQUIRE(is_integral(*back));
  }
}

TEST_CASE("ideals that are not principal: one has no basis, two together do", "[module_basis][quick]") {
  // I = (2, (1 + sqrt(-15))/2) in the integers of Q(sqrt(-15)), of class number 2, where I^2 is principal: I + I has a basis, I and I + O
  // have none. a = (+-1 + sqrt(-15))/2 is a sum of roots of unity, so that I = (2, a) or (2, a + 1) = (2, a)': conjugate, and alike.
  const AbelianField K = generated(15, {1, 2, 4, 8});
  const FieldMatrix one = FieldMatrix::identity(K, 1), a = K.generator() * one, two = Cyclotomic(2) * one;
  const auto sum_of = [&](bool second_is_ideal) {
    const FieldMatrix zero = Cyclotomic(0) * one;
    std::vector<FieldMatrix> rows{horizontal_stack(std::vector<FieldMatrix>{two, zero}),
                                  horizontal_stack(std::vector<FieldMatrix>{a, zero})};
    if (second_is_ideal) {
      rows.push_back(horizontal_stack(std::vector<FieldMatrix>{zero, two}));
      rows.push_back(horizontal_stack(std::vector<FieldMatrix>{two, a}));  // with (2, 0), (0, a)
    } else {
      rows.push_back(horizontal_stack(std::vector<FieldMatrix>{zero, one}));
    }
    return lattice_of(vertical_stack(rows));
  };
  const FieldMatrix generators[] = {two, a};
  const IntegerMatrix ideal = lattice_of(vertical_stack(generators));
  REQUIRE(index(module_basis(ideal, K, {}), ideal, K) ==
          2);  // the numbers of the ideal, of norm 2, have norm 4 at least
  const IntegerMatrix both = sum_of(true), other = sum_of(false);
  REQUIRE(module_basis(both, K, {}).rows() == 2);
  REQUIRE(index(module_basis(both, K, {}), both, K) == 1);
  REQUIRE(module_basis(other, K, {}).rows() == 2);
  REQUIRE(index(module_basis(other, K, {}), other, K) > 1);
}

TEST_CASE("independent vectors of a long basis become short", "[module_basis][quick]") {
  auto rng = test_rng();
  const AbelianField K = generated(7, {1, 2, 4});
  // The unit vectors times a product of elementary matrices.
  FieldMatrix T = FieldMatrix::identity(K, 6);
  for (int k = 0; k < 12; ++k) {
    const std::size_t i = rng.below(6), j = (i + 1 + rng.below(5)) % 6;
    IntegerMatrix one(6, 12);
    for (std::size_t r = 0; r < 6; ++r) one.set(r, r, Integer(1));
    one.set(i, j, Integer(2));
    one.set(i, 6 + j, Integer(-1));
    T = FieldMatrix(K, RationalMatrix(std::move(one)), 6) * T;
  }
  REQUIRE(T.height() > 3);
  const IntegerMatrix found = module_basis(lattice_of(T), K, {});
  REQUIRE(found.rows() == 6);
  REQUIRE(found.height() == 1);  // unit vectors, times units
}

TEST_CASE("bases whose duals are long are balanced, or left alone", "[module_basis][quick]") {
  // Ones on the diagonal, -6 below it: the inverse has 6 * 7^(d - 2), whose square doubles do not tell from 1 for the larger d.
  const auto triangular = [](std::size_t d) {
    IntegerMatrix C = IntegerMatrix::identity(d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < i; ++j) C.set(i, j, -6L);
    return FieldMatrix(AbelianField(), RationalMatrix(std::move(C)), d);
  };
  for (const std::size_t d : {3, 8, 14, 20}) {
    const FieldMatrix found = balanced_basis(triangular(d), AbelianField(), {});
    CAPTURE(d);
    REQUIRE(found.height() == 1);
    REQUIRE(inverse(found).height() == 1);
  }
  REQUIRE(balanced_basis(triangular(60), AbelianField(), {}).height() <= 6);
}

TEST_CASE("a flag stops with its task", "[module_basis][quick]") {
  const IntegerMatrix one = IntegerMatrix::identity(40);
  IntegerMatrix turn(40, 40);
  for (std::size_t i = 0; i < 40; i += 2) {
    turn.set(i, i + 1, 1L);
    turn.set(i + 1, i, -1L);
  }
  REQUIRE(module_flag(one, {one, turn}, {}).vectors.rows() == 19);
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(module_flag(one, {one, turn}, stopped), Interrupted);
}
