// Groups by the names that other systems and books have for them.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/group_expression.hpp"

using namespace intertwine;

TEST_CASE("names of other systems are those of groups here", "[group_expression][quick]") {
  for (const auto& [theirs, ours] :
       std::vector<std::pair<std::string, std::string>>{{"Z6", "C6"},
                                                        {"SymmetricGroup(4)", "S4"},
                                                        {"Sym(5)", "S5"},
                                                        {"Alt7", "A7"},
                                                        {"CyclicGroup(3) x Z2", "C3 x C2"},
                                                        {"QuaternionGroup(16)", "Q16"},
                                                        {"DicyclicGroup( 3 )", "Dic3"},
                                                        {"Alternating(4) wr Sym3", "A4 wr S3"}}) {
    const FiniteGroup G = parse_finite_group(theirs);
    REQUIRE(G == parse_finite_group(ours));
    REQUIRE(G.name() == ours);
  }
  const FiniteGroup M10 = parse_finite_group(
      "MathieuGroup(10)");  // of the three groups that contain A6 with index 2 the one with the fewest classes
  REQUIRE(M10.name() == "M10");
  REQUIRE(parse_finite_group("M10") == M10);
  REQUIRE(StabilizerChain(10, M10.generators()).order() == 720);
  REQUIRE(conjugacy_classes(M10).size() == 8);
  REQUIRE(parse_finite_group("SmallGroup( 24, 3 )").name() == "SmallGroup(24,3)");
  REQUIRE(parse_finite_group("SmallGroup(24,3)").order() == 24);
}

TEST_CASE("words of other systems name the same groups", "[io][quick]") {
  for (const auto& [theirs, ours] :
       std::vector<std::pair<const char*, const char*>>{{"S_5", "S5"},
                                                        {"S(5)", "S5"},
                                                        {"Z2 x Z_3", "C2 x C3"},
                                                        {"Z/6", "C6"},
                                                        {"Z/6Z", "C6"},
                                                        {"L2(7)", "PSL(2,7)"},
                                                        {"S4(3)", "PSp(4,3)"},
                                                        {"S6(2)", "PSp(6,2)"},
                                                        {"2.L2(7)", "SL(2,7)"},
                                                        {"DihedralGroup(8)", "D4"},
                                                        {"MathieuGroup(11)", "M11"},
                                                        {"MathieuGroup(21)", "PSL(3,4)"},
                                                        {"ElementaryAbelianGroup(8)", "C2^3"},
                                                        {"AbelianGroup([2, 4])", "C2 x C4"},
                                                        {"GeneralLinearGroup(2,3)", "GL(2,3)"},
                                                        {"SpecialLinearGroup(2,5)", "SL(2,5)"},
                                                        {"SymplecticGroup(4,3)", "Sp(4,3)"},
                                                        {"SuzukiGroup(8)", "Sz(8)"},
                                                        {"ExtraspecialGroup(27,'+')", "3^(1+2)+"},
                                                        {"ExtraspecialGroup(27,3)", "He3"},
                                                        {"ExtraspecialGroup(27, 9)", "3^{1+2}_-"},
                                                        {"3_+^{1+2}", "3^1+2+"},
                                                        {"Heisenberg(5)", "5^(1+2)+"},
                                                        {"QD16", "SD16"},
                                                        {"SemidihedralGroup(32)", "SD32"},
                                                        {"M4(2)", "Mod16"},
                                                        {"Modular27", "Mod27"},
                                                        {"F5", "AGL(1,5)"},
                                                        {"Frob20", "F20"},
                                                        {"F_21", "F21"},
                                                        {"Frobenius(42)", "F42"},
                                                        {"Z4:Z4", "C4:C4"},
                                                        {"C2xC7:C3", "C2 x C7:C3"},
                                                        {"C7:C3 wr C2", "(C7:C3) wr C2"},
                                                        {"(C7:C3)^2", "C7:C3 x C7:C3"},
                                                        {"C2^3 \u22ca C7", "C2^3:C7"},
                                                        {"C4oD4", "C4 o D4"},
                                                        {"C2 x C4 \u25cb D4", "C2 x (C4 o D4)"},
                                                        {"SL(2,3) \u2218 C4", "SL(2,3) o C4"},
                                                        {"AutomorphismGroup(Q8)", "Aut(Q8)"},
                                                        {"double(m-3m)", "double(Oh)"},
                                                        {"double( -43m )", "double(Td)"},
                                                        {"double(32)", "double(D3)"},
                                                        {"double(2)", "double(C2)"},
                                                        {"point(m)", "Cs"},
                                                        {"Oh*", "double(Oh)"},
                                                        {"D3h* x C2", "double(D3h) x C2"},
                                                        {"ExtraspecialGroup(32, -)", "2^(1+4)-"},
                                                        {"2T", "SL(2,3)"},
                                                        {"2.D3h", "double(D3h)"},
                                                        {"2.Oh", "double(Oh)"},
                                                        {"Z7:Z3", "C7:C3"},
                                                        {"Z2^3:Z7", "C2^3:C7"},
                                                        {"2O x C2", "SmallGroup(48,28) x C2"},
                                                        {"2IxC2", "SL(2,5) x C2"},
                                                        {"2.A6", "SL(2,9)"},
                                                        {"BinaryTetrahedral", "SL(2,3)"},
                                                        {"PΓL(2,8)", "PGammaL(2,8)"},
                                                        {"C7:C3( 9 )", "C7:C3(2)"},
                                                        {"SL2(3)", "SL(2,3)"},
                                                        {"GL_2(3)", "GL(2,3)"},
                                                        {"O_h", "Oh"},
                                                        {"m-3m", "Oh"},
                                                        {"-43m", "Td"},
                                                        {"4/mmm", "D4h"},
                                                        {"2/m", "C2h"},
                                                        {"32", "point(D3)"},
                                                        {" mm2 ", "C2v"},
                                                        {"p4mm(4,4)", "p4m(4,4)"},
                                                        {"p2gg(4,4)", "pgg(4,4)"},
                                                        {"space(P21/c,1,2,1)", "space(14,1,2,1)"},
                                                        {"rod(p42/mmc,2)", "rod(41,2)"},
                                                        {"layer(p4/nmm, 2, 2)", "layer(64,2,2)"},
                                                        {"young([3,2])", "S3 x S2"},
                                                        {"young([4])", "S4"},
                                                        {"C2 \u2240 S3", "C2 wr S3"},
                                                        {"C2xC3", "C2 x C3"},
                                                        {"GO(-1,4,3)", "GO-(4,3)"},
                                                        {"SO-(4,3)", "SO(-1,4,3)"},
                                                        {"O8+(2)", "POmega+(8,2)"},
                                                        {"O5(3)", "POmega(0,5,3)"},
                                                        {"2G2(27)", "Ree(27)"},
                                                        {"2B2(8)", "Sz(8)"},
                                                        {"Dic(3)", "Dic3"}}) {
    CAPTURE(theirs);
    REQUIRE(parse_finite_group(theirs) == parse_finite_group(ours));
    REQUIRE(parse_finite_group(theirs).name() == parse_finite_group(ours).name());
  }
}

TEST_CASE("groups carry the name that they are made by", "[io][quick]") {
  const struct {
    const char *typed, *name, *same;
  } cases[] = {{"QD64", "SD64", "C32:C2(15)"},
               {"M4(2)", "Mod16", "C8:C2(5)"},
               {"Mod27", "Mod27", "C9:C3(4)"},
               {"C4oD4", "C4 o D4", "SmallGroup(16,13)"},
               {"Frob20", "F20", "SmallGroup(20,3)"},
               {"C7:C3", "C7:C3", "SmallGroup(21,1)"},
               {"Z2^3:Z7", "C2^3:C7", "SmallGroup(56,11)"},
               {"SL(2,3)oC4", "SL(2,3) o C4", "SmallGroup(48,33)"},
               {"C9:(C3 x C3)", "C9:(C3 x C3)", "SmallGroup(81,13)"}};
  for (const auto& c : cases) {
    CAPTURE(c.typed);
    const FiniteGroup G = parse_finite_group(c.typed);
    CHECK(G.name() == c.name);
    CHECK(G == parse_finite_group(c.same));
    CHECK(G == parse_finite_group(G.name()));
    if (G.order() > 127) continue;
    const auto type = identify(G), same = identify(parse_finite_group(c.same));
    REQUIRE((type && same));
    CHECK(std::pair(type->order, type->number) == std::pair(same->order, same->number));
  }
  const FiniteGroup nested = parse_finite_group("C4 o (C4 o D4)");
  CHECK(nested.name() == "C4 o (C4 o D4)");
  CHECK(nested == parse_finite_group(nested.name()));
}

TEST_CASE("numbers of names are not cut off", "[io][quick]") {
  CHECK_THROWS_AS(parse_finite_group("He4294967357"), ParseError);  // a prime, 61 modulo 2^32
  CHECK_THROWS_AS(parse_finite_group("M2(4)"), ParseError);         // of no prime
  CHECK(parse_finite_group("M4(2)").order() == 16);
}
