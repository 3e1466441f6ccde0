// Bases of Hom over abelian number fields.
#include <catch2/catch.hpp>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "laws/intertwiner.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

FieldMatrix dense(const IntertwinerSpace& space, std::uint64_t k) {
  std::vector<Cyclotomic> entries(space.rows() * space.cols());
  for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
    entries[space.row()[e] * space.cols() + space.col()[e]] = space.value(e);
  return {space.rows(), space.cols(), entries};
}

void require_basis(const Representation& V, const Representation& U) {
  const hom::Basis basis = hom::equivariant_basis(V, U);
  CHECK(basis.certificate().commutes);
  CHECK(basis.certificate().character_dimension == basis.params());
  for (const auto& block : basis.blocks()) {
    const HomBasis& weights = block.weights;
    if (weights.is_tied() || weights.params() == 0) continue;
    const IntertwinerSpace& space = weights.space();
    std::vector<FieldMatrix> rows;
    for (std::uint64_t k = 0; k < space.params(); ++k) {
      const FieldMatrix W = dense(space, k);
      for (const Permutation& g : V.group().generators())
        REQUIRE(laws::finite(block.target).field_matrix(g) * W == W * laws::finite(block.source).field_matrix(g));
      rows.push_back(W.reshape(1, W.rows() * W.cols()));
      if (space.field().is_real()) REQUIRE(space.value(space.start()[k]).sign() > 0);
    }
    REQUIRE(matrix_rank(vertical_stack(rows)) == space.params());
    REQUIRE(are_independent(space));
  }
}

}  // namespace

TEST_CASE("irreducible representations: Schur's lemma", "[equivariant][quick]") {
  for (const FiniteGroup& G : {cyclic_group(5), dicyclic_group(2), alternating_group(4), alternating_group(5),
                               special_linear_group(2, 3), dihedral_group(5)}) {
    CAPTURE(G.name());
    const auto irreducibles = irreducible_representations(character_table(G));
    for (const auto& R : irreducibles)
      for (const auto& S : irreducibles) {
        CAPTURE(R.row, S.row);
        const hom::Basis basis = hom::equivariant_basis(R.representation, S.representation);
        REQUIRE(basis.dimension() == (R.row == S.row ? 1 : 0));
        require_basis(R.representation, S.representation);
      }
  }
}

// The rotations of the icosahedron have golden entries: their square is 1 + 3' ... over Q(sqrt 5).
TEST_CASE("bases between representations over fields", "[equivariant][quick]") {
  const FiniteGroup I = point_group("I");
  const Representation V = coordinate_representation(I), P = natural_permutation_representation(I);
  CHECK(V.field().to_string() == "Q(sqrt(5))");
  require_basis(V, V);
  require_basis(V, P);
  require_basis(P, V * V);
  require_basis(V * V, V * V);
  CHECK(hom::equivariant_basis(V * V, V * V).dimension() == 3);  // 1 + 3 + 5
  require_basis(2 * V + trivial_representation(I), 3 * V);
  // Restriction of scalars sees the maps to both conjugates: 2 dim for a real quadratic field.
  const Representation Q = restriction_of_scalars(V, AbelianField());
  CHECK(hom::equivariant_basis(Q, Q).dimension() == 2);
  const auto C = irreducible_representations(character_table(cyclic_group(7)));
  for (std::size_t k = 1; k < C.size(); ++k) {
    const Representation& R = C[k].representation;
    require_basis(R, R);
    require_basis(dual(R), dual(R));
    CHECK(hom::equivariant_basis(R, dual(R)).dimension() == 0);
    CHECK(hom::equivariant_basis(R * dual(R), trivial_representation(R.group())).dimension() == 1);
    require_basis(regular_representation(R.group()), R);
  }
}

TEST_CASE("elements over fields that do not commute are found", "[equivariant][quick]") {
  const Representation V = coordinate_representation(point_group("I"));
  const IntertwinerSpace space = intertwiner_space(V * V, V * V);
  auto elements = space.elements();
  elements[1].value.set(1, 0, elements[1].value(1, 0) + 1);
  const IntertwinerSpace damaged(space.rows(), space.cols(), elements, space.field());
  CHECK(first_that_does_not_commute(damaged, V * V, V * V).has_value());
  elements = space.elements();
  elements.push_back(elements[0]);
  CHECK_FALSE(are_independent(IntertwinerSpace(space.rows(), space.cols(), elements, space.field())));
}

TEST_CASE("tables over fields", "[equivariant][quick]") {
  const Representation V = coordinate_representation(point_group("I"));
  const WeightBlock table = hom::equivariant_basis(V, natural_permutation_representation(V.group())).table().block();
  REQUIRE_NOTHROW(require_consistent(table));
  const SparseElements& elements = table.weights.sparse();
  const AbelianField field = field_of(elements.exact);
  CHECK(field == V.field());
  CHECK(elements.exact.degree == 2);
  CHECK(elements.exact.field == field.to_string());
  CHECK(elements.value == real_values(field, coordinates_of(elements)));
  CHECK(elements.value.size() == elements.row.size());
  // Numbers there and back.
  SparseElements again = elements;
  set_exact_values(again, field, coordinates_of(elements));
  CHECK(again.value == elements.value);
  CHECK(again.exact.coordinates == elements.exact.coordinates);
  CHECK(coordinates_of(elements, 1, 1) == coordinates_of(elements).block(0, 1, 2, 1));
  ExactValues wrong = elements.exact;
  wrong.degree = 3;
  CHECK_THROWS_AS(field_of(wrong), DomainError);
  for (const char* generator : {"1", "E(4)", "E(5)", "nonsense", "2*E(5)+2*E(5)^4"}) {
    wrong.generator = generator;
    CHECK_THROWS_AS(field_of(wrong), DomainError);
  }
  IntegerMatrix large = coordinates_of(elements);
  large.set(0, 0, (Integer(1) << 62) + 1);
  CHECK_THROWS_AS(set_exact_values(again, field, large), LimitError);
  const auto C = irreducible_representations(character_table(cyclic_group(3)));
  const Representation& R = C[1].representation;
  CHECK_THROWS_AS(real_values(R.field(), IntegerMatrix(2, 1)), DomainError);
}
