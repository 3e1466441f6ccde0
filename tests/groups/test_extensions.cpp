#include "intertwine/groups/extensions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "support/paths.hpp"

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
       {{1, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 1}, {6, 4}, {7, 1}, {8, 2}, {10, 1}, {12, 2}, {14, 1}, {20, 2}, {24, 2}}},
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
  const FiniteGroup again = perfect_cover(projective_special_linear_group(2, 7), 2, "x");  // SL(2,7) on 16 points
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

namespace {

std::vector<std::string> names_of_groups(const std::vector<FiniteGroup>& groups) {
  std::vector<std::string> names;
  for (const FiniteGroup& G : groups) names.push_back(G.name());
  return names;
}
using GroupNames = std::vector<std::string>;

std::vector<unsigned> numbers_of_groups(const std::vector<FiniteGroup>& groups) {
  std::vector<unsigned> numbers;
  for (const FiniteGroup& G : groups) numbers.push_back(identify(G)->number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

// The groups of order pq, and of order 20 and 12: Hölder 1893.
TEST_CASE("semidirect products of cyclic groups and others by their names", "[groups][quick]") {
  const FiniteGroup four = direct_product({cyclic_group(2), cyclic_group(2)});
  const auto names = [](const FiniteGroup& N, const FiniteGroup& H) {
    return names_of_groups(semidirect_products(N, H));
  };
  CHECK(names(cyclic_group(7), cyclic_group(3)) == GroupNames{"SmallGroup(21,1)"});
  CHECK(names(cyclic_group(5), cyclic_group(4)) == GroupNames{"C5:C4(2)", "C5:C4(4)"});
  CHECK(names(cyclic_group(8), cyclic_group(2)) == GroupNames{"C8:C2(3)", "C8:C2(5)", "C8:C2(7)"});
  CHECK(names(cyclic_group(4), cyclic_group(4)) == GroupNames{"SmallGroup(16,4)"});
  CHECK(names(cyclic_group(5), cyclic_group(3)).empty());
  CHECK(names(symmetric_group(3), cyclic_group(2)).empty());  // inner: S3 x C2
  CHECK(names(four, cyclic_group(3)) == GroupNames{"SmallGroup(12,3)"});
  CHECK(names(cyclic_group(43), cyclic_group(7)) == GroupNames{"C43:C7(4)"});
  // AGL(3,2): of the two actions of PSL(3,2) on C2^3, dual to one another, an automorphism takes one to the other.
  const auto affine = semidirect_products(direct_product({cyclic_group(2), cyclic_group(2), cyclic_group(2)}),
                                          projective_special_linear_group(3, 2));
  REQUIRE(names_of_groups(affine) == GroupNames{"C2^3:PSL(3,2)"});
  CHECK(affine[0].order() == 1344);
  CHECK(affine[0].degree() == 8);
  CHECK(conjugacy_classes(affine[0]).size() == 11);  // as AGL(3,2)
  // A5 acts on GF(4)^2 and on the sum-zero vectors of GF(2)^5.
  CHECK(semidirect_products(direct_product({four, four}), alternating_group(5)).size() == 2);
  REQUIRE_THROWS_AS(semidirect_products(symmetric_group(7), symmetric_group(3)), LimitError);
  // What acts by conjugation with elements of the group itself makes the direct product, of any order.
  CHECK(semidirect_products(alternating_group(5), cyclic_group(125)).empty());
  CHECK(semidirect_products(symmetric_group(5), cyclic_group(64)).empty());
  CHECK_THROWS_AS(semidirect_products(cyclic_group(5040), cyclic_group(12)), LimitError);
}

TEST_CASE("units and automorphisms give the same metacyclic groups", "[groups][quick]") {
  for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{4, 4}, {8, 2}, {8, 4}, {5, 8}, {9, 6}, {12, 4}}) {
    CAPTURE(n, m);
    const auto plain = [](const FiniteGroup& G) { return FiniteGroup(G.degree(), G.generators()); };
    CHECK(numbers_of_groups(semidirect_products(cyclic_group(n), cyclic_group(m))) ==
          numbers_of_groups(semidirect_products(plain(cyclic_group(n)), plain(cyclic_group(m)))));
  }
}

TEST_CASE("actions of groups too large for a table are compared by automorphisms", "[groups]") {
  const FiniteGroup four = direct_product({cyclic_group(2), cyclic_group(2)});
  const auto found = semidirect_products(direct_product({four, four}), alternating_group(7));
  REQUIRE(found.size() == 1);
  CHECK(found[0].order() == 40320);
  CHECK(found[0].degree() == 16);
  CHECK(is_perfect(found[0]));
}

TEST_CASE("automorphisms, semidirect and central products are as many as GAP finds", "[groups]") {
  std::ifstream file(test_data() + "/small_products.txt");
  REQUIRE(file);
  std::string line;
  std::size_t lines = 0;
  while (std::getline(file, line)) {
    CAPTURE(line);
    std::istringstream words(line);
    std::string kind;
    unsigned n = 0, k = 0, m = 0, l = 0;
    std::size_t number = 0;
    words >> kind >> n >> k;
    const FiniteGroup N = small_group(n, k);
    if (kind == "aut") {
      words >> number;
      CHECK(group_of_automorphisms(N).order() == number);
    } else {
      words >> m >> l >> number;
      const FiniteGroup H = small_group(m, l);
      CHECK((kind == "split" ? semidirect_products(N, H) : central_products(N, H)).size() == number);
    }
    REQUIRE(words);
    ++lines;
  }
  CHECK(lines > 300);
}

// The numbers of these groups are those of GroupNames.
TEST_CASE("central products identify the largest central subgroups", "[groups][quick]") {
  const auto names = [](const FiniteGroup& A, const FiniteGroup& B) { return names_of_groups(central_products(A, B)); };
  const FiniteGroup D4 = dihedral_group(4), Q8 = dicyclic_group(2), C4 = cyclic_group(4);
  CHECK(names(C4, D4) == GroupNames{"SmallGroup(16,13)"});
  CHECK(names(C4, Q8) == GroupNames{"SmallGroup(16,13)"});
  CHECK(names(Q8, D4) == GroupNames{"SmallGroup(32,50)"});
  CHECK(names(D4, D4) == GroupNames{"SmallGroup(32,49)"});
  CHECK(names(Q8, Q8) == GroupNames{"SmallGroup(32,49)"});
  CHECK(names(cyclic_group(8), D4) == GroupNames{"SmallGroup(32,38)"});
  CHECK(names(special_linear_group(2, 3), C4) == GroupNames{"SmallGroup(48,33)"});
  CHECK(names(C4, C4) == GroupNames{"SmallGroup(4,1)"});
  CHECK(central_products(D4, cyclic_group(3)).empty());
  CHECK(central_products(symmetric_group(3), D4).empty());
  // C2^2 in the centre of D4 x C2 has three involutions, one of them a commutator.
  CHECK(names(direct_product({D4, cyclic_group(2)}), D4).size() == 2);
  const auto large = central_products(special_linear_group(2, 5), special_linear_group(2, 5));
  REQUIRE(names_of_groups(large) == GroupNames{"SL(2,5) o SL(2,5)"});
  CHECK(large[0].order() == 7200);
  CHECK(centre(large[0]).order() == 2);
}

// Of 2^(1+2n) the elements with x^2 = 1 are 2^(2n) + 2^n or 2^(2n) - 2^n: the quadratic form of the quotient [Conway et al. 1985, p. xx].
TEST_CASE("extraspecial groups", "[groups][quick]") {
  const auto number = [](unsigned p, unsigned n, bool plus) {
    return identify(extraspecial_group(p, n, plus))->number;
  };
  CHECK((number(2, 1, true) == 3 && number(2, 1, false) == 4));
  CHECK((number(3, 1, true) == 3 && number(3, 1, false) == 4));
  CHECK((number(2, 2, true) == 49 && number(2, 2, false) == 50));
  CHECK((number(5, 1, true) == 3 && number(5, 1, false) == 4));
  for (const unsigned n : {3U, 4U})
    for (const bool plus : {true, false}) {
      const FiniteGroup E = extraspecial_group(2, n, plus);
      CHECK(E.degree() == (plus ? 2U : 4U) << n);
      CHECK(E.order() == Integer(2) << (2 * n));
      CHECK(centre(E).order() == 2);
      CHECK(derived_subgroup(E).order() == 2);
      Integer roots = 0;
      const ConjugacyClasses classes = conjugacy_classes(E);
      for (std::size_t c = 0; c < classes.size(); ++c)
        if (classes[c].element_order <= 2) roots += classes[c].size;
      CHECK(roots == (Integer(1) << (2 * n)) + (plus ? 1 : -1) * (Integer(1) << n));
    }
  for (const bool plus : {true, false}) {
    const FiniteGroup E = extraspecial_group(3, 2, plus);
    CHECK(E.order() == 243);
    CHECK(centre(E).order() == 3);
    CHECK(*exponent(E) == (plus ? 3 : 9));
  }
  REQUIRE_THROWS_AS(extraspecial_group(4, 1, true), DomainError);
  REQUIRE_THROWS_AS(extraspecial_group(2, 0, true), DomainError);
  REQUIRE_THROWS_AS(extraspecial_group(2, 40, true), LimitError);
}

TEST_CASE("automorphisms and holomorphs", "[groups][quick]") {
  const auto number = [](const FiniteGroup& G) { return identify(G)->number; };
  CHECK(number(group_of_automorphisms(dicyclic_group(2))) == 12);  // S4
  CHECK(number(group_of_automorphisms(dihedral_group(4))) == 3);   // D4
  CHECK(group_of_automorphisms(alternating_group(6)).order() == 1440);
  CHECK(group_of_automorphisms(cyclic_group(1)).order() == 1);
  CHECK(group_of_automorphisms(cyclic_group(2)).degree() == 1);
  CHECK(number(holomorph(cyclic_group(7))) == 1);  // of order 42
  const FiniteGroup eight = direct_product({cyclic_group(2), cyclic_group(2), cyclic_group(2)});
  CHECK(holomorph(eight).order() == 1344);
  CHECK(holomorph(dicyclic_group(2)).order() == 192);
  REQUIRE_THROWS_AS(holomorph(symmetric_group(7)), LimitError);
}

TEST_CASE("Frobenius groups by their orders", "[groups][quick]") {
  const auto numbers = [](unsigned order) {
    std::vector<unsigned> out;
    for (const auto& G : frobenius_groups(order)) out.push_back(G.number);
    return out;
  };
  CHECK(numbers(20) == std::vector<unsigned>{3});
  CHECK(numbers(21) == std::vector<unsigned>{1});
  CHECK(numbers(42) == std::vector<unsigned>{1, 5});    // AGL(1,7) and D21
  CHECK(numbers(72) == std::vector<unsigned>{39, 41});  // AGL(1,9) and PSU(3,2)
  CHECK(numbers(56) == std::vector<unsigned>{11});
  CHECK(numbers(16).empty());
  CHECK(numbers(60).empty());
  REQUIRE_THROWS_AS(frobenius_groups(0), DomainError);
  REQUIRE_THROWS_AS(frobenius_groups(512), DomainError);
}
