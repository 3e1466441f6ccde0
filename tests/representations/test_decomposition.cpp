#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

TEST_CASE("decompositions of random representations", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 200);
    CAPTURE(trial, G.name(), V.to_string());
    const CharacterTable table = character_table(G);
    const ClassFunction f = character_of(V, table);
    for (const BaseField over : {BaseField::complex, BaseField::real, BaseField::rational}) {
      ClassFunction sum = ClassFunction::constant(table, 0);
      Integer dimension = 0;
      for (const Constituent& part : decompose(V, table, over)) {
        ClassFunction chi = ClassFunction::constant(table, 0);
        for (const std::size_t row : part.irreps) chi = chi + ClassFunction::irreducible(table, row);
        REQUIRE((part.index.real == 2) == (over != BaseField::complex && table.indicator(part.irreps[0]) == -1));
        chi = Cyclotomic(static_cast<long>(part.index.index)) * chi;
        REQUIRE(chi.degree() == Cyclotomic(part.degree));
        sum = sum + Cyclotomic(part.multiplicity) * chi;
        dimension += part.degree * part.multiplicity;
      }
      REQUIRE(sum == f);
      REQUIRE(dimension == V.dimension());
    }
    REQUIRE(inner_product(f, f).is_integer());
  }
}

// S_4 on points, from the table of S_4; the regular representation of Q_8 over the reals is 4 lines and H.
TEST_CASE("known decompositions", "[representations][quick]") {
  const FiniteGroup S4 = symmetric_group(4);
  const CharacterTable table = character_table(S4);
  const auto parts = decompose(natural_permutation_representation(S4), table, BaseField::complex);
  REQUIRE(parts.size() == 2);
  CHECK(table.name(parts[0].irreps[0]) == "[4]");
  CHECK(table.name(parts[1].irreps[0]) == "[3,1]");
  const FiniteGroup Q8 = dicyclic_group(2);
  const auto regular = decompose(natural_permutation_representation(Q8), character_table(Q8), BaseField::real);
  REQUIRE(regular.size() == 5);
  CHECK(regular.back().degree == 4);
  CHECK(regular.back().multiplicity == 1);
  const FiniteGroup C5 = cyclic_group(5);
  const auto pairs = decompose(natural_permutation_representation(C5), character_table(C5), BaseField::real);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[1].degree == 2);
  CHECK_THROWS_AS(character_of(natural_permutation_representation(C5), table), DomainError);
}

// Q[Q8 x C7] has a division algebra over Q(zeta_7) that is not split at 2 only, as 2 has odd order modulo 7.
TEST_CASE("Schur indices at finite primes", "[representations][quick]") {
  const FiniteGroup G = direct_product({dicyclic_group(2), cyclic_group(7)});
  const CharacterTable table = character_table(G);
  const Representation R = regular_representation(G);
  const auto over = [&](BaseField field) { return decompose(R, table, field).back(); };
  CHECK(over(BaseField::rational).degree == 24);
  CHECK(over(BaseField::rational).multiplicity == 1);
  CHECK(over(BaseField::rational).index == SchurIndex{2, 1, {{2, 2}}, {}});
  CHECK(over(BaseField::real).degree == 4);
  CHECK(over(BaseField::real).multiplicity == 2);
  CHECK(over(BaseField::complex).index == SchurIndex{});
  // Over Q(i), of a rational character of index 2.
  const FiniteGroup H = direct_product({dicyclic_group(2), dicyclic_group(3)});
  const CharacterTable other = character_table(H);
  const IrreducibleRepresentation S = irreducible_representation(other, 28);
  REQUIRE(!S.representation.field().is_rational());
  CHECK_THROWS_AS(decompose(S.representation, other, BaseField::rational), DomainError);
  const IrreducibleForm form = rational_form(S, other);
  CHECK(form.multiplicity == 2);
  const auto parts = decompose(form.representation, other, BaseField::rational);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].degree == 8);
  CHECK(parts[0].multiplicity == 1);
  const auto components = isotypic_decomposition(form.representation, other, BaseField::rational);
  REQUIRE(components.size() == 1);
  CHECK(components[0].degree == 8);
}
