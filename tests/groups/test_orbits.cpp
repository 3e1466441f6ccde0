#include "intertwine/groups/orbits.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Random generators that do not all move everything: products of a few short cycles.
std::vector<Permutation> some_generators(std::size_t degree, Rng& rng) {
  std::vector<Permutation> generators;
  for (std::uint64_t k = rng.below(4); k > 0; --k) {
    std::vector<Point> images(degree);
    std::iota(images.begin(), images.end(), Point{0});
    for (std::uint64_t swaps = rng.below(4); swaps > 0 && degree > 0; --swaps)
      std::swap(images[rng.below(degree)], images[rng.below(degree)]);
    generators.emplace_back(images);
  }
  return generators;
}

/// The least points of the orbits by merging classes until nothing changes: another algorithm.
std::vector<Point> minima_by_relaxation(std::size_t degree, const std::vector<Permutation>& generators) {
  std::vector<Point> least(degree);
  std::iota(least.begin(), least.end(), Point{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (const Permutation& g : generators)
      for (Point x = 0; x < degree; ++x) {
        const Point both = std::min(least[x], least[g(x)]);
        if (least[x] == both && least[g(x)] == both) continue;
        least[x] = least[g(x)] = both;
        changed = true;
      }
  }
  return least;
}

}  // namespace

TEST_CASE("orbits of known groups", "[groups][quick]") {
  const std::vector<Permutation> generators = {parse_permutation("(1,4)(2,6)", 7), parse_permutation("(4,5)", 7)};
  REQUIRE(orbits(7, generators) == std::vector<std::vector<Point>>{{0, 3, 4}, {1, 5}, {2}, {6}});
  REQUIRE(orbit_minima(7, generators) == std::vector<Point>{0, 1, 2, 0, 0, 1, 6});
  REQUIRE(orbits(3, {}) == std::vector<std::vector<Point>>{{0}, {1}, {2}});
  REQUIRE(orbits(0, {}).empty());
  const std::vector<Permutation> cycle = {parse_permutation("(1,2,3,4,5,6,7,8,9)")};
  REQUIRE(orbits(9, cycle).size() == 1);
}

TEST_CASE("orbits agree with merging, and trees reach them", "[groups][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const std::size_t n = rng.below(15);
    const std::vector<Permutation> generators = some_generators(n, rng);
    CAPTURE(trial, n, generators.size());
    const std::vector<Point> minima = orbit_minima(n, generators);
    REQUIRE(minima == minima_by_relaxation(n, generators));
    const auto lists = orbits(n, generators);
    std::size_t total = 0;
    for (std::size_t k = 0; k < lists.size(); ++k) {
      total += lists[k].size();
      REQUIRE(std::is_sorted(lists[k].begin(), lists[k].end()));
      if (k > 0) REQUIRE(lists[k - 1].front() < lists[k].front());
      for (const Point x : lists[k]) REQUIRE(minima[x] == lists[k].front());
    }
    REQUIRE(total == n);
    if (n == 0) continue;

    const auto root = static_cast<Point>(rng.below(n));
    const OrbitTree tree = orbit_tree(root, n, generators);
    REQUIRE(tree.points.front() == root);
    REQUIRE(tree.generator[root] == -1);
    REQUIRE(tree.parent[root] == root);
    for (Point x = 0; x < n; ++x) {
      REQUIRE(tree.contains(x) == (minima[x] == minima[root]));
      if (!tree.contains(x)) {
        REQUIRE_THROWS_AS(transversal_element(tree, x, generators), DomainError);
        continue;
      }
      REQUIRE(transversal_element(tree, x, generators)(root) == x);
      if (x != root) REQUIRE(generators[static_cast<std::size_t>(tree.generator[x])](tree.parent[x]) == x);
    }
  }
}

TEST_CASE("trees are breadth-first", "[groups][quick]") {
  const std::vector<Permutation> generators = {parse_permutation("(1,2,3,4,5,6,7,8)"),
                                               parse_permutation("(1,8,7,6,5,4,3,2)")};
  const OrbitTree tree = orbit_tree(0, 8, generators);
  REQUIRE(tree.points == std::vector<Point>{0, 1, 7, 2, 6, 3, 5, 4});
  REQUIRE(transversal_element(tree, 0, generators).is_identity());
  REQUIRE(transversal_element(tree, 2, generators) == generators[0] * generators[0]);
}

TEST_CASE("arguments outside the domain are refused", "[groups][quick]") {
  using Catch::Matchers::Contains;
  const std::vector<Permutation> generators = {parse_permutation("(1,2)", 3), parse_permutation("(1,2)", 4)};
  REQUIRE_THROWS_AS(orbits(3, generators), DomainError);
  REQUIRE_THROWS_WITH(orbit_minima(3, generators), Contains("generator 2 permutes 4 points, not 3"));
  REQUIRE_THROWS_AS(orbit_tree(0, 3, generators), DomainError);
  REQUIRE_THROWS_AS(orbit_tree(3, 3, {}), DomainError);
  REQUIRE_THROWS_AS(orbit_tree(0, 0, {}), DomainError);
  const OrbitTree tree = orbit_tree(0, 3, {});
  REQUIRE_THROWS_AS(transversal_element(tree, 3, {}), DomainError);
  REQUIRE_THROWS_AS(transversal_element(tree, 1, {}), DomainError);
}
