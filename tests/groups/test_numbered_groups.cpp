// Transitive and primitive groups by their numbers.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

using namespace intertwine;

namespace {

bool is_transitive(const FiniteGroup& G) { return orbits(G.degree(), G.generators()).size() == 1; }

/// The order by a chain that knows nothing of the stated one.
Integer found_order(const FiniteGroup& G) { return FiniteGroup(G.degree(), G.generators()).order(); }

}  // namespace

TEST_CASE("transitive groups are transitive, of the stated order, and as many as there are",
          "[numbered_groups][quick]") {
  // [Conway & Hulpke & McKay 1998, table 1]
  const std::vector<unsigned> counts{1, 1, 2, 5, 5, 16, 7, 50, 34, 45, 8, 301, 9, 63, 104};
  for (unsigned degree = 1; degree <= 15; ++degree) {
    REQUIRE(number_of_transitive_groups(degree) == counts[degree - 1]);
    for (unsigned k = 1; k <= counts[degree - 1]; ++k) {
      const FiniteGroup G = transitive_group(degree, k);
      INFO(degree << " " << k);
      REQUIRE(G.degree() == degree);
      REQUIRE(is_transitive(G));
      REQUIRE(G.order() == found_order(G));
    }
    const Integer all = transitive_group(degree, counts[degree - 1]).order();
    REQUIRE(all == symmetric_group(degree).order());
  }
}

TEST_CASE("primitive groups are primitive, of the stated order, and as many as there are", "[numbered_groups][quick]") {
  // [Roney-Dougal 2005], A000019 of the OEIS
  const std::vector<unsigned> counts{1, 1, 2, 2, 5, 4, 7,  7, 11, 9,  8, 6, 9,  4, 6, 22, 10, 4,
                                     8, 4, 9, 4, 7, 5, 28, 7, 15, 14, 8, 4, 12, 7, 4, 2,  6,  22};
  unsigned all = 0;
  for (unsigned degree = 1; degree <= 127; ++degree) {
    const unsigned count = number_of_primitive_groups(degree);
    if (degree <= counts.size()) REQUIRE(count == counts[degree - 1]);
    all += count;
    for (unsigned k = 1; k <= count; ++k) {
      const FiniteGroup G = primitive_group(degree, k);
      INFO(degree << " " << k);
      REQUIRE(G.degree() == degree);
      if (degree > 1) REQUIRE(is_primitive(G));
      if (k + 2 <= count) REQUIRE(G.order() == found_order(G));  // the last two are alternating and symmetric
    }
  }
  REQUIRE(all == 1231);
}

TEST_CASE("primitive groups of one degree are not conjugate", "[numbered_groups][quick]") {
  // Orders, orbits of the stabilizer of a point, and cycle types of classes with their sizes.
  for (const unsigned degree : {5U, 7U, 8U, 9U, 10U, 11U, 12U, 13U, 17U, 24U}) {
    std::set<std::multiset<std::pair<std::vector<Point>, Integer>>> seen;
    for (unsigned k = 1; k <= number_of_primitive_groups(degree); ++k) {
      const FiniteGroup G = primitive_group(degree, k);
      const ConjugacyClasses classes = conjugacy_classes(G);
      std::multiset<std::pair<std::vector<Point>, Integer>> invariant;
      for (std::size_t i = 0; i < classes.size(); ++i)
        invariant.insert({classes[i].representative.cycle_type(), classes[i].size});
      INFO(G.name());
      REQUIRE(seen.insert(invariant).second);
    }
  }
}

TEST_CASE("numbers of transitive and primitive groups with names", "[numbered_groups][quick]") {
  // GAP 4.12.1: TransitiveIdentification and the names of its libraries.
  const auto lies_in = [](const FiniteGroup& G, const FiniteGroup& H) {
    return std::ranges::all_of(G.generators(), [&](const Permutation& g) { return H.contains(g); });
  };
  REQUIRE(transitive_group(5, 5).name() == "S5");
  REQUIRE(transitive_group(5, 4).name() == "A5");
  REQUIRE(transitive_group(8, 12).name() == "TransitiveGroup(8,12)");  // SL(2,3)
  REQUIRE(transitive_group(8, 12).order() == 24);
  REQUIRE(transitive_group(8, 48).order() == 1344);     // AGL(3,2)
  REQUIRE(transitive_group(8, 43).order() == 336);      // PGL(2,7)
  REQUIRE(transitive_group(11, 6).order() == 7920);     // M11
  REQUIRE(transitive_group(12, 295).order() == 95040);  // M12
  REQUIRE(primitive_group(11, 6).order() == 7920);
  REQUIRE(conjugacy_classes(primitive_group(11, 6)).size() == 10);  // M11
  REQUIRE(primitive_group(12, 2).order() == 95040);                 // M12
  REQUIRE(primitive_group(24, 1).order() == 244823040);             // M24
  REQUIRE(primitive_group(100, 1).order() == 604800);               // J2
  REQUIRE(primitive_group(100, 3).order() == 44352000);             // HS
  REQUIRE(primitive_group(64, 74).name() == "S64");
  // Both lists have the same subgroups of S_11, up to conjugacy: all of these are primitive.
  for (unsigned k = 1; k <= 8; ++k) REQUIRE(transitive_group(11, k).order() == primitive_group(11, k).order());
  REQUIRE(lies_in(primitive_group(7, 2), primitive_group(7, 4)));  // D7 in AGL(1,7)
  REQUIRE_FALSE(lies_in(primitive_group(7, 3), primitive_group(7, 2)));
}

TEST_CASE("numbers of transitive and primitive groups that do not exist", "[numbered_groups][quick]") {
  REQUIRE_THROWS_AS(transitive_group(0, 1), DomainError);
  REQUIRE_THROWS_WITH(transitive_group(16, 1), Catch::Contains("degrees from 1 to 15"));
  REQUIRE_THROWS_WITH(transitive_group(8, 51), Catch::Contains("TransitiveGroup(8,50)"));
  REQUIRE_THROWS_WITH(transitive_group(2, 2), Catch::Contains("one transitive group of degree 2"));
  REQUIRE_THROWS_WITH(primitive_group(128, 1), Catch::Contains("degrees from 1 to 127"));
  REQUIRE_THROWS_WITH(primitive_group(11, 0), Catch::Contains("PrimitiveGroup(11,1)"));
}
