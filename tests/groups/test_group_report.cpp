#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

TEST_CASE("what a report says of a group", "[groups][quick]") {
  const GroupReport r = group_report(alternating_group(5));
  REQUIRE(r.order == 60);
  REQUIRE_FALSE(r.abelian);
  REQUIRE(r.transitive);
  REQUIRE(r.solvable == false);
  REQUIRE(r.perfect == true);
  REQUIRE(r.simple == true);
  REQUIRE(r.exponent == Integer(30));
  REQUIRE_FALSE(r.classes);
  REQUIRE(group_report_in_full(alternating_group(5)).classes == Integer(5));
}

TEST_CASE("what takes long is found out when asked for", "[groups][quick]") {
  const FiniteGroup G = cyclic_group(1500);
  const GroupReport quick = group_report(G), full = group_report_in_full(G);
  REQUIRE_FALSE(quick.solvable);
  REQUIRE(full.solvable == true);
  REQUIRE(full.simple == false);
  REQUIRE(full.classes == Integer(1500));
  // 11-cycles, 12-cycles, ...: the exponent of M24 is that of its classes.
  const GroupReport M24 = group_report_in_full(sporadic_group("M24"));
  REQUIRE(M24.classes == Integer(26));
  REQUIRE(M24.exponent == Integer(212520));
  REQUIRE(M24.class_description.empty());
  REQUIRE(group_report_in_full(symmetric_group(100)).classes == Integer("190569292"));
}
