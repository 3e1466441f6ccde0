// Groups by number beside GAP's libraries, where GAP has them.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "apps/program.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;
using namespace test_apps;

namespace {

std::string generators_for_gap(const FiniteGroup& G) {
  std::string text = "Group([";
  for (const Permutation& g : G.generators()) text += g.to_string() + ",";
  return text + "()])";
}

const std::string libraries = "found:=List([\"transgrp\",\"primgrp\",\"smallgrp\"],LoadPackage);;\n";

bool has_libraries() {
  const Folder folder;
  write(folder.path() / "libraries.g", libraries + "Print(found,\" \",SmallGroupsAvailable(511),\"\\n\"); QUIT;\n");
  const std::string out = run_shell("gap -q -A libraries.g </dev/null 2>&1", folder.path()).out;
  return out == "[ true, true, true ] true\n";
}

/// What GAP prints: the groups that it calls otherwise. Every step-th group of a degree or an order is asked for.
std::string other_numbers(unsigned step) {
  std::string script;
  const auto ask = [&](std::string_view kind, unsigned last, auto count, auto make) {
    for (unsigned n = 2; n <= last; ++n) {
      if (kind == "IdGroup" && (n == 256 || n == 384)) continue;
      for (unsigned k = 1 + n % step; k <= count(n); k += step) {
        const FiniteGroup G = make(n, k);
        if (kind == "IdGroup")
          script += fmt::format("if IdGroup({})<>[{},{}] then", generators_for_gap(G), n, k);
        else
          script += fmt::format("if {}({})<>{} then", kind, generators_for_gap(G), k);
        script += fmt::format(" Print(\"{}({},{})\\n\"); fi;\n", kind, n, k);
      }
    }
  };
  ask("TransitiveIdentification", 15, number_of_transitive_groups, transitive_group);
  ask("PrimitiveIdentification", 127, number_of_primitive_groups, primitive_group);
  ask("IdGroup", 511, number_of_small_groups, small_group);
  const Folder folder;
  write(folder.path() / "numbers.g", libraries + script + "Print(\"all asked\\n\"); QUIT;\n");
  return run_shell("gap -q -A numbers.g </dev/null 2>&1", folder.path()).out;
}

void compare(unsigned step) {
  if (run_shell("command -v gap >/dev/null", {}).status != 0) {
    WARN("GAP is not installed: skipped");
    return;
  }
  if (!has_libraries()) {
    WARN("GAP's libraries of groups are not installed: skipped");
    return;
  }
  REQUIRE(other_numbers(step) == "all asked\n");
}

}  // namespace

TEST_CASE("GAP gives the same numbers to some groups", "[apps][quick]") { compare(199); }

TEST_CASE("GAP gives the same numbers to all groups", "[apps][slow][.]") { compare(1); }
