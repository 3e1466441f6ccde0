#include "intertwine/hom/group.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/any_expression.hpp"

using namespace intertwine;

TEST_CASE("a name gives a group of its kind", "[hom][quick]") {
  for (const auto& [text, kind] : {std::pair{"S4", 0},
                                   {"SL(2,3)", 0},
                                   {"O", 0},
                                   {"SO(3)", 1},
                                   {"SU(3)", 1},
                                   {"S3 x O(3)", 1},
                                   {"SO+(1,3)", 1},
                                   {"SU(3)^2", 1},
                                   {"G2", 2},
                                   {"SU(3) x E6", 2},
                                   {"SU(100)", 2},
                                   {"Lie(A2 x T1)", 2},
                                   {"D∞h", 1},
                                   {"Coov", 1}}) {
    CAPTURE(text);
    const hom::Group G = parse_group(text);
    CHECK(G.kind().index() == static_cast<std::size_t>(kind));
    CHECK(parse_group(G.name()) == G);
  }
  CHECK(parse_group("SU(3)") == hom::Group(LieGroup::classical("SU", 3)));
  CHECK(parse_group("SU(3)").name() == "SU(3)");
}

TEST_CASE("orders and factors of groups of every kind", "[hom][quick]") {
  for (const auto& [text, order] : {std::pair{"S4", 24}, {"O(1) x S3", 12}, {"SU(1)", 1}, {"SO(1)", 1}}) {
    const hom::Group G = parse_group(text);
    CHECK(G.is_finite());
    CHECK(G.order() == Integer(order));
  }
  for (const char* text : {"SO(2)", "S3 x O(3)", "G2", "U(1)", "C∞v"}) {
    const hom::Group G = parse_group(text);
    CHECK_FALSE(G.is_finite());
    CHECK_FALSE(G.order());
  }
  const auto factors = parse_group("S3 x O(3)").factors();
  REQUIRE(factors.size() == 2);
  CHECK(factors[0] == parse_group("S3"));
  CHECK(factors[1] == parse_group("O(3)"));
  CHECK(parse_group("SU(2) x E6").factors().size() == 2);
  CHECK(hom::direct_product(parse_group("SU(2) x E6").factors()) == parse_group("SU(2) x E6"));
  CHECK(hom::direct_product({parse_group("S3"), parse_group("O(3)")}) == parse_group("S3 x O(3)"));
  CHECK_THROWS_AS(hom::direct_product({parse_group("S3"), parse_group("G2")}), DomainError);
  const hom::Group many = parse_group("SU(2)^17");
  CHECK(many.as<LieGroup>() != nullptr);
  CHECK(hom::direct_product(many.factors()) == many);
  CHECK(parse_group("D4").factors() == std::vector<hom::Group>{parse_group("D4")});
}

TEST_CASE("highest weights are of connected groups", "[hom][quick]") {
  CHECK(parse_group("SU(3)").reductive()->name() == "SU(3)");
  CHECK(parse_group("SU(2) x U(1)").reductive()->type().rank() == 2);
  CHECK(parse_group("E8").reductive()->type().name() == "E8");
  for (const char* text : {"O(3)", "SO+(1,3)", "SU(2) x S3", "S4", "D∞h"}) CHECK_FALSE(parse_group(text).reductive());
}

TEST_CASE("groups that have no representations here say what to take", "[hom][quick]") {
  CHECK_THROWS_WITH(parse_group("SE(3)"), Catch::Contains("take SO(n)"));
  CHECK_THROWS_WITH(parse_group("S(n)"), Catch::Contains("needs one size"));
  CHECK_THROWS_AS(parse_group("G2 x S3"), ParseError);
  CHECK_THROWS_AS(parse_group("SO(3) x Nothing"), ParseError);
}
