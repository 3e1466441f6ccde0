#include "intertwine/combinatorics/schur_polynomial.hpp"

#include <catch2/catch.hpp>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// The sum over all semistandard tableaux of the products of their entries' numbers.
template <class Number>
Number by_tableaux(const Partition& lambda, const std::vector<Number>& x) {
  Number sum(0);
  for (const Tableau& T : semistandard_tableaux(lambda, static_cast<int>(x.size()))) {
    Number term(1);
    for (const auto& row : T.rows())
      for (const int i : row) term *= x[static_cast<std::size_t>(i)];
    sum += term;
  }
  return sum;
}

RationalMatrix random_matrix(std::size_t n, Rng& rng) {
  RationalMatrix A(n, n);
  std::vector<Rational> entries;
  for (std::size_t k = 0; k < n * n; ++k)
    entries.emplace_back(static_cast<long>(rng.below(9)) - 4, static_cast<long>(rng.below(3)) + 1);
  return RationalMatrix(n, n, entries);
}

}  // namespace

TEST_CASE("Schur polynomials at ones are dimensions", "[combinatorics][quick]") {
  for (int weight = 0; weight <= 7; ++weight)
    for (const Partition& lambda : partitions(weight))
      for (int n = 0; n <= 5; ++n) {
        const std::vector<Rational> ones(static_cast<std::size_t>(n), 1);
        const std::vector<Cyclotomic> same(static_cast<std::size_t>(n), 1);
        CAPTURE(to_string(lambda), n);
        REQUIRE(schur_polynomial(lambda, ones) == Rational(number_of_semistandard_tableaux(lambda, n)));
        REQUIRE(schur_polynomial(lambda, same) == Cyclotomic(number_of_semistandard_tableaux(lambda, n)));
      }
}

TEST_CASE("Schur polynomials at numbers are sums over tableaux", "[combinatorics][quick]") {
  Rng rng = test_rng();
  for (int weight = 0; weight <= 6; ++weight)
    for (const Partition& lambda : partitions(weight)) {
      std::vector<Rational> x;
      std::vector<Cyclotomic> z;
      for (int i = 0; i < 4; ++i) {
        x.emplace_back(static_cast<long>(rng.below(11)) - 5, static_cast<long>(rng.below(4)) + 1);
        z.push_back(Cyclotomic::root_of_unity(5, static_cast<long>(rng.below(5))) +
                    Cyclotomic(static_cast<int>(rng.below(3))));
      }
      CAPTURE(to_string(lambda));
      REQUIRE(schur_polynomial(lambda, x) == by_tableaux(lambda, x));
      REQUIRE(schur_polynomial(lambda, z) == by_tableaux(lambda, z));
    }
}

TEST_CASE("Schur polynomials from power sums", "[combinatorics][quick]") {
  Rng rng = test_rng();
  const std::vector<Cyclotomic> z{Cyclotomic::root_of_unity(7), Cyclotomic::root_of_unity(7, 3), 2,
                                  Cyclotomic::root_of_unity(4)};
  std::vector<Cyclotomic> p;
  for (int k = 1; k <= 8; ++k) {
    Cyclotomic sum = 0;
    for (const Cyclotomic& a : z) sum += a.power(k);
    p.push_back(sum);
  }
  for (int weight = 0; weight <= 6; ++weight)
    for (const Partition& lambda : partitions(weight)) {
      CAPTURE(to_string(lambda));
      REQUIRE(schur_from_power_sums(lambda, std::span<const Cyclotomic>(p)) == schur_polynomial(lambda, z));
    }
  // A known case without eigenvalues: the companion matrix of x^2 - x - 1 has h_k = the Fibonacci numbers.
  const RationalMatrix fibonacci = IntegerMatrix{{0, 1}, {1, 1}};
  REQUIRE(schur_at_eigenvalues({10}, fibonacci) == 89);
  REQUIRE(schur_at_eigenvalues({90}, fibonacci) == Rational(Integer("4660046610375530309")));
  REQUIRE(schur_at_eigenvalues({1, 1}, fibonacci) == -1);
  REQUIRE(schur_at_eigenvalues({1, 1, 1}, fibonacci) == 0);
  REQUIRE(schur_at_eigenvalues({}, fibonacci) == 1);
  for (int round = 0; round < 5; ++round) {
    const RationalMatrix A = random_matrix(4, rng), B = random_matrix(4, rng);
    REQUIRE(schur_at_eigenvalues({1, 1, 1, 1}, A * B) ==
            schur_at_eigenvalues({1, 1, 1, 1}, A) * schur_at_eigenvalues({1, 1, 1, 1}, B));
    REQUIRE(schur_at_eigenvalues({3, 1}, A * B) == schur_at_eigenvalues({3, 1}, B * A));
    const auto traces = traces_of_powers(A, 11);
    RationalMatrix power = RationalMatrix::identity(4);
    for (const Rational& trace : traces) {
      power = power * A;
      REQUIRE(trace == power.trace());
    }
  }
}

TEST_CASE("values of Schur polynomials refuse what they cannot do", "[combinatorics][quick]") {
  const std::vector<Rational> p{1, 2};
  REQUIRE_THROWS_AS(schur_from_power_sums({3}, std::span<const Rational>(p)), DomainError);
  REQUIRE_THROWS_AS(schur_at_eigenvalues({2}, RationalMatrix(2, 3)), DomainError);
  std::vector<int> staircase;
  for (int k = 1001; k > 0; --k) staircase.push_back(k);
  const std::vector<Rational> many(2000, 1);
  REQUIRE_THROWS_AS(schur_polynomial(Partition(staircase), many), LimitError);
}
