#include "intertwine/combinatorics/schur_products.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

TEST_CASE("products of modules of SL(n) have the product of the degrees", "[combinatorics][quick]") {
  for (int n = 2; n <= 4; ++n)
    for (const Partition& lambda : partitions(3))
      for (const Partition& mu : partitions(2)) {
        if (lambda.length() > n) continue;
        const SpecialLinearProduct product = special_linear_product(lambda, mu, n);
        Integer sum = 0;
        for (const auto& term : product.terms) {
          CHECK(term.partition.length() < n);
          sum += term.degree * term.multiplicity;
        }
        CAPTURE(n, to_string(lambda), to_string(mu));
        CHECK(sum == dimension(SchurSum(lambda), n) * dimension(SchurSum(mu), n));
      }
  CHECK(to_text(record(special_linear_product({2, 1}, {1}, 3))) ==
        "[3,1] of degree 15\n[2,2] of degree 6\n[1] of degree 3\n");
  CHECK_THROWS_AS(special_linear_product({1, 1, 1}, {1}, 2), DomainError);
}
