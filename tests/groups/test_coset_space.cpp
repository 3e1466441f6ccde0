#include "intertwine/groups/coset_space.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("cosets are as many as the index, and elements of one differ by the subgroup", "[groups][quick]") {
  Rng rng = test_rng();
  const FiniteGroup G = symmetric_group(7), H = pointwise_stabilizer(G, {0, 3});
  const CosetSpace cosets(G, H, {});
  REQUIRE(cosets.size() == 42);
  CHECK(cosets.representative(0).is_identity());
  for (std::size_t i = 0; i < cosets.size(); ++i) REQUIRE(cosets.coset_of(cosets.representative(i)) == i);
  for (int trial = 0; trial < 50 * test_multiplier(); ++trial) {
    const Permutation g = G.random_element(rng), h = H.random_element(rng), x = G.random_element(rng);
    REQUIRE(cosets.coset_of(g * h) == cosets.coset_of(g));
    REQUIRE((cosets.coset_of(g) == cosets.coset_of(x)) == H.contains(g.inverse() * x));
  }
  CHECK_THROWS_AS(CosetSpace(alternating_group(7), G, {}), DomainError);
}
