#include "intertwine/combinatorics/exponents.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <tuple>

using namespace intertwine;

TEST_CASE("monomials are counted, and come with the first variable first", "[combinatorics][quick]") {
  using List = std::vector<std::vector<unsigned>>;
  REQUIRE(exponents_of(3, 2) == List{{2, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2}});
  REQUIRE(exponents_of(1, 5) == List{{5}});
  REQUIRE(exponents_of(4, 0) == List{{0, 0, 0, 0}});
  REQUIRE(exponents_of(0, 3).empty());
  REQUIRE(are_exponents_of(exponents_of(4, 3), 4, 3));
  REQUIRE_FALSE(are_exponents_of(exponents_of(4, 3), 4, 4));
  REQUIRE_FALSE(are_exponents_of({{0, 2}, {1, 1}, {2, 0}}, 2, 2));
  REQUIRE_FALSE(are_exponents_of({}, 16, 1'000'000));
}

TEST_CASE("second derivatives of monomials", "[combinatorics][quick]") {
  std::vector<std::tuple<std::size_t, std::vector<unsigned>, std::uint64_t>> seen;
  for_each_second_derivative(
      {4, 1, 2}, [&](std::size_t i, const auto& b, std::uint64_t factor) { seen.emplace_back(i, b, factor); });
  REQUIRE(seen == decltype(seen){{0, {2, 1, 2}, 12}, {2, {4, 1, 0}, 2}});
  for_each_second_derivative({1, 0}, [](std::size_t, const auto&, std::uint64_t) { FAIL("there is none"); });
  for_each_second_derivative({100'000}, [](std::size_t, const auto&, std::uint64_t factor) {
    REQUIRE(factor == 9'999'900'000U);  // beyond 32 bits
  });
  // r^2 times a harmonic polynomial h of degree l in n variables: the sum is (2 n + 4 l) h. Here h = x^3 - 3 x y^2, n = 3, l = 3.
  std::map<std::vector<unsigned>, std::int64_t> sums;
  for (const auto& [a, value] : {std::pair<std::vector<unsigned>, std::int64_t>{{3, 0, 0}, 1}, {{1, 2, 0}, -3}})
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<unsigned> more = a;
      more[k] += 2;
      for_each_second_derivative(more, [&, v = value](std::size_t, const auto& b, std::uint64_t factor) {
        sums[b] += v * static_cast<std::int64_t>(factor);
      });
    }
  std::erase_if(sums, [](const auto& term) { return term.second == 0; });
  REQUIRE(sums == std::map<std::vector<unsigned>, std::int64_t>{{{3, 0, 0}, 18}, {{1, 2, 0}, -54}});
}
