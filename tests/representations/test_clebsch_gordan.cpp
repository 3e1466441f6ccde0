#include "intertwine/representations/clebsch_gordan.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"

using namespace intertwine;

namespace {

CharacterTable table_of(const std::string& group) { return character_table(parse_finite_group(group)); }

/// Every product of two rows: the dimensions add up, and everything is proved again.
void check_all(const std::string& group) {
  INFO(group);
  const CharacterTable table = table_of(group);
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = 0; j < table.size(); ++j) {
      const FiniteClebschGordan answer = clebsch_gordan(table, i, j);
      std::size_t dimension = 0;
      for (const TensorConstituent& part : answer.constituents)
        dimension += part.maps.size() * part.irreducible.representation.dimension();
      CHECK(dimension == answer.left.representation.dimension() * answer.right.representation.dimension());
      CHECK_NOTHROW(verify(answer));
    }
}

}  // namespace

TEST_CASE("products of irreducible representations hold their constituents orthogonally", "[representations][quick]") {
  for (const char* group : {"C3", "S3", "Q8", "S4", "SL(2,3)", "D5"}) check_all(group);
}

TEST_CASE("copies of one representation are orthogonal to each other", "[representations][quick]") {
  // the adjoint-like row of degree 5 of A5: 5 x 5 = 1 + 3 + 3' + 2 4 + 2 5
  const CharacterTable table = table_of("A5");
  const FiniteClebschGordan answer = clebsch_gordan(table, 4, 4);
  REQUIRE(answer.constituents.size() == 5);
  CHECK(answer.constituents[3].maps.size() == 2);
  CHECK(answer.constituents[4].maps.size() == 2);
  const FiniteClebschGordan one = clebsch_gordan(table, 4, 4, 3);
  REQUIRE(one.constituents.size() == 1);
  CHECK(one.constituents[0].maps == answer.constituents[3].maps);

  FiniteClebschGordan broken = answer;  // a sum of two copies is a map all the same, but not orthogonal
  broken.constituents[4].maps[1] = broken.constituents[4].maps[1] + broken.constituents[4].maps[0];
  CHECK_THROWS_WITH(verify(broken), Catch::Contains("not orthogonal"));
  broken = answer;
  broken.constituents[1].maps[0] = broken.constituents[2].maps[0];
  CHECK_THROWS_WITH(verify(broken), Catch::Contains("does not commute with generator"));
  broken = answer;
  broken.constituents[0].norms[0] = Cyclotomic(7);
  CHECK_THROWS_AS(verify(broken), VerificationError);
}

// S3: 2 x 2 = 1 + 1' + 2. Up to the choice of matrices the invariant is the inverse of the invariant form.
TEST_CASE("the invariant in R x R is the inverse of the form that R leaves fixed", "[representations][quick]") {
  for (const char* group : {"S3", "S4", "S5"}) {
    const CharacterTable table = table_of(group);
    for (std::size_t row = 0; row < table.size(); ++row) {
      const FiniteClebschGordan answer = clebsch_gordan(table, row, row, 0);
      const std::size_t d = answer.left.representation.dimension();
      const FieldMatrix invariant = answer.constituents[0].maps[0].reshape(d, d),
                        product = answer.left_form * invariant;
      CHECK(product == product(0, 0) * FieldMatrix::identity(AbelianField(), d));
    }
  }
}

TEST_CASE("bad rows are refused", "[representations][quick]") {
  const CharacterTable table = table_of("S3");
  CHECK_THROWS_WITH(clebsch_gordan(table, 3, 0), Catch::Contains("there is no row 3"));
  CHECK_THROWS_WITH(clebsch_gordan(table, 0, 0, 2), Catch::Contains("is not in"));
}
