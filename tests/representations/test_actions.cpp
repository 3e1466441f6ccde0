#include "intertwine/representations/actions.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "laws/representation.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"

using namespace intertwine;
using test_groups::group;
using test_groups::symmetric;

namespace {

std::size_t number_of_orbits(const Representation& V) {
  std::vector<Permutation> generators;
  for (const SignedPermutation& g : V.generator_images()) generators.push_back(g.permutation());
  return orbits(V.dimension(), generators).size();
}

/// The mean of the character over all elements: the dimension of the fixed space.
Rational mean_of_character(const Representation& V) {
  Integer sum = 0;
  V.group().chain().for_each_element([&](const Permutation& g) {
    sum += V.character(g).to_integer();
    return true;
  });
  return Rational(sum, V.group().order());
}

}  // namespace

TEST_CASE("the actions obey the laws", "[representations][quick]") {
  auto rng = test_rng();
  const std::vector<FiniteGroup> groups = {symmetric(1),
                                           symmetric(2),
                                           symmetric(5),
                                           test_groups::cyclic(6),
                                           test_groups::square(),
                                           group(4, {}),
                                           group(4, {"()"}),
                                           group(6, {"(1,2,3)(4,5)"}),
                                           group(7, {"(1,2,3,4,5,6,7)", "(2,3)(4,7)"})};
  for (const FiniteGroup& G : groups) {
    laws::require_representation(trivial_representation(G), rng);
    laws::require_representation(natural_permutation_representation(G), rng);
    laws::require_representation(sign_representation(G), rng);
    laws::require_representation(regular_representation(G), rng);
    for (unsigned k = 0; k <= 3; ++k) {
      laws::require_representation(tuple_action(G, k), rng);
      laws::require_representation(arrangement_action(G, k), rng);
      laws::require_representation(set_orbit_action(G, k == 0 ? std::vector<Point>{} : std::vector<Point>{0}), rng);
    }
    for (unsigned k = 0; k <= G.degree() + 1; ++k) laws::require_representation(subset_action(G, k), rng);
    laws::require_representation(set_partition_action(G, std::vector<unsigned>(G.degree(), 1)), rng);
    laws::require_representation(set_partition_action(G, {static_cast<unsigned>(G.degree())}), rng);
    laws::require_representation(coset_action(G, G), rng);
    laws::require_representation(coset_action(G, group(G.degree(), {})), rng);
    std::vector<SignedPermutation> images;
    for (const Permutation& g : G.generators()) images.emplace_back(g);
    if (!images.empty()) laws::require_representation(monomial_representation(G, images), rng);
  }
}

TEST_CASE("bases are in lexicographic order", "[representations][quick]") {
  const FiniteGroup G = symmetric(4);
  const auto labels = [](const Representation& V) {
    std::string text;
    for (std::uint64_t i = 0; i < V.dimension(); ++i) text += V.basis_label(i);
    return text;
  };
  REQUIRE(labels(subset_action(G, 2)) == "{1,2}{1,3}{1,4}{2,3}{2,4}{3,4}");
  REQUIRE(labels(subset_action(G, 3)) == "{1,2,3}{1,2,4}{1,3,4}{2,3,4}");
  REQUIRE(labels(arrangement_action(symmetric(3), 2)) == "(1,2)(1,3)(2,1)(2,3)(3,1)(3,2)");
  REQUIRE(labels(tuple_action(symmetric(2), 2)) == "(1,1)(1,2)(2,1)(2,2)");
  REQUIRE(labels(set_orbit_action(test_groups::square(), {2, 0})) == "{1,3}{2,4}");
  REQUIRE(labels(set_partition_action(G, {2, 2})) == "{1,2|3,4}{1,3|2,4}{1,4|2,3}");
  REQUIRE(labels(set_partition_action(symmetric(3), {1, 2})) == "{1|2,3}{1,2|3}{1,3|2}");
  REQUIRE(labels(coset_action(symmetric(3), group(3, {"(2,3)"}))) == "H(1,2,3)H(1,3,2)H");
  REQUIRE(labels(natural_permutation_representation(symmetric(3))) == "123");
}

TEST_CASE("images move labels as the group moves points", "[representations][quick]") {
  const FiniteGroup G = symmetric(5);
  const Permutation g = parse_permutation("(1,2,3,4,5)", 5);
  const auto goes = [&](const Representation& V, const std::string& from, const std::string& to) {
    const SignedPermutation image = V.image(g);
    for (Point i = 0; i < V.dimension(); ++i)
      if (V.basis_label(i) == from) {
        CAPTURE(from, V.basis_label(image(i).point()));
        return V.basis_label(image(i).point()) == to && !image(i).negative();
      }
    return false;
  };
  REQUIRE(goes(subset_action(G, 2), "{1,5}", "{1,2}"));
  REQUIRE(goes(subset_action(G, 4), "{1,2,3,5}", "{1,2,3,4}"));
  REQUIRE(goes(arrangement_action(G, 3), "(5,1,3)", "(1,2,4)"));
  REQUIRE(goes(tuple_action(G, 3), "(5,5,2)", "(1,1,3)"));
  REQUIRE(goes(set_orbit_action(G, {0, 4}), "{1,5}", "{1,2}"));
  REQUIRE(goes(set_partition_action(G, {2, 2, 1}), "{1,5|2|3,4}", "{1,2|3|4,5}"));
  REQUIRE(goes(natural_permutation_representation(G), "5", "1"));
}

TEST_CASE("S_n on tuples has Bell numbers of orbits", "[representations][quick]") {
  const std::vector<std::size_t> bell = {1, 1, 2, 5, 15, 52};  // OEIS A000110
  const FiniteGroup G = symmetric(5);
  for (unsigned k = 0; k < bell.size(); ++k) {
    REQUIRE(number_of_orbits(tuple_action(G, k)) == bell[k]);
    REQUIRE(mean_of_character(tuple_action(G, k)) == Rational(bell[k]));
    REQUIRE(number_of_orbits(arrangement_action(G, k)) == 1);
  }
  REQUIRE(number_of_orbits(subset_action(group(7, {"(1,2,3,4,5,6,7)"}), 3)) ==
          5);  // necklaces of 3 black beads out of 7
}

TEST_CASE("M24 has 759 octads and is 5-transitive", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = test_groups::mathieu24();
  REQUIRE(G.order() == 244823040);
  // The octads through five points are one; 759 = C(24,5) / C(8,5).
  const Representation fours = subset_action(G, 4);
  REQUIRE(number_of_orbits(fours) == 1);
  Representation octads = fours;
  for (Point x = 5; x < 24 && octads.dimension() != 759; ++x)
    for (Point y = x + 1; y < 24 && octads.dimension() != 759; ++y)
      for (Point z = y + 1; z < 24 && octads.dimension() != 759; ++z) {
        // Short orbits only: the long ones have more than 100000 sets.
        Task few(1U << 20, 0, {});
        try {
          octads = set_orbit_action(G, {0, 1, 2, 3, 4, x, y, z}, few);
        } catch (const LimitError&) {
        }
      }
  REQUIRE(octads.dimension() == 759);
  laws::require_representation(octads, rng, 2);
  REQUIRE(number_of_orbits(octads * octads) == 4);  // octads meet in 8, 4, 2 or 0 points
}

TEST_CASE("set partitions are counted", "[representations][quick]") {
  auto rng = test_rng();
  REQUIRE(set_partition_action(symmetric(8), {2, 2, 2, 2}).dimension() == 105);
  REQUIRE(set_partition_action(symmetric(6), {3, 2, 1}).dimension() == 60);
  REQUIRE(set_partition_action(symmetric(9), {3, 3, 3}).dimension() == 280);
  REQUIRE(set_partition_action(group(0, {}), {}).dimension() == 1);
  laws::require_representation(set_partition_action(symmetric(7), {2, 2, 1, 1, 1}), rng);
  laws::require_representation(set_partition_action(symmetric(6), {2, 2, 2}), rng);
  REQUIRE(number_of_orbits(set_partition_action(symmetric(7), {3, 2, 2})) == 1);
}

TEST_CASE("coset actions are the known ones", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(6);
  const Representation points = coset_action(G, group(6, {"(2,3)", "(2,3,4,5,6)"}));
  REQUIRE(points.dimension() == 6);
  for (int trial = 0; trial < 20; ++trial) {
    const Permutation g = G.random_element(rng);
    REQUIRE(points.character(g) == natural_permutation_representation(G).character(g));
  }
  // PGL(2,5): the transitive subgroup of S6 of index 6 whose coset action is the exotic one.
  const Representation exotic = coset_action(G, group(6, {"(1,2,3,4,5)", "(1,6)(2,5)", "(2,3,5,4)"}));
  REQUIRE(exotic.dimension() == 6);
  laws::require_representation(exotic, rng);
  REQUIRE(exotic.character(parse_permutation("(1,2)", 6)) == 0);
  const FiniteGroup S4 = symmetric(4);
  const Representation cosets = coset_action(S4, group(4, {"(1,2)(3,4)", "(1,3)(2,4)"}));
  REQUIRE(cosets.dimension() == 6);
  laws::require_representation(cosets, rng);
  const Representation all = coset_action(S4, group(4, {}));
  const Representation regular = regular_representation(S4);
  for (int trial = 0; trial < 10; ++trial) {
    const Permutation g = S4.random_element(rng);
    REQUIRE(all.character(g) == regular.character(g));
  }
}

TEST_CASE("the regular representation follows the ranks of the chain", "[representations][quick]") {
  auto rng = test_rng();
  for (const FiniteGroup& G :
       {symmetric(5), symmetric(8), test_groups::square(), group(7, {"(1,2,3,4,5,6,7)", "(2,3)(4,7)"}),
        group(9, {"(1,2)", "(3,4,5)", "(6,7,8,9)"})}) {
    const Representation V = regular_representation(G);
    const Permutation g = G.random_element(rng);
    const SignedPermutation image = V.image(g);
    for (int trial = 0; trial < 50; ++trial) {
      const auto i = static_cast<Point>(rng.below(V.dimension()));
      REQUIRE(image(i) == SignedPoint(static_cast<Point>(G.chain().rank(g * G.chain().unrank(Integer(i))))));
    }
  }
  REQUIRE_THROWS_AS(regular_representation(symmetric(13)), LimitError);
}

TEST_CASE("linear characters", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup D4 = test_groups::square();
  for (const int a : {1, -1})
    for (const int b : {1, -1}) {
      const Representation chi = linear_character(D4, {a, b});
      laws::require_representation(chi, rng);
      REQUIRE(chi.character(D4.generators()[0]) == a);
      REQUIRE(chi.character(D4.generators()[1]) == b);
    }
  REQUIRE_THROWS_WITH(linear_character(test_groups::cyclic(3), {-1}), Catch::Contains("a^3 = 1"));
  REQUIRE_THROWS_AS(linear_character(D4, {1}), DomainError);
  REQUIRE_THROWS_AS(linear_character(D4, {1, 0}), DomainError);
}

TEST_CASE("bad arguments of actions are refused", "[representations][quick]") {
  const FiniteGroup G = symmetric(5);
  REQUIRE_THROWS_AS(set_orbit_action(G, {0, 5}), DomainError);
  REQUIRE_THROWS_AS(set_orbit_action(G, {1, 1}), DomainError);
  REQUIRE_THROWS_AS(set_partition_action(G, {2, 2}), DomainError);
  REQUIRE_THROWS_AS(set_partition_action(G, {5, 0}), DomainError);
  REQUIRE_THROWS_AS(set_partition_action(symmetric(60), std::vector<unsigned>(30, 2)), LimitError);
  REQUIRE_THROWS_AS(coset_action(group(5, {"(1,2,3)"}), G), DomainError);
  REQUIRE_THROWS_AS(coset_action(G, symmetric(4)), DomainError);
  REQUIRE_THROWS_AS(coset_action(symmetric(20), group(20, {"(1,2)"})), LimitError);
  REQUIRE_THROWS_AS(natural_permutation_representation(G).image(parse_permutation("(1,2)", 4)), DomainError);
  REQUIRE_THROWS_AS(natural_permutation_representation(G).character(parse_permutation("(1,2)", 4)), DomainError);
  REQUIRE_THROWS_AS(natural_permutation_representation(G).basis_label(5), DomainError);
  REQUIRE_THROWS_WITH(tuple_action(symmetric(100), 10), Catch::Contains("100000000000000000000 exceeds"));
  REQUIRE_THROWS_WITH(tuple_action(symmetric(100), 9).image(symmetric(100).generators()[0]),
                      Catch::Contains("1000000000000000000 exceeds"));
  Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(set_orbit_action(G, {0}, stopped), Interrupted);
  REQUIRE_THROWS_AS(coset_action(G, group(5, {"(1,2)"}), stopped), Interrupted);
}
