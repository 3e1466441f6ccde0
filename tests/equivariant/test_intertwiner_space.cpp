// Bases of Hom for representations given by matrices.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/change_of_basis.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;
using test_basis::random_scaling;
using test_basis::random_unimodular;

namespace {

Representation conjugated(const Representation& V, const RationalMatrix& T) {
  return matrix_representation(V.group(), test_basis::conjugated(V.generator_matrices(), T));
}

/// A representation of G that is not monomial in general.
Representation random_matrix_representation(const FiniteGroup& G, Rng& rng, std::uint64_t largest) {
  for (;;) {
    const Representation V = test_representations::random_representation(G, rng, largest);
    if (V.dimension() == 0 || V.dimension() > largest) continue;
    switch (rng.below(4)) {
      case 0:
        return conjugated(V, random_unimodular(V.dimension(), rng));
      case 1:
        return conjugated(V, random_scaling(V.dimension(), rng));
      case 2:
        if (G.degree() >= 2 && G.degree() <= largest) return standard_representation(G);
        break;
      default:
        if (G.degree() >= 2 && G.degree() * V.dimension() <= 2 * largest) return standard_representation(G) * V;
    }
  }
}

/// The equations U(g) W = W V(g) in the m n entries of W, solved by elimination.
std::size_t dimension_by_elimination(const Representation& V, const Representation& U) {
  const std::size_t m = U.dimension(), n = V.dimension();
  std::vector<RationalMatrix> equations{RationalMatrix(1, m * n)};
  for (const Permutation& g : V.group().generators())
    equations.push_back(kronecker_product(U.matrix(g), RationalMatrix::identity(n)) -
                        kronecker_product(RationalMatrix::identity(m), V.matrix(g).transpose()));
  return null_space(vertical_stack(equations)).rows();
}

RationalMatrix dense(const SparseMatrix& W) {
  std::vector<Rational> entries(W.rows() * W.cols());
  for (const auto& e : W.entries()) entries[e.row * W.cols() + e.col] = e.value;
  return {W.rows(), W.cols(), entries};
}

IntegerMatrix flat(const IntertwinerSpace& space) {
  IntegerMatrix all(space.params(), space.rows() * space.cols());
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    const auto element = space.element(k);
    for (std::size_t e = 0; e < element.place.size(); ++e) all.set(k, element.place[e], element.value(0, e));
  }
  return all;
}

/// What an IntertwinerSpace promises, looked at densely.
void require_basis(const IntertwinerSpace& space, const Representation& V, const Representation& U) {
  REQUIRE(space.rows() == U.dimension());
  REQUIRE(space.cols() == V.dimension());
  const IntegerMatrix all = flat(space);
  std::size_t last = 0;
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    const RationalMatrix W = dense(space[k]);
    for (const Permutation& g : V.group().generators()) REQUIRE(U.matrix(g) * W == W * V.matrix(g));
    const IntegerMatrix row = all.block(k, 0, 1, all.cols());
    REQUIRE(row.content() == 1);
    std::size_t first = 0;
    while (row.sign(0, first) == 0) ++first;
    REQUIRE(row.sign(0, first) == 1);
    REQUIRE(first >= last);
    last = first;
  }
  REQUIRE(matrix_rank(all) == space.params());
  REQUIRE(are_independent(space));
  REQUIRE_FALSE(first_that_does_not_commute(space, V, U).has_value());
}

FiniteGroup dihedral_on_pixels(std::size_t n) { return pixel_group("D4", n, n); }

}  // namespace

TEST_CASE("bases between random matrix representations", "[equivariant][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    if (G.order() > 400 || G.generators().empty()) continue;  // without images the dimension is not known
    Representation V = random_matrix_representation(G, rng, 6), U = random_matrix_representation(G, rng, 6);
    if (trial % 5 == 0) V = V + 2 * U;
    if (trial % 7 == 0) U = dual(U);
    CAPTURE(trial, G.name(), V.dimension(), U.dimension());
    const std::size_t expected = dimension_by_elimination(V, U);
    const IntertwinerSpace space = intertwiner_space(V, U);
    REQUIRE(space.params() == expected);
    require_basis(space, V, U);
    const hom::Basis basis = hom::equivariant_basis(V, U, {.single_pattern = true});
    const Multiplicity channels = basis.blocks().front().channels;
    REQUIRE(basis.params() * channels.in * channels.out == expected);
    REQUIRE(basis.certificate().commutes);
  }
}

TEST_CASE("known dimensions of matrix representations", "[equivariant][quick]") {
  const auto dimension = [](const Representation& V, const Representation& U) {
    const IntertwinerSpace space = intertwiner_space(V, U);
    require_basis(space, V, U);
    REQUIRE(hom::equivariant_basis(V, U).dimension() == space.params());
    return space.params();
  };
  const FiniteGroup S4 = symmetric_group(4);
  const Representation S31 = specht_module(S4, Partition({3, 1})), S22 = specht_module(S4, Partition({2, 2}));
  REQUIRE(dimension(S31, S31) == 1);
  REQUIRE(dimension(S31, S22) == 0);
  REQUIRE(dimension(natural_permutation_representation(S4), S31) == 1);
  REQUIRE(dimension(tensor_power(S31, 2), S22) == 1);
  REQUIRE(dimension(2 * (S31 + S22), S22) == 2);
  REQUIRE(dimension(sym(2, S31), tensor_power(S31, 2)) == 3);  // Sym^2 = 1 + E + T, all in the square

  // A rotation of order 3 of the plane over Q: the endomorphisms are the field of the cube roots of unity.
  const FiniteGroup C3 = cyclic_group(3);
  const Representation turn = matrix_representation(C3, {IntegerMatrix{{0, -1}, {1, -1}}});
  REQUIRE(dimension(turn, turn) == 2);
  REQUIRE(dimension(tensor_power(turn, 2), turn) == 2);

  // The quaternions i and j by left multiplication on Q^4: irreducible over Q, with the quaternions as endomorphisms.
  const RationalMatrix I = IntegerMatrix{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, -1}, {0, 0, 1, 0}};
  const RationalMatrix J = IntegerMatrix{{0, 0, -1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, -1, 0, 0}};
  const RationalMatrix T = IntegerMatrix{{1, 1, 0, 2}, {0, 1, 0, 0}, {0, 3, 1, 0}, {0, 0, 0, 1}};
  const auto left = [&](const Permutation& a, const Permutation& b) {
    return matrix_representation(FiniteGroup(a.degree(), {a, b}), {inverse(T) * I * T, inverse(T) * J * T});
  };
  const Permutation i = parse_permutation("(1,3,2,4)(5,7,6,8)"), j = parse_permutation("(1,5,2,6)(3,8,4,7)");
  const Representation H = left(i, j);
  REQUIRE(H.group().order() == 8);
  REQUIRE(dimension(H, H) == 4);
  REQUIRE(dimension(H + H, H) == 8);
  REQUIRE(dimension(tensor_power(H, 2), tensor_power(H, 2)) == 64);
}

TEST_CASE("a change of basis hides nothing", "[equivariant][quick]") {
  Rng rng = test_rng();
  const FiniteGroup G = dihedral_on_pixels(4);
  const Representation P = natural_permutation_representation(G);
  for (const RationalMatrix& T : {random_unimodular(16, rng), random_scaling(16, rng)}) {
    const Representation V = conjugated(P, T);
    const IntertwinerSpace space = intertwiner_space(V, V);
    REQUIRE(space.params() == 36);
    require_basis(space, V, V);
  }
  const Representation V = conjugated(P, random_unimodular(16, rng));
  const IntertwinerSpace space = intertwiner_space(V, V);
  const IntegerMatrix all = flat(space);
  const RationalMatrix echelon = reduced_echelon(all).matrix;
  Integer height = 0;
  for (std::size_t i = 0; i < echelon.rows(); ++i) {
    const IntegerMatrix row = RationalMatrix(echelon.block(i, 0, 1, echelon.cols())).numerator();
    height = std::max<Integer>(height, row.height());
  }
  REQUIRE(space.height() < height);
  REQUIRE(space.nonzeros() < echelon.numerator().nonzeros());
}

TEST_CASE("vector fields on a grid are solved by blocks", "[equivariant][quick]") {
  for (const char* family : {"p4m", "p4", "pm", "p2", "p1"}) {
    const FiniteGroup G = grid_group(family, 3, 3);
    const Representation P = natural_permutation_representation(G), E = coordinate_representation(G);
    const Representation V = P * E;
    CAPTURE(family);
    // E is given by signed permutations on these grids; another basis of it is not.
    const Representation F = conjugated(E, IntegerMatrix{{1, 1}, {0, 1}});
    const IntertwinerSpace space = intertwiner_space(P * F, F * P);
    REQUIRE(hom::equivariant_basis(V, V).dimension() == space.params());
    require_basis(space, P * F, F * P);
    REQUIRE(intertwiner_space(P, F * P).params() == hom::equivariant_basis(P, V).dimension());
  }
}

TEST_CASE("the checks reject what they should", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const Representation S = specht_module(G, Partition({3, 1}));
  const Representation V = tensor_power(S, 2);
  const IntertwinerSpace space = intertwiner_space(V, V);
  REQUIRE(space.params() == 4);
  auto elements = space.elements();
  elements[2].value.set(0, 0, elements[2].value(0, 0) + 1);
  const IntertwinerSpace damaged(space.rows(), space.cols(), elements);
  REQUIRE(first_that_does_not_commute(damaged, V, V).has_value());
  elements = space.elements();
  elements.push_back(elements[1]);
  REQUIRE_FALSE(are_independent(IntertwinerSpace(space.rows(), space.cols(), elements)));
  REQUIRE_THROWS_AS(first_that_does_not_commute(space, S, V), DomainError);
  REQUIRE_THROWS_AS(space[4], DomainError);
  REQUIRE_THROWS_AS(intertwiner_space(S, natural_permutation_representation(symmetric_group(3))), DomainError);
  const hom::Basis basis = hom::equivariant_basis(V, V);
  REQUIRE_FALSE(basis.is_tied());
  REQUIRE_THROWS_AS(basis.blocks()[0].weights.pattern(), DomainError);
  REQUIRE_THROWS_AS(basis.table().block().weights.tied(), DomainError);
  REQUIRE_THROWS_AS(IntertwinerSpace(1, 2, {{{1, 0}, IntegerMatrix{{1, 1}}}}), DomainError);
  REQUIRE_THROWS_AS(IntertwinerSpace(1, 2, {{{0, 2}, IntegerMatrix{{1, 1}}}}), DomainError);
  REQUIRE_THROWS_AS(IntertwinerSpace(1, 2, {{{0, 1}, IntegerMatrix{{1, 0}}}}), DomainError);
}

TEST_CASE("a table of a general basis holds the basis", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const Representation S = specht_module(G, Partition({3, 1})), P = natural_permutation_representation(G);
  const hom::Basis basis = hom::equivariant_basis(3 * (P + S), 2 * S + 2 * P);
  const WeightBlock table = basis.table().block();
  REQUIRE_NOTHROW(require_consistent(table));
  REQUIRE(table.channels == Multiplicity{2, 3});
  REQUIRE(table.weights.rows == 7);
  REQUIRE(table.weights.cols == 7);
  REQUIRE(table.weights.params == 5);  // (1 + T, 1 + T) twice T: 1 + 4
  REQUIRE(table.bias.params == 1);
  const SparseElements& elements = table.weights.sparse();
  const HomBasis& weights = basis.blocks()[0].weights;
  REQUIRE(basis.dimension() == 30);
  for (std::size_t k = 0; k < table.weights.params; ++k) {
    const SparseMatrix W = weights[k];
    REQUIRE(static_cast<std::size_t>(elements.start[k + 1] - elements.start[k]) == W.entries().size());
    for (std::size_t e = 0; e < W.entries().size(); ++e) {
      const std::size_t at = static_cast<std::size_t>(elements.start[k]) + e;
      REQUIRE(static_cast<std::uint64_t>(elements.row[at]) == W.entries()[e].row);
      REQUIRE(static_cast<std::uint64_t>(elements.col[at]) == W.entries()[e].col);
      REQUIRE(Rational(static_cast<std::int64_t>(elements.value[at])) == W.entries()[e].value);
    }
  }
  REQUIRE_THROWS_AS(hom::equivariant_basis(P, P).table().block().weights.sparse(), DomainError);
  REQUIRE_THROWS_AS(hom::equivariant_basis(P, P).blocks()[0].weights.space(), DomainError);
}
