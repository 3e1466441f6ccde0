#include "intertwine/equivariant/polynomial_maps.hpp"

#include <catch2/catch.hpp>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::vector<Rational> random_vector(std::size_t n, Rng& rng) {
  std::vector<Rational> x;
  for (std::size_t i = 0; i < n; ++i)
    x.emplace_back(static_cast<long>(rng.below(21)) - 10, static_cast<long>(rng.below(3)) + 1);
  return x;
}

std::vector<Rational> moved(const Representation& V, const Permutation& g, const std::vector<Rational>& x) {
  const RationalMatrix y = V.apply(g, RationalMatrix(x.size(), 1, x));
  std::vector<Rational> result;
  for (std::size_t i = 0; i < y.rows(); ++i) result.push_back(y(i, 0));
  return result;
}

/// F(g x) = g F(x) at random points, for the generators and a random element.
bool is_equivariant(const PolynomialMaps& F, std::size_t k, Rng& rng) {
  std::vector<Permutation> elements = F.source.group().generators();
  elements.push_back(F.source.group().random_element(rng));
  for (const Permutation& g : elements) {
    const auto x = random_vector(F.source.dimension(), rng);
    if (F(k, moved(F.source, g, x)) != moved(F.target, g, F(k, x))) return false;
  }
  return true;
}

/// As functions: the matrix of coefficients has full rank.
bool are_independent(const PolynomialMaps& F) {
  const std::size_t width = F.target.dimension() * F.monomials.size();
  std::vector<Rational> entries(F.maps.size() * width);
  for (std::size_t k = 0; k < F.maps.size(); ++k)
    for (const PolynomialTerm& term : F.maps[k])
      entries[k * width + term.output * F.monomials.size() + term.monomial] = term.coefficient;
  return F.maps.empty() || rank(RationalMatrix(F.maps.size(), width, entries)) == F.maps.size();
}

/// The number by characters alone: <Sym^d chi_V, chi_W>.
Integer number_by_characters(const Representation& V, const Representation& W, unsigned d) {
  const CharacterTable table = character_table(V.group());
  return inner_product(symmetric_power(d, character_of(V, table)), character_of(W, table)).to_integer();
}

}  // namespace

TEST_CASE("monomials are written for people", "[equivariant][quick]") {
  REQUIRE(to_string(Monomial{{0, 2}, {2, 1}}) == "x1^2*x3");
  REQUIRE(to_string(Monomial{}) == "1");
}

TEST_CASE("quadratic maps of the permutation representation of S_3", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(3);
  const Representation V = natural_permutation_representation(G);
  const PolynomialMaps F = polynomial_maps(V, V, 2);
  REQUIRE(F.maps.size() == 4);
  std::vector<std::string> first;  // coordinate 1 of every map
  for (const auto& map : F.maps) {
    std::string text;
    for (const PolynomialTerm& term : map)
      if (term.output == 0)
        text += (text.empty() ? "" : "+") + (term.coefficient == 1 ? "" : to_string(term.coefficient) + "*") +
                to_string(F.monomials[term.monomial]);
    first.push_back(text);
  }
  REQUIRE(first == std::vector<std::string>{"x1^2", "x1*x2+x1*x3", "x2^2+x3^2", "x2*x3"});
}

TEST_CASE("polynomial maps are equivariant functions, as many as characters say", "[equivariant][quick]") {
  Rng rng = test_rng();
  const auto check = [&](const Representation& V, const Representation& W, unsigned most) {
    for (unsigned d = 0; d <= most; ++d) {
      const PolynomialMaps F = polynomial_maps(V, W, d);
      CAPTURE(V.group().name(), V.to_string(), W.to_string(), d);
      REQUIRE(Integer(F.maps.size()) == number_by_characters(V, W, d));
      REQUIRE(are_independent(F));
      for (std::size_t k = 0; k < F.maps.size(); ++k) REQUIRE(is_equivariant(F, k, rng));
    }
  };
  const FiniteGroup S4 = symmetric_group(4), B2 = hyperoctahedral_group(2), O = point_group("O");
  const Representation perm = natural_permutation_representation(S4), std4 = standard_representation(S4);
  check(perm, perm, 3);
  check(std4, std4, 4);
  check(std4, specht_module(S4, {2, 2}) + sign_representation(S4), 4);
  check(coordinate_representation(O), coordinate_representation(O), 5);
  check(coordinate_representation(O), alt(2, coordinate_representation(O)), 4);
  check(2 * coordinate_representation(B2), coordinate_representation(B2), 3);
  check(coordinate_representation(B2), 2 * coordinate_representation(B2) + trivial_representation(B2), 3);
  const FiniteGroup W = weyl_group('G', 2);
  check(coordinate_representation(W), trivial_representation(W), 6);
  check(dual(coordinate_representation(W)), coordinate_representation(W), 5);
}

TEST_CASE("without the multinomial coefficients the maps would not be equivariant", "[equivariant][quick]") {
  // (x1 + x2)^2 is invariant under the reflection that fixes it; dropping the 2 in front of x1*x2 is found out.
  Rng rng = test_rng();
  const FiniteGroup G = weyl_group('A', 2);
  const Representation V = coordinate_representation(G);
  PolynomialMaps F = polynomial_maps(V, trivial_representation(G), 2);
  REQUIRE(F.maps.size() == 1);
  REQUIRE(is_equivariant(F, 0, rng));
  // x1^2 - x1*x2 + x2^2, the form that is invariant in coordinates; its columns of Sym^2 V are 2, -1, 2 halved.
  REQUIRE(F.maps[0].size() == 3);
  REQUIRE(F.maps[0][1].coefficient == -1);
  F.maps[0][1].coefficient = -2;
  REQUIRE_FALSE(is_equivariant(F, 0, rng));
}

TEST_CASE("polynomial maps agree with the Molien series of equivariants", "[equivariant][quick]") {
  const FiniteGroup G = alternating_group(5);
  const Representation V = standard_representation(G);
  const CharacterTable table = character_table(G);
  const MolienSeries series =
      molien_series(character_of(V, table), ClassFunction::irreducible(table, 3), 5);  // degree 4: std itself
  REQUIRE(table.degree(3) == 4);
  for (unsigned d = 0; d <= 4; ++d)
    REQUIRE(Integer(polynomial_maps(V, V, d).maps.size()) == series.coefficients[d]);
}

TEST_CASE("polynomial maps refuse what they cannot do", "[equivariant][quick]") {
  const Representation V = natural_permutation_representation(symmetric_group(3));
  REQUIRE_THROWS_AS(polynomial_maps(V, natural_permutation_representation(symmetric_group(4)), 2),
                    DomainError);
  REQUIRE_THROWS_AS(polynomial_maps(natural_permutation_representation(symmetric_group(100)),
                                    natural_permutation_representation(symmetric_group(100)), 6),
                    LimitError);
  const PolynomialMaps F = polynomial_maps(V, V, 1);
  REQUIRE_THROWS_AS(F(2, std::vector<Rational>(3)), DomainError);
  REQUIRE_THROWS_AS(F(0, std::vector<Rational>(2)), DomainError);
  REQUIRE(polynomial_maps(0 * V, V, 2).maps.empty());
}
