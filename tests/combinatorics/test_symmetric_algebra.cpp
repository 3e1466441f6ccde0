#include "intertwine/combinatorics/symmetric_algebra.hpp"

#include <catch2/catch.hpp>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

using namespace intertwine;

namespace {

using enum SymmetricBasis;
constexpr SymmetricBasis bases[] = {schur, SymmetricBasis::power, homogeneous, elementary, monomial, forgotten};

SymmetricFunction in(SymmetricBasis basis, const Partition& lambda) { return basis_element(basis, lambda); }

/// s[2,1] + 2*h[3] - 1/3*s[1,1] + 5 in a basis.
SymmetricFunction some(SymmetricBasis basis) {
  SymmetricFunction f = in(schur, {2, 1});
  add_multiple(f, 2, in(homogeneous, {3}));
  add_multiple(f, Rational(-1, 3), in(schur, {1, 1}));
  add_multiple(f, 5, in(schur, {}));
  return in_basis(f, basis);
}

Rational at(const std::map<std::vector<int>, Rational>& polynomial, std::span<const int> x) {
  Rational sum = 0;
  for (const auto& [exponents, c] : polynomial) {
    Rational term = c;
    for (std::size_t i = 0; i < exponents.size(); ++i)
      for (int k = 0; k < exponents[i]; ++k) term *= x[i];
    sum += term;
  }
  return sum;
}

}  // namespace

TEST_CASE("what is done in a basis is done in all of them", "[combinatorics][quick]") {
  const SymmetricFunction g = in(schur, {2}).times(in(elementary, {2, 1}));
  for (const SymmetricBasis a : bases) {
    const SymmetricFunction f = some(a);
    INFO(to_string(f));
    REQUIRE(f.basis == a);
    REQUIRE(same_function(f, some(schur)));
    REQUIRE_FALSE(same_function(f, g));
    REQUIRE(squarefree_coefficients(f) == squarefree_coefficients(some(schur)));
    REQUIRE(same_function(omega_involution(f), omega_involution(some(schur))));
    REQUIRE(omega_involution(omega_involution(f)) == f);
    REQUIRE(same_function(f.power(2), some(schur).times(f)));
    for (const SymmetricBasis b : bases) {
      const SymmetricFunction h = in_basis(g, b);
      REQUIRE(f.times(h).basis == a);
      REQUIRE(same_function(f.times(h), some(schur).times(g)));
      REQUIRE(scalar_product(f, some(b)) == scalar_product(some(schur), some(schur)));
      REQUIRE(same_function(skew(h, f), skew(g, some(schur))));
      REQUIRE(same_function(kronecker_product(f, some(b)), kronecker_product(some(schur), some(schur))));
      REQUIRE(same_function(plethysm(in(schur, {2}), f), plethysm(in(b, {1}), plethysm(in(schur, {2}), f))));
    }
    const int x[] = {2, -3, 5};
    const Cyclotomic numbers[] = {2, -3, 5};
    REQUIRE(evaluate(f, numbers) == Cyclotomic(at(in_variables(f, 3), x)));
    REQUIRE(evaluate(f, numbers) == evaluate(some(schur), numbers));
  }
}

TEST_CASE("dual bases and adjoint operations", "[combinatorics][quick]") {
  for (const Partition& lambda : partitions(6))
    for (const Partition& mu : partitions(6)) {
      REQUIRE(scalar_product(in(homogeneous, lambda), in(monomial, mu)) == (lambda == mu));
      REQUIRE(scalar_product(in(elementary, lambda), in(forgotten, mu)) == (lambda == mu));
      REQUIRE(scalar_product(in(SymmetricBasis::power, lambda), in(SymmetricBasis::power, mu)) ==
              (lambda == mu ? Rational(centralizer_order(lambda)) : Rational(0)));
      REQUIRE(kronecker_product(in(schur, lambda), in(schur, mu)) ==
              to_symmetric_function(kronecker_product(lambda, mu)));
    }
  const SymmetricFunction g = some(monomial);
  for (const Partition& lambda : partitions(5))
    for (const Partition& mu : partitions(2)) {
      const SymmetricFunction f = in(schur, lambda), h = in(SymmetricBasis::power, mu);
      REQUIRE(scalar_product(skew(f, g), h) == scalar_product(f, g.times(h)));
    }
}

TEST_CASE("coproducts of symmetric functions", "[combinatorics][quick]") {
  // p_k(x, y) = p_k(x) + p_k(y) [Macdonald 1995, I.5, example 25].
  for (const SymmetricPair& pair : coproduct(in(SymmetricBasis::power, {3})).terms) {
    REQUIRE((pair.left.empty() || pair.right.empty()));
    const Partition& lambda = pair.left.empty() ? pair.right : pair.left;
    REQUIRE(pair.coefficient == scalar_product(in(SymmetricBasis::power, {3}), in(schur, lambda)));
  }
  // Values at two lists of numbers are values at both together.
  const Cyclotomic x[] = {2, -3}, y[] = {5, 1}, both[] = {2, -3, 5, 1};
  for (const auto basis : {schur, monomial, SymmetricBasis::power, homogeneous}) {
    const SymmetricFunction f = some(basis);
    Cyclotomic sum;
    for (const SymmetricPair& pair : coproduct(f).terms)
      sum += Cyclotomic(pair.coefficient) * evaluate(in(schur, pair.left), x) * evaluate(in(schur, pair.right), y);
    REQUIRE(sum == evaluate(f, both));
  }
  for (const SchurPair& pair : schur_coproduct({3, 2, 1}))
    REQUIRE(scalar_product(in(schur, {3, 2, 1}), in(schur, pair.left).times(in(schur, pair.right))) ==
            Rational(pair.coefficient));
  REQUIRE(coproduct(multiple(0, some(schur))).terms.empty());
  REQUIRE_THROWS_AS(coproduct(in(schur, {40, 39, 38, 37, 36, 35, 34, 33, 32, 31})), LimitError);
}

TEST_CASE("limits and bad input of the algebra of symmetric functions", "[combinatorics][quick]") {
  REQUIRE_THROWS_AS(in(schur, {600}).times(in(schur, {600})), LimitError);
  REQUIRE(degree(in(homogeneous, {600}).times(in(homogeneous, {700}))) == 1300);
  REQUIRE_THROWS_AS(plethysm(in(schur, {40}), in(schur, {40})), LimitError);
  REQUIRE_THROWS_AS(in_variables(in(schur, {1}), -1), DomainError);
  REQUIRE_THROWS_AS(in_variables(in(elementary, {20}), 60), LimitError);
  REQUIRE(in_variables(in(elementary, {3}), 2).empty());
  REQUIRE(multiple(0, some(schur)).terms.empty());
  const Task task(0, 1e-9, {});
  REQUIRE_THROWS_AS(some(homogeneous).power(1000, task), LimitError);
}
