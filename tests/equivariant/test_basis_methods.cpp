// The four ways to a basis of Hom against each other, and what each of them refuses.
#include "intertwine/equivariant/basis_methods.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/change_of_basis.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

namespace {

/// The elements as the rows of a matrix over F.
FieldMatrix rows_of(const IntertwinerSpace& given, const AbelianField& F) {
  const IntertwinerSpace space = given.over(F);
  const std::size_t width = space.rows() * space.cols();
  IntegerMatrix coordinates(space.params(), F.degree() * width);
  for (std::uint64_t k = 0; k < space.params(); ++k)
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      for (std::size_t c = 0; c < F.degree(); ++c)
        coordinates.set(k, c * width + space.row()[e] * space.cols() + space.col()[e], space.values()(c, e));
  return {F, RationalMatrix(std::move(coordinates)), width};
}

using Method = std::function<IntertwinerSpace(const Representation&, const Representation&)>;

const std::map<std::string, Method>& methods() {
  static const std::map<std::string, Method> all = {
      {"orbitals", [](const auto& V, const auto& U) { return IntertwinerSpace(equivariant_basis_by_orbitals(V, U)); }},
      {"induction", [](const auto& V, const auto& U) { return equivariant_basis_by_induction(V, U); }},
      {"isotypic", [](const auto& V, const auto& U) { return equivariant_basis_by_isotypic(V, U); }},
      {"splitting", [](const auto& V, const auto& U) { return equivariant_basis_by_splitting(V, U); }}};
  return all;
}

/// Every method either refuses with a sentence that names it, or finds the space that equivariant_basis chooses a basis
/// of. Counts who answered.
void compare(const Representation& V, const Representation& U, std::map<std::string, int>& answered) {
  const AbelianField F = AbelianField::compositum(V.field(), U.field());
  const IntertwinerSpace chosen = intertwiner_space(V, U);
  const FieldMatrix expected = reduced_echelon(rows_of(chosen, F)).matrix;
  REQUIRE(expected.rows() == chosen.params());
  REQUIRE(hom::equivariant_basis(V, U).dimension() == chosen.params());
  for (const auto& [name, method] : methods()) {
    CAPTURE(name);
    try {
      const IntertwinerSpace found = method(V, U);
      REQUIRE(found.rows() == U.dimension());
      REQUIRE(found.cols() == V.dimension());
      REQUIRE(found.params() == chosen.params());
      REQUIRE_FALSE(first_that_does_not_commute(found, V, U).has_value());
      REQUIRE(reduced_echelon(rows_of(found, F)).matrix == expected);
      ++answered[name];
    } catch (const DomainError& refusal) {
      REQUIRE(std::string(refusal.what()).starts_with("equivariant_basis_by_" + name + ": "));
      REQUIRE(name != "isotypic");
    }
  }
}

Representation hidden(const Representation& V, Rng& rng) {
  return matrix_representation(
      V.group(), test_basis::conjugated(V.generator_matrices(), test_basis::random_unimodular(V.dimension(), rng)));
}

/// Permutation, signed and induced representations, the same hidden by a change of basis, and products of both kinds.
Representation random_side(const FiniteGroup& G, Rng& rng) {
  for (;;) {
    const Representation V = test_representations::random_representation(G, rng, 6);
    if (V.dimension() == 0) continue;
    switch (rng.below(4)) {
      case 0:
        return hidden(V, rng);
      case 1: {
        const Representation W = test_representations::random_representation(G, rng, 3);
        if (W.dimension() > 0) return hidden(V, rng) * W;
        break;
      }
      case 2:
        if (G.degree() >= 2 && G.degree() <= 6) return standard_representation(G) * V;
        break;
      default:
        return V;
    }
  }
}

std::string refusal(const Method& method, const Representation& V, const Representation& U) {
  try {
    method(V, U);
  } catch (const DomainError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("all methods find the same space", "[equivariant][quick]") {
  Rng rng = test_rng();
  std::map<std::string, int> answered;
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    if (G.order() > 200 || G.generators().empty()) continue;
    const Representation V = random_side(G, rng), U = random_side(G, rng);
    CAPTURE(trial, G.name(), V.to_string(), U.to_string());
    compare(V, U, answered);
  }
  for (const auto& [name, method] : methods()) {
    CAPTURE(name);
    CHECK(answered[name] > 0);
  }
}

TEST_CASE("all methods find the same space over number fields", "[equivariant][quick]") {
  std::map<std::string, int> answered;
  const FiniteGroup I = point_group("I");
  const Representation V = coordinate_representation(I), P = natural_permutation_representation(I);
  compare(V, P, answered);
  compare(V * V, V, answered);
  compare(V + P, 2 * V, answered);
  for (const FiniteGroup& G : {cyclic_group(5), special_linear_group(2, 3), dicyclic_group(2)}) {
    const auto irreducibles = irreducible_representations(character_table(G));
    const Representation regular = regular_representation(G);
    for (const auto& R : irreducibles) {
      compare(regular, R.representation, answered);
      compare(R.representation * R.representation, regular, answered);
    }
  }
  CHECK(answered["isotypic"] > 10);
}

TEST_CASE("blocks of induced modules", "[equivariant][quick]") {
  std::map<std::string, int> answered;
  const FiniteGroup S4 = symmetric_group(4),
                    S3 = FiniteGroup(4, {parse_permutation("(1,2,3)", 4), parse_permutation("(1,2)", 4)}),
                    Q8 = dicyclic_group(2), centre(8, {Q8.generators()[0] * Q8.generators()[0]});
  const Representation W = standard_representation(S4), P = natural_permutation_representation(S4);
  const Representation I = induction(restriction(W, S3), S4);  // two copies of std restricted, in four blocks
  compare(I, W, answered);
  compare(W, dual(I), answered);
  compare(I, I * P, answered);
  compare(2 * I + P, W * W, answered);
  compare(restriction(I, S3), restriction(W, S3), answered);
  // Four blocks of two dimensions each, on which the centre acts by -1.
  const Representation twice = 2 * linear_character(centre, {-1});
  const Representation J = induction(
      matrix_representation(
          centre, test_basis::conjugated(twice.generator_matrices(), RationalMatrix(IntegerMatrix{{1, 1}, {0, 1}}))),
      Q8);
  compare(J, J, answered);
  compare(J, regular_representation(Q8), answered);
  CHECK(answered["induction"] == 6);  // a sum has no blocks of its own: its summands do
  // A factor of one dimension that is not given as a sign, and acts by one.
  const Representation det = alt(3, W);
  REQUIRE(det.dimension() == 1);
  compare(I * det, W, answered);
  compare(I * det, I, answered);
  CHECK(basis_method(I, W) == BasisMethod::induction);
}

TEST_CASE("the method that is chosen", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4), I = point_group("I");
  const Representation P = natural_permutation_representation(G), S = standard_representation(G),
                       E = coordinate_representation(I);
  CHECK(basis_method(P, P * P) == BasisMethod::orbitals);
  CHECK(basis_method(P * S, S) == BasisMethod::induction);
  CHECK(basis_method(S * S, S) == BasisMethod::splitting);
  CHECK(basis_method(E, natural_permutation_representation(I)) == BasisMethod::isotypic);
  const FiniteGroup S9 = symmetric_group(9);
  const Representation large = tensor_power(standard_representation(S9), 3);
  CHECK(basis_method(large, large) == BasisMethod::isotypic);
  CHECK(basis_method(large, standard_representation(S9)) == BasisMethod::splitting);
}

TEST_CASE("methods refuse what they cannot do", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4), I = point_group("I");
  const Representation P = natural_permutation_representation(G), S = standard_representation(G),
                       E = coordinate_representation(I);
  CHECK_THAT(refusal(methods().at("orbitals"), P, S), Catch::Contains("std is given by matrices"));
  CHECK_THAT(refusal(methods().at("induction"), S, S * S), Catch::Contains("has a monomial or induced factor"));
  CHECK_THAT(refusal(methods().at("induction"), E, natural_permutation_representation(I)),
             Catch::Contains("is over Q(sqrt(5)), not over Q"));
  CHECK_THAT(refusal(methods().at("splitting"), E, E), Catch::Contains("is over Q(sqrt(5)), not over Q"));
  const Representation other = natural_permutation_representation(symmetric_group(3));
  for (const auto& [name, method] : methods()) {
    CAPTURE(name);
    CHECK_THAT(refusal(method, P, other), Catch::Contains("belongs to S4, the output one to S3"));
  }
  CHECK_THROWS_AS(basis_method(P, other), DomainError);
  const Representation nothing = 0 * P;
  for (const char* name : {"isotypic", "splitting"}) {
    CHECK(methods().at(name)(nothing, P).params() == 0);
    CHECK(methods().at(name)(P, nothing).params() == 0);
  }
}

namespace {

template <class Basis>
std::string wrong_basis(const Basis& basis, const Representation& V, const Representation& U) {
  try {
    verify(basis, V, U);
  } catch (const VerificationError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("bases are proved from their elements alone", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4), I = point_group("I");
  const Representation P = natural_permutation_representation(G), S = standard_representation(G),
                       E = coordinate_representation(I);
  CHECK_NOTHROW(verify(equivariant_basis_by_orbitals(P * P, P * P), P * P, P * P));
  CHECK_NOTHROW(verify(equivariant_basis_by_orbitals(sign_representation(G), P), sign_representation(G), P));
  CHECK_NOTHROW(verify(intertwiner_space(S * S, P + S), S * S, P + S));
  CHECK_NOTHROW(verify(intertwiner_space(E * E, E * E), E * E, E * E));
  for (const auto& [V, U] :
       {std::pair(3 * P + 2 * S, 2 * (P + sign_representation(G))), std::pair(P * P, 4 * P), std::pair(0 * P, S)})
    CHECK_NOTHROW(verify(hom::equivariant_basis(V, U)));
  CHECK_NOTHROW(verify(hom::equivariant_basis(2 * E, E + 3 * natural_permutation_representation(I))));
}

TEST_CASE("wrong bases are refused", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const Representation S = standard_representation(G), V = S * S;
  const IntertwinerSpace space = intertwiner_space(V, V);
  REQUIRE(space.params() == 4);
  const auto changed = [&](const std::function<void(std::vector<IntertwinerSpace::Element>&)>& change) {
    std::vector<IntertwinerSpace::Element> elements = space.elements();
    change(elements);
    return wrong_basis(IntertwinerSpace(9, 9, std::move(elements)), V, V);
  };
  CHECK(changed([](auto&) {}).empty());
  CHECK_THAT(changed([](auto& e) { e.pop_back(); }), Catch::Contains("there are 3 elements, and the dimension is 4"));
  CHECK(changed([](auto& e) { e.push_back(e[1]); }) == "verify: the elements are linearly dependent");
  CHECK(changed([](auto& e) { e[3] = e[0]; }) == "verify: the elements are linearly dependent");
  CHECK_THAT(changed([](auto& e) { e[2].value.set(0, 0, e[2].value(0, 0) + 1); }),
             Catch::Contains("does not commute with the group"));
  CHECK_THAT(changed([](auto& e) { e[0].place.pop_back(), e[0].value = e[0].value.block(0, 0, 1, e[0].place.size()); }),
             Catch::Contains("does not commute with the group"));
  CHECK_THAT(wrong_basis(space, V, S), Catch::Contains("the elements are 9 x 9"));
  // A pattern of a subgroup has too many elements for the group, that of a larger group too few for a smaller one.
  const Representation P = natural_permutation_representation(G);
  const FiniteGroup C = FiniteGroup(4, {G.generators().front()});
  const Representation Q = restriction(P, C);
  const OrbitalPattern fine = equivariant_basis_by_orbitals(Q, Q), coarse = equivariant_basis_by_orbitals(P, P);
  CHECK(wrong_basis(coarse, P, P).empty());
  CHECK(wrong_basis(fine, Q, Q).empty());
  CHECK_THAT(wrong_basis(fine, P, P), Catch::Contains("to an equal one"));
  CHECK_THAT(wrong_basis(coarse, Q, Q), Catch::Contains("there are 2 elements, and the dimension is"));
  CHECK_THAT(wrong_basis(coarse, P * sign_representation(G), P), Catch::Contains("to an equal one"));
  CHECK_THAT(wrong_basis(coarse, P * P, P), Catch::Contains("the elements are 4 x 4"));
}
