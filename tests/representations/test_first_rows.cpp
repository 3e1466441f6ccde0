// First rows: one vector a copy, which are the images of one vector of the irreducible representation.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/first_rows.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

namespace {

/// The coordinates of the columns in the copies of a component: a row for every column and copy, of dim R numbers.
FieldMatrix coordinates(const IsotypicComponent& part, const FieldMatrix& X) {
  return (part.projection * X).transpose().reshape(X.cols() * part.multiplicity, part.degree);
}

/// Over the complex numbers all columns are images of one vector w: coordinates are multiples of w.
void require_first_rows(const Representation& V, const CharacterTable& table) {
  const auto components = isotypic_decomposition(V, table, BaseField::complex);
  const auto first = first_rows(V, table, BaseField::complex);
  REQUIRE(first.size() == components.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    const FieldMatrix X = first[k].basis.matrix();
    REQUIRE(first[k].irreps == components[k].irreps);
    REQUIRE(first[k].degree == components[k].degree);
    REQUIRE(first[k].multiplicity == components[k].multiplicity);
    REQUIRE(X.cols() == components[k].multiplicity);
    REQUIRE(X.rows() == V.dimension());
    REQUIRE(matrix_rank(X) == X.cols());
    REQUIRE(matrix_rank(coordinates(components[k], X)) == 1);
    for (std::size_t j = 0; j < first.size(); ++j)
      if (j != k) REQUIRE((components[j].projection * X).is_zero());
    for (std::size_t a = 0; a < X.cols(); ++a)
      for (std::size_t b = 0; b < X.cols(); ++b) REQUIRE(X(first[k].pivots[a], b).is_zero() == (a != b));
  }
}

/// Over the real numbers the columns are independent, real, and as many as the algebra of endomorphisms says.
void require_real_rows(const Representation& V, const CharacterTable& table) {
  const auto components = isotypic_decomposition(V, table, BaseField::real);
  const auto first = first_rows(V, table, BaseField::real);
  REQUIRE(first.size() == components.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    const FieldMatrix X = first[k].basis.matrix();
    const std::size_t division = first[k].indicator == 1 ? 1 : first[k].indicator == 0 ? 2 : 4;
    REQUIRE(first[k].basis.field.is_real());
    REQUIRE(first[k].irreps == components[k].irreps);
    REQUIRE(first[k].degree == components[k].degree);
    REQUIRE(first[k].multiplicity == components[k].multiplicity);
    REQUIRE(X.cols() == division * first[k].multiplicity);
    REQUIRE(matrix_rank(X) == X.cols());
    for (std::size_t j = 0; j < first.size(); ++j)
      if (j != k) REQUIRE((components[j].projection * X).is_zero());
  }
}

}  // namespace

TEST_CASE("first rows are the images of one vector under a basis of maps", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 25 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 40);
    CAPTURE(trial, G.name(), V.to_string());
    const CharacterTable table = character_table(G);
    require_first_rows(V, table);
    if (V.field().is_real()) require_real_rows(V, table);
  }
}

TEST_CASE("first rows of representations of every type", "[representations][quick]") {
  for (const char* name : {"Q8", "C5", "SL(2,3)", "A5", "S5", "C7:C3", "Dic3", "M11"}) {
    const FiniteGroup G = parse_finite_group(name);
    CAPTURE(name);
    const CharacterTable table = character_table(G);
    const Representation V = natural_permutation_representation(G);
    require_first_rows(V + V * V, table);
    if (G.degree() < 8) require_real_rows(2 * V + V * V, table);
  }
}

TEST_CASE("first rows of large modules have no dense changes of basis", "[representations][quick]") {
  const FiniteGroup G = symmetric_group(8);
  const CharacterTable table = character_table(G);
  const Representation V = tensor_power(natural_permutation_representation(G), 4);  // 4096 points
  const auto first = first_rows(V, table, BaseField::complex);
  std::uint64_t dimension = 0;
  for (const FirstRows& part : first) dimension += part.degree * part.basis.columns();
  REQUIRE(dimension == 4096);
}

TEST_CASE("first rows over the rational numbers are refused", "[representations][quick]") {
  const FiniteGroup G = symmetric_group(3);
  const CharacterTable table = character_table(G);
  REQUIRE_THROWS_AS(first_rows(natural_permutation_representation(G), table, BaseField::rational), DomainError);
}
