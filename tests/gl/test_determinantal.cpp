#include "intertwine/gl/determinantal.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

TEST_CASE("Hilbert functions of powers of determinantal ideals equal the reference", "[gl][quick]") {
  for (const auto& entry : reference_entries("determinantal_hilbert.json")) {
    std::vector<Integer> expected;
    for (const auto& value : entry["hilbert_function"]) expected.push_back(integer_of(value));
    CAPTURE(entry.dump());
    const MatrixSize size{entry["rows"], entry["cols"]};
    const int k = entry["minors"], s = entry["power"];
    const MinorIdeal ideal =
        entry["symbolic"] ? MinorIdeal::symbolic_power(size, k, s) : MinorIdeal::power(size, {k}, s);
    REQUIRE(ideal.hilbert_function(static_cast<int>(expected.size()) - 1) == expected);
  }
}

TEST_CASE("Conca and Herzog's Hilbert series equals the count of bitableaux", "[gl][quick]") {
  for (int m = 1; m <= 4; ++m)
    for (int n = 1; n <= 5; ++n)
      for (int k = 1; k <= std::min(m, n); ++k) {
        const auto numerator = determinantal_hilbert_numerator({m, n}, k);
        const int dimension = (m + n - k + 1) * (k - 1);
        const auto counted = MinorIdeal::power({m, n}, {k}).hilbert_function(6);
        CAPTURE(m, n, k);
        for (int d = 0; d <= 6; ++d) {
          Integer value = 0;
          for (int i = 0; i <= d && i < static_cast<int>(numerator.size()); ++i)
            value +=
                numerator[i] *
                (dimension == 0 ? Integer(d == i) : binomial(static_cast<unsigned long>(d - i + dimension - 1), d - i));
          REQUIRE(value == counted[d]);
        }
      }
  REQUIRE(determinantal_hilbert_numerator({3, 3}, 2) == std::vector<Integer>{1, 4, 1});
}

TEST_CASE("powers, symbolic powers and membership", "[gl][quick]") {
  const MatrixSize size{3, 3};
  const auto poly = [&](const char* text) { return expand(parse_bitableau(text, size), size); };
  const MinorIdeal minors = MinorIdeal::power(size, {2}), square = MinorIdeal::power(size, {2}, 2),
                   symbolic = MinorIdeal::symbolic_power(size, 2, 2);
  // The determinant lies in I_2^(2) but not in I_2^2 (degree 3 < 4); x det does.
  REQUIRE(symbolic.contains(poly("[1,2,3|1,2,3]")));
  REQUIRE(symbolic.contains(parse_bitableau("[1,2,3|1,2,3]", size)));
  REQUIRE_FALSE(square.contains(poly("[1,2,3|1,2,3]")));
  REQUIRE_FALSE(square.contains(parse_bitableau("[1,2,3|1,2,3]", size)));
  REQUIRE(square.contains(poly("[1,2,3|1,2,3][2|2]")));
  REQUIRE(square.contains(poly("[1,2|1,2][2,3|2,3]")));
  REQUIRE_FALSE(symbolic.contains(poly("[1,2|1,2][2|3]")));
  // Orders of rows change the sign at most, and repeated rows make 0.
  REQUIRE(square.contains(parse_product_of_minors("[2,1|1,2][3,2|2,3]", size)));
  REQUIRE_FALSE(square.contains(parse_product_of_minors("[2,1|1,2]", size)));
  REQUIRE(square.contains(parse_product_of_minors("[1,1|1,2]", size)));
  // A difference of non-members can be a member: x11 x22 - x12 x21.
  REQUIRE(minors.contains(poly("[1|1][2|2]") + Integer(-1) * poly("[1|2][2|1]")));
  REQUIRE_FALSE(minors.contains(poly("[1|1][2|2]")));
  for (int d = 0; d <= 8; ++d)
    for (const Partition& shape : partitions(d, {4}))
      for (int k = 1; k <= 4; ++k)
        for (int s = 0; s <= 3; ++s) {
          const bool inside = MinorIdeal::power({4, 4}, {k}, s).contains(shape);
          REQUIRE(inside == MinorIdeal::power({4, 4}, std::vector<int>(s, k)).contains(shape));
          if (inside) REQUIRE(MinorIdeal::symbolic_power({4, 4}, k, s).contains(shape));
          REQUIRE(MinorIdeal::symbolic_power({4, 4}, k, 1).contains(shape) == (shape.length() >= k));
        }
  REQUIRE(vanishing_order({3, 2, 2}, 2) == 4);
  REQUIRE(MinorIdeal::invariant(size, {2, 2}).contains(Partition{3, 2}));
  REQUIRE_FALSE(MinorIdeal::invariant(size, {2, 2}).contains(Partition{4, 1}));
  // I_[1,1] is the ideal of 2-minors.
  REQUIRE(MinorIdeal::invariant(size, {1, 1}).hilbert_function(6) == minors.hilbert_function(6));
  REQUIRE(MinorIdeal::power({4, 4}, {3, 2}).pieces(5) == std::vector<Partition>{{2, 2, 1}, {2, 1, 1, 1}});
}

TEST_CASE("primary decompositions cut out the product and nothing can be left out", "[gl][quick]") {
  // [Bruns & Vetter 1988, 10.9]: powers of maximal minors are primary.
  REQUIRE(MinorIdeal::power({2, 3}, {2, 2}).primary_decomposition() == std::vector<SymbolicPower>{{2, 2}});
  REQUIRE(MinorIdeal::power({3, 3}, {2}, 2).primary_decomposition() == std::vector<SymbolicPower>{{1, 4}, {2, 2}});
  REQUIRE(MinorIdeal::power({3, 3}, {}).primary_decomposition().empty());
  for (const auto& sizes :
       std::vector<std::vector<int>>{{2}, {3}, {2, 2}, {3, 2}, {3, 1}, {3, 3, 2}, {2, 2, 2}, {1, 1}})
    for (const MatrixSize size : {MatrixSize{3, 4}, MatrixSize{4, 4}}) {
      const MinorIdeal ideal = MinorIdeal::power(size, sizes);
      const auto components = ideal.primary_decomposition();
      std::vector<bool> needed(components.size());
      for (int d = 0; d <= 14; ++d)
        for (const Partition& shape : partitions(d, {std::min(size.rows, size.cols)})) {
          std::size_t failed = 0, which = 0;
          for (std::size_t c = 0; c < components.size(); ++c)
            if (!MinorIdeal::symbolic_power(size, components[c].minors, components[c].exponent).contains(shape))
              ++failed, which = c;
          REQUIRE((failed == 0) == ideal.contains(shape));
          if (failed == 1) needed[which] = true;
        }
      CAPTURE(sizes, size.rows, size.cols);
      REQUIRE(std::all_of(needed.begin(), needed.end(), [](bool b) { return b; }));
    }
}

namespace {

/// A shape with gamma_j = at most `most` and gamma_i >= bounds[i] for i > j, searched from the bottom row up.
bool shape_exists(int j, int most, const std::vector<int>& bounds, int row, int below, int sum) {
  if (row < j) return true;
  const int need = row != j && row < static_cast<int>(bounds.size()) ? bounds[row] : 0;
  for (int part = std::max(below, need - sum); sum + part <= most; ++part)
    if (shape_exists(j, most, bounds, row - 1, part, sum + part)) return true;
  return false;
}

/// The components by enumeration of shapes.
std::vector<SymbolicPower> components_by_enumeration(int rows, const std::vector<int>& sizes, int exponent) {
  const int largest = exponent == 0 ? 0 : *std::max_element(sizes.begin(), sizes.end());
  std::vector<int> bounds(largest + 1);
  for (int j = 1; j <= largest; ++j)
    for (const int k : sizes) bounds[j] += exponent * std::max(0, k - j + 1);
  std::vector<SymbolicPower> result;
  for (int j = 1; j <= largest; ++j)
    if (shape_exists(j, bounds[j] - 1, bounds, rows, 0, 0)) result.push_back({j, bounds[j]});
  return result;
}

}  // namespace

TEST_CASE("the criterion for components of powers equals the enumeration of shapes", "[gl][quick]") {
  for (int n = 1; n <= 6; ++n)
    for (int t = 1; t <= n; ++t)
      for (int s = 0; s <= 6 && s * t <= 20; ++s) {
        const auto found = MinorIdeal::power({n, n + 1}, {t}, s).primary_decomposition();
        CAPTURE(n, t, s);
        REQUIRE(found == components_by_enumeration(n, {t}, s));
        // [Bruns & Vetter 1988, section 10]: I_t^s is the intersection over j >= r, and none can be left out.
        std::vector<SymbolicPower> expected;
        for (int j = std::max(1, n - s * (n - t)); s > 0 && j <= t; ++j) expected.push_back({j, s * (t + 1 - j)});
        REQUIRE(found == expected);
      }
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const int n = 1 + static_cast<int>(rng.below(6)), s = static_cast<int>(rng.below(3));
    std::vector<int> sizes(1 + rng.below(4));
    for (int& k : sizes) k = 1 + static_cast<int>(rng.below(static_cast<std::uint64_t>(n)));
    CAPTURE(n, s, sizes);
    REQUIRE(MinorIdeal::power({n + 2, n}, sizes, s).primary_decomposition() == components_by_enumeration(n, sizes, s));
  }
}

TEST_CASE("primary decompositions of large powers", "[gl][quick]") {
  REQUIRE(MinorIdeal::power({6, 6}, {3}, 200).primary_decomposition() ==
          std::vector<SymbolicPower>{{1, 600}, {2, 400}, {3, 200}});
  REQUIRE(MinorIdeal::power({40, 50}, {38}, 5).primary_decomposition().front() == SymbolicPower{30, 45});
  REQUIRE(MinorIdeal::power({40, 50}, {40}, 1'000'000).primary_decomposition() ==
          std::vector<SymbolicPower>{{40, 1'000'000}});
  REQUIRE(MinorIdeal::power({1000, 1000}, {1000, 999, 1}, 100'000).primary_decomposition().size() == 1000);
  REQUIRE_THROWS_AS(MinorIdeal::power({2000, 2000}, {1001}).primary_decomposition(), LimitError);
  REQUIRE_THROWS_AS(MinorIdeal::power({3, 3}, {3}, 2'000'000'000).primary_decomposition(), LimitError);
}

TEST_CASE("ideals that do not exist are refused", "[gl][quick]") {
  REQUIRE_THROWS_AS(vanishing_order({2}, 0), DomainError);
  REQUIRE_THROWS_AS(MinorIdeal::power({3, 3}, {0}), DomainError);
  REQUIRE_THROWS_AS(MinorIdeal::power({3, 3}, {2}, -1), DomainError);
  REQUIRE_THROWS_AS(MinorIdeal::power({3, 3}, {2}).hilbert_function(-1), DomainError);
  REQUIRE_THROWS_AS(determinantal_hilbert_numerator({3, 3}, 4), DomainError);
  REQUIRE_THROWS_AS(MinorIdeal::power({3, 3}, {4}).primary_decomposition(), DomainError);
  REQUIRE_THROWS_AS(MinorIdeal::invariant({3, 3}, {1}).primary_decomposition(), DomainError);
  // No minors of this size: the zero ideal.
  REQUIRE(MinorIdeal::power({2, 2}, {3}).hilbert_function(2) == std::vector<Integer>{1, 4, 10});
}

TEST_CASE("ideals are named for people", "[gl][quick]") {
  const MatrixSize size{4, 4};
  REQUIRE(to_string(MinorIdeal::power(size, {2})) == "the ideal I_2 of 2-minors");
  REQUIRE(to_string(MinorIdeal::symbolic_power(size, 2, 3)) == "the symbolic power 3 of the ideal I_2 of 2-minors");
  REQUIRE(to_string(MinorIdeal::power(size, {3, 2}, 2)) == "the power 2 of the product I_3 I_2 of ideals of minors");
  REQUIRE(to_latex(MinorIdeal::power(size, {3, 2}, 2)) == "(I_{3} I_{2})^{2}");
  REQUIRE(to_string(MinorIdeal::invariant(size, {2, 1})) == "the invariant ideal I_[2,1]");
  REQUIRE(to_latex(MinorIdeal::power(size, {2}, 3)) == "I_{2}^{3}");
  REQUIRE(to_latex(MinorIdeal::symbolic_power(size, 2, 3)) == "I_{2}^{(3)}");
  REQUIRE(to_latex(MinorIdeal::power(size, {3, 2})) == "I_{3} I_{2}");
  REQUIRE(to_latex(MinorIdeal::invariant(size, {2, 1})) == "I_{(2,1)}");
}
