#include "intertwine/exact/integer_product.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace intertwine;

TEST_CASE("products of many factors", "[exact][quick]") {
  REQUIRE(product_of({}) == 1);
  REQUIRE(product_of({-7}) == -7);
  std::vector<Integer> factors;
  for (unsigned long n = 1; n <= 40; ++n) {
    factors.emplace_back(n);
    REQUIRE(product_of(factors) == factorial(n));
  }
  factors.emplace_back(0);
  REQUIRE(product_of(factors) == 0);
}
