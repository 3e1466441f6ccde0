#include "intertwine/combinatorics/symmetric_function_bases.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

namespace {
constexpr SymmetricBasis all_bases[] = {SymmetricBasis::schur, SymmetricBasis::power,
                                        SymmetricBasis::homogeneous, SymmetricBasis::elementary,
                                        SymmetricBasis::monomial};
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
          f.terms.insert_or_assign(random_partition(rng, 7), Rational(1 + static_cast<long>(rng.below(9)),
                                                                      1 + static_cast<long>(rng.below(3))));
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
