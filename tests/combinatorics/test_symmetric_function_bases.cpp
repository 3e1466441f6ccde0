#include "intertwine/combinatorics/symmetric_function_bases.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

namespace {
constexpr SymmetricBasis all_bases[] = {SymmetricBasis::schur,       SymmetricBasis::power,
                                        SymmetricBasis::homogeneous, SymmetricBasis::elementary,
                                        SymmetricBasis::monomial,    SymmetricBasis::forgotten};
}

TEST_CASE("changes of basis have the known small values", "[combinatorics][quick]") {
  const auto text = [](SymmetricBasis from, const Partition& lambda, SymmetricBasis to) {
    return to_string(in_basis(basis_element(from, lambda), to));
  };
  REQUIRE(text(SymmetricBasis::power, {2}, SymmetricBasis::schur) == "s[2] - s[1,1]");
  REQUIRE(text(SymmetricBasis::schur, {2, 1}, SymmetricBasis::power) == "-1/3*p[3] + 1/3*p[1,1,1]");
  REQUIRE(text(SymmetricBasis::schur, {2, 1}, SymmetricBasis::homogeneous) == "-h[3] + h[2,1]");
  REQUIRE(text(SymmetricBasis::schur, {2, 1}, SymmetricBasis::monomial) == "m[2,1] + 2*m[1,1,1]");
  REQUIRE(text(SymmetricBasis::elementary, {2}, SymmetricBasis::monomial) == "m[1,1]");
  REQUIRE(text(SymmetricBasis::elementary, {3}, SymmetricBasis::homogeneous) == "h[3] - 2*h[2,1] + h[1,1,1]");
  REQUIRE(text(SymmetricBasis::power, {3}, SymmetricBasis::monomial) == "m[3]");
  REQUIRE(text(SymmetricBasis::homogeneous, {}, SymmetricBasis::power) == "p[]");
}

TEST_CASE("every pair of bases is changed there and back", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 4 * test_multiplier(); ++trial)
    for (const SymmetricBasis from : all_bases)
      for (const SymmetricBasis to : all_bases) {
        SymmetricFunction f{from, {}};
        for (int k = 0; k < 3; ++k)
          f.terms.insert_or_assign(random_partition(rng, 7),
                                   Rational(1 + static_cast<long>(rng.below(9)), 1 + static_cast<long>(rng.below(3))));
        CAPTURE(to_string(f), static_cast<int>(to));
        REQUIRE(in_basis(in_basis(f, to), from) == f);
      }
}

TEST_CASE("what is not integral is refused as a sum of Schur functions", "[combinatorics][quick]") {
  REQUIRE_THROWS_AS(to_schur_sum({SymmetricBasis::schur, {{Partition{2}, Rational(1, 2)}}}), DomainError);
  REQUIRE_THROWS_AS(in_basis(basis_element(SymmetricBasis::schur, {61}), SymmetricBasis::power), LimitError);
  REQUIRE(to_schur_sum(basis_element(SymmetricBasis::homogeneous, {2, 2})) == schur_product({2}, {2}));
  REQUIRE(to_string(to_symmetric_function(SchurSum(Partition{2, 1}))) == "s[2,1]");
}

TEST_CASE("characters of GL(n) forget what has more rows", "[combinatorics][quick]") {
  // e_1 e_2 = s[2,1] + s[1,1,1]: 9 = 8 + 1 for n = 3, and 2 for n = 2.
  const SymmetricFunction f = basis_element(SymmetricBasis::elementary, {2, 1});
  REQUIRE(to_string(as_character_of_gl(f, 2)) == "s[2,1]");
  REQUIRE(dimension(f, 3) == 9);
  REQUIRE(dimension(as_character_of_gl(f, 2), 2) == dimension(f, 2));
  REQUIRE(to_latex(in_basis(basis_element(SymmetricBasis::schur, {2, 1}), SymmetricBasis::power)) ==
          "-\\frac{1}{3} p_{3} + \\frac{1}{3} p_{1,1,1}");
  REQUIRE(to_latex(SchurSum(std::vector<SchurTerm>{{Partition(), 2}, {Partition{2, 1}, -1}})) ==
          "2 s_{\\emptyset} - s_{2,1}");
  REQUIRE(to_string(std::vector<QuantumTerm>{{{2}, 0, 1}, {{1}, 1, 1}, {{}, 2, 3}}) == "s[2] + q*s[1] + 3*q^2*s[]");
  REQUIRE(symmetric_basis('e') == SymmetricBasis::elementary);
  REQUIRE_THROWS_AS(symmetric_basis('x'), DomainError);
}

TEST_CASE("changes from monomials stop when they are asked to", "[combinatorics][quick]") {
  // 8349 rows of 8349 Kostka numbers: hours.
  const Task task(0, 0.2, {});
  REQUIRE_THROWS_AS(in_basis(basis_element(SymmetricBasis::monomial, {8, 8, 8, 8}), SymmetricBasis::schur, task),
                    LimitError);
}
