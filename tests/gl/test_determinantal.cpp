#include "intertwine/gl/determinantal.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

TEST_CASE("Hilbert functions of powers of determinantal ideals equal the reference", "[gl][quick]") {
  for (const auto& entry : reference_entries("determinantal_hilbert.json")) {
    std::vector<Integer> expected;
    for (const auto& value : entry["hilbert_function"]) expected.push_back(integer_of(value));
    CAPTURE(entry.dump());
    REQUIRE(hilbert_function({entry["rows"], entry["cols"]}, entry["minors"], entry["power"],
                             entry["symbolic"], static_cast<int>(expected.size()) - 1) == expected);
  }
}

TEST_CASE("Conca and Herzog's Hilbert series equals the count of bitableaux", "[gl][quick]") {
  for (int m = 1; m <= 4; ++m)
    for (int n = 1; n <= 5; ++n)
      for (int k = 1; k <= std::min(m, n); ++k) {
        const auto numerator = determinantal_hilbert_numerator({m, n}, k);
        const int dimension = (m + n - k + 1) * (k - 1);
        const auto counted = hilbert_function({m, n}, k, 1, false, 6);
        CAPTURE(m, n, k);
        for (int d = 0; d <= 6; ++d) {
          Integer value = 0;
          for (int i = 0; i <= d && i < static_cast<int>(numerator.size()); ++i)
            value += numerator[i] *
                     (dimension == 0 ? Integer(d == i)
                                     : binomial(static_cast<unsigned long>(d - i + dimension - 1), d - i));
          REQUIRE(value == counted[d]);
        }
      }
  REQUIRE(determinantal_hilbert_numerator({3, 3}, 2) == std::vector<Integer>{1, 4, 1});
}

TEST_CASE("powers, symbolic powers and membership", "[gl][quick]") {
  const MatrixSize size{3, 3};
  const auto poly = [&](const char* text) { return expand(parse_bitableau(text, size), size); };
  // The determinant lies in I_2^(2) but not in I_2^2 (degree 3 < 4); x det does.
  REQUIRE(in_symbolic_power(poly("[1,2,3|1,2,3]"), 2, 2));
  REQUIRE_FALSE(in_power(poly("[1,2,3|1,2,3]"), 2, 2));
  REQUIRE(in_power(poly("[1,2,3|1,2,3][2|2]"), 2, 2));
  REQUIRE(in_power(poly("[1,2|1,2][2,3|2,3]"), 2, 2));
  REQUIRE_FALSE(in_symbolic_power(poly("[1,2|1,2][2|3]"), 2, 2));
  // A difference of non-members can be a member: x11 x22 - x12 x21.
  REQUIRE(in_power(poly("[1|1][2|2]") + Integer(-1) * poly("[1|2][2|1]"), 2, 1));
  REQUIRE_FALSE(in_power(poly("[1|1][2|2]"), 2, 1));
  for (int d = 0; d <= 8; ++d)
    for (const Partition& shape : partitions(d, {4}))
      for (int k = 1; k <= 4; ++k)
        for (int s = 0; s <= 3; ++s) {
          REQUIRE(in_power(shape, k, s) == in_product(shape, std::vector<int>(s, k)));
          if (in_power(shape, k, s)) REQUIRE(in_symbolic_power(shape, k, s));
          REQUIRE(in_symbolic_power(shape, k, 1) == (shape.length() >= k));
        }
  REQUIRE(gamma({3, 2, 2}, 2) == 4);
  REQUIRE(in_invariant_ideal({3, 2}, {2, 2}));
  REQUIRE_FALSE(in_invariant_ideal({4, 1}, {2, 2}));
  // I_[1,1] is the ideal of 2-minors.
  REQUIRE(hilbert_function(size, Partition{1, 1}, 6) == hilbert_function(size, 2, 1, false, 6));
}

TEST_CASE("primary decompositions cut out the product and nothing can be left out", "[gl][quick]") {
  // [Bruns & Vetter 1988, 10.9]: powers of maximal minors are primary.
  REQUIRE(primary_decomposition({2, 2}, {2, 3}) == std::vector<SymbolicPower>{{2, 2}});
  REQUIRE(primary_decomposition({2, 2}, {3, 3}) == std::vector<SymbolicPower>{{1, 4}, {2, 2}});
  REQUIRE(primary_decomposition({}, {3, 3}).empty());
  for (const auto& sizes :
       std::vector<std::vector<int>>{{2}, {3}, {2, 2}, {3, 2}, {3, 1}, {3, 3, 2}, {2, 2, 2}, {1, 1}})
    for (const MatrixSize size : {MatrixSize{3, 4}, MatrixSize{4, 4}}) {
      const auto components = primary_decomposition(sizes, size);
      std::vector<bool> needed(components.size());
      for (int d = 0; d <= 14; ++d)
        for (const Partition& shape : partitions(d, {std::min(size.rows, size.cols)})) {
          std::size_t failed = 0, which = 0;
          for (std::size_t c = 0; c < components.size(); ++c)
            if (!in_symbolic_power(shape, components[c].minors, components[c].exponent)) ++failed, which = c;
          REQUIRE((failed == 0) == in_product(shape, sizes));
          if (failed == 1) needed[which] = true;
        }
      CAPTURE(sizes, size.rows, size.cols);
      REQUIRE(std::all_of(needed.begin(), needed.end(), [](bool b) { return b; }));
    }
}

TEST_CASE("ideals that do not exist are refused", "[gl][quick]") {
  REQUIRE_THROWS_AS(gamma({2}, 0), DomainError);
  REQUIRE_THROWS_AS(hilbert_function({3, 3}, 0, 1, false, 3), DomainError);
  REQUIRE_THROWS_AS(hilbert_function({3, 3}, 2, -1, false, 3), DomainError);
  REQUIRE_THROWS_AS(hilbert_function({3, 3}, 2, 1, false, -1), DomainError);
  REQUIRE_THROWS_AS(determinantal_hilbert_numerator({3, 3}, 4), DomainError);
  REQUIRE_THROWS_AS(primary_decomposition({4}, {3, 3}), DomainError);
  // No minors of this size: the zero ideal.
  REQUIRE(hilbert_function({2, 2}, 3, 1, false, 2) == std::vector<Integer>{1, 4, 10});
}
