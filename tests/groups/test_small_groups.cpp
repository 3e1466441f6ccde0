// The groups of order at most 511.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

bool is_abelian(const FiniteGroup& G) {
  const auto& g = G.generators();
  return std::ranges::all_of(g, [&](const Permutation& a) {
    return std::ranges::all_of(g, [&](const Permutation& b) { return a * b == b * a; });
  });
}

/// Abelian groups of order n: a partition for the exponent of every prime.
unsigned abelian_groups(unsigned n) {
  constexpr unsigned partitions[] = {1, 1, 2, 3, 5, 7, 11, 15, 22};
  unsigned count = 1;
  for (unsigned p = 2; n > 1; ++p) {
    unsigned e = 0;
    for (; n % p == 0; n /= p) ++e;
    count *= partitions[e];
  }
  return count;
}

}  // namespace

TEST_CASE("small groups have the stated orders, and as many are there as there should be", "[small_groups][quick]") {
  unsigned all = 0;
  for (unsigned order = 1; order <= 127; ++order) {
    const unsigned count = number_of_small_groups(order);
    all += count;
    unsigned abelian = 0;
    for (unsigned k = 1; k <= count; ++k) {
      const FiniteGroup G = small_group(order, k);
      INFO(G.name());
      REQUIRE(G.order() == order);
      abelian += is_abelian(G) ? 1 : 0;
    }
    REQUIRE(abelian == abelian_groups(order));
  }
  REQUIRE(all == 1268);
  // [Besche & Eick & O'Brien 2002, table 1]
  for (const auto& [order, count] : std::map<unsigned, unsigned>{
           {8, 5}, {16, 14}, {24, 15}, {32, 51}, {48, 52}, {64, 267}, {72, 50}, {81, 15}, {96, 231}, {120, 47}})
    REQUIRE(number_of_small_groups(order) == count);
}

TEST_CASE("small groups of one order differ in their classes", "[small_groups][quick]") {
  // Orders at which element orders and class sizes tell all groups apart; no two lines are one group.
  for (const unsigned order : {8U, 12U, 18U, 20U, 24U, 30U, 36U, 40U, 54U, 60U}) {
    std::set<std::multiset<std::vector<std::uint64_t>>> seen;
    for (unsigned k = 1; k <= number_of_small_groups(order); ++k) {
      const FiniteGroup G = small_group(order, k);
      const ConjugacyClasses classes = conjugacy_classes(G);
      std::multiset<std::vector<std::uint64_t>> invariant;
      for (std::size_t i = 0; i < classes.size(); ++i) {
        std::vector<std::uint64_t> entry{static_cast<std::uint64_t>(classes[i].element_order),
                                         classes[i].size.convert_to<std::uint64_t>()};
        for (const int power : {2, 3, 5})
          entry.push_back(classes[classes.power_map(power)[i]].size.convert_to<std::uint64_t>());
        invariant.insert(entry);
      }
      INFO(G.name());
      REQUIRE(seen.insert(invariant).second);
    }
  }
}

TEST_CASE("every small group is known again, from other generators on other points", "[small_groups][quick]") {
  Rng rng = test_rng();
  for (unsigned order = 1; order <= 127; ++order)
    for (unsigned k = 1; k <= number_of_small_groups(order); ++k) {
      const FiniteGroup G = small_group(order, k);
      // Its own generators shuffled and multiplied, on renamed points, beside a copy of its first point's orbit.
      std::vector<Point> images(G.degree());
      std::iota(images.begin(), images.end(), Point{0});
      for (std::size_t i = images.size(); i > 1; --i) std::swap(images[i - 1], images[rng.below(i)]);
      const Permutation rename(images);
      std::vector<Permutation> generators;
      for (const Permutation& g : G.generators()) generators.push_back(rename.inverse() * g * rename);
      for (int step = 0; step < 6 && generators.size() > 1; ++step) {
        const std::size_t i = rng.below(generators.size()), j = rng.below(generators.size());
        if (i != j) generators[i] = generators[i] * generators[j];
      }
      for (std::size_t i = generators.size(); i > 1; --i) std::swap(generators[i - 1], generators[rng.below(i)]);
      const auto found = identify(FiniteGroup(G.degree(), generators));
      INFO(G.name());
      REQUIRE(found);
      REQUIRE(found->order == order);
      REQUIRE(found->number == k);
    }
}

TEST_CASE("groups by name have the numbers that GAP gives them", "[small_groups][quick]") {
  // IdGroup of GAP 4.12.1.
  const auto number = [](const FiniteGroup& G) { return identify(G).value().number; };
  REQUIRE(number(symmetric_group(4)) == 12);
  REQUIRE(number(symmetric_group(5)) == 34);
  REQUIRE(number(alternating_group(5)) == 5);
  REQUIRE(number(dicyclic_group(2)) == 4);
  REQUIRE(number(dihedral_group(4)) == 3);
  REQUIRE(number(special_linear_group(2, 3)) == 3);
  REQUIRE(number(special_linear_group(2, 5)) == 5);
  REQUIRE(number(general_linear_group(2, 3)) == 29);
  REQUIRE(number(direct_product({alternating_group(5), cyclic_group(2)})) == 35);
  REQUIRE_FALSE(identify(alternating_group(6)));
  REQUIRE_FALSE(identify(cyclic_group(128)));
  // A group with more generators than elements.
  std::vector<Permutation> many(300, symmetric_group(3).generators()[0]);
  many.push_back(symmetric_group(3).generators()[1]);
  REQUIRE(number(FiniteGroup(3, many)) == 1);
}

namespace {

/// The group has its order, and as many abelian groups of an order are there as there should be.
void check_order(unsigned order, unsigned step) {
  unsigned abelian = 0;
  const unsigned count = number_of_small_groups(order);
  for (unsigned k = 1; k <= count; k += step) {
    const FiniteGroup G = small_group(order, k);
    INFO(G.name());
    REQUIRE(G.order() == order);
    REQUIRE(G.degree() <= order);
    REQUIRE(identify(G)->number == k);  // by its name
    abelian += is_abelian(G) ? 1 : 0;
  }
  if (step == 1) REQUIRE(abelian == abelian_groups(order));
}

}  // namespace

TEST_CASE("groups of order 128 to 511", "[small_groups][quick]") {
  // [Besche & Eick & O'Brien 2002, table 1]
  for (const auto& [order, count] : std::map<unsigned, unsigned>{{128, 2328},
                                                                 {192, 1543},
                                                                 {243, 67},
                                                                 {288, 1045},
                                                                 {320, 1640},
                                                                 {343, 5},
                                                                 {360, 162},
                                                                 {432, 775},
                                                                 {448, 1396},
                                                                 {480, 1213},
                                                                 {486, 261},
                                                                 {500, 56},
                                                                 {511, 1}})
    REQUIRE(number_of_small_groups(order) == count);
  unsigned all = 0;
  for (unsigned order = 1; order <= 511; ++order)
    if (order != 256 && order != 384) all += number_of_small_groups(order);
  REQUIRE(all == 16543);
  for (const unsigned order : {128U, 150U, 168U, 192U, 243U, 289U, 343U, 360U, 420U, 448U, 480U, 511U})
    check_order(order, number_of_small_groups(order) < 20 ? 1 : 97);
  REQUIRE(small_group(128, 2328).degree() == 14);  // 2^7 on seven pairs
  REQUIRE(small_group(168, 42).degree() == 7);     // PSL(2,7)
  REQUIRE(small_group(336, 114).degree() == 16);   // SL(2,7)
  REQUIRE(small_group(360, 118).degree() == 6);    // A6
}

TEST_CASE("all groups of order 128 to 511", "[small_groups][slow][.]") {
  for (unsigned order = 128; order <= 511; ++order)
    if (order != 256 && order != 384) check_order(order, 1);
}

TEST_CASE("groups of one order above 127 differ in their classes", "[small_groups][quick]") {
  for (const unsigned order : {132U, 156U, 171U, 195U, 210U, 330U}) {
    std::set<std::multiset<std::pair<std::uint64_t, Integer>>> seen;
    for (unsigned k = 1; k <= number_of_small_groups(order); ++k) {
      const ConjugacyClasses classes = conjugacy_classes(small_group(order, k));
      std::multiset<std::pair<std::uint64_t, Integer>> invariant;
      for (std::size_t i = 0; i < classes.size(); ++i) invariant.insert({classes[i].element_order, classes[i].size});
      INFO(order << " " << k);
      REQUIRE(seen.insert(invariant).second);
    }
  }
}

TEST_CASE("small groups that do not exist", "[small_groups][quick]") {
  REQUIRE_THROWS_AS(small_group(0, 1), DomainError);
  REQUIRE_THROWS_AS(small_group(256, 1), DomainError);
  REQUIRE_THROWS_AS(small_group(384, 1), DomainError);
  REQUIRE_THROWS_AS(small_group(512, 1), DomainError);
  REQUIRE_THROWS_AS(small_group(128, 2329), DomainError);
  REQUIRE_THROWS_AS(small_group(24, 0), DomainError);
  REQUIRE_THROWS_AS(small_group(24, 16), DomainError);
}
