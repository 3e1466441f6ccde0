#include "intertwine/physics/magnetic_space_group.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "intertwine/error.hpp"

using namespace intertwine;

namespace {

std::string reason_against(std::string_view text) {
  try {
    MagneticSpaceGroup::named(text);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("BNS symbols say which operations reverse time", "[physics][quick]") {
  const auto anti = MagneticSpaceGroup::named("Pn'm'a");
  CHECK(anti.type() == 3);
  CHECK(anti.operations().size() == 4);
  CHECK(anti.antiunitary().size() == 4);
  // The half turn about c of n' m' a is that of n' times m'.
  const auto has = [](const std::vector<SpaceOperation>& list, int x, int y, int z) {
    return std::ranges::any_of(
        list, [&](const SpaceOperation& g) { return g.W[0][0] == x && g.W[1][1] == y && g.W[2][2] == z; });
  };
  CHECK(has(anti.operations(), -1, -1, 1));
  CHECK(has(anti.operations(), 1, 1, -1));
  CHECK(has(anti.antiunitary(), -1, 1, 1));
  CHECK(has(anti.antiunitary(), 1, -1, 1));
  CHECK(MagneticSpaceGroup::named("P n' m' a") == anti);
  CHECK(MagneticSpaceGroup::named("Pb'n'm").type() == 3);  // another setting of number 62
  CHECK(MagneticSpaceGroup::named("P 1 21'/c' 1") == MagneticSpaceGroup::named("P2_1'/c'"));
  CHECK(MagneticSpaceGroup::named("Fd-3m") == MagneticSpaceGroup(SpaceGroup::numbered(227), false));
  CHECK(MagneticSpaceGroup::named("P2_1/c1'") == MagneticSpaceGroup(SpaceGroup::numbered(14)));
  CHECK(MagneticSpaceGroup::named("P-1'").type() == 3);
  CHECK(MagneticSpaceGroup::named("P2_1'").type() == 3);  // a screw
  CHECK(MagneticSpaceGroup::named("P 21'") == MagneticSpaceGroup::named("P2_1'"));
  CHECK(MagneticSpaceGroup::named("P2 1'") == MagneticSpaceGroup(SpaceGroup::numbered(3)));
  CHECK(MagneticSpaceGroup::named("P 2 1'") == MagneticSpaceGroup::named("P2 1'"));
  CHECK(MagneticSpaceGroup::named("P 21 1'") == MagneticSpaceGroup::named("P2_11'"));
  CHECK(MagneticSpaceGroup::named("P3_21'") == MagneticSpaceGroup(SpaceGroup::numbered(145)));
  CHECK(MagneticSpaceGroup::named("P31'") == MagneticSpaceGroup(SpaceGroup::numbered(143)));
  CHECK(MagneticSpaceGroup::named("P21/c1'").type() == 2);
  CHECK(MagneticSpaceGroup::named("I4_1'").type() == 3);
  CHECK(MagneticSpaceGroup::named("Pm'-3'm") == MagneticSpaceGroup::named("Pm'3m"));
  CHECK(MagneticSpaceGroup::named("Ae'm2'") == MagneticSpaceGroup::named("Ab'm2'"));
  CHECK(MagneticSpaceGroup::named("R-3c':R").operations().size() == 6);
  const auto cell = MagneticSpaceGroup::named("P_c4/mnc");
  CHECK(cell.type() == 4);
  CHECK(cell.antiunitary().size() == 16);
  CHECK(MagneticSpaceGroup::named("P_{c}4/mnc") == cell);
  CHECK(MagneticSpaceGroup::named("R_I-3c").centring().size() == 3);
}

TEST_CASE("what is no magnetic symbol is refused with the reason", "[physics][quick]") {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "it is empty"},
      {"Pqrs'", "is no Hermann-Mauguin symbol"},
      {"P3'", "contradict one another"},
      {"P4'/m'm'm'", "contradict one another"},
      {"P_2cm'mm", "Opechowski"},
      {"C_Iccm", "no I stands behind the letters A, B and C"},
      {"og:P_Cqrs", "Opechowski and Guccione have no such symbol"},
      {"og:", "it is empty"},
      {"P_x4", "stands _ with one of"},
      {"P_a4", "no translation _a can reverse time"},
      {"I_I4", "no translation _I can reverse time"},
      {"P_c4'", "no primes"},
      {"P1'1'", "is no Hermann-Mauguin symbol"},
      {"P21'", "may be the grey group \"P2 1'\" or \"P2_1'\""},
      {"I41'", "may be the grey group"},
      {"P 2/m' 2/m 2/m", "short symbol"},
  };
  for (const auto& [text, words] : wrong) {
    CAPTURE(text);
    CHECK_THAT(reason_against(text), Catch::Contains(words));
  }
}

TEST_CASE("OG symbols of groups in which a translation reverses time", "[physics][quick]") {
  CHECK(uni_of_og_symbol("P_2cmm'2'") == 171U);
  CHECK(uni_of_og_symbol("P_{2c} m m' 2'") == 171U);
  CHECK(uni_of_og_symbol("og:P_C222") == 141U);
  CHECK_FALSE(uni_of_og_symbol("Pn'm'a"));
  CHECK_FALSE(uni_of_og_symbol("P2cmm'2'"));  // without its underscore it is a symbol of 28 in other axes, with primes
  if (!has_magnetic_numbers()) return;
  const auto named = [](std::string_view text) { return MagneticSpaceGroup::named(text); };
  CHECK(named("P_2cmm'2'") == named("25.10.164"));
  CHECK(named("I_P4'/m'm'm") == named("139.14.1192"));
  CHECK(named("og:P_C222") == named("141"));
  CHECK(named("P_C222") == named("bns:P_C222"));
  CHECK(named("P_C222") == named("103"));
  CHECK(named("C_I222") == named("150"));  // no BNS symbol has this lattice
  CHECK(named("og:Pn'ma'") == named("62.8.509"));
}

TEST_CASE("symbols and numbers of magnetic groups agree", "[physics][quick]") {
  if (!has_magnetic_numbers()) {
    CHECK_THAT(reason_against("62.448"), Catch::Contains("libsymspg-dev"));
    return;
  }
  // BNS symbols of the tables of Litvin 2013.
  const std::pair<const char*, const char*> known[] = {
      {"62.446", "Pn'm'a"},  {"62.448", "Pn'ma'"},  {"14.80", "P_a2_1/c"}, {"128.410", "P_I4/mnc"},
      {"227.131", "Fd-3m'"}, {"216.77", "F_S-43m"}, {"1.3", "P_S1"},       {"5.17", "C_a2"},
      {"146.12", "R_I3"},    {"205.36", "P_Ia-3"},  {"221.97", "P_Im-3m"}, {"136.503", "P4_2/m'n'm'"},
      {"167.108", "R_I-3c"}, {"146.10", "R3"},      {"148.18", "R-31'"},
  };
  for (const auto& [number, symbol] : known) {
    CAPTURE(number, symbol);
    CHECK(MagneticSpaceGroup::named(number) == MagneticSpaceGroup::named(symbol));
  }
  CHECK(MagneticSpaceGroup::named("1") == MagneticSpaceGroup::named("P1"));
  CHECK(MagneticSpaceGroup::named("62.8.509") == MagneticSpaceGroup::named("Pn'ma'"));
  CHECK_THAT(reason_against("1652"), Catch::Contains("BNS number such as"));
  CHECK_THAT(reason_against("62.4480"), Catch::Contains("BNS number such as"));
}
