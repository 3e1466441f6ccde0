#include "intertwine/combinatorics/moved_points.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

TEST_CASE("permutations by the points that they move", "[combinatorics][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const std::size_t n = 1 + rng.below(12);
    std::vector<Permutation> whole;
    std::vector<MovedPoints> sparse;
    for (std::uint64_t k = rng.below(3); k > 0; --k) {
      const Permutation g = random_permutation(n, rng);
      std::vector<Point> images(n);
      for (Point x = 0; x < n; ++x) images[x] = x;
      std::swap(images[rng.below(n)], images[rng.below(n)]);  // a transposition, or nothing
      whole.push_back(rng.below(2) == 0 ? g : Permutation(images));
      MovedPoints& moved = sparse.emplace_back();
      for (Point x = 0; x < n; ++x)
        if (whole.back()(x) != x) moved.emplace_back(x, whole.back()(x));
      REQUIRE(to_cycles(moved) == whole.back().to_string());
      REQUIRE(to_permutation(n, moved) == whole.back());
    }
    REQUIRE(sparse_orbits(n, sparse) == orbits(n, whole));
  }
  REQUIRE(to_cycles({{999'999, 1'000'000}, {1'000'000, 999'999}}) == "(1000000,1000001)");
  REQUIRE(to_cycles({}) == "()");
  REQUIRE(sparse_orbits(0, {}).empty());
}

TEST_CASE("what is no permutation is refused", "[combinatorics][quick]") {
  REQUIRE_THROWS_WITH(to_cycles({{3, 4}}), Contains("4 is the image of 3"));
  REQUIRE_THROWS_WITH(to_permutation(4, {{3, 4}, {4, 3}}), Contains("point 4 is moved, but the degree is 4"));
  REQUIRE_THROWS_AS(to_permutation(4, {{2, 3}}), DomainError);  // 3 is the image of two points
  const std::vector<MovedPoints> far{{{1, 3}, {3, 1}}};
  REQUIRE_THROWS_WITH(sparse_orbits(3, far), Contains("point 1 is moved to 3"));
}
