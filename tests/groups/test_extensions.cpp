#include "intertwine/groups/extensions.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

using Orders = std::map<unsigned, unsigned>;  ///< of representatives: how many classes

Orders orders_of_classes(const FiniteGroup& G) {
  Orders orders;
  const ConjugacyClasses classes = conjugacy_classes(G);
  for (std::size_t c = 0; c < classes.size(); ++c) ++orders[static_cast<unsigned>(classes[c].element_order)];
  return orders;
}

/// The elements that commute with the generators, of a group of which the classes are known.
std::size_t order_of_centre(const FiniteGroup& G) {
  const ConjugacyClasses classes = conjugacy_classes(G);
  std::size_t order = 0;
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (classes[c].size == 1) ++order;
  return order;
}

}  // namespace

// Orders of representatives of classes: Conway et al. 1985, as in the character table library of GAP (2.A5.2, its isoclinic table, 2.A7.2, ...).
TEST_CASE("covers have the classes of the ATLAS", "[groups]") {
  struct Known {
    const char* name;
    unsigned order, centre;
    Orders orders;
  };
  const std::vector<Known> all{
      {"3.A6", 1080, 3, {{1, 1}, {2, 1}, {3, 4}, {4, 1}, {5, 2}, {6, 2}, {12, 2}, {15, 4}}},
      {"2.S5+", 240, 2, {{1, 1}, {2, 2}, {3, 1}, {4, 1}, {5, 1}, {6, 3}, {8, 2}, {10, 1}}},
      {"2.S5-", 240, 2, {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 1}, {6, 1}, {8, 2}, {10, 1}, {12, 2}}},
      {"2.S6+", 1440, 2, {{1, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 1}, {6, 4}, {8, 2}, {10, 1}, {12, 2}}},
      {"2.S7+",
       10080,
       2,
       {{1, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 1}, {6, 3}, {7, 1}, {8, 2}, {10, 3}, {12, 3}, {14, 1}, {24, 2}}},
      {"2.S7-",
       10080,
       2,
       {{1, 1},
        {2, 2},
        {3, 2},
        {4, 2},
        {5, 1},
        {6, 4},
        {7, 1},
        {8, 2},
        {10, 1},
        {12, 2},
        {14, 1},
        {20, 2},
        {24, 2}}},
      {"6.A7",
       15120,
       6,
       {{1, 1},
        {2, 1},
        {3, 4},
        {4, 1},
        {5, 1},
        {6, 4},
        {7, 2},
        {8, 2},
        {10, 1},
        {12, 5},
        {14, 2},
        {15, 2},
        {21, 4},
        {24, 4},
        {30, 2},
        {42, 4}}},
      {"2.M12",
       190080,
       2,
       {{1, 1}, {2, 3}, {3, 2}, {4, 3}, {5, 1}, {6, 4}, {8, 4}, {10, 1}, {11, 2}, {12, 1}, {20, 2}, {22, 2}}},
      {"2.J2",
       1209600,
       2,
       {{1, 1},
        {2, 3},
        {3, 2},
        {4, 3},
        {5, 4},
        {6, 4},
        {7, 1},
        {8, 2},
        {10, 8},
        {12, 3},
        {14, 1},
        {15, 2},
        {20, 2},
        {30, 2}}}};
  for (const Known& known : all) {
    CAPTURE(known.name);
    const FiniteGroup E = cover_by_name(known.name);
    CHECK(E.order() == known.order);
    CHECK(E.name() == known.name);
    CHECK(order_of_centre(E) == known.centre);
    CHECK(orders_of_classes(E) == known.orders);
  }
}

TEST_CASE("small covers are the groups that are known otherwise", "[groups][quick]") {
  CHECK(identify(double_cover_of_alternating_group(5))->number == 5);        // SL(2,5)
  CHECK(identify(double_cover_of_alternating_group(4))->number == 3);        // SL(2,3)
  CHECK(identify(double_cover_of_symmetric_group(4, true))->number == 29);   // GL(2,3)
  CHECK(identify(double_cover_of_symmetric_group(4, false))->number == 28);  // the binary octahedral group
  const FiniteGroup six = cover_by_name("6.A6");
  CHECK(six.order() == 2160);
  CHECK(derived_subgroup(six).order() == 2160);
  CHECK(order_of_centre(six) == 6);
  const FiniteGroup again =
      perfect_cover(projective_special_linear_group(2, 7), 2, "x");  // SL(2,7) on 16 points
  CHECK((again.order() == 336 && again.degree() == 16));
}

TEST_CASE("the relations of the double covers of symmetric groups hold", "[groups][quick]") {
  for (const bool plus : {true, false})
    for (unsigned n = 4; n <= 7; ++n) {
      CAPTURE(n, plus);
      const FiniteGroup E = double_cover_of_symmetric_group(n, plus);
      const auto& t = E.generators();
      const Permutation z = (t[0] * t[2]).power(2);
      CHECK_FALSE(z.is_identity());
      CHECK(z.power(2).is_identity());
      for (std::size_t i = 0; i < t.size(); ++i) {
        CHECK(t[i].power(2) == (plus ? z.power(2) : z));
        CHECK(t[i] * z == z * t[i]);
        for (std::size_t j = i + 1; j < t.size(); ++j)
          CHECK((t[i] * t[j]).power(j == i + 1 ? 3 : 2) == (j == i + 1 && plus ? z.power(2) : z));
      }
    }
}

TEST_CASE("what has no cover is refused", "[groups][quick]") {
  REQUIRE_THROWS_WITH(perfect_cover(symmetric_group(5), 2, "x"), Contains("not perfect"));
  REQUIRE_THROWS_WITH(perfect_cover(alternating_group(5), 3, "x"), Contains("no perfect group"));
  // SL(2,5) lies over A5, but over the stabilizer A4 it has SL(2,3), which does not split.
  REQUIRE_THROWS_WITH(perfect_cover(alternating_group(5), 2, "x"), Contains("on 10 points"));
  REQUIRE_THROWS_WITH(perfect_cover(alternating_group(5), 7, "x"), Contains("2, 3 or 5"));
  REQUIRE_THROWS_WITH(double_cover_of_symmetric_group(8, true), Contains("from 4 to 7"));
  REQUIRE_THROWS_WITH(cover_by_name("2.A99"), Contains("there is no"));
}

// The groups of order pq, and of order 20, 56 and 12: Hölder 1893.
TEST_CASE("semidirect products of coprime orders", "[groups][quick]") {
  const auto numbers = [](const FiniteGroup& N, const FiniteGroup& H) {
    std::vector<unsigned> out;
    for (const auto& G : semidirect_products(N, H)) out.push_back(G.number);
    return out;
  };
  CHECK(numbers(cyclic_group(7), cyclic_group(3)) == std::vector<unsigned>{1});
  CHECK(numbers(cyclic_group(5), cyclic_group(4)) == std::vector<unsigned>{1, 3});
  CHECK(numbers(cyclic_group(5), cyclic_group(3)).empty());
  const FiniteGroup four = direct_product({cyclic_group(2), cyclic_group(2)}),
                    eight = direct_product({cyclic_group(2), cyclic_group(2), cyclic_group(2)});
  CHECK(numbers(four, cyclic_group(3)) == std::vector<unsigned>{3});  // A4
  CHECK(numbers(eight, cyclic_group(7)) == std::vector<unsigned>{11});
  REQUIRE_THROWS_AS(numbers(cyclic_group(4), cyclic_group(2)), DomainError);
  REQUIRE_THROWS_AS(numbers(cyclic_group(6), cyclic_group(5)), DomainError);
  REQUIRE_THROWS_AS(numbers(cyclic_group(31), cyclic_group(5)), DomainError);
}
