#include "intertwine/groups/fewer_points.hpp"

#include <catch2/catch.hpp>

#include "groups/reference_groups.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// A isomorphism onto `few`, back and forth.
void check_lifts(const FiniteGroup& G, const FewerPoints& few, Rng& rng) {
  REQUIRE(few.group().order() == G.order());
  REQUIRE(few.group().generators().size() == G.generators().size());
  for (std::size_t k = 0; k < G.generators().size(); ++k)
    CHECK(few.lifted(few.group().generators()[k]) == G.generators()[k]);
  for (int trial = 0; trial < 5; ++trial) {
    const Permutation r = few.group().random_element(rng), s = few.group().random_element(rng);
    CHECK(G.contains(few.lifted(r)));
    CHECK(few.lifted(r) * few.lifted(s) == few.lifted(r * s));
  }
}

}  // namespace

TEST_CASE("groups on short orbits where they are faithful", "[groups][quick]") {
  Rng rng = test_rng();
  // S3 on 3 points, twice, and on its 6 elements: 3 points are enough. C2 x C2 needs two orbits of three.
  const auto group = [](std::size_t degree, std::vector<const char*> cycles) {
    std::vector<Permutation> generators;
    for (const char* text : cycles) generators.push_back(parse_permutation(text, degree));
    return FiniteGroup(degree, generators);
  };
  const FiniteGroup S3 = group(12, {"(1,2,3)(4,5,6)(7,8,9)(10,11,12)", "(1,2)(4,5)(7,10)(8,12)(9,11)"});
  const FewerPoints few(S3);
  CHECK(few.group().degree() == 3);
  check_lifts(S3, few, rng);
  const FiniteGroup V = group(7, {"(1,2)(3,4)", "(3,4)(5,6)"});
  const FewerPoints two(V);
  CHECK(two.group().degree() == 4);
  check_lifts(V, two, rng);
  const FiniteGroup trivial(5, {}), transitive = symmetric_group(5);
  CHECK(FewerPoints(trivial).group().order() == 1);
  CHECK(FewerPoints(trivial).lifted(FewerPoints(trivial).group().random_element(rng)).is_identity());
  CHECK(FewerPoints(transitive).group().degree() == 5);
  check_lifts(transitive, FewerPoints(transitive), rng);
}

TEST_CASE("centralizers in a large group act on fewer points", "[groups][quick]") {
  Rng rng = test_rng();
  const FiniteGroup G = g2_group(4);
  for (int trial = 0; trial < 5; ++trial) {
    const FiniteGroup C = centralizer(G, G.random_element(rng));
    const FewerPoints few(C);
    CHECK(few.group().degree() <= C.degree());
    check_lifts(C, few, rng);
  }
}
