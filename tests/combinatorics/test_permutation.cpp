#include "intertwine/combinatorics/permutation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Permutation P(const char* cycles, std::size_t degree = 0) { return parse_permutation(cycles, degree); }

/// Corner cases come up often: no points, one point, the identity.
Permutation some_permutation(std::size_t degree, Rng& rng) {
  return rng.below(8) == 0 ? Permutation::identity(degree) : random_permutation(degree, rng);
}

bool odd_by_inversions(const Permutation& g) {
  bool odd = false;
  for (Point i = 0; i < g.degree(); ++i)
    for (Point j = 0; j < i; ++j) odd ^= g(j) > g(i);
  return odd;
}

}  // namespace

TEST_CASE("products act from the left", "[combinatorics][quick]") {
  const Permutation a = P("(1,2)", 3);
  const Permutation b = P("(2,3)", 3);
  REQUIRE((a * b).to_string() == "(1,2,3)");  // 2 -> 3 -> 3, 3 -> 2 -> 1, 1 -> 1 -> 2
  REQUIRE((b * a).to_string() == "(1,3,2)");
  REQUIRE((a * b)(2) == 0);
}

TEST_CASE("the group laws hold", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const std::size_t n = rng.below(12);
    const Permutation f = some_permutation(n, rng);
    const Permutation g = some_permutation(n, rng);
    const Permutation h = some_permutation(n, rng);
    CAPTURE(trial, f.to_string(), g.to_string(), h.to_string());
    REQUIRE((f * g) * h == f * (g * h));
    REQUIRE((g * g.inverse()).is_identity());
    REQUIRE((g.inverse() * g).is_identity());
    REQUIRE((f * g).inverse() == g.inverse() * f.inverse());
    REQUIRE(g * Permutation::identity(n) == g);
    REQUIRE((f * g).sign() == f.sign() * g.sign());
    REQUIRE(g.is_even() == !odd_by_inversions(g));
    for (Point i = 0; i < n; ++i) REQUIRE((f * g)(i) == f(g(i)));
    REQUIRE(Permutation(std::vector<Point>(g.images().begin(), g.images().end())) == g);
  }
}

TEST_CASE("powers and orders agree with repeated products", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const std::size_t n = 1 + rng.below(10);
    const Permutation g = some_permutation(n, rng);
    CAPTURE(trial, g.to_string());
    Permutation power = Permutation::identity(n);
    int order = 0;
    for (int k = 0; order == 0; ++k) {
      REQUIRE(g.power(k) == power);
      REQUIRE(g.power(-k) == power.inverse());
      power = g * power;
      if (power.is_identity()) order = k + 1;
    }
    REQUIRE(g.order() == order);
    const Integer huge = Integer(order) * (Integer(1) << 100);
    REQUIRE(g.power(huge).is_identity());
    REQUIRE(g.power(huge + 1) == g);
    REQUIRE(g.power(1 - huge) == g);
    REQUIRE(g.power(-huge - 1) == g.inverse());
  }
}

TEST_CASE("orders beyond 64 bits", "[combinatorics][quick]") {
  // One cycle of each prime length up to 61: the order is the product of those primes (OEIS A002110).
  std::vector<Point> images;
  for (const Point p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}) {
    const auto first = static_cast<Point>(images.size());
    for (Point i = 0; i < p; ++i) images.push_back(first + (i + 1) % p);
  }
  const Permutation g(images);
  REQUIRE(g.order() == Integer("117288381359406970983270"));
  REQUIRE(g.power(g.order()).is_identity());
  REQUIRE_FALSE(g.power(g.order() / 61).is_identity());
}

TEST_CASE("cycle types count as in S_n", "[combinatorics][quick]") {
  // The elements of S_5 by cycle type [James & Kerber 1981, 1.2.15]: 120 / prod m_i! i^{m_i}.
  std::map<std::vector<Point>, int> count;
  int even = 0;
  std::vector<Point> images(5);
  std::iota(images.begin(), images.end(), Point{0});
  do {
    const Permutation g(images);
    ++count[g.cycle_type()];
    even += g.is_even();
    const std::vector<Point> type = g.cycle_type();
    REQUIRE(static_cast<std::size_t>(std::count(type.begin(), type.end(), Point{1})) == g.number_of_fixed_points());
  } while (std::next_permutation(images.begin(), images.end()));
  const std::map<std::vector<Point>, int> expected = {
      {{1, 1, 1, 1, 1}, 1}, {{2, 1, 1, 1}, 10}, {{2, 2, 1}, 15}, {{3, 1, 1}, 20},
      {{3, 2}, 20},         {{4, 1}, 30},       {{5}, 24}};
  REQUIRE(count == expected);
  REQUIRE(even == 60);
}

TEST_CASE("no points", "[combinatorics][quick]") {
  const Permutation none;
  REQUIRE(none.degree() == 0);
  REQUIRE(none.is_identity());
  REQUIRE(none.is_even());
  REQUIRE(none.order() == 1);
  REQUIRE(none.cycle_type().empty());
  REQUIRE(none.to_string() == "()");
  REQUIRE(none * none == none);
  REQUIRE(none.power(-3) == none);
  REQUIRE(parse_permutation("()") == none);
}

TEST_CASE("cycles are read and written", "[combinatorics][quick]") {
  REQUIRE(P("(1,2,3)(4,5)") == Permutation({1, 2, 0, 4, 3}));
  REQUIRE(P(" ( 3 , 1,2 )\t(5 ,4) \n") == Permutation({1, 2, 0, 4, 3}));
  REQUIRE(P("(2,1)", 4) == Permutation({1, 0, 2, 3}));
  REQUIRE(P("()", 3).is_identity());
  REQUIRE(P("()()(1)", 3).is_identity());
  REQUIRE(P("(3)").degree() == 3);
  REQUIRE(P("(01,002)") == Permutation({1, 0}));
  REQUIRE(Permutation({1, 2, 0, 4, 3, 5}).to_string() == "(1,2,3)(4,5)");
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const Permutation g = some_permutation(1 + rng.below(200), rng);
    CAPTURE(g.to_string());
    REQUIRE(parse_permutation(g.to_string(), g.degree()) == g);
  }
}

TEST_CASE("cycles may have spaces for commas", "[combinatorics][quick]") {
  REQUIRE(parse_permutation("(1 2 3)(4 5)") == parse_permutation("(1,2,3)(4,5)"));
  REQUIRE(parse_permutation(" ( 10 2 , 3 ) ") == parse_permutation("(10,2,3)"));
}

TEST_CASE("bad cycles are refused where they go wrong", "[combinatorics][quick]") {
  const auto [text, degree, position] = GENERATE(table<std::string, std::size_t, std::size_t>({
      {"", 0, 0},
      {"   ", 0, 3},
      {"1,2", 0, 0},
      {"(1,2", 0, 4},
      {"(", 0, 1},
      {"(1,2))", 0, 5},
      {"(1,2)x", 0, 5},
      {"(1;2)", 0, 2},
      {"(1,)", 0, 3},
      {"(,1)", 0, 1},
      {"(1,,2)", 0, 3},
      {"(1,-2)", 0, 3},
      {"(0,1)", 0, 1},
      {"(1,00)", 0, 3},
      {"(1,2,1)", 0, 5},
      {"(1,2)(3,2)", 0, 8},
      {"(1,4)", 3, 3},
      {"(1,99999999999999999999999999999999999)", 3, 3},
      {"(1,18446744073709551617)", 0, 3},
      {"(1,2147483647)", 0, 3},
      {"(1,16777217)", 0, 3},
      {"((1,2))", 0, 1},
      {"(1,2", 5, 4},
      {std::string("(1\0,2)", 6), 0, 2},
      {"(1,\xc2\xb2)", 0, 3},
  }));
  CAPTURE(text, degree);
  try {
    static_cast<void>(parse_permutation(text, degree));
    FAIL("accepted");
  } catch (const ParseError& e) {
    REQUIRE(e.position() == position);
    REQUIRE(e.text() == text);
    REQUIRE_FALSE(std::string(e.what()).empty());
  }
}

TEST_CASE("a message names the point and the degree", "[combinatorics][quick]") {
  using Catch::Matchers::Contains;
  REQUIRE_THROWS_WITH(parse_permutation("(1,4)", 3), Contains("point 4") && Contains("degree 3"));
  REQUIRE_THROWS_WITH(parse_permutation("(1,2)(2,3)"), Contains("point 2 occurs twice"));
}

TEST_CASE("arrays that are no bijection are refused", "[combinatorics][quick]") {
  using Catch::Matchers::Contains;
  REQUIRE_THROWS_AS(Permutation({1}), DomainError);
  REQUIRE_THROWS_WITH(Permutation({0, 3, 1}), Contains("image 3 of point 1"));
  REQUIRE_THROWS_WITH(Permutation({0, 2, 2}), Contains("2 is the image of two points") && Contains("second one 2"));
  REQUIRE_THROWS_AS(Permutation({0, 1}) * Permutation({0, 1, 2}), DomainError);
  REQUIRE_THROWS_AS(Permutation::identity(max_degree + 1), DomainError);
  REQUIRE_THROWS_AS(parse_permutation("()", max_degree + 1), DomainError);
}

TEST_CASE("random permutations are uniform", "[combinatorics][quick]") {
  // Chi-squared over the 24 elements of S_4: 23 degrees of freedom, above 73 with probability 4e-7.
  Rng rng(20240229);
  std::map<std::string, int> count;
  constexpr int trials = 24000;
  for (int trial = 0; trial < trials; ++trial) ++count[random_permutation(4, rng).to_string()];
  REQUIRE(count.size() == 24);
  double chi_squared = 0;
  for (const auto& [g, times] : count) chi_squared += (times - 1000.0) * (times - 1000.0) / 1000.0;
  REQUIRE(chi_squared < 73);
}

TEST_CASE("the generator of random numbers is the published one", "[combinatorics][quick]") {
  // splitmix64 from 0 gives these four words of state (its published test vector); xoshiro256** starts from them.
  const std::uint64_t s1 = 0x6e789e6aa1b965f4ULL;
  Rng rng(0);
  const std::uint64_t t = s1 * 5;
  REQUIRE(rng() == ((t << 7) | (t >> 57)) * 9);
  Rng bounded(7);
  for (int trial = 0; trial < 1000; ++trial) REQUIRE(bounded.below(3) < 3);
  REQUIRE(bounded.below(1) == 0);
}
