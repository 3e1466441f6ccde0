#include "intertwine/combinatorics/partition.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

TEST_CASE("partitions are counted and enumerated in order", "[combinatorics][quick]") {
  // OEIS A000041.
  REQUIRE(number_of_partitions(0) == 1);
  REQUIRE(number_of_partitions(100) == 190569292);
  REQUIRE(to_string(number_of_partitions(1000)) == "24061467864032622473692149727991");
  for (int n = 0; n <= 18; ++n) {
    const auto all = partitions(n);
    REQUIRE(number_of_partitions(n) == all.size());
    REQUIRE(std::is_sorted(all.begin(), all.end()));
    REQUIRE(std::adjacent_find(all.begin(), all.end()) == all.end());
    for (int length = 0; length <= 5; ++length)
      for (int part = 0; part <= 5; ++part) {
        const PartitionBounds bounds{length, part, length / 2};
        std::vector<Partition> expected;
        std::copy_if(all.begin(), all.end(), std::back_inserter(expected), [&](const Partition& p) {
          return p.length() <= length && p.length() >= length / 2 && p[0] <= part;
        });
        CAPTURE(n, length, part);
        REQUIRE(partitions(n, bounds) == expected);
        REQUIRE(number_of_partitions(n, bounds) == expected.size());
      }
  }
  REQUIRE(partitions(5).front() == Partition{5});
  REQUIRE(partitions(5).back() == Partition{1, 1, 1, 1, 1});
}

TEST_CASE("partitions in a box and inside a shape", "[combinatorics][quick]") {
  REQUIRE(partitions_in_box(3, 4).size() == 35);
  REQUIRE(partitions_in_box(0, 4) == std::vector<Partition>{Partition()});
  const Partition outer{4, 2, 2, 1};
  std::vector<Partition> expected;
  for (const Partition& p : partitions_in_box(4, 4))
    if (outer.contains(p)) expected.push_back(p);
  REQUIRE(partitions_inside(outer) == expected);
  REQUIRE(partitions_inside({}) == std::vector<Partition>{Partition()});
  REQUIRE_THROWS_AS(partitions_inside({10, 8, 6, 4, 2}, 1'000'000, Task(1U << 12, 0, {})), LimitError);
}

TEST_CASE("conjugates, hooks, dominance", "[combinatorics][quick]") {
  REQUIRE(Partition{4, 2, 1}.conjugate() == Partition{3, 2, 1, 1});
  REQUIRE(hook_lengths({4, 2, 1}) == std::vector<std::vector<int>>{{6, 4, 2, 1}, {3, 1}, {1}});
  REQUIRE(Partition{3, 3, 1}.durfee() == 2);
  REQUIRE(centralizer_order({3, 2, 2, 1, 1, 1}) == 3 * 8 * 6);
  for (const Partition& p : partitions(9)) {
    REQUIRE(p.conjugate().conjugate() == p);
    REQUIRE(p.dominates({1, 1, 1, 1, 1, 1, 1, 1, 1}));
    for (const Partition& q : partitions(9)) REQUIRE(p.dominates(q) == q.conjugate().dominates(p.conjugate()));
    for (int i = 0; i < p.length(); ++i)
      for (int j = 0; j < p[i]; ++j) REQUIRE(hook_length(p, i, j) == hook_lengths(p)[i][j]);
  }
  REQUIRE_FALSE(Partition{3, 3}.dominates({4, 1, 1}));
  REQUIRE_FALSE(Partition{4, 1, 1}.dominates({3, 3}));
}

TEST_CASE("ribbons, cores and quotients", "[combinatorics][quick]") {
  REQUIRE(k_core({5, 4, 2, 1}, 3) == Partition{});
  REQUIRE(k_core({4, 2, 1}, 2) == Partition{1});
  for (int n = 0; n <= 12; ++n)
    for (const Partition& p : partitions(n))
      for (int k = 1; k <= n + 1; ++k) {
        CAPTURE(to_string(p), k);
        const auto quotient = k_quotient(p, k);
        const Partition core = k_core(p, k);
        int weight = core.weight();
        for (const Partition& q : quotient) weight += k * q.weight();
        REQUIRE(weight == n);
        REQUIRE(removable_ribbons(core, k).empty());
        REQUIRE(from_core_and_quotient(core, quotient) == p);
        // The ribbons of k cells that can be removed are as many as the hooks of length k.
        std::size_t hooks = 0;
        for (const auto& row : hook_lengths(p)) hooks += std::count(row.begin(), row.end(), k);
        REQUIRE(removable_ribbons(p, k).size() == hooks);
        for (const Ribbon& r : addable_ribbons(p, k)) {
          const auto back = removable_ribbons(r.partition, k);
          REQUIRE(std::any_of(back.begin(), back.end(),
                              [&](const Ribbon& b) { return b.partition == p && b.height == r.height; }));
        }
      }
}

TEST_CASE("partitions are written and read", "[combinatorics][quick]") {
  REQUIRE(to_string(Partition{3, 2, 1}) == "[3,2,1]");
  REQUIRE(to_string(Partition{}) == "[]");
  REQUIRE(parse_partition(" [ 3 , 2,1 ] ") == Partition{3, 2, 1});
  REQUIRE(parse_partition("[]") == Partition{});
  // As other systems and tables write them.
  for (const char* same : {"(3,2,1,1)", "3,2,1,1", "3 2 1 1", "3211", "[3,2,1^2]", " 3, 2, 1^2"}) {
    CAPTURE(same);
    REQUIRE(parse_partition(same) == Partition{3, 2, 1, 1});
  }
  REQUIRE(parse_partition("12,3") == Partition{12, 3});
  REQUIRE(parse_partition("[21]") == Partition{21});
  REQUIRE(parse_partition("7") == Partition{7});
  for (const char* bad : {"",
                          "(3,2]",
                          "12",
                          "10",
                          "3,2]",
                          "1^2001",
                          "2^0",
                          "[3,2^]",
                          "2^",
                          "[3,2",
                          "[3,,2]",
                          "[2,3]",
                          "[0]",
                          "[-1]",
                          "[3,2]x",
                          "[3,]",
                          "[99999999999999999999]",
                          "[1000001]",
                          "[a]",
                          "[,]"}) {
    CAPTURE(bad);
    REQUIRE_THROWS_AS(parse_partition(bad), ParseError);
  }
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const Partition p = random_partition(rng, 40);
    REQUIRE(parse_partition(to_string(p)) == p);
  }
}

TEST_CASE("what is no partition is refused", "[combinatorics][quick]") {
  REQUIRE_THROWS_AS(Partition({1, 2}), DomainError);
  REQUIRE_THROWS_AS(Partition({1, -1}), DomainError);
  REQUIRE_THROWS_AS(Partition({2'000'000'000, 2'000'000'000}), LimitError);
  REQUIRE(Partition({2, 0, 0}) == Partition{2});
  REQUIRE_THROWS_AS(partitions(-1), DomainError);
  REQUIRE_THROWS_AS(partitions(200), LimitError);
  REQUIRE_THROWS_AS(partitions_in_box(20, 20), LimitError);
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(partitions(4, {}, 100, stopped), Interrupted);
  REQUIRE_THROWS_AS(partitions_in_box(2, 2, 100, stopped), Interrupted);
  REQUIRE_THROWS_AS(hook_length({2, 1}, 1, 1), DomainError);
  REQUIRE_THROWS_AS(k_core({2, 1}, 0), DomainError);
  REQUIRE_THROWS_AS(from_core_and_quotient({2}, {{1}, {}}), DomainError);
}

TEST_CASE("ribbons, cores and quotients ask for their memory and stop", "[combinatorics][partition]") {
  const Task small(1U << 20, 0, {});
  REQUIRE_THROWS_AS(k_quotient({}, 2147483647, small), LimitError);
  REQUIRE_THROWS_AS(k_quotient({3, 1}, 2147483647), LimitError);
  REQUIRE_THROWS_AS(k_core({1000000}, 1000000, small), LimitError);
  REQUIRE(k_core({3, 1}, 2147483647, small) == Partition{3, 1});
  REQUIRE_THROWS_AS(addable_ribbons({2, 1}, 90'000'000, small), LimitError);
  REQUIRE_THROWS_AS(addable_ribbons({2, 1}, 2000, small), LimitError);  // the answer is large, the abacus is not
  REQUIRE_THROWS_AS(addable_ribbons({2, 1}, 30'000, Task(0, 0.05, {})), LimitError);
  REQUIRE(addable_ribbons({2, 1}, 20, small).size() == 20);
  // Ten thousand runners with ten thousand beads on each, and parts beyond any int.
  std::vector<Partition> quotient(10'000);
  quotient[0] = Partition(std::vector<int>(30'000, 1));
  REQUIRE_THROWS_AS(from_core_and_quotient({}, quotient), LimitError);
  REQUIRE_THROWS_AS(from_core_and_quotient({}, {{1 << 30}, {}}), LimitError);
  REQUIRE(from_core_and_quotient({2, 1}, {{3}, {1}}, small).weight() == 11);
}

TEST_CASE("numbers of partitions within bounds", "[combinatorics][partition]") {
  const int most = 2147483647;
  REQUIRE(number_of_partitions(most, {8, 1}) == 0);
  REQUIRE(number_of_partitions(most, {1, most}) == 1);
  REQUIRE(partitions(most, {8, 1}).empty());
  REQUIRE(number_of_partitions(1'000'000, {2, most}) == 500'001);               // floor(n / 2) + 1
  REQUIRE(number_of_partitions(600'000, {3, most}) == Integer("30000300001"));  // the nearest integer to (n + 3)^2 / 12
  REQUIRE(number_of_partitions(100, {10, 10}) == 1);
  REQUIRE(number_of_partitions(50, {10, 10}) ==
          number_of_partitions(50, {10, 10, 5}) + number_of_partitions(50, {4, 10}));
  REQUIRE_THROWS_AS(number_of_partitions(90'000'000, {3, most}), LimitError);
  REQUIRE_THROWS_AS(number_of_partitions(1'000'000, {90, most}, Task(0, 0.05, {})), LimitError);
  REQUIRE_THROWS_AS(number_of_partitions(1'000'000, {3, most}, Task(1U << 20, 0, {})), LimitError);
  REQUIRE_THROWS_AS(partitions_inside({most}, 1000, Task(1U << 20, 0, {})), LimitError);
}
