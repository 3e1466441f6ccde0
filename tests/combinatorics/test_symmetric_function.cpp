#include "intertwine/combinatorics/symmetric_function.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

TEST_CASE("Littlewood-Richardson products equal the reference", "[combinatorics][quick]") {
  for (const auto& entry : reference_entries("lr_products.json")) {
    CAPTURE(entry["lambda"].dump(), entry["mu"].dump());
    REQUIRE(schur_product(partition_of(entry["lambda"]), partition_of(entry["mu"])) == schur_sum_of(entry["product"]));
  }
}

TEST_CASE("skew Schur functions equal the reference", "[combinatorics][quick]") {
  for (const auto& entry : reference_entries("skew_schur.json")) {
    CAPTURE(entry["outer"].dump(), entry["inner"].dump());
    REQUIRE(skew_schur(partition_of(entry["outer"]), partition_of(entry["inner"])) == schur_sum_of(entry["expansion"]));
  }
}

TEST_CASE("plethysms equal the reference", "[combinatorics][quick]") {
  for (const auto& entry : reference_entries("plethysm.json")) {
    CAPTURE(entry["outer"].dump(), entry["inner"].dump());
    REQUIRE(plethysm(partition_of(entry["outer"]), partition_of(entry["inner"])) == schur_sum_of(entry["expansion"]));
  }
}

TEST_CASE("products, skew functions and single coefficients agree on all small partitions", "[combinatorics][quick]") {
  for (int a = 0; a <= 5; ++a)
    for (int b = 0; b <= 4; ++b)
      for (const Partition& lambda : partitions(a))
        for (const Partition& mu : partitions(b)) {
          const SchurSum product = schur_product(lambda, mu);
          CAPTURE(to_string(lambda), to_string(mu));
          REQUIRE(product == schur_product(mu, lambda));
          REQUIRE(omega_involution(product) == schur_product(lambda.conjugate(), mu.conjugate()));
          REQUIRE(dimension(product, 4) == dimension(SchurSum(lambda), 4) * dimension(SchurSum(mu), 4));
          for (const Partition& nu : partitions(a + b)) {
            const Integer c = product.coefficient(nu);
            REQUIRE(littlewood_richardson(nu, lambda, mu) == c);
            REQUIRE(skew_schur(nu, lambda).coefficient(mu) == c);
          }
          SchurSum boxed;
          for (const SchurTerm& term : product)
            if (term.partition.length() <= 3 && term.partition[0] <= 4)
              boxed = boxed + term.coefficient * SchurSum(term.partition);
          REQUIRE(schur_product(lambda, mu, {3, 4}) == boxed);
        }
}

// Terms are told apart by their first eight parts as bytes: parts about 255, and partitions that differ behind, in any order.
TEST_CASE("sums are sorted and added up, whatever their terms", "[combinatorics][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    std::map<Partition, Integer> sums;
    std::vector<SchurTerm> terms;
    const int most = trial % 3 == 0 ? 3 : 300, least = trial % 3 == 1 ? 253 : 1;
    for (std::size_t k = rng.below(60); k > 0; --k) {
      std::vector<int> parts(rng.below(13));
      for (int& part : parts) part = std::min(most, least + static_cast<int>(rng.below(4)));
      std::sort(parts.rbegin(), parts.rend());
      const Partition lambda(parts);
      const Integer c = static_cast<long>(rng.below(5)) - 2;
      terms.push_back({lambda, c});
      sums[lambda] += c;
    }
    const SchurSum sum(terms);
    std::vector<SchurTerm> expected;
    for (const auto& [lambda, c] : sums)
      if (c != 0) expected.push_back({lambda, c});
    REQUIRE(sum.terms() == expected);
  }
}

TEST_CASE("large products keep dimensions", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 10 * test_multiplier(); ++trial) {
    const Partition lambda = random_partition(rng, 30), mu = random_partition(rng, 20);
    CAPTURE(to_string(lambda), to_string(mu));
    const SchurSum product = schur_product(lambda, mu);
    for (const int n : {3, 11, 50})
      REQUIRE(dimension(product, n) == dimension(SchurSum(lambda), n) * dimension(SchurSum(mu), n));
    if (product.size() == 0) continue;
    const SchurTerm& term = product.terms()[rng.below(product.size())];
    REQUIRE(littlewood_richardson(term.partition, lambda, mu) == term.coefficient);
  }
}

TEST_CASE("multiplicities larger than a machine word are exact", "[combinatorics][quick]") {
  // (a s_lambda) (b s_mu) with a b of 80 digits goes through big integers, and must agree with scaling
  // afterwards.
  const Integer big = factorial(40);
  const SchurSum f = big * SchurSum(Partition{3, 2, 1}), g = big * SchurSum(Partition{2, 2}) + SchurSum(Partition{4});
  REQUIRE(schur_product(f, g) == big * big * schur_product({3, 2, 1}, {2, 2}) + big * schur_product({3, 2, 1}, {4}));
  // Coefficients just below 2^63 overflow on the way.
  const Integer edge = (Integer(1) << 62) + 12345;
  REQUIRE(schur_product(edge * SchurSum(Partition{3, 2, 1}), SchurSum(Partition{3, 2, 1})) ==
          edge * schur_product({3, 2, 1}, {3, 2, 1}));
  // c grows like a polynomial in N: stretched three-row coefficients, [Rassart 2004].
  REQUIRE(littlewood_richardson({3000, 2000, 1000}, {2000, 1000}, {2000, 1000}) == 1001);
}

TEST_CASE("the coproduct is adjoint to the product", "[combinatorics][quick]") {
  const Partition nu{3, 2, 1};
  Integer terms = 0;
  for (const SchurPair& pair : schur_coproduct(nu)) {
    REQUIRE(pair.coefficient == schur_product(pair.left, pair.right).coefficient(nu));
    terms += pair.coefficient;
  }
  // Restriction from GL(6) to GL(3)xGL(3) keeps the dimension.
  Integer dimension_sum = 0;
  for (const SchurPair& pair : schur_coproduct(nu))
    dimension_sum += pair.coefficient * dimension(SchurSum(pair.left), 3) * dimension(SchurSum(pair.right), 3);
  REQUIRE(dimension_sum == dimension(SchurSum(nu), 6));
  REQUIRE(terms > 0);
}

TEST_CASE("plethysm laws", "[combinatorics][quick]") {
  for (const auto& [outer, inner] : std::vector<std::pair<Partition, Partition>>{{{2}, {3, 1}},
                                                                                 {{1, 1}, {2, 2}},
                                                                                 {{3}, {2, 1}},
                                                                                 {{2, 1}, {1, 1}},
                                                                                 {{2, 1}, {2, 1}},
                                                                                 {{2, 2}, {3}},
                                                                                 {{1, 1, 1}, {2, 1, 1}}}) {
    CAPTURE(to_string(outer), to_string(inner));
    const SchurSum f = plethysm(outer, inner);
    for (int n = 1; n <= 4; ++n) {
      const Integer inner_dimension = dimension(SchurSum(inner), n);
      REQUIRE(dimension(f, n) == dimension(SchurSum(outer), static_cast<int>(inner_dimension)));
    }
    SchurSum boxed;
    for (const SchurTerm& term : f)
      if (term.partition.length() <= 3 && term.partition[0] <= 5)
        boxed = boxed + term.coefficient * SchurSum(term.partition);
    REQUIRE(plethysm(outer, inner, {3, 5}) == boxed);
    REQUIRE(omega_involution(f) == plethysm(inner.weight() % 2 ? outer.conjugate() : outer, inner.conjugate()));
  }
  // h_n[h_2]: even partitions [Macdonald I.5, example 5].
  for (const SchurTerm& term : plethysm({7}, {2})) {
    REQUIRE(term.coefficient == 1);
    for (const int part : term.partition) REQUIRE(part % 2 == 0);
  }
  REQUIRE(plethysm({7}, {2}).size() == 15);
  REQUIRE(plethysm({2}, {64}).size() == 33);
  REQUIRE(plethysm({}, {3}) == SchurSum(Partition()));
  REQUIRE(plethysm({2}, {}) == SchurSum(Partition()));
  REQUIRE(plethysm({1, 1}, {}).size() == 0);
  // p_k of a sum of two alphabets in disguise: p_1[s_mu] f is the product.
  REQUIRE(multiply_by_power_plethysm(SchurSum(Partition{2, 1}), 1, {2, 1}) == schur_product({2, 1}, {2, 1}));
  REQUIRE(to_string(multiply_by_power_plethysm(SchurSum(Partition()), 2, {1})) == "s[2] - s[1,1]");
}

TEST_CASE("fusion and quantum products", "[combinatorics][quick]") {
  // SU(2) level k: [a] x [b] runs over |a-b|, ..., min(a+b, 2k-a-b) (Verlinde).
  for (int level = 0; level <= 5; ++level)
    for (int a = 0; a <= level; ++a)
      for (int b = 0; b <= level; ++b) {
        std::vector<SchurTerm> expected;
        for (int c = std::abs(a - b); c <= std::min(a + b, 2 * level - a - b); c += 2)
          expected.push_back({Partition{(a + b + c) / 2, (a + b - c) / 2}, 1});
        CAPTURE(level, a, b);
        REQUIRE(fusion_product(Partition{a}, Partition{b}, 2, level) == SchurSum(std::move(expected)));
      }
  // Associativity at SU(3), level 3.
  const auto fuse = [](const SchurSum& f, const Partition& mu) {
    SchurSum sum;
    for (const SchurTerm& term : f) sum = sum + term.coefficient * fusion_product(term.partition, mu, 3, 3);
    return sum;
  };
  REQUIRE(fuse(fusion_product({2, 1}, {3, 1}, 3, 3), {2}) == fuse(fusion_product({2, 1}, {2}, 3, 3), {3, 1}));
  // Projective space: sigma_1^(n+1) = q; and G(2,4): sigma_{2,1}^2 = q sigma_2 + q sigma_11 [Bertram 1997].
  REQUIRE(quantum_product({3}, {1}, 1, 3) == std::vector<QuantumTerm>{{Partition(), 1, 1}});
  REQUIRE(quantum_product({1, 1, 1}, {1}, 3, 1) == std::vector<QuantumTerm>{{Partition(), 1, 1}});
  REQUIRE(quantum_product({2, 1}, {2, 1}, 2, 2) == std::vector<QuantumTerm>{{{2}, 1, 1}, {{1, 1}, 1, 1}});
  REQUIRE(quantum_product({2, 2}, {2, 2}, 2, 2) == std::vector<QuantumTerm>{{Partition(), 2, 1}});
  REQUIRE_THROWS_AS(quantum_product({3}, {1}, 2, 2), DomainError);
  REQUIRE_THROWS_AS(fusion_product({3}, {1}, 2, 2), DomainError);
  const int most = 2147483647;
  REQUIRE(fusion_product({1}, {2, 1}, 2, most) == schur_product({1}, {2, 1}, {2}));  // the level plays no part
  REQUIRE_THROWS_AS(fusion_product({1}, {2, 1}, most, most), LimitError);
  REQUIRE_THROWS_AS(quantum_product({1}, {2, 1}, most, most), LimitError);
  REQUIRE(quantum_product({1}, {1}, 2, most).size() == 2);
}

TEST_CASE("sums are written for people", "[combinatorics][quick]") {
  REQUIRE(to_string(schur_product({2, 1}, {2, 1})) ==
          "s[4,2] + s[4,1,1] + s[3,3] + 2*s[3,2,1] + s[3,1,1,1] + s[2,2,2] + s[2,2,1,1]");
  REQUIRE(to_string(SchurSum()) == "0");
  REQUIRE(to_string(Integer(-2) * SchurSum(Partition{1}) + SchurSum(Partition())) == "s[] - 2*s[1]");
}

TEST_CASE("limits of products are stated", "[combinatorics][quick]") {
  REQUIRE_THROWS_AS(schur_product({1}, {1}, {-1, 2}), DomainError);
  REQUIRE_THROWS_AS(plethysm({2000}, {2000}), LimitError);
  REQUIRE_THROWS_AS(multiply_by_power_plethysm(SchurSum(Partition{1}), 0, {1}), DomainError);
  const Task small(1 << 20, 0, {});
  REQUIRE_THROWS_AS(schur_product({7, 6, 5, 4, 3, 2, 1}, {7, 6, 5, 4, 3, 2, 1}, {}, small), LimitError);
  const Task brief(0, 0.05, {});  // one shape takes strips for minutes here
  REQUIRE_THROWS_AS(schur_product({100, 90, 80, 70, 60, 50, 40}, {100, 90, 80, 70, 60, 50}, {}, brief), LimitError);
  REQUIRE(schur_product({100'000}, {100'000}, {2}).size() == 100'001);
}
