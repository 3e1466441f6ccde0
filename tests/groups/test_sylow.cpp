// Sylow subgroups and normalizers of cyclic subgroups.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/groups/sylow.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("Sylow subgroups have the full power of the prime", "[groups][quick]") {
  for (const FiniteGroup& G :
       {test_groups::symmetric(7), test_groups::mathieu24(), special_linear_group(2, 5), dicyclic_group(15),
        affine_general_linear_group(2, 3), direct_product({test_groups::square(), test_groups::symmetric(5)}),
        wreath_product(test_groups::symmetric(4), test_groups::symmetric(3)), test_groups::cyclic(60)})
    for (const unsigned p : {2u, 3u, 5u, 7u, 13u}) {
      CAPTURE(G.name(), p);
      Integer expected = 1;
      while (G.order() % Integer(expected * p) == 0) expected *= p;
      const FiniteGroup P = sylow_subgroup(G, p);
      REQUIRE(P.order() == expected);
      REQUIRE(is_subgroup(P, G));
      REQUIRE(sylow_subgroup(G, p).generators() == P.generators());
    }
  CHECK_THROWS_AS(sylow_subgroup(test_groups::symmetric(4), 4), DomainError);
  CHECK_THROWS_AS(sylow_subgroup(test_groups::symmetric(4), 1), DomainError);
}

TEST_CASE("normalizers of cyclic subgroups, element by element", "[groups][quick]") {
  auto rng = test_rng();
  for (const FiniteGroup& G :
       {test_groups::symmetric(5), special_linear_group(2, 5), affine_general_linear_group(1, 13), dicyclic_group(7),
        direct_product({test_groups::square(), test_groups::symmetric(4)})})
    for (int trial = 0; trial < 5; ++trial) {
      const Permutation g = G.random_element(rng);
      const FiniteGroup cyclic(G.degree(), {g});
      const FiniteGroup N = normalizer_of_cyclic(G, g);
      CAPTURE(G.name(), g.to_string());
      Integer count = 0;
      G.chain().for_each_element([&](const Permutation& x) {
        const bool normalizes = cyclic.contains(x * g * x.inverse());
        if (normalizes) ++count;
        REQUIRE(N.contains(x) == normalizes);
        return true;
      });
      REQUIRE(N.order() == count);
    }
}
