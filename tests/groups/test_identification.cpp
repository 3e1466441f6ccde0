#include "intertwine/groups/identification.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"

using namespace intertwine;

namespace {

std::optional<bool> same(const char* one, const char* other) {
  const FiniteGroup G = parse_finite_group(one), H = parse_finite_group(other);
  const auto answer = are_isomorphic(G, H);
  REQUIRE(answer == are_isomorphic(H, G));
  return answer;
}

}  // namespace

TEST_CASE("groups of the library are isomorphic to themselves alone", "[groups][quick]") {
  for (const unsigned order : {1U, 8U, 12U, 16U, 18U, 24U, 60U})
    for (unsigned j = 1; j <= number_of_small_groups(order); ++j)
      for (unsigned k = 1; k <= number_of_small_groups(order); ++k) {
        CAPTURE(order, j, k);
        REQUIRE(are_isomorphic(small_group(order, j), small_group(order, k)) == (j == k));
      }
}

TEST_CASE("isomorphic groups act differently", "[groups][quick]") {
  CHECK(same("A5", "PSL(2,4)") == true);
  CHECK(same("A5", "PSL(2,5)") == true);
  CHECK(same("S3", "D3") == true);
  CHECK(same("S4", "<(1,2,3,4),(1,2)>") == true);
  CHECK(same("C6", "C2 x C3") == true);
  CHECK(same("A6", "PSL(2,9)") == true);
  CHECK(same("A5", "C60") == false);
  CHECK(same("Q8", "D4") == false);
  CHECK(same("S4", "D12") == false);
  CHECK(same("S5", "SL(2,5)") == false);
  CHECK(same("S4", "S5") == false);
}

TEST_CASE("large groups are told apart by invariants, or not at all", "[groups][quick]") {
  CHECK(same("S7", "C5040") == false);
  CHECK(same("S7", "C2 x A7") == false);
  CHECK(same("C3000", "C8 x C375") == true);
  CHECK(same("C3000", "C2 x C1500") == false);
  CHECK(same("D1500", "Dic750") == false);
  CHECK(same("C6 x C500", "C2 x C1500") == true);
  CHECK(same("A8", "PSL(3,4)") == std::nullopt);  // both simple, of order 20160
  CHECK(same("M24", "M24") == true);
  CHECK_THROWS_AS(are_isomorphic(parse_finite_group("D2000"), parse_finite_group("C2 x D1000"), Task(1000, 0, {})),
                  LimitError);
}
