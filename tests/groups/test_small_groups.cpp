// The groups of order at most 127.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"

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
  constexpr unsigned partitions[] = {1, 1, 2, 3, 5, 7, 11};
  unsigned count = 1;
  for (unsigned p = 2; n > 1; ++p) {
    unsigned e = 0;
    for (; n % p == 0; n /= p) ++e;
    count *= partitions[e];
  }
  return count;
}

}  // namespace

TEST_CASE("small groups have the stated orders, and as many are there as there should be",
          "[small_groups][quick]") {
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
  for (const auto& [order, count] : std::map<unsigned, unsigned>{{8, 5},
                                                                 {16, 14},
                                                                 {24, 15},
                                                                 {32, 51},
                                                                 {48, 52},
                                                                 {64, 267},
                                                                 {72, 50},
                                                                 {81, 15},
                                                                 {96, 231},
                                                                 {120, 47}})
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

TEST_CASE("small groups that do not exist", "[small_groups][quick]") {
  REQUIRE_THROWS_AS(small_group(0, 1), DomainError);
  REQUIRE_THROWS_AS(small_group(128, 1), DomainError);
  REQUIRE_THROWS_AS(small_group(24, 0), DomainError);
  REQUIRE_THROWS_AS(small_group(24, 16), DomainError);
}
