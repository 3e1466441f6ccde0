#include "intertwine/combinatorics/symmetric_group_characters.hpp"

#include <catch2/catch.hpp>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

TEST_CASE("characters of S_n equal the reference, by single values and by tables", "[combinatorics][quick]") {
  for (const auto& entry : reference_entries("symmetric_group_characters.json")) {
    const auto table = symmetric_group_character_table(entry["n"].get<int>());
    const std::size_t size = table.partitions.size();
    REQUIRE(entry["partitions"].size() == size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        const std::int64_t expected = entry["table"][i][j].get<std::int64_t>();
        REQUIRE(partition_of(entry["partitions"][i]) == table.partitions[i]);
        REQUIRE(table(i, j) == expected);
        if (size < 20) REQUIRE(symmetric_group_character(table.partitions[i], table.partitions[j]) == expected);
      }
  }
}

TEST_CASE("rows of the table of S_12 are orthonormal, and single values agree", "[combinatorics][quick]") {
  const auto table = symmetric_group_character_table(12);
  const std::size_t size = table.partitions.size();
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const std::size_t a = rng.below(size), b = rng.below(size);
    Integer sum = 0;
    for (std::size_t j = 0; j < size; ++j)
      sum += factorial(12) / centralizer_order(table.partitions[j]) * table(a, j) * table(b, j);
    REQUIRE(sum == (a == b ? factorial(12) : Integer(0)));
    REQUIRE(symmetric_group_character(table.partitions[a], table.partitions[b]) == table(a, b));
  }
  REQUIRE(table(size - 1, 0) == -1);  // the sign of a 12-cycle
}

TEST_CASE("Kronecker products equal the reference, by both methods", "[combinatorics][quick]") {
  for (const auto& entry : reference_entries("kronecker.json")) {
    const Partition lambda = partition_of(entry["lambda"]), mu = partition_of(entry["mu"]);
    const SchurSum expected = schur_sum_of(entry["product"]);
    CAPTURE(to_string(lambda), to_string(mu));
    REQUIRE(kronecker_product(lambda, mu) == expected);
    if (std::min(lambda.length(), mu.length()) > 3 || lambda.weight() > 8) continue;
    REQUIRE(kronecker_product_by_determinant(lambda, mu) == expected);
  }
}

TEST_CASE("Kronecker products of larger characters have the right degree, and both methods agree",
          "[combinatorics][quick]") {
  const auto degree = [](const SchurSum& f) {
    Integer sum = 0;
    for (const SchurTerm& term : f) sum += term.coefficient * number_of_standard_tableaux(term.partition);
    return sum;
  };
  for (const auto& [lambda, mu] : std::vector<std::pair<Partition, Partition>>{
           {{6, 6, 5, 4, 3, 1}, {6, 5, 5, 4, 3, 2}}, {{10, 10}, {10, 10}}, {{12, 8}, {9, 6, 5}}}) {
    const SchurSum product = kronecker_product(lambda, mu);
    REQUIRE(degree(product) == number_of_standard_tableaux(lambda) * number_of_standard_tableaux(mu));
    if (lambda.length() == 2) {
      REQUIRE(product == kronecker_product_by_determinant(lambda, mu));
      REQUIRE(product == kronecker_product_by_characters(lambda, mu));
    }
  }
}

TEST_CASE("single Kronecker coefficients by two methods", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 15 * test_multiplier(); ++trial) {
    const int n = 1 + static_cast<int>(rng.below(12));
    const auto few = partitions(n, {4});
    const Partition &lambda = few[rng.below(few.size())], &mu = few[rng.below(few.size())],
                    &nu = few[rng.below(few.size())];
    CAPTURE(to_string(lambda), to_string(mu), to_string(nu));
    const Integer g = kronecker_coefficient_by_characters(lambda, mu, nu);
    REQUIRE(kronecker_coefficient_by_determinant(lambda, mu, nu) == g);
    REQUIRE(kronecker_coefficient_by_determinant(nu, lambda, mu) == g);
    REQUIRE(kronecker_coefficient(lambda.conjugate(), mu.conjugate(), nu) == g);
  }
  // Shapes of at most four rows are multiplied by enumeration, others by merging: conjugates take the other way.
  for (int trial = 0; trial < 3 * test_multiplier(); ++trial) {
    const auto few = partitions(18, {4});
    const Partition &lambda = few[rng.below(few.size())], &mu = few[rng.below(few.size())],
                    &nu = few[rng.below(few.size())];
    CAPTURE(to_string(lambda), to_string(mu), to_string(nu));
    REQUIRE(kronecker_coefficient_by_determinant(lambda, mu, nu) ==
            kronecker_coefficient_by_characters(lambda, mu, nu));
  }
  REQUIRE(kronecker_coefficient_by_determinant({4, 3, 1}, {3, 2, 1, 1, 1}, {4, 1, 1, 1, 1}) ==
          kronecker_coefficient_by_characters({4, 3, 1}, {3, 2, 1, 1, 1}, {4, 1, 1, 1, 1}));
  // The weight 60; the value was also found by merging states only.
  REQUIRE(kronecker_coefficient({30, 20, 10}, {30, 20, 10}, {30, 20, 10}) == 3745335);
  REQUIRE(kronecker_coefficient({2}, {2}, {3}) == 0);
  REQUIRE(kronecker_coefficient({30}, {20, 10}, {20, 10}) == 1);
  REQUIRE(kronecker_coefficient({30}, {20, 10}, {21, 9}) == 0);
  // Two rows: [Rosas 2001] gives 1 for g([15,15],[15,15],[30-2j, 2j])-type even shapes.
  REQUIRE(kronecker_coefficient({15, 15}, {15, 15}, {26, 4}) == 1);
  REQUIRE(kronecker_coefficient({15, 15}, {15, 15}, {27, 3}) == 0);
}

TEST_CASE("weights that differ are refused", "[combinatorics][quick]") {
  REQUIRE_THROWS_AS(symmetric_group_character({2, 1}, {2}), DomainError);
  REQUIRE_THROWS_AS(symmetric_group_character_table(-1), DomainError);
  REQUIRE_THROWS_AS(symmetric_group_character_table(34, Task(1 << 20, 0, {})), LimitError);
  REQUIRE_THROWS_AS(symmetric_group_character_table(61), LimitError);
  REQUIRE_THROWS_AS(symmetric_group_character_table(28, Task(1 << 20, 0, {})), LimitError);
  REQUIRE_THROWS_AS(kronecker_product({2}, {3}), DomainError);
  REQUIRE_THROWS_AS(kronecker_product_by_determinant({2}, {3}), DomainError);
}
