// Exact isotypic decompositions as the layers' isotypic form: the weights of every basis are made of its blocks.
#include <catch2/catch.hpp>

#include "intertwine/equivariant/isotypic_form.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

IsotypicDecomposition decomposition_of(const Representation& V, const Representation& U) {
  return IsotypicDecomposition(isotypic_form(V, U, character_table(V.group())));
}

/// The map of the parameters exists, is square, and the isotypic product is the dense one.
void require_form(const Representation& V, const Representation& U) {
  CAPTURE(V.group().name(), V.to_string(), U.to_string());
  const BlockLayer<double> plain(hom::equivariant_basis(V, U, {.single_pattern = true}).single().table().block());
  const IsotypicMap map(plain.weights(), decomposition_of(V, U));
  REQUIRE(map.decomposition().params() == plain.weights().params());
  auto rng = test_rng();
  const auto numbers = [&](std::size_t count) {
    std::vector<double> out(count);
    for (double& x : out) x = static_cast<double>(rng() >> 11) / 0x1p52 - 1;
    return out;
  };
  const auto theta = numbers(plain.weights().params());
  const auto layer = plain.with_parameters(theta).with_decomposition(map);
  const auto x = numbers(3 * layer.inputs());
  std::vector<double> dense(3 * layer.outputs()), blocks(dense.size());
  layer.forward(3, x, dense, {LayerMode::dense, 1, 1});
  layer.forward(3, x, blocks, {parse_layer_mode("isotypic"), 1, 1});
  for (std::size_t k = 0; k < dense.size(); ++k) REQUIRE(blocks[k] == Approx(dense[k]).margin(1e-10));
}

}  // namespace

TEST_CASE("isotypic forms of exact decompositions", "[numeric][quick]") {
  for (const FiniteGroup& G :
       {symmetric_group(4), cyclic_group(5), cyclic_group(6), dicyclic_group(2), dicyclic_group(3),
        special_linear_group(2, 3), alternating_group(5), dihedral_group(5)}) {
    const Representation P = natural_permutation_representation(G);
    require_form(P, P);
    require_form(P, trivial_representation(G) + P);
    if (G.order() <= 24) require_form(regular_representation(G), regular_representation(G));
  }
  const FiniteGroup S4 = symmetric_group(4);
  const Representation V = standard_representation(S4);
  require_form(V * V, V);
  require_form(natural_permutation_representation(S4), V * V);
  const FiniteGroup I = point_group("I");
  require_form(coordinate_representation(I), natural_permutation_representation(I));
}

TEST_CASE("isotypic forms of other representations are refused", "[numeric][quick]") {
  const FiniteGroup S4 = symmetric_group(4);
  const Representation P = natural_permutation_representation(S4), V = standard_representation(S4);
  const BlockLayer<double> layer(hom::equivariant_basis(P, P).single().table().block());
  const Representation other = V + sign_representation(S4);
  CHECK_THROWS_AS(IsotypicMap(layer.weights(), decomposition_of(other, other)), DomainError);
}
