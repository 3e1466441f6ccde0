// What symmetric and exterior powers are powers of, and how their coordinates are those of tensors.
#include "intertwine/representations/power.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

TEST_CASE("powers say what they are powers of", "[representations][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const Representation V = standard_representation(G), W = natural_permutation_representation(G);
  for (unsigned k = 2; k <= 4; ++k)
    for (const Representation& base : {V, W}) {
      const auto symmetric = power_of(sym(k, base)), exterior = power_of(alt(k, base));
      REQUIRE(symmetric);
      REQUIRE(exterior);
      CHECK((symmetric->base == base && symmetric->exponent == k && symmetric->symmetric));
      CHECK((exterior->base == base && exterior->exponent == k && !exterior->symmetric));
    }
  CHECK(!power_of(V));
  CHECK(!power_of(sym(1, V)));
  CHECK(!power_of(sym(0, V)));
  CHECK(!power_of(tensor_power(V, 2)));
  CHECK(!power_of(sym(2, V) + V));
}

TEST_CASE("a component with different indices counts once for every order in Sym^2", "[representations][quick]") {
  // g T g^T of symmetric T, in the coordinates T_ii and 2 T_ij, is the matrix of Sym^2; in the components it is not.
  const FiniteGroup G = symmetric_group(3);
  const Representation V = standard_representation(G), S = sym(2, V);
  const auto coordinates = [](const RationalMatrix& T, long factor) {
    return RationalMatrix(3, 1, std::vector<Rational>{T(0, 0), Rational(factor) * T(0, 1), T(1, 1)});
  };
  const RationalMatrix T(2, 2, std::vector<Rational>{3, Rational(5, 2), Rational(5, 2), -7});
  bool components_differ = false;
  for (const Permutation& g : G.generators()) {
    const RationalMatrix A = V.matrix(g);
    const RationalMatrix moved = A * T * A.transpose();
    CHECK(S.apply(g, coordinates(T, 2)) == coordinates(moved, 2));
    components_differ = components_differ || !(S.apply(g, coordinates(T, 1)) == coordinates(moved, 1));
  }
  CHECK(components_differ);
}
