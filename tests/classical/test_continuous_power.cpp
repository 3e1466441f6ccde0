// What powers of representations of continuous groups are powers of.
#include "intertwine/classical/continuous_power.hpp"

#include <catch2/catch.hpp>

#include "intertwine/io/continuous_expression.hpp"

using namespace intertwine;

TEST_CASE("powers of continuous groups say what they are powers of", "[classical][quick]") {
  for (const char* name : {"SO(3)", "O(2)", "SU(3)", "S3 x O(3)"}) {
    CAPTURE(name);
    const ContinuousGroup G = parse_continuous_group(name);
    const ContinuousRepresentation V = parse_representation(G, name[1] == '3' ? "perm # vector" : "vector");
    for (unsigned k = 2; k <= 3; ++k) {
      const auto symmetric = power_of(sym(k, V)), exterior = power_of(alt(2, V));
      REQUIRE(symmetric);
      REQUIRE(exterior);
      CHECK((symmetric->base == V && symmetric->exponent == k && symmetric->symmetric));
      CHECK((exterior->base == V && exterior->exponent == 2 && !exterior->symmetric));
    }
    CHECK(!power_of(V));
    CHECK(!power_of(V + sym(2, V)));
  }
}
