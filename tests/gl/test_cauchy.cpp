#include "intertwine/gl/cauchy.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

TEST_CASE("functors of C^m (x) C^n equal the reference", "[gl][quick]") {
  for (const auto& entry : reference_entries("gl_gl_decompositions.json")) {
    const int m = entry["m"], n = entry["n"], d = entry["d"];
    const std::string functor = entry["functor"];
    const auto terms = functor == "Sym"   ? cauchy_decomposition(d, m, n)
                       : functor == "Alt" ? dual_cauchy_decomposition(d, m, n)
                                          : schur_functor_decomposition(partition_of(entry["lambda"]), m, n);
    std::vector<GlGlTerm> expected;
    for (const auto& term : entry["decomposition"])
      expected.push_back({partition_of(term[0]), partition_of(term[1]), integer_of(term[2])});
    std::sort(expected.begin(), expected.end(), [](const GlGlTerm& a, const GlGlTerm& b) {
      return std::tie(a.left, a.right) < std::tie(b.left, b.right);
    });
    CAPTURE(functor, d, m, n);
    REQUIRE(terms == expected);
  }
}

TEST_CASE("dimensions of functors of a tensor product add up", "[gl][quick]") {
  for (int d = 0; d <= 30; d += 5) REQUIRE(dimension(cauchy_decomposition(d, 4, 4), 4, 4) == binomial(15 + d, d));
  for (int d = 0; d <= 7; ++d) REQUIRE(dimension(dual_cauchy_decomposition(d, 2, 3), 2, 3) == binomial(6, d));
  for (const Partition& nu : partitions(6)) {
    CAPTURE(to_string(nu));
    REQUIRE(dimension(schur_functor_decomposition(nu, 4, 4), 4, 4) == number_of_semistandard_tableaux(nu, 16));
    REQUIRE(dimension(schur_functor_decomposition(nu, 2, 3), 2, 3) == number_of_semistandard_tableaux(nu, 6));
  }
}

TEST_CASE("symmetric powers of triple tensor products equal the reference", "[gl][quick]") {
  for (const auto& entry : reference_entries("triple_tensor_sym.json")) {
    const auto terms = symmetric_power_of_triple(entry["d"], entry["dims"][0], entry["dims"][1], entry["dims"][2]);
    std::vector<GlTripleTerm> expected;
    for (const auto& term : entry["decomposition"])
      expected.push_back(
          {partition_of(term[0][0]), partition_of(term[0][1]), partition_of(term[0][2]), integer_of(term[1])});
    std::sort(expected.begin(), expected.end(), [](const GlTripleTerm& a, const GlTripleTerm& b) {
      return std::tie(a.first, a.second, a.third) < std::tie(b.first, b.second, b.third);
    });
    CAPTURE(entry["d"].dump(), entry["dims"].dump());
    REQUIRE(terms == expected);
  }
}

TEST_CASE("powers of Sym^2, Lambda^2 and the adjoint module of SL(n) equal the reference", "[gl][quick]") {
  for (const auto& entry : reference_entries("sl_power_decompositions.json")) {
    const int n = entry["n"], d = entry["d"];
    const bool exterior = entry["functor"] == "Alt";
    const Partition outer = exterior ? Partition(std::vector<int>(d, 1)) : Partition{d};
    const std::string inner = entry["inner"];
    const auto terms = inner == "Adjoint"
                           ? (exterior ? exterior_power_of_adjoint(d, n) : symmetric_power_of_adjoint(d, n))
                           : restrict_to_sl(plethysm(outer, inner == "Sym2" ? Partition{2} : Partition{1, 1}, {n}), n);
    std::vector<SlTerm> expected;
    for (const auto& term : entry["sl_weights"])
      expected.push_back({term[0].get<std::vector<int>>(), integer_of(term[1])});
    std::sort(expected.begin(), expected.end(), [](const SlTerm& a, const SlTerm& b) { return a.labels > b.labels; });
    CAPTURE(exterior, d, n, inner);
    REQUIRE(terms == expected);
  }
}

TEST_CASE("rational weights: products with duals and Weyl's formula", "[gl][quick]") {
  for (const Partition& lambda : partitions(4, {3}))
    for (const Partition& mu : partitions(3, {3})) {
      Integer total = 0;
      for (const GlWeightTerm& term : tensor_with_dual(lambda, mu, 3))
        total += term.multiplicity * dimension_of_weight(term.weight);
      REQUIRE(total == number_of_semistandard_tableaux(lambda, 3) * number_of_semistandard_tableaux(mu, 3));
    }
  REQUIRE(tensor_with_dual({1}, {1}, 3) == std::vector<GlWeightTerm>{{{1, 0, -1}, 1}, {{0, 0, 0}, 1}});
  REQUIRE(tensor_with_dual({1, 1}, {1}, 1).empty());
  REQUIRE(dimension_of_weight({2, 1, 0}) == 8);
  REQUIRE_THROWS_AS(dimension_of_weight({0, 1}), DomainError);
}

TEST_CASE("negative degrees and dimensions are refused", "[gl][quick]") {
  REQUIRE_THROWS_AS(cauchy_decomposition(-1, 2, 2), DomainError);
  REQUIRE_THROWS_AS(schur_functor_decomposition({2, 1}, -1, 2), DomainError);
  REQUIRE_THROWS_AS(symmetric_power_of_triple(2, 1, 1, -1), DomainError);
  REQUIRE_THROWS_AS(tensor_with_dual({1}, {1}, 0), DomainError);
  REQUIRE_THROWS_AS(restrict_to_sl(SchurSum(Partition{1}), 0), DomainError);
  REQUIRE_THROWS_AS(symmetric_power_of_adjoint(-1, 2), DomainError);
  REQUIRE(cauchy_decomposition(0, 0, 0) == std::vector<GlGlTerm>{{{}, {}, 1}});
  REQUIRE(cauchy_decomposition(2, 0, 3).empty());
}

TEST_CASE("weights of large GL(n) ask for their memory", "[gl][cauchy]") {
  const Task small(1U << 20, 0, {});
  CHECK_THROWS_AS(exterior_power_of_adjoint(4, 2147483647, small), LimitError);
  CHECK_THROWS_AS(symmetric_power_of_adjoint(1, 2147483647, small), LimitError);
  CHECK_THROWS_AS(tensor_with_dual({2}, {1}, 1 << 30, small), LimitError);
  CHECK_THROWS_AS(restrict_to_sl(SchurSum(Partition{2}), 1 << 30, small), LimitError);
  CHECK(exterior_power_of_adjoint(1, 1000, small).size() == 1);
}
