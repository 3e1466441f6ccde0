#include "intertwine/equivariant/difference.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "laws/field_representation.hpp"
#include "laws/representation.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// V - W, with the laws of representations and the difference of the characters, which the trace of the matrices must be.
Representation checked(const Representation& V, const Representation& W) {
  auto rng = test_rng();
  const Representation U = difference(V, W);
  CAPTURE(U.to_string());
  REQUIRE(U.dimension() == V.dimension() - W.dimension());
  REQUIRE(laws::broken_field_law(U, rng, 2).empty());
  if (U.is_monomial()) REQUIRE(laws::broken_law(U, rng, 2).empty());
  for (const Permutation& g : V.group().generators())
    REQUIRE(U.field_matrix(g).trace() == V.character(g) - W.character(g));
  return U;
}

std::string refusal(const Representation& V, const Representation& W) {
  try {
    static_cast<void>(difference(V, W));
  } catch (const DomainError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("differences of representations are kernels", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G),
                       one = trivial_representation(G), std = standard_representation(G);
  // Pairs of different points: permuted, not only a submodule.
  const Representation pairs = checked(tensor_power(perm, 2), perm);
  REQUIRE((pairs.is_permutation() && pairs.dimension() == 12));
  REQUIRE(pairs.basis_label(0) == "(1,2)");
  REQUIRE(checked(perm, one).dimension() == 3);
  REQUIRE(hom::equivariant_basis(std, difference(perm, one)).dimension() == 1);
  REQUIRE(checked(tensor_power(std, 2), one + std).dimension() == 5);
  REQUIRE(checked(2 * perm, perm).is_permutation());
  REQUIRE(checked(perm * perm + sign, 2 * one + std).dimension() == 12);
  REQUIRE(checked(sym(2, std) + sign, std).dimension() == 4);
  REQUIRE(checked(difference(perm * perm, perm), 2 * std).dimension() == 6);
  REQUIRE(difference(perm, 0 * one) == perm);
  REQUIRE(difference(perm, one + std).dimension() == 0);
  REQUIRE(difference(perm * perm, perm) == difference(perm * perm, perm));
}

TEST_CASE("differences over number fields and with Schur indices", "[equivariant][quick]") {
  const FiniteGroup C3 = cyclic_group(3), Q8 = dicyclic_group(2);
  const CharacterTable table = character_table(C3);
  const Representation omega = irreducible_representation(table, 1).representation,
                       perm = natural_permutation_representation(C3);
  REQUIRE(checked(perm, omega).dimension() == 2);
  REQUIRE(checked(perm, perm.field().degree() == 1 ? trivial_representation(C3) : perm).field().degree() == 1);
  // The quaternions are a module of dimension 4 over Q; twice that less once is it again.
  const Representation regular = regular_representation(Q8);
  const Representation quaternions = checked(
      regular, induction(trivial_representation(FiniteGroup(8, {Q8.generators()[0] * Q8.generators()[0]})), Q8));
  REQUIRE(quaternions.dimension() == 4);
  REQUIRE(decompose(quaternions, character_table(Q8), BaseField::rational).size() == 1);
  REQUIRE(checked(2 * quaternions, quaternions).dimension() == 4);
}

TEST_CASE("what is no difference is refused with the constituent", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G);
  REQUIRE(refusal(perm, sign) ==
          "perm - sign is no representation of S4: sign has the irreducible representation [1,1,1,1] 1 time "
          "and perm 0 "
          "times; the first must have each at least as often");
  REQUIRE(refusal(perm, 2 * trivial_representation(G)).find("[4] 2 times and perm 1 time") != std::string::npos);
  REQUIRE(refusal(trivial_representation(G), perm).find("[3,1]") != std::string::npos);
  REQUIRE(refusal(sign, trivial_representation(G)).find("[4]") != std::string::npos);
  REQUIRE_THROWS_AS(difference(perm, natural_permutation_representation(symmetric_group(3))), DomainError);
}

TEST_CASE("large differences have their characters", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(12);
  const Representation perm = natural_permutation_representation(G), V = tensor_power(perm, 4);
  const Representation U = difference(V, tensor_power(perm, 3));
  REQUIRE(U.dimension() == 12 * 12 * 12 * 11);
  REQUIRE(U.character(Permutation::identity(12)) == Cyclotomic(static_cast<long>(12 * 12 * 12 * 11)));
  REQUIRE_THROWS_AS(U.apply(G.generators()[0], RationalMatrix(U.dimension(), 1)), LimitError);
  REQUIRE_THROWS_AS(difference(V, tensor_power(perm, 3) * sign_representation(G)), DomainError);
  // Sixty-four points: no table of the group is needed.
  const FiniteGroup large = symmetric_group(64);
  const Representation points = natural_permutation_representation(large);
  REQUIRE(difference(tensor_power(points, 2), points).is_permutation());
}
