#include "intertwine/gl/schur_representation.hpp"

#include <catch2/catch.hpp>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "laws/matrix_representation.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("Schur functors of representations are representations", "[gl][quick]") {
  Rng rng = test_rng();
  const FiniteGroup S4 = symmetric_group(4), O = point_group("O"), G2 = weyl_group('G', 2);
  for (const Representation& V :
       {natural_permutation_representation(S4), standard_representation(S4), coordinate_representation(O),
        coordinate_representation(G2), 2 * standard_representation(S4) + sign_representation(S4)}) {
    const CharacterTable table = character_table(V.group());
    for (const Partition& lambda : {Partition{2, 1}, Partition{2, 2}, Partition{3, 1}, Partition{2, 1, 1}}) {
      const Representation S = schur_power(lambda, V);
      CAPTURE(S.to_string());
      REQUIRE(Integer(S.dimension()) == number_of_semistandard_tableaux(lambda, static_cast<int>(V.dimension())));
      REQUIRE(character_of(S, table) == schur_power(lambda, character_of(V, table)));
      if (S.dimension() == 0 || S.dimension() > 60) continue;
      laws::require_matrix_representation(S, rng, 1);
      for (std::size_t k = 0; k < V.group().generators().size(); ++k)
        REQUIRE(S.generator_matrices()[k] == SchurFunctor(lambda)(V.generator_matrices()[k]));
    }
  }
}

TEST_CASE("Schur functors of one row and one column are the powers that are there", "[gl][quick]") {
  const Representation V = natural_permutation_representation(symmetric_group(4));
  REQUIRE(schur_power({2}, V).is_permutation());
  REQUIRE(schur_power({3}, V).to_string() == sym(3, V).to_string());
  REQUIRE(schur_power({1, 1}, V).to_string() == alt(2, V).to_string());
  REQUIRE(schur_power({}, V).to_string() == "trivial");
  REQUIRE(schur_power({1}, V).to_string() == "perm");
  REQUIRE(schur_power({1, 1, 1, 1, 1}, V).dimension() == 0);
  REQUIRE(schur_power({2, 1, 1, 1, 1}, V).dimension() == 0);
  REQUIRE(schur_power({2, 1}, V).basis_label(0) == "11/2");
  REQUIRE_FALSE(schur_power({2, 1}, V).is_monomial());
  REQUIRE_THROWS_AS(schur_power({2, 1}, natural_permutation_representation(symmetric_group(1'000'001))), LimitError);
}

TEST_CASE("weight spaces of Schur functors of monomial representations are blocks", "[gl][quick]") {
  const FiniteGroup S5 = symmetric_group(5), B3 = hyperoctahedral_group(3);
  const auto compare = [](const Representation& V, const Representation& U) {
    CAPTURE(V.to_string(), U.to_string());
    const IntertwinerSpace found = equivariant_basis_by_induction(V, U), other = equivariant_basis_by_splitting(V, U);
    CHECK_NOTHROW(verify(found, V, U));
    REQUIRE(found.params() == other.params());
    std::vector<IntertwinerSpace::Element> both = found.elements();
    for (auto& element : other.elements()) both.push_back(std::move(element));
    const IntertwinerSpace sum(found.rows(), found.cols(), std::move(both));
    IntegerMatrix rows(sum.params(), sum.rows() * sum.cols());
    for (std::uint64_t k = 0; k < sum.params(); ++k)
      for (std::uint64_t e = sum.start()[k]; e < sum.start()[k + 1]; ++e)
        rows.set(k, sum.row()[e] * sum.cols() + sum.col()[e], sum.values()(0, e));
    CHECK(matrix_rank(RationalMatrix(std::move(rows))) == found.params());
  };
  const Representation P = natural_permutation_representation(S5), V = coordinate_representation(B3),
                       trivial = trivial_representation(S5);
  REQUIRE(V.is_monomial());
  for (const Partition& lambda : {Partition{2, 1}, Partition{2, 2}, Partition{3, 1}, Partition{2, 1, 1}}) {
    compare(schur_power(lambda, P), trivial);
    compare(P, schur_power(lambda, P));
    compare(dual(schur_power(lambda, V)), V);
    compare(schur_power(lambda, V), schur_power(lambda, V));
  }
  compare(schur_power({2, 1}, P) * standard_representation(S5), P);
  compare(schur_power({2, 1}, P) * alt(4, standard_representation(S5)), P);  // the sign, by matrices
  // Columns of 9 letters have 9! terms: there the matrices of the functor are taken.
  const FiniteGroup S10 = symmetric_group(10);
  const Representation long_columns = schur_power({2, 1, 1, 1, 1, 1, 1, 1, 1}, natural_permutation_representation(S10));
  REQUIRE(long_columns.dimension() == 99);
  CHECK(intertwiner_space(long_columns, sign_representation(S10)).params() ==
        equivariant_basis_by_splitting(long_columns, sign_representation(S10)).params());
  // Far from every dense matrix: 41 650 dimensions. One part of perm^3 = Sym^3 + 2 S_(2,1) + Lambda^3, whose orbits are 5, 3 and 0.
  const FiniteGroup S50 = symmetric_group(50);
  const Representation Q = natural_permutation_representation(S50);
  CHECK(intertwiner_space(schur_power({2, 1}, Q), trivial_representation(S50)).params() == 1);
}

TEST_CASE("V^3 is Sym^3 and Lambda^3 and twice S_(2,1)", "[gl][quick]") {
  const FiniteGroup G = symmetric_group(3);
  const Representation V = standard_representation(G), W = natural_permutation_representation(G);
  // Hom(V^3, W) is the sum over the Schur functors, with certified bases on both sides.
  const auto dimension = [&](const Representation& U) { return hom::equivariant_basis(U, W).dimension(); };
  REQUIRE(dimension(tensor_power(V, 3)) ==
          dimension(sym(3, V)) + dimension(alt(3, V)) + 2 * dimension(schur_power({2, 1}, V)));
}
