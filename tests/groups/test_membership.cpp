// Elements of groups, and what they generate.
#include <catch2/catch.hpp>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "reference_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("elements generate a group or a proper subgroup", "[groups][quick]") {
  Rng rng(5);
  for (const char* name : {"M12", "HS", "S6", "A9", "Sz(8)"}) {
    const FiniteGroup& G = reference_group(name).group;
    CAPTURE(name);
    int proper = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<Permutation> elements{G.random_element(rng), G.random_element(rng)};
      const bool whole = FiniteGroup(G.degree(), elements).order() == G.order();
      REQUIRE(generates(G, elements) == whole);
      proper += !whole;
    }
    const FiniteGroup H = stabilizer(G, 0);
    REQUIRE_FALSE(generates(G, H.generators()));
    REQUIRE(generates(H, H.generators()));
    REQUIRE(generates(G, G.generators()));
    REQUIRE_FALSE(generates(G, {}));
    REQUIRE_THROWS_WITH(generates(H, G.generators()), Catch::Contains("is no element of"));
    REQUIRE_THROWS_AS(generates(G, {Permutation::identity(3)}), DomainError);
    REQUIRE(proper < 20);
  }
}

TEST_CASE("whether elements lie in a group is asked under limits", "[groups][quick]") {
  // The first question finds the order of the group, which may take long.
  const Task stopped(0, 0, {});
  stopped.cancel();
  const FiniteGroup M11 = reference_group("M11").group;
  const auto group = [&] { return FiniteGroup(M11.degree(), M11.generators()); };  // its order is not known yet
  REQUIRE_THROWS_AS(group().contains(M11.generators()[0], stopped), Interrupted);
  REQUIRE_THROWS_AS(subgroup(group(), M11.generators(), {}, stopped), Interrupted);
  REQUIRE_THROWS_AS(generates(group(), M11.generators(), stopped), Interrupted);
  REQUIRE_THROWS_AS(normal_closure(group(), M11.generators(), stopped), Interrupted);
  REQUIRE_THROWS_AS(is_subgroup(M11, group(), stopped), Interrupted);
  REQUIRE_THROWS_AS(require_subgroup(M11, group(), stopped), Interrupted);
  REQUIRE_THROWS_AS(on_points_of(group(), M11, stopped), Interrupted);
  REQUIRE(is_subgroup(M11, group()));
}
