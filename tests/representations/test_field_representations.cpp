// Representations over number fields larger than Q.
#include <catch2/catch.hpp>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "laws/field_representation.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

FieldMatrix matrix(std::size_t n, const std::vector<const char*>& entries) {
  std::vector<Cyclotomic> values;
  for (const char* text : entries) values.push_back(parse_cyclotomic(text));
  return {n, n, values};
}

/// The character of C_n with value zeta_n^k at the generator.
Representation line(std::size_t n, int k) {
  const std::vector<Cyclotomic> value{Cyclotomic::root_of_unity(static_cast<std::uint32_t>(n), k)};
  return matrix_representation(cyclic_group(n), std::vector<FieldMatrix>{FieldMatrix(1, 1, value)});
}

/// The quaternions as 2 x 2 matrices over Q(i).
Representation quaternions() {
  const FiniteGroup Q8 = dicyclic_group(2);
  const FieldMatrix i = matrix(2, {"E(4)", "0", "0", "-E(4)"}), j = matrix(2, {"0", "-1", "1", "0"});
  return matrix_representation(Q8, std::vector{i, j});
}

std::string refusal(const FiniteGroup& G, const std::vector<FieldMatrix>& images) {
  try {
    static_cast<void>(matrix_representation(G, images));
  } catch (const DomainError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the icosahedral group on its coordinates", "[representations][quick]") {
  auto rng = test_rng();
  for (const char* symbol : {"I", "Ih"}) {
    const FiniteGroup G = point_group(symbol);
    const Representation V = coordinate_representation(G);
    REQUIRE(V.dimension() == 3);
    REQUIRE(V.field().to_string() == "Q(sqrt(5))");
    REQUIRE(V.to_string() == "coordinates");
    laws::require_field_representation(V, rng);
    // Rotations by 2 pi / n have trace 1 + 2 cos(2 pi / n).
    const Cyclotomic golden = V.field().generator(), other = Cyclotomic(1) - golden;
    std::size_t golden_ones = 0;
    G.chain().for_each_element([&](const Permutation& g) {
      const Cyclotomic chi = V.character(g);
      REQUIRE(chi == V.field_matrix(g).trace());
      golden_ones += chi == golden;
      if (std::string(symbol) == "I") {
        const auto order = static_cast<unsigned>(g.order());
        if (order == 1) REQUIRE(chi == Cyclotomic(3));
        if (order == 2) REQUIRE(chi == Cyclotomic(-1));
        if (order == 3) REQUIRE(chi == Cyclotomic(0));
        if (order == 5) REQUIRE((chi == golden || chi == other));
      }
      return true;
    });
    REQUIRE(golden_ones == 12);
    // The matrices are orthogonal.
    for (const Permutation& g : G.generators())
      REQUIRE(V.field_matrix(g) * V.field_matrix(g).transpose() == FieldMatrix::identity(V.field(), 3));
    const Representation W = restriction_of_scalars(V, {});
    REQUIRE(W.dimension() == 6);
    REQUIRE(W.field().is_rational());
    REQUIRE(W.to_string() == "rational(coordinates)");
    REQUIRE(W.character(Permutation::identity(G.degree())) == Cyclotomic(6));
    REQUIRE(restriction_of_scalars(V, V.field().real_subfield()).to_string() == "coordinates");
    // Two conjugate representations, each once.
    REQUIRE(hom_dimension_by_classes(V, V) == 1);
    REQUIRE(hom_dimension_by_classes(W, W) == 2);
    REQUIRE(hom_dimension_by_classes(W, V) == 1);
    REQUIRE(hom_dimension_by_elements(W, W) == 2);
    REQUIRE(intertwiner_space(W, W).elements().size() == 2);
    REQUIRE(intertwiner_space(V, V).params() == 1);
    REQUIRE(intertwiner_space(V, V).field() == V.field());
    REQUIRE_THROWS_WITH(V.matrix(G.generators()[0]), Contains("use rational(R)"));
    REQUIRE_THROWS_WITH(V.generator_matrices(), Contains("use rational(R)"));
    REQUIRE_THROWS_WITH(V.apply(G.generators()[0], RationalMatrix::identity(3)), Contains("use rational(R)"));
  }
}

TEST_CASE("coordinates over real cyclotomic fields", "[representations][quick]") {
  auto rng = test_rng();
  const auto check = [&](const FiniteGroup& G, std::size_t dimension, const char* field) {
    const Representation V = coordinate_representation(G);
    CAPTURE(G.name());
    CHECK(V.dimension() == dimension);
    CHECK(V.field().to_string() == field);
    laws::require_field_representation(V, rng, 1);
    laws::require_field_representation(restriction_of_scalars(V, {}), rng, 1);
  };
  for (const char* symbol : {"C5v", "D5", "D5h", "S10", "D5d", "C10"}) check(point_group(symbol), 3, "Q(sqrt(5))");
  check(point_group("D7"), 3, "Q(E(7)+E(7)^6)");
  check(point_group("D8h"), 3, "Q(sqrt(2))");
  check(point_group("S8"), 3, "Q(sqrt(2))");
  check(dihedral_group(12), 2, "Q(sqrt(3))");
  check(dihedral_group(5), 2, "Q(sqrt(5))");
  check(weyl_group('H', 3), 3, "Q(sqrt(5))");
  check(weyl_group('H', 4), 4, "Q(sqrt(5))");
  check(direct_product({point_group("C5v"), weyl_group('A', 2)}), 5, "Q(sqrt(5))");
  check(direct_product({dihedral_group(5), dihedral_group(8)}), 4, "Q(-E(40)^21-E(40)^29+E(40)^31+E(40)^39)");
  // C<n> turns the plane: the trace of the turn is 2 cos(2 pi / 5).
  const Representation turn = coordinate_representation(cyclic_group(5));
  REQUIRE(turn.dimension() == 2);
  REQUIRE(turn.field_matrix(cyclic_group(5).generators().front()).trace() ==
          Cyclotomic::root_of_unity(5) + Cyclotomic::root_of_unity(5, -1));
  REQUIRE_THROWS_WITH(coordinate_representation(cyclic_group(2)), Contains("not defined by matrices"));
  REQUIRE_THROWS_WITH(coordinate_representation(dihedral_group(2)), Contains("not defined by matrices"));
}

TEST_CASE("the algebra of representations over number fields", "[representations][quick]") {
  auto rng = test_rng();
  const Representation Q = quaternions();
  REQUIRE(Q.field().to_string() == "Q(i)");
  const FiniteGroup Q8 = Q.group();
  const Representation perm = natural_permutation_representation(Q8);
  for (const Representation& V :
       {Q, dual(Q), Q + perm, 3 * Q, Q * perm, Q * Q, tensor_power(Q, 3), sym(2, Q), sym(3, Q), alt(2, Q),
        alt(2, Q + Q), sym(2, Q + perm), dual(Q * Q), 2 * (Q + dual(Q)), restriction_of_scalars(Q, {}),
        dual(restriction_of_scalars(Q, {})), restriction_of_scalars(Q + perm, {})})
    laws::require_field_representation(V, rng);
  // Lambda^2 of a representation into SL(2) is trivial; Q (x) Q = Sym^2 + Lambda^2.
  Q8.chain().for_each_element([&](const Permutation& g) {
    REQUIRE(alt(2, Q).character(g) == Cyclotomic(1));
    REQUIRE((Q * Q).character(g) == sym(2, Q).character(g) + alt(2, Q).character(g));
    return true;
  });
  // Quaternionic: End over R has dimension 4, the four-dimensional rational form is Q + Q.
  const Representation rational = restriction_of_scalars(Q, {});
  REQUIRE(hom_dimension_by_classes(rational, rational) == 4);
  REQUIRE(intertwiner_space(rational, rational).elements().size() == 4);

  const Representation z = line(5, 1);
  REQUIRE(z.field().to_string() == "Q(E(5))");
  for (const Representation& V : {z, dual(z), tensor_power(z, 7), sym(13, z), sym(4, z + dual(z)), alt(3, 5 * z), z * z,
                                  restriction_of_scalars(z, z.field().real_subfield()), restriction_of_scalars(z, {})})
    laws::require_field_representation(V, rng);
  const Permutation turn = cyclic_group(5).generators()[0];
  REQUIRE(z.character(turn) == Cyclotomic::root_of_unity(5));
  REQUIRE(dual(z).character(turn) == Cyclotomic::root_of_unity(5, -1));
  REQUIRE(tensor_power(z, 1'000'001).character(turn) == Cyclotomic::root_of_unity(5));
  REQUIRE(sym(1'000'002, z).field_matrix(turn)(0, 0) == Cyclotomic::root_of_unity(5, 2));
  REQUIRE(sym(1'000, z + dual(z)).character(turn) == Cyclotomic(1));  // sum of zeta^(1000 - 2 k)
  REQUIRE(alt(4, line(5, 1) + line(5, 2) + line(5, 3) + line(5, 3) + line(5, 4)).character(turn) ==
          Cyclotomic::root_of_unity(5, 3) *
              (Cyclotomic::root_of_unity(5, -1) + Cyclotomic::root_of_unity(5, -2) +
               Cyclotomic(2) * Cyclotomic::root_of_unity(5, -3) + Cyclotomic::root_of_unity(5, -4)));
  const Representation real = restriction_of_scalars(z, z.field().real_subfield());
  REQUIRE(real.dimension() == 2);
  REQUIRE(real.field().to_string() == "Q(sqrt(5))");
  REQUIRE(real.to_string() == "real(rep([[[E(5)]]]))");
  REQUIRE(real.character(turn) == parse_cyclotomic("E(5)+E(5)^4"));
  REQUIRE(restriction_of_scalars(z, {}).dimension() == 4);
  REQUIRE(restriction_of_scalars(real, {}).character(turn) == Cyclotomic(-1));
  REQUIRE_THROWS_AS(restriction_of_scalars(z, AbelianField::cyclotomic(3)), DomainError);
  REQUIRE_THROWS_AS(z + Q, DomainError);
}

TEST_CASE("induction, restriction and products over number fields", "[representations][quick]") {
  auto rng = test_rng();
  // The two-dimensional representations of D_5, induced from C_5 in S_5.
  const FiniteGroup S5 = symmetric_group(5);
  const FiniteGroup C5(5, {parse_permutation("(1,2,3,4,5)", 5)});
  const FiniteGroup D5(5, {parse_permutation("(1,2,3,4,5)", 5), parse_permutation("(2,5)(3,4)", 5)});
  const std::vector<Cyclotomic> value{Cyclotomic::root_of_unity(5)};
  const Representation z = matrix_representation(C5, std::vector<FieldMatrix>{FieldMatrix(1, 1, value)});
  const Representation V = induction(z, D5);
  REQUIRE(V.dimension() == 2);
  laws::require_field_representation(V, rng);
  laws::require_field_representation(induction(z, S5), rng, 1);
  laws::require_field_representation(restriction(V, C5), rng);
  laws::require_field_representation(induction(restriction_of_scalars(z, {}), D5), rng);
  REQUIRE(hom_dimension_by_classes(V, V) == 1);
  // Frobenius reciprocity.
  REQUIRE(hom_dimension_by_classes(restriction(V, C5), z) == hom_dimension_by_classes(V, induction(z, D5)));
  const FiniteGroup product = direct_product({C5, D5});
  laws::require_field_representation(external_product({z, V}, product), rng);
  laws::require_field_representation(external_product({z, natural_permutation_representation(D5)}, product), rng);
  laws::require_field_representation(inflation(V, product, 1), rng);
  // Fields that meet in Q.
  const Representation q = line(4, 1), w = line(3, 1);
  const FiniteGroup C4xC3 = direct_product({q.group(), w.group()});
  const Representation both = external_product({q, w}, C4xC3);
  REQUIRE(both.field().to_string() == "Q(E(12))");
  laws::require_field_representation(both, rng);
  laws::require_field_representation(inflation(q, C4xC3, 0) + inflation(w, C4xC3, 1), rng);
}

TEST_CASE("characters over number fields decompose", "[representations][quick]") {
  const FiniteGroup I = point_group("I");
  const CharacterTable table = character_table(I);
  const Representation V = coordinate_representation(I);
  for (const BaseField over : {BaseField::complex, BaseField::real}) {
    REQUIRE(decompose(V, table, over).size() == 1);
    REQUIRE(decompose(restriction_of_scalars(V, {}), table, over).size() == 2);
    REQUIRE(decompose(V * V, table, over).size() == 3);  // 1 + 3 + 5
  }
  const Representation z = line(5, 1);
  const CharacterTable cyclic = character_table(z.group());
  REQUIRE(decompose(z, cyclic, BaseField::complex).size() == 1);
  REQUIRE_THROWS_WITH(decompose(z, cyclic, BaseField::real), Contains("is not real"));
  REQUIRE(decompose(restriction_of_scalars(z, z.field().real_subfield()), cyclic, BaseField::real).size() == 1);
}

TEST_CASE("given matrices over number fields: what is accepted and what is refused", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup C3 = cyclic_group(3), C5 = cyclic_group(5), Q8 = dicyclic_group(2);
  const FieldMatrix w = matrix(1, {"E(3)"});
  CHECK(refusal(C3, {w}) == "accepted");
  CHECK_THAT(refusal(C5, {w}), Contains("a^5 = 1 holds in the group but not for the matrices"));
  CHECK_THAT(refusal(C3, {matrix(1, {"E(3)-1"})}), Contains("a^3 = 1"));
  CHECK_THAT(refusal(C3, {matrix(1, {"E(5)+E(5)^4"})}), Contains("a^3 = 1"));
  CHECK_THAT(refusal(C3, {w, w}), Contains("2 matrices are given for the 1 generators"));
  CHECK_THAT(refusal(C3, {matrix(2, {"E(3)", "1", "E(3)^2", "E(3)"})}), Contains("singular"));
  CHECK_THAT(refusal(C3, {FieldMatrix(AbelianField::cyclotomic(3), 2, 3)}), Contains("not square"));
  const FiniteGroup V4 = direct_product({cyclic_group(2), cyclic_group(2)});
  CHECK_THAT(refusal(V4, {matrix(2, {"0", "1", "1", "0"}), matrix(2, {"1", "1", "1", "1"})}),
             Contains("generator 2 is singular"));
  // i and j commute only up to sign.
  CHECK_THAT(refusal(Q8, {matrix(2, {"E(4)", "0", "0", "-E(4)"}), matrix(2, {"0", "1", "1", "0"})}),
             Contains("holds in the group"));
  // Matrices that happen to be rational are over Q, and signed permutations stay monomial.
  const FieldMatrix turn =
      FieldMatrix(RationalMatrix(IntegerMatrix{{0, -1}, {1, -1}})).over(AbelianField::cyclotomic(7));
  CHECK(matrix_representation(C3, std::vector{turn}).field().is_rational());
  const FieldMatrix shift =
      FieldMatrix(RationalMatrix(IntegerMatrix{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}})).over(AbelianField::cyclotomic(4));
  CHECK(matrix_representation(C3, std::vector{shift}).is_monomial());
  // In a basis that mixes coordinates.
  const Representation V = coordinate_representation(point_group("I"));
  const FieldMatrix P =
      laws::random_field_matrix(AbelianField::cyclotomic(5), 3, 3, rng) + Cyclotomic(7) * FieldMatrix::identity({}, 3);
  if (matrix_rank(P) == 3) {
    std::vector<FieldMatrix> images;
    for (const Permutation& g : V.group().generators()) images.push_back(inverse(P) * V.field_matrix(g) * P);
    const Representation W = matrix_representation(V.group(), images);
    laws::require_field_representation(W, rng);
    for (const Permutation& g : V.group().generators()) REQUIRE(W.character(g) == V.character(g));
  }
}

TEST_CASE("finite groups of matrices over number fields", "[representations][quick]") {
  auto rng = test_rng();
  // SL(2,3) as unit quaternions over Q(i): the group of order 24.
  const FieldMatrix i = matrix(2, {"E(4)", "0", "0", "-E(4)"});
  const FieldMatrix t = Cyclotomic(Rational(1, 2)) * matrix(2, {"-1-E(4)", "-1+E(4)", "1+E(4)", "-1+E(4)"});
  const FiniteGroup G = matrix_group({i, t});
  REQUIRE(G.order() == 24);
  laws::require_field_representation(coordinate_representation(G), rng);
  REQUIRE(coordinate_representation(G).field().to_string() == "Q(i)");
  REQUIRE(defining_matrices(G).empty());
  REQUIRE(matrix_group({matrix(1, {"E(30)"})}).order() == 30);
  REQUIRE_THROWS_WITH(matrix_group({matrix(1, {"E(5)+E(5)^4"})}), Contains("infinite order"));
}
