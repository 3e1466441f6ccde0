#include "intertwine/equivariant/polynomial_maps.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::vector<Cyclotomic> random_vector(std::size_t n, Rng& rng) {
  std::vector<Cyclotomic> x;
  for (std::size_t i = 0; i < n; ++i)
    x.emplace_back(Rational(static_cast<long>(rng.below(21)) - 10, static_cast<long>(rng.below(3)) + 1));
  return x;
}

std::vector<Cyclotomic> moved(const Representation& V, const Permutation& g, const std::vector<Cyclotomic>& x) {
  const FieldMatrix y = V.apply(g, FieldMatrix(x.size(), 1, x));
  std::vector<Cyclotomic> result;
  for (std::size_t i = 0; i < y.rows(); ++i) result.push_back(y(i, 0));
  return result;
}

/// F(g x) = g F(x) at random points, for the generators and a random element.
bool is_equivariant(const PolynomialMaps& F, std::size_t k, Rng& rng) {
  std::vector<Permutation> elements = F.source.group().generators();
  elements.push_back(F.source.group().random_element(rng));
  for (const Permutation& g : elements) {
    const auto x = random_vector(F.source.dimension(), rng);
    if (F(k, std::span<const Cyclotomic>(moved(F.source, g, x))) !=
        moved(F.target, g, F(k, std::span<const Cyclotomic>(x))))
      return false;
  }
  return true;
}

/// As functions: the matrix of coefficients has full rank.
bool are_independent(const PolynomialMaps& F) {
  const std::size_t width = F.target.dimension() * F.monomials.size();
  std::vector<Cyclotomic> entries(F.maps.size() * width);
  for (std::size_t k = 0; k < F.maps.size(); ++k)
    for (const PolynomialTerm& term : F.maps[k])
      entries[k * width + term.output * F.monomials.size() + term.monomial] = term.coefficient;
  return F.maps.empty() || matrix_rank(FieldMatrix(F.maps.size(), width, entries)) == F.maps.size();
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
  REQUIRE(to_latex(Monomial{{0, 2}, {2, 1}}) == "x_{1}^{2} x_{3}");
}

TEST_CASE("quadratic maps of the permutation representation of S_3", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(3);
  const Representation V = natural_permutation_representation(G);
  const PolynomialMaps F = polynomial_maps(V, V, 2);
  REQUIRE(F.maps.size() == 4);
  std::vector<std::string> first;
  for (std::size_t k = 0; k < 4; ++k) first.push_back(F.coordinate(k, 0));
  REQUIRE(first == std::vector<std::string>{"x1^2", "x1*x2 + x1*x3", "x2^2 + x3^2", "x2*x3"});
  REQUIRE(F.coordinate(2, 1, Notation::latex) == "x_{1}^{2} + x_{3}^{2}");
  REQUIRE(F.terms() == 18);
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
      REQUIRE_NOTHROW(verify(F));
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
  // Over number fields, real and complex, and where only one side needs the field.
  const FiniteGroup I = point_group("I"), D5 = dihedral_group(5), C3 = cyclic_group(3), Q8 = dicyclic_group(2);
  check(coordinate_representation(I), coordinate_representation(I), 3);
  check(coordinate_representation(D5), natural_permutation_representation(D5), 3);
  check(natural_permutation_representation(D5), coordinate_representation(D5), 2);
  const auto irrep = [](const FiniteGroup& G, std::size_t k) {
    return irreducible_representations(character_table(G))[k].representation;
  };
  check(irrep(C3, 1), trivial_representation(C3), 6);
  check(2 * irrep(C3, 1) + irrep(C3, 2), irrep(C3, 2), 3);
  check(irrep(Q8, 4), irrep(Q8, 4), 3);
}

TEST_CASE("polynomial maps over number fields are written exactly", "[equivariant][quick]") {
  const FiniteGroup C3 = cyclic_group(3), D5 = dihedral_group(5);
  const Representation V = irreducible_representations(character_table(C3))[1].representation;
  REQUIRE_FALSE(V.field().is_rational());
  const PolynomialMaps cube = polynomial_maps(V, trivial_representation(C3), 3);
  REQUIRE(cube.maps.size() == 1);
  REQUIRE(cube.coordinate(0, 0) == "x1^3");
  REQUIRE(polynomial_maps(V, trivial_representation(C3), 2).maps.empty());
  const PolynomialMaps square = polynomial_maps(coordinate_representation(D5), trivial_representation(D5), 2);
  REQUIRE(square.maps.size() == 1);
  REQUIRE(square.field.to_string() == "Q(sqrt(5))");
  const std::vector<Rational> x{1, 2};
  if (std::any_of(square.maps[0].begin(), square.maps[0].end(),
                  [](const PolynomialTerm& term) { return !term.coefficient.is_rational(); }))
    REQUIRE_THROWS_AS(square(0, std::span<const Rational>(x)), DomainError);
}

TEST_CASE("what is no basis of polynomial maps is found out", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(3), I = point_group("I");
  const Representation V = natural_permutation_representation(G);
  const auto refused = [](const PolynomialMaps& good, const std::string& says, const auto& change) {
    PolynomialMaps F = good;
    change(F);
    CAPTURE(says);
    REQUIRE_THROWS_WITH(verify(F), Catch::Contains(says));
    REQUIRE_THROWS_AS(verify(F), VerificationError);
  };
  for (const PolynomialMaps& good :
       {polynomial_maps(V, V, 2), polynomial_maps(coordinate_representation(I), coordinate_representation(I), 3)}) {
    REQUIRE_NOTHROW(verify(good));
    const std::size_t last = good.maps.size() - 1;
    refused(good, "does not commute", [&](PolynomialMaps& F) { F.maps[last].back().coefficient += 1; });
    refused(good, "is not scaled", [&](PolynomialMaps& F) {
      for (PolynomialTerm& term : F.maps[0]) term.coefficient *= Cyclotomic(2);
    });
    refused(good, "is not scaled", [&](PolynomialMaps& F) {
      for (PolynomialTerm& term : F.maps[0]) term.coefficient *= Cyclotomic(-1);
    });
    refused(good, "no algebraic integer",
            [&](PolynomialMaps& F) { F.maps[0].back().coefficient *= Cyclotomic(Rational(1, 2)); });
    refused(good, "outside", [&](PolynomialMaps& F) { F.maps[0].back().coefficient *= Cyclotomic::root_of_unity(7); });
    refused(good, "not in order", [&](PolynomialMaps& F) { F.maps.push_back(F.maps.back()); });
    refused(good, "does not exist", [&](PolynomialMaps& F) { F.maps[0][0].output = 3; });
    refused(good, "occurs in no map", [&](PolynomialMaps& F) {
      F.maps.clear();
      F.character_dimension = 0;
    });
    refused(good, "the certificate counts", [&](PolynomialMaps& F) { F.character_dimension += 1; });
    refused(good, "has degree", [&](PolynomialMaps& F) { F.monomials[0].back().second += 1; });
  }
  refused(polynomial_maps(V, V, 2), "does not commute", [](PolynomialMaps& F) { F.maps[1].pop_back(); });
  // Equivariant, in form and order, but dependent, or one too few.
  const PolynomialMaps good = polynomial_maps(V, V, 2);
  refused(good, "dependent", [](PolynomialMaps& F) {
    std::vector<PolynomialTerm> sum = F.maps[0];
    sum.insert(sum.end(), F.maps[1].begin(), F.maps[1].end());
    std::sort(sum.begin(), sum.end());
    F.maps.insert(F.maps.begin(), sum);
    std::sort(F.maps.begin(), F.maps.end());
  });
  refused(good, "characters count 4 maps", [](PolynomialMaps& F) {
    std::vector<PolynomialTerm> sum = F.maps[0];
    sum.insert(sum.end(), F.maps[2].begin(), F.maps[2].end());
    std::sort(sum.begin(), sum.end());
    F.maps = {sum, F.maps[1], F.maps[3]};
    std::sort(F.maps.begin(), F.maps.end());
  });
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
  for (unsigned d = 0; d <= 4; ++d) REQUIRE(Integer(polynomial_maps(V, V, d).maps.size()) == series.coefficients[d]);
}

TEST_CASE("polynomial maps refuse what they cannot do", "[equivariant][quick]") {
  const Representation V = natural_permutation_representation(symmetric_group(3));
  REQUIRE_THROWS_AS(polynomial_maps(V, natural_permutation_representation(symmetric_group(4)), 2), DomainError);
  REQUIRE_THROWS_AS(polynomial_maps(natural_permutation_representation(symmetric_group(100)),
                                    natural_permutation_representation(symmetric_group(100)), 6),
                    LimitError);
  const PolynomialMaps F = polynomial_maps(V, V, 1);
  const std::vector<Rational> x(3);
  REQUIRE_THROWS_AS(F(2, std::span<const Rational>(x)), DomainError);
  REQUIRE_THROWS_AS(F(0, std::span<const Rational>(x).first(2)), DomainError);
  REQUIRE_THROWS_AS(F.coordinate(0, 3), DomainError);
  REQUIRE(polynomial_maps(0 * V, V, 2).maps.empty());
}
