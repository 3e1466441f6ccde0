// Young's seminormal and orthogonal forms.
#include <catch2/catch.hpp>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/young_forms.hpp"

using namespace intertwine;

TEST_CASE("the seminormal form satisfies the Coxeter relations and has the right traces", "[young][quick]") {
  for (int n = 1; n <= 6; ++n)
    for (const Partition& shape : partitions(n)) {
      CAPTURE(to_string(shape));
      const auto s = young_seminormal_form(shape);
      REQUIRE(s.size() == static_cast<std::size_t>(n - 1));
      if (s.empty()) continue;
      const RationalMatrix one = RationalMatrix::identity(s[0].rows());
      REQUIRE(Integer(s[0].rows()) == number_of_standard_tableaux(shape));
      RationalMatrix product = one;
      for (std::size_t i = 0; i < s.size(); ++i) {
        REQUIRE(s[i] * s[i] == one);
        for (std::size_t j = i + 1; j < s.size(); ++j) {
          if (j == i + 1)
            REQUIRE(s[i] * s[j] * s[i] == s[j] * s[i] * s[j]);
          else
            REQUIRE(s[i] * s[j] == s[j] * s[i]);
        }
        product = product * s[i];
        // s_0 ... s_i is a cycle of length i + 2.
        std::vector<int> type{static_cast<int>(i) + 2};
        type.insert(type.end(), static_cast<std::size_t>(n) - i - 2, 1);
        REQUIRE(product.trace() == Rational(symmetric_group_character(shape, Partition(type))));
      }
    }
}

TEST_CASE("the orthogonal form is the seminormal one in another scale", "[young][quick]") {
  for (const Partition& shape : partitions(6)) {
    CAPTURE(to_string(shape));
    const auto seminormal = young_seminormal_form(shape);
    const auto orthogonal = young_orthogonal_form(shape);
    for (std::size_t i = 0; i < seminormal.size(); ++i) {
      const RationalMatrix& A = seminormal[i];
      std::vector<Rational> lengths = orthogonal[i].diagonal;
      for (std::size_t k = 0; k < A.rows(); ++k) {
        REQUIRE(A(k, k) == orthogonal[i].diagonal[k]);
        lengths[k] *= lengths[k];
      }
      for (const auto& root : orthogonal[i].roots) {
        REQUIRE(root.square > 0);
        REQUIRE(A(root.row, root.col) * A(root.col, root.row) == root.square);
        lengths[root.row] += root.square;
      }
      for (const Rational& length : lengths) REQUIRE(length == 1);
    }
  }
}

TEST_CASE("[2,1] by hand", "[young][quick]") {
  // The tableaux are 12/3 and 13/2 in the order of standard_tableaux.
  const auto s = young_seminormal_form(Partition({2, 1}));
  REQUIRE(s[0].trace() == 0);
  REQUIRE(s[0](0, 1) == 0);
  REQUIRE(abs(s[1](0, 0)) == Rational(1, 2));
  REQUIRE(s[1](0, 1) * s[1](1, 0) == Rational(3, 4));
  REQUIRE_THROWS_AS(young_seminormal_form(Partition({6, 5, 4, 3, 2, 1})), LimitError);
}
