#include "intertwine/reductive/lie_branching.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/gl/branching.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

LieGroup by_type(const std::string& type) { return LieGroup(parse_root_system(type)); }

/// Dimensions with multiplicities, the largest first.
std::string parts(const LieCharacter& chi) {
  std::vector<std::pair<Integer, Integer>> list;
  for (const WeightTerm& term : chi) list.emplace_back(chi.type().dimension(term.weight), term.coefficient);
  std::sort(list.begin(), list.end(), std::greater<>());
  std::string text;
  for (const auto& [d, m] : list) text += (text.empty() ? "" : " ") + (m == 1 ? "" : to_string(m) + "*") + to_string(d);
  return text;
}

std::string usual(const LieGroup& G, const LieGroup& H, const LieCharacter& chi) {
  return parts(restrict(chi, usual_restriction(G, H)));
}

}  // namespace

TEST_CASE("maximal subgroups of exceptional groups", "[reductive][quick]") {
  // [McKay & Patera 1981]; [Slansky 1981]
  const LieGroup E8 = by_type("E8"), E7 = by_type("E7"), E6 = by_type("E6"), F4 = by_type("F4"), G2 = by_type("G2");
  CHECK(usual(E8, by_type("D8"), E8.vector()) == "128 120");
  CHECK(usual(E8, by_type("D8"), E8.irrep({1, 0, 0, 0, 0, 0, 0, 0})) == "1920 1820 135");
  CHECK(usual(E8, by_type("A8"), E8.vector()) == "84 84 80");
  CHECK(usual(E8, by_type("E7 x A1"), E8.vector()) == "133 112 3");
  CHECK(usual(E8, by_type("E6 x A2"), E8.vector()) == "81 81 78 8");
  CHECK(usual(E8, by_type("A4 x A4"), E8.vector()) == "50 50 50 50 24 24");
  CHECK(usual(E7, by_type("A7"), E7.vector()) == "28 28");
  CHECK(usual(E7, by_type("D6 x A1"), E7.vector()) == "32 24");
  CHECK(usual(E7, by_type("E6 x T1"), E7.vector()) == "27 27 1 1");
  CHECK(usual(E6, F4, E6.vector()) == "26 1");
  CHECK(usual(E6, by_type("D5 x T1"), E6.vector()) == "16 10 1");
  CHECK(usual(E6, by_type("A2 x A2 x A2"), E6.vector()) == "9 9 9");
  CHECK(usual(F4, by_type("B4"), F4.vector()) == "16 9 1");
  CHECK(usual(F4, by_type("C3 x A1"), F4.adjoint()) == "28 21 3");
  CHECK(usual(G2, by_type("A2"), G2.vector()) == "3 3 1");
  CHECK(usual(G2, by_type("A1 x A1"), G2.adjoint()) == "8 3 3");
}

TEST_CASE("maximal subgroups of smaller rank", "[reductive][quick]") {
  // [McKay & Patera 1981]; [Slansky 1981]. Adjoint and smallest representations, and one that the search does not look at.
  const struct {
    const char *group, *sub, *smallest, *adjoint;
  } cases[] = {{"F4", "A1 x G2", "21 5", "35 14 3"},
               {"E6", "G2", "27", "64 14"},
               {"E6", "C4", "27", "42 36"},
               {"E6", "A2 x G2", "21 6", "56 14 8"},
               {"E7", "G2 x C3", "42 14", "98 21 14"},
               {"E7", "A1 x F4", "52 4", "78 52 3"},
               {"E7", "A1 x G2", "28 28", "81 35 14 3"},
               {"E8", "B2", "154 84 10", "154 84 10"},
               {"E8", "G2 x F4", "182 52 14", "182 52 14"}};
  for (const auto& c : cases) {
    INFO(c.group << " to " << c.sub);
    const LieGroup G = by_type(c.group), H = by_type(c.sub);
    CHECK(usual(G, H, G.vector()) == c.smallest);
    CHECK(usual(G, H, G.adjoint()) == c.adjoint);
    // Products restrict to products: the matrix is a homomorphism on the whole ring.
    const LieRestriction f = restriction_to_irregular(G, H);
    if (G.type().rank() < 8)
      CHECK(restrict(exterior_power(2, G.vector()), f) == exterior_power(2, restrict(G.vector(), f)));
    CHECK_NOTHROW(restriction_by_matrix(G, H, f.matrix));
  }
  const auto maximal = [](const LieGroup& G, const LieGroup& H, const LieCharacter& chi) {
    return parts(restrict(chi, restriction_to_irregular(G, H)));
  };
  const LieGroup E6 = by_type("E6"), E7 = by_type("E7"), E8 = by_type("E8"), A2 = by_type("A2");
  CHECK(maximal(E6, A2, E6.vector()) == "27");
  CHECK(maximal(E6, A2, E6.adjoint()) == "35 35 8");
  CHECK(maximal(E7, A2, E7.vector()) == "28 28");
  CHECK(maximal(E7, A2, E7.adjoint()) == "125 8");
  CHECK(maximal(E7, by_type("A1 x A1"), E7.vector()) == "28 18 10");
  CHECK(maximal(E8, by_type("A2 x A1"), E8.adjoint()) == "81 56 50 50 8 3");
  CHECK(maximal(E8, by_type("A1 x A2"), E8.adjoint()) == "81 56 50 50 8 3");
  CHECK(usual(E6, A2, E6.vector()) == "3*3 3*3 9*1");  // the regular one is the usual one
  // Any order of the factors, and groups by their names.
  const LieGroup F4 = by_type("F4"), SU2G2 = LieGroup::product({LieGroup::classical("SU", 2), by_type("G2")});
  CHECK(usual(F4, SU2G2, F4.vector()) == "21 5");
  CHECK(usual(E8, by_type("F4 x G2"), E8.adjoint()) == "182 52 14");
  CHECK(usual(E7, by_type("C3 x G2"), E7.vector()) == "42 14");
}

TEST_CASE("what the adjoint representation becomes determines a subgroup", "[reductive][quick]") {
  // Against the restrictions that are found in other ways.
  const std::pair<const char*, const char*> pairs[] = {{"E6", "F4"}, {"E8", "D8"}, {"A2", "A1"}, {"D4", "G2"},
                                                       {"E7", "A7"}, {"B3", "G2"}, {"E6", "A2"}};
  for (const auto& [from, to] : pairs) {
    INFO(from << " to " << to);
    const LieGroup G = by_type(from), H = by_type(to);
    const LieCharacter adjoint = restrict(G.adjoint(), usual_restriction(G, H));
    const LieRestriction f = restriction_by_adjoint(G, H, adjoint);
    CHECK(restrict(G.adjoint(), f) == adjoint);
    CHECK(parts(restrict(G.vector(), f)) == usual(G, H, G.vector()));
  }
  const LieGroup E8 = by_type("E8"), A1 = by_type("A1"), F4 = by_type("F4"), G2 = by_type("G2"),
                 SU3 = LieGroup::classical("SU", 3);
  CHECK(restriction_by_adjoint(E8, A1, restrict(E8.adjoint(), restriction_to_principal(E8, A1))).matrix ==
        restriction_to_principal(E8, A1).matrix);
  // Of the right dimension, and no subgroup: 14 = 11 + 3 is, 14 = 9 + 5 and 7 + 7 are not.
  CHECK_NOTHROW(restriction_by_adjoint(G2, A1, A1.irrep({10}) + A1.irrep({2})));
  CHECK_THROWS_AS(restriction_by_adjoint(G2, A1, A1.irrep({8}) + A1.irrep({4})), DomainError);
  CHECK_THROWS_AS(restriction_by_adjoint(G2, A1, Integer(2) * A1.irrep({6})), DomainError);
  CHECK_THROWS_AS(restriction_by_adjoint(G2, A1, A1.irrep({10})), DomainError);
  CHECK_THROWS_AS(restriction_by_adjoint(G2, SU3, A1.irrep({13})), DomainError);
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(restriction_to_irregular(F4, SU3), Contains("these are A1 x G2"));
  CHECK_THROWS_WITH(restriction_to_irregular(G2, A1), Contains("not of G2"));
}

TEST_CASE("classical groups by their vector representations", "[reductive][quick]") {
  const auto group = [](const char* family, int n) { return LieGroup::classical(family, n); };
  CHECK(usual(group("SU", 3), group("SO", 3), group("SU", 3).adjoint()) == "5 3");
  CHECK(usual(group("SU", 6), LieGroup::product({group("SU", 3), group("SU", 2)}), group("SU", 6).vector()) == "6");
  CHECK(usual(group("SU", 5), LieGroup::product({group("SU", 3), group("SU", 2)}), group("SU", 5).adjoint()) ==
        "8 6 6 3 1");
  CHECK(usual(group("SO", 7), by_type("G2"), group("SO", 7).adjoint()) == "14 7");
  CHECK(usual(group("Spin", 7), by_type("G2"), group("Spin", 7).spinor()) == "7 1");
  CHECK(usual(by_type("D4"), by_type("B3"), by_type("D4").irrep({0, 0, 1, 0})) == "8");
  CHECK(usual(by_type("D4"), by_type("G2"), by_type("D4").irrep({0, 0, 0, 1})) == "7 1");
  CHECK(usual(group("SO", 6), group("SU", 3), group("SO", 6).vector()) == "3 3");
  CHECK(usual(group("Spin", 10), group("SU", 5), group("Spin", 10).irrep({0, 0, 0, 0, 1})) == "10 5 1");
  CHECK(usual(group("Sp", 6), LieGroup::product({group("Sp", 2), group("Sp", 4)}), group("Sp", 6).vector()) == "4 2");
  CHECK(usual(group("SU", 27), by_type("E6"), exterior_power(2, group("SU", 27).vector())) == "351");
  CHECK(usual(group("GL", 4), group("GL", 3), group("GL", 4).irrep(group("GL", 4).weight_of_partition({2, 1}))) ==
        "8 6 3 3");
  CHECK(usual(group("U", 3), LieGroup::product({group("U", 2), group("U", 1)}), group("U", 3).vector()) == "2 1");
  CHECK(usual(group("U", 3), group("SU", 3), group("U", 3).irrep({0, 0, 3})) == "1");
  // By a representation that is not the usual one: SU(2) in SU(3) by the three-dimensional one.
  const LieGroup SU2 = group("SU", 2), SU3 = group("SU", 3);
  CHECK(parts(restrict(SU3.adjoint(), restriction_by_vector(SU3, SU2, SU2.irrep({2})))) == "5 3");
  CHECK(usual(SU3, SU2, SU3.adjoint()) == "3 2*2 1");
}

TEST_CASE("GL(n) to O(n) and Sp(n) agrees with the rules on partitions", "[reductive][quick]") {
  for (const std::vector<int>& lambda : {std::vector<int>{2}, {2, 1}, {2, 2}, {3, 1}, {1, 1, 1}}) {
    CAPTURE(lambda);
    const LieGroup U = LieGroup::classical("U", 7), SO = LieGroup::classical("SO", 7), U6 = LieGroup::classical("U", 6),
                   Sp = LieGroup::classical("Sp", 6);
    LieCharacter orthogonal(SO.type()), symplectic(Sp.type());
    for (const SchurTerm& term : restrict_to_orthogonal(SchurSum(Partition(lambda)), 7))
      orthogonal = orthogonal + term.coefficient * SO.irrep(SO.weight_of_partition(term.partition.parts()));
    for (const SchurTerm& term : restrict_to_symplectic(SchurSum(Partition(lambda)), 6))
      symplectic = symplectic + term.coefficient * Sp.irrep(Sp.weight_of_partition(term.partition.parts()));
    CHECK(restrict(U.irrep(U.weight_of_partition(lambda)), usual_restriction(U, SO)) == orthogonal);
    CHECK(restrict(U6.irrep(U6.weight_of_partition(lambda)), usual_restriction(U6, Sp)) == symplectic);
  }
}

TEST_CASE("principal subgroups: exponents", "[reductive][quick]") {
  // The adjoint representation becomes the sum of L(2 m) over the exponents m [Kostant 1959].
  for (const auto& [type, dimensions] : {std::pair{"E8", "59 47 39 35 27 23 15 3"},
                                         {"G2", "11 3"},
                                         {"F4", "23 15 11 3"},
                                         {"A3", "7 5 3"},
                                         {"D4", "11 2*7 3"}}) {
    const LieGroup G = by_type(type);
    CHECK(parts(restrict(G.adjoint(), restriction_to_principal(G, by_type("A1")))) == dimensions);
  }
}

TEST_CASE("restriction is a homomorphism", "[reductive][quick]") {
  Rng rng = test_rng();
  for (const auto& [from, to] : {std::pair{"A3", "C2"},
                                 {"B3", "G2"},
                                 {"D4", "A2"},
                                 {"G2", "A2"},
                                 {"C3", "A1 x C2"},
                                 {"F4", "B4"},
                                 {"A3", "A2 x T1"}}) {
    CAPTURE(from, to);
    const LieGroup G = by_type(from), H = by_type(to);
    const LieRestriction f = usual_restriction(G, H);
    Weight a(G.type().rank(), 0), b = a;
    ++a[rng.below(a.size())];
    ++b[rng.below(b.size())];
    const LieCharacter V = G.irrep(a), W = G.irrep(b);
    CHECK(restrict(tensor_product(V, W), f) == tensor_product(restrict(V, f), restrict(W, f)));
    CHECK(restrict(exterior_power(2, V), f) == exterior_power(2, restrict(V, f)));
    CHECK(restrict(V.dual(), f) == restrict(V, f).dual());
    if (f.denominator == 1) CHECK(restrict(V, restriction_by_matrix(G, H, f.matrix)) == restrict(V, f));
  }
}

TEST_CASE("matrices that are no restriction are refused", "[reductive][quick]") {
  const LieGroup A2 = by_type("A2"), A1 = by_type("A1");
  CHECK(parts(restrict(A2.adjoint(), restriction_by_matrix(A2, A1, {{2, 2}}))) == "5 3");
  CHECK_THROWS_WITH(restriction_by_matrix(A2, A1, {{2, 1}}), Catch::Contains("no restriction"));
  CHECK_THROWS_WITH(restriction_by_matrix(A2, A1, {{1, 0, 0}}), Catch::Contains("1 rows and 2 columns"));
  CHECK_THROWS_WITH(restriction_by_matrix(A2, A1, {}), Catch::Contains("1 rows and 2 columns"));
  CHECK_THROWS_WITH(restriction_by_matrix(by_type("A1 x T1"), A1, {{1, 1}}), Catch::Contains("charges go to charges"));
  const LieGroup SU3 = LieGroup::classical("SU", 3), SO3 = LieGroup::classical("SO", 3),
                 Sp4 = LieGroup::classical("Sp", 4);
  CHECK_THROWS_WITH(restriction_by_vector(SU3, SO3, SO3.irrep({4})), Catch::Contains("dimension 5, not 3"));
  CHECK_THROWS_WITH(restriction_by_vector(Sp4, LieGroup::classical("SO", 4), LieGroup::classical("SO", 4).vector()),
                    Catch::Contains("not symplectic"));
  CHECK_THROWS_WITH(restriction_by_vector(LieGroup::classical("SO", 4), Sp4, Sp4.vector()),
                    Catch::Contains("not orthogonal"));
  const LieGroup U3 = LieGroup::classical("U", 3);
  CHECK_THROWS_WITH(restriction_by_vector(SU3, U3, U3.vector()), Catch::Contains("determinant"));
  CHECK_THROWS_WITH(usual_restriction(by_type("E6"), by_type("B3")),
                    Catch::Contains("give the matrix that restricts weights"));
  CHECK_THROWS_AS(usual_restriction(by_type("E6"), by_type("E7")), DomainError);
  CHECK_THROWS_AS(restriction_to_regular(by_type("E8"), by_type("D8 x T1")), DomainError);
  CHECK_THROWS_AS(restriction_to_principal(A2, A2), DomainError);
  // SU(2) is the double cover of the principal subgroup of Sp(4), not SO(3).
  CHECK_THROWS_WITH(restrict(Sp4.vector(), restriction_to_principal(Sp4, SO3)), Catch::Contains("Spin(3) only"));
  CHECK_THROWS_AS(restrict(A1.vector(), usual_restriction(A2, A1)), DomainError);
}

TEST_CASE("the usual embedding names the others that people may mean", "[reductive][quick]") {
  using Names = std::vector<std::string>;
  const auto others = [](const LieGroup& G, const LieGroup& H) { return usual_restriction(G, H).others; };
  const auto SU = [](int n) { return LieGroup::classical("SU", n); };
  CHECK(others(SU(16), LieGroup::classical("Spin", 10)) == Names{"vector = 16"});
  CHECK(others(SU(3), SU(2)) == Names{"vector = 3"});
  CHECK(others(SU(6), SU(3)) == Names{"vector = 6"});
  CHECK(others(LieGroup::classical("Sp", 4), SU(2)) == Names{"vector = 4"});
  CHECK(others(LieGroup::classical("SO", 4), SU(2)).empty());  // 4 is symplectic
  CHECK(others(SU(8), LieGroup::classical("SO", 7)).empty());  // the spinor is one of Spin(7)
  CHECK(others(SU(8), LieGroup::classical("Spin", 7)) == Names{"vector = 8"});
  CHECK(others(by_type("G2"), by_type("A1")) == Names{"the principal SL(2)"});
  CHECK(others(by_type("E6"), by_type("A2")) == Names{"maximal of smaller rank"});
  CHECK(others(by_type("E6"), by_type("F4")).empty());
  CHECK(others(SU(3), SU(3)).empty());
}
