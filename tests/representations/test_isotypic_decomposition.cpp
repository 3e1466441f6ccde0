// Isotypic components: the change of basis is regular, block diagonalizes every element, and has the blocks that
// characters promise.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/submodule.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

namespace {

FieldMatrix multiple(const FieldMatrix& A, std::size_t m) {
  const std::vector<FieldMatrix> copies(m, A);
  return direct_sum(copies);
}

void require_components(const Representation& V, const CharacterTable& table, BaseField over) {
  const auto components = isotypic_decomposition(V, table, over);
  REQUIRE_NOTHROW(verify(components, V, table));
  const auto counted = decompose(V, table, over);
  REQUIRE(components.size() == counted.size());
  const auto& generators = V.group().generators();
  std::size_t dimension = 0;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const IsotypicComponent& part = components[k];
    REQUIRE(part.irreps == counted[k].irreps);
    REQUIRE(counted[k].degree == part.degree);
    REQUIRE(counted[k].multiplicity == part.multiplicity);
    if (over == BaseField::real) REQUIRE(part.field.is_real());
    if (over == BaseField::rational) REQUIRE(part.field.is_rational());
    const std::size_t width = part.degree * part.multiplicity;
    REQUIRE(part.inclusion.rows() == V.dimension());
    REQUIRE(part.inclusion.cols() == width);
    REQUIRE(part.projection * part.inclusion == FieldMatrix::identity(part.field, width));
    for (std::size_t s = 0; s < generators.size(); ++s) {
      const FieldMatrix block = multiple(part.matrices[s], part.multiplicity);
      REQUIRE(V.field_matrix(generators[s]) * part.inclusion == part.inclusion * block);
      REQUIRE(part.projection * V.field_matrix(generators[s]) == block * part.projection);
    }
    for (std::size_t j = 0; j < k; ++j) REQUIRE((components[j].projection * part.inclusion).is_zero());
    dimension += width;
  }
  REQUIRE(dimension == V.dimension());
}

}  // namespace

TEST_CASE("isotypic components of random representations", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 25 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 40);
    CAPTURE(trial, G.name(), V.to_string());
    const CharacterTable table = character_table(G);
    for (const BaseField over : {BaseField::complex, BaseField::real, BaseField::rational})
      require_components(V, table, over);
  }
}

// Fourier transforms: a cyclic group over Q, Q(sqrt 5) and Q(zeta_5); the quaternions, whose 4-dimensional rational
// representation is twice a complex one; A5, with two conjugate representations over Q(sqrt 5).
TEST_CASE("embeddings and projections, two ways", "[representations][quick]") {
  // For Specht modules by Young's symmetrizer, beside the eigenvectors of the seed's subgroup: the same spaces of maps.
  for (const FiniteGroup& G : {symmetric_group(5), symmetric_group(4), alternating_group(5), dihedral_group(5)}) {
    const CharacterTable table = character_table(G);
    const auto irreducibles = irreducible_representations(table);
    const Representation s = standard_representation(G);
    const std::vector<Representation> choices = {s * s, alt(2, s) * s, dual(s) * irreducibles.back().representation,
                                                 sign_representation(G) * s + regular_representation(G)};
    for (const Representation& V : choices) {
      const auto counts = multiplicities(character_of(V, table));
      for (std::size_t i = 0; i < table.size(); ++i) {
        const IrreducibleRepresentation& R = irreducibles[i];
        const auto m = static_cast<std::size_t>(counts[i]), d = R.representation.dimension();
        CAPTURE(G.name(), V.to_string(), i, m);
        const FieldMatrix in = embeddings(V, R, m), out = projections(V, R, m);
        REQUIRE((in.rows() == V.dimension() && in.cols() == m * d && out.rows() == m * d));
        if (m == 0) continue;
        for (const Permutation& g : G.generators()) {
          const FieldMatrix block = multiple(R.representation.field_matrix(g), m);
          REQUIRE(V.field_matrix(g) * in == in * block);
          REQUIRE(out * V.field_matrix(g) == block * out);
        }
        const IsotypicMaps both = isotypic_maps(V, R, m);
        const FieldMatrix columns[] = {in, both.inclusion}, rows[] = {out, both.projection};
        REQUIRE(matrix_rank(in) == m * d);
        REQUIRE(matrix_rank(horizontal_stack(columns)) == m * d);
        REQUIRE(matrix_rank(out) == m * d);
        REQUIRE(matrix_rank(vertical_stack(rows)) == m * d);
        if (R.shape) REQUIRE_THROWS_AS(embeddings(V, R, m + 1), InternalError);
        REQUIRE_THROWS_AS(projections(standard_representation(symmetric_group(6)), R, 1), DomainError);
      }
    }
  }
}

// A monomial representation is decomposed orbit by orbit, each kind of orbit once; the same matrices without orbits are decomposed as a whole.
TEST_CASE("isotypic components by orbits of basis vectors, and without", "[representations][quick]") {
  const FiniteGroup S4 = symmetric_group(4), D4 = dihedral_group(4);
  const Representation perm = natural_permutation_representation(S4), natural = natural_permutation_representation(D4);
  const std::vector<Representation> choices = {
      tensor_power(perm, 3), sign_representation(S4) * tensor_power(perm, 2) + perm,  // orbits with signs
      alt(2, tensor_power(natural, 2)), alt(2, perm) * perm + 2 * alt(3, perm),
      regular_representation(cyclic_group(5)) + 2 * trivial_representation(cyclic_group(5))};
  for (const Representation& V : choices) {
    const CharacterTable table = character_table(V.group());
    const Representation whole =
        submodule(V, FieldMatrix::identity(AbelianField(), static_cast<std::size_t>(V.dimension())));
    REQUIRE(V.is_monomial());
    REQUIRE_FALSE(whole.is_monomial());
    const auto counts = multiplicities(character_of(V, table));
    for (std::size_t i = 0; i < table.size(); ++i) {
      CAPTURE(V.to_string(), i);
      const IrreducibleRepresentation R = irreducible_representation(table, i);
      const auto m = static_cast<std::size_t>(counts[i]), width = m * R.representation.dimension();
      const IsotypicMaps by_orbits = isotypic_maps(V, R, m), dense = isotypic_maps(whole, R, m);
      REQUIRE(by_orbits.inclusion.cols() == width);
      REQUIRE(by_orbits.projection * by_orbits.inclusion == FieldMatrix::identity(by_orbits.inclusion.field(), width));
      const FieldMatrix columns[] = {by_orbits.inclusion, dense.inclusion},
                        rows[] = {by_orbits.projection, dense.projection};
      REQUIRE(matrix_rank(horizontal_stack(columns)) == width);
      REQUIRE(matrix_rank(vertical_stack(rows)) == width);
      if (m == 0) continue;
      REQUIRE_THROWS_AS(isotypic_maps(V, R, m + 1), InternalError);
      if (m > 1) REQUIRE_THROWS_AS(isotypic_maps(V, R, m - 1), InternalError);
    }
  }
}

TEST_CASE("a large power of a permutation representation", "[representations][quick]") {
  // 51 orbits of S4 on the words of five letters, by set partitions of their places: 1 of length 4, 15 of length 12, 35 of length 24.
  const Representation V = tensor_power(natural_permutation_representation(symmetric_group(4)), 5);
  const CharacterTable table = character_table(V.group());
  std::size_t dimension = 0;
  for (const IsotypicComponent& part : isotypic_decomposition(V, table, BaseField::complex)) {
    // A column is 0 outside of one orbit.
    for (std::size_t j = 0; j < part.inclusion.cols(); ++j) {
      std::size_t entries = 0;
      for (std::size_t i = 0; i < part.inclusion.rows(); ++i)
        entries += part.inclusion.coefficients().numerator().sign(i, j) != 0 ? 1 : 0;
      REQUIRE((entries > 0 && entries <= 24));
    }
    dimension += part.inclusion.cols();
  }
  CHECK(dimension == 1024);
}

TEST_CASE("actions are those of the dense matrices", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 25 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 60);
    CAPTURE(trial, G.name(), V.to_string());
    if (V.dimension() == 0 || V.dimension() > 400) continue;
    const Permutation g = G.random_element(rng);
    IntegerMatrix X(V.dimension(), 1 + rng.below(4));
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < X.cols(); ++j) X.set(i, j, static_cast<long>(rng.below(7)) - 3);
    REQUIRE(V.apply(g, FieldMatrix(RationalMatrix(X))) == V.field_matrix(g) * RationalMatrix(X));
    REQUIRE(dual(V).apply(g, FieldMatrix(RationalMatrix(X))) ==
            V.field_matrix(g.inverse()).transpose() * RationalMatrix(X));
  }
}

TEST_CASE("explicit decompositions have a limit", "[representations][quick]") {
  const FiniteGroup G = sporadic_group("M24");
  const Representation V = natural_permutation_representation(G);
  const CharacterTable table = character_table(G);
  REQUIRE_THROWS_AS(isotypic_decomposition(tensor_power(V, 3), table, BaseField::complex), LimitError);
  REQUIRE_THROWS_WITH(isotypic_decomposition(tensor_power(V, 3), table, BaseField::complex),
                      Catch::Contains("dimension 13824"));
  // 1 + 23, from one vector of the point stabilizer M23.
  const auto components = isotypic_decomposition(V, table, BaseField::complex);
  REQUIRE(components.size() == 2);
  REQUIRE(components[1].degree == 23);
}

TEST_CASE("isotypic components of regular representations", "[representations][quick]") {
  for (const FiniteGroup& G :
       {cyclic_group(5), cyclic_group(12), dicyclic_group(2), dicyclic_group(3), dihedral_group(5), symmetric_group(4),
        alternating_group(5), special_linear_group(2, 3)}) {
    CAPTURE(G.name());
    const CharacterTable table = character_table(G);
    const Representation V = regular_representation(G);
    for (const BaseField over : {BaseField::complex, BaseField::real, BaseField::rational})
      require_components(V, table, over);
  }
  const CharacterTable table = character_table(dicyclic_group(2));
  const auto parts = isotypic_decomposition(regular_representation(table.group()), table, BaseField::real);
  REQUIRE(parts.size() == 5);
  CHECK(parts.back().degree == 4);
  CHECK(parts.back().multiplicity == 1);
  const CharacterTable pentagon = character_table(cyclic_group(5));
  const Representation points = natural_permutation_representation(pentagon.group());
  const auto over_reals = isotypic_decomposition(points, pentagon, BaseField::real);
  REQUIRE(over_reals.size() == 3);
  CHECK(over_reals[1].field.to_string() == "Q(sqrt(5))");
  CHECK(over_reals[1].degree == 2);
  const auto over_rationals = isotypic_decomposition(points, pentagon, BaseField::rational);
  REQUIRE(over_rationals.size() == 2);
  CHECK(over_rationals[1].degree == 4);
}

TEST_CASE("isotypic components of representations by matrices", "[representations][quick]") {
  const FiniteGroup S5 = symmetric_group(5);
  const Representation V = standard_representation(S5);
  require_components(V * V * V, character_table(S5), BaseField::rational);
  const FiniteGroup A5 = alternating_group(5);
  const Representation W = restriction(specht_module(S5, Partition({3, 1, 1})), A5);
  require_components(W * W, character_table(A5), BaseField::complex);
  require_components(W, character_table(A5), BaseField::real);
  CHECK_THROWS_AS(isotypic_decomposition(V, character_table(A5), BaseField::complex), DomainError);
}

namespace {

std::string refusal(const std::vector<IsotypicComponent>& components, const Representation& V,
                    const CharacterTable& table) {
  try {
    verify(components, V, table);
  } catch (const VerificationError& e) {
    return e.what();
  }
  return {};
}

/// Column 0 times c.
FieldMatrix scaled_column(const FieldMatrix& A, long c) {
  const std::vector<FieldMatrix> parts{Cyclotomic(c) * A.block(0, 0, A.rows(), 1),
                                       A.block(0, 1, A.rows(), A.cols() - 1)};
  return horizontal_stack(parts);
}

}  // namespace

TEST_CASE("wrong isotypic components are refused", "[representations][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const CharacterTable table = character_table(G);
  const Representation V = tensor_power(natural_permutation_representation(G), 2);
  const auto right = isotypic_decomposition(V, table, BaseField::complex);
  REQUIRE(refusal(right, V, table).empty());
  REQUIRE(right.size() > 2);
  std::size_t k = 0;
  while (right[k].degree < 2 || right[k].multiplicity < 2) ++k;
  const std::string name = "verify: component " + std::to_string(k) + ": ";

  auto wrong = right;  // an inclusion scaled on one copy, and the projection with it
  wrong[k].inclusion = scaled_column(right[k].inclusion, 2);
  CHECK(refusal(wrong, V, table) == name + "the projection is no inverse of the inclusion");
  wrong = right;
  wrong[k].matrices[0] = right[k].matrices[0].transpose();
  CHECK(refusal(wrong, V, table) == name + "an inclusion does not commute with generator 1");
  wrong = right;
  wrong.pop_back();
  CHECK_THAT(refusal(wrong, V, table), Catch::Contains("together, not 16"));
  wrong = right;
  wrong.push_back(right[k]);
  CHECK_THAT(refusal(wrong, V, table), Catch::Contains("is no row of its own"));
  wrong = right;  // another character of the same degree
  std::size_t other = 0;
  while (other == right[k].irreps[0] || table.degree(other) != table.degree(right[k].irreps[0])) ++other;
  std::erase_if(wrong, [&](const IsotypicComponent& part) { return part.irreps[0] == other; });
  for (IsotypicComponent& part : wrong)
    if (part.irreps == right[k].irreps) part.irreps = {other};
  CHECK_THAT(refusal(wrong, V, table), Catch::Contains("the traces are not those of the stated characters"));
  wrong = right;  // the projection of another complement, which is not invariant
  const std::size_t j = k == 0 ? 1 : 0;
  std::vector<std::size_t> repeated(right[k].projection.rows(), 0);
  wrong[k].projection = right[k].projection + right[j].projection.select_rows(repeated);
  CHECK_THAT(refusal(wrong, V, table), Catch::Contains("a projection does not commute with generator"));
  wrong = right;
  wrong[k].multiplicity -= 1;
  CHECK_THAT(refusal(wrong, V, table), Catch::Contains("do not have the sizes"));
  CHECK_THROWS_AS(verify(right, V, character_table(symmetric_group(5))), DomainError);
}
