#include "intertwine/io/group_expression.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// What parsing throws, or "" if it does not.
struct Refusal {
  std::string message;
  std::size_t position = 0;
};
Refusal refusal(const std::string& text) {
  try {
    parse_finite_group(text);
  } catch (const ParseError& e) {
    REQUIRE(e.text() == text);
    REQUIRE(e.position() <= text.size());
    return {e.what(), e.position()};
  }
  return {};
}

bool mentions(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("names agree with reference orders", "[io][quick]") {
  std::ifstream file(test_data() + "/named_groups.json");
  const auto entries = nlohmann::json::parse(file);
  REQUIRE(entries.size() > 100);
  for (const auto& entry : entries) {
    const auto text = entry["expression"].get<std::string>();
    CAPTURE(text);
    REQUIRE(parse_finite_group(text).order() == Integer(entry["order"].get<std::string>()));
  }
}

TEST_CASE("a group's name parses back to it", "[io][quick]") {
  for (const char* text : {"S5",
                           "A6",
                           "C12",
                           "D1",
                           "D2",
                           "D4",
                           "Q8",
                           "Q12",
                           "Q16",
                           "Dic5",
                           "B3",
                           "PSL(2, 7)",
                           "PGL(2,9)",
                           "SL(2,3)",
                           "GL(3,2)",
                           "AGL(1,8)",
                           "ASL(2,3)",
                           "M11",
                           "M24",
                           "J1",
                           "McL",
                           "Co3",
                           "Suz",
                           "Fi22",
                           "G2(4)",
                           "G2(3)",
                           "3D4(2)",
                           "Ree(27)",
                           "GO(5,3)",
                           "GO+(4,3)",
                           "SO(0,5,3)",
                           "SO(1,4,3)",
                           "SO(-1,4,3)",
                           "Omega-(4,4)",
                           "PGO+(2,5)",
                           "W(A4)",
                           "W(E8)",
                           "W(H3)",
                           "T",
                           "Oh",
                           "Ih",
                           "Cs",
                           "C3v",
                           "D3h",
                           "D2d",
                           "point(C3)",
                           "point(D3)",
                           "point(S4)",
                           "point(S3)",
                           "point(D1h)",
                           "point(T)",
                           "point(C2v)",
                           "p1(3,4)",
                           "pmm(2,3)",
                           "p4m(4,4)",
                           "p4g(4,4)",
                           "p31m(3,3)",
                           "space(225,1,1,1)",
                           "space(14,2,1,1; 1/4,0,1/3)",
                           "rod(41,3)",
                           "layer(64,2,2; 0,0,1/2)",
                           "space(\"P 3 2\"\",2,2,1)",
                           "pixels(D4,5,5)",
                           "pixels( C2 , 3, 4 )",
                           "Rubik(2)",
                           "Rubik(3)",
                           "C2 x C3 x S4",
                           "(C2 x C3) x S4",
                           "C2 x (C3 x S4)",
                           "C2 x C3 wr S4",
                           "(C2 x C3) wr S4",
                           "C2 wr C2 wr C2",
                           "C2 wr (C2 wr C2)",
                           "C2 wr (C3 x C2)",
                           "C2^2",
                           "C2^3",
                           "(C2^3)^4 x C3",
                           "(C2 x C3)^3",
                           "C2 x C2 x C2 wr S3^4",
                           "<(1,2,3)>^5",
                           "S3wrS2",
                           "A5xA5",
                           "product_action(S3 wr S2)",
                           "product_action(S3 wr S2) x C2",
                           "product_action(C2 wr C2 wr S3)",
                           "product_action((C2 x C3) wr (C2 x C1))",
                           "<(1,2,3),(1,2)>",
                           "<(1,2)(7)>",
                           "< (1,2) , () >",
                           "<()>",
                           "<(),(1,2)(9)>",
                           "Group((1,2,3),(1,2))",
                           "Group([ (1,2,3)(4,5), (1,2) ])",
                           "Group(())",
                           "S3 : C1",
                           "C2 \xc3\x97 C2",
                           "((((S3))))"}) {
    CAPTURE(text);
    const FiniteGroup G = parse_finite_group(text);
    const FiniteGroup again = parse_finite_group(G.name());
    REQUIRE(G == again);
    REQUIRE(again.name() == G.name());
  }
}

TEST_CASE("operators bind as they should", "[io][quick]") {
  REQUIRE(parse_finite_group("C2 x C3 wr S4").order() == 2 * 81 * 24);
  REQUIRE(parse_finite_group("(C2 x C3) wr S4").order() == 1296 * 24);
  REQUIRE(parse_finite_group("C2 wr C2 wr C2").degree() == 8);
  REQUIRE(parse_finite_group("C2 wr C2 wr C2").order() == 128);
  REQUIRE(parse_finite_group("C2 wr (C3 wr C2)").order() == 64 * 18);
  REQUIRE(parse_finite_group("C2 x C3 x S4").direct_factors().size() == 3);
  REQUIRE(parse_finite_group("C2 x C3 x S4").direct_factors()[2].offset == 5);
  REQUIRE(parse_finite_group("C2 x C3 wr S4").name() == "C2 x (C3 wr S4)");
  REQUIRE(parse_finite_group("C2 wr C3^2").order() == Integer(64) * 9);
  REQUIRE(parse_finite_group("C2^3 wr C2").order() == 128);
  REQUIRE(parse_finite_group("S4^20").name() == "S4^20");
  REQUIRE(parse_finite_group("S4^20").order() == boost::multiprecision::pow(Integer(24), 20));
  REQUIRE(parse_finite_group("S4 ^ 1").name() == "S4");
  REQUIRE(parse_finite_group("C2 x C2 x S3 x S3 x S3").name() == "C2 x C2 x S3^3");
  REQUIRE(parse_finite_group("(C2^2)^3").name() == "(C2 x C2)^3");
  REQUIRE(parse_finite_group("(C2^3)^2").name() == "C2^3 x C2^3");
  REQUIRE(parse_finite_group("((C2^3)^3)^3").name() == "((C2^3)^3)^3");
  REQUIRE(parse_finite_group("product_action(S3 wr S2)").degree() == 9);
  REQUIRE(parse_finite_group("product_action(C2 wr C2 wr S3)").degree() == 64);
  REQUIRE(parse_finite_group("D4").order() == 8);
  REQUIRE(parse_finite_group("S4").order() == 24);
  REQUIRE(parse_finite_group("point(S4)").order() == 4);
  REQUIRE(parse_finite_group(" \n S5\t").degree() == 5);
}

TEST_CASE("explicit generators are kept as they are given", "[io][quick]") {
  const FiniteGroup G = parse_finite_group("<(1,2,3)(4,5), (), (1,2), (1,2)>");
  REQUIRE(G.degree() == 5);
  REQUIRE(G.generators().size() == 4);
  REQUIRE(G.generators()[1].is_identity());
  REQUIRE(G.generators()[0].to_string() == "(1,2,3)(4,5)");
  REQUIRE(parse_finite_group("<(1,2)(7)>").degree() == 7);
  REQUIRE(parse_finite_group("<()>").degree() == 1);
  // What GAP prints; images are 0-based here.
  REQUIRE(parse_finite_group("Group([ (1,2,3,4,5), (1,2) ])").generators()[0](0) == 1);
  const std::vector<Permutation> shifted{parse_permutation("(1,2)", 4), parse_permutation("(1,3)", 4)};
  REQUIRE(explicit_group_expression(4, shifted) == "<(1,2)(4),(1,3)>");
  REQUIRE(explicit_group_expression(3, {}) == "<(3)>");
  REQUIRE(parse_finite_group("<(3)>") == FiniteGroup(3, {}));  // no generators, and so from files
  REQUIRE(parse_finite_group("<(3)>").degree() == 3);
  REQUIRE_THROWS_AS(explicit_group_expression(0, {}), DomainError);
}

TEST_CASE("errors point at the trouble", "[io][quick]") {
  const auto [text, position, part] = GENERATE(table<const char*, std::size_t, const char*>({
      {"", 0, "expected a group"},
      {"   ", 3, "expected a group"},
      {"S5 x ", 5, "expected a group"},
      {"S5 x (C2", 5, "not closed"},
      {"S5)", 2, "not opened"},
      {"(S5 x (C2)", 0, "not closed"},
      {"S5 S3", 3, "expected 'x'"},
      {"S5 * S3", 3, "written x"},
      {"S5^", 3, "expected a whole number"},
      {"S5^0", 3, "at least one factor"},
      {"S5^-1", 3, "expected a whole number"},
      {"S5^2^2", 4, "brackets around a power"},
      {"S5 x PLS(2,7)", 5, "did you mean PSL(2,7)?"},
      {"s5", 0, "did you mean S5?"},
      {"M13", 0, "did you mean M1"},
      {"Sim4", 0, "did you mean S4?"},
      {"SymmetricGroup", 0, "needs its index, as in S8"},
      {"SymmetricGroup(4", 14, "not closed"},
      {"SymmetricGroup(x)", 15, "whole number"},
      {"Z0", 0, "at least"},
      {"SmallGroup(256,1)", 0, "the 56092 groups of order 256 are not listed"},
      {"SmallGroup(384,5)", 0, "from 1 to 511 but for 256 and 384"},
      {"SmallGroup(384,5)", 0, "C3 x SmallGroup(128,5)"},
      {"SmallGroup(512,1)", 0, "IsomorphismPermGroup(SmallGroup(512,1))"},
      {"SmallGroup(512,1)", 0, "from 1 to 511"},
      {"TransitiveGroup(16,1)", 0, "degrees from 1 to 15"},
      {"TransitiveGroup(8,51)", 0, "TransitiveGroup(8,50)"},
      {"PrimitiveGroup(128,1)", 0, "degrees from 1 to 127"},
      {"PrimitiveGroup(5)", 16, "expected ','"},
      {"SmallGroup(24,16)", 0, "SmallGroup(24,15)"},
      {"SmallGroup(7,2)", 0, "one group of order 7"},
      {"SmallGroup(24,0)", 0, "there are 15 groups of order 24"},
      {"SmallGroup(24)", 13, "expected ','"},
      {"p3m(2,2)", 0, "did you mean p4m(8,8)?"},
      {"mcl", 0, "did you mean McL?"},
      {"rubik(3)", 0, "did you mean Rubik(3)?"},
      {"Dih(8)", 0, "D4 for the group of order 8, or D8 for the one of order 16"},
      {"C2 x Dih8", 5, "D4 for the group of order 8, or D8 for the one of order 16"},
      {"DihedralGroup(7)", 14, "D7 is the group of the 7-gon"},
      {"DihedralGroup", 0, "for example DihedralGroup(8)"},
      {"MathieuGroup(13)", 13, "takes the degree"},
      {"ElementaryAbelianGroup(6)", 23, "a power of a prime"},
      {"AbelianGroup(6)", 13, "a list of orders"},
      {"AbelianGroup([0])", 14, "at least 1"},
      {"AbelianGroup([2,3)", 17, "expected ',' or ']'"},
      {"ExtraspecialGroup(16,'+')", 18, "order p^(2n+1)"},
      {"ExtraspecialGroup(27,5)", 22, "a sign"},
      {"ExtraspecialGroup(32,2)", 22, "a sign"},
      {"ExtraspecialGroup(27)", 20, "and a sign"},
      {"2.L2(4)", 0, "2.A5 is SL(2,5)"},
      {"SU(2,1)", 6, "pseudo-unitary"},
      {"USp(4)", 0, "as Sp(4)"},
      {"Dih(7)", 0, "D7 of order 14"},
      {"Dih", 0, "D<n>"},
      {"PSL(2,6)", 0, "not a power of a prime"},
      {"S5 x PSL(0,5)", 5, "at least 1"},
      {"PSL(2)", 5, "takes more parameters"},
      {"PSL(2,7", 3, "not closed"},
      {"PSL(2,7,8)", 7, "expected ')'"},
      {"PSL", 0, "needs its parameters"},
      {"PSL(2,-7)", 6, "whole number"},
      {"S", 0, "needs its index"},
      {"S0", 0, "at least 1"},
      {"Q10", 0, "multiple of 4"},
      {"W(E9)", 0, "no such finite reflection group"},
      {"W(6)", 2, "root system"},
      {"W(E6x)", 2, "root system"},
      {"point(X3)", 0, "Schoenflies"},
      {"C3d", 0, "Schoenflies"},
      {"p4(2,3)", 0, "square"},
      {"p4m(8)", 5, "takes more parameters"},
      {"pgg(3,4)", 0, "each side has to be even"},
      {"pmg(3,3)", 0, "w has to be even"},
      {"space(231,1,1,1)", 6, "from 1 to 230"},
      {"space(Fm5,1,1,1)", 6, "no Hermann-Mauguin symbol"},
      {"space(225,2,2,3)", 0, "symmetries take edge c"},
      {"space(225,2,2)", 13, "takes more parameters"},
      {"space(1,2,2,0)", 12, "at least one cell"},
      {"rod(76,3)", 4, "from 1 to 75"},
      {"rod(41)", 6, "for example rod(p4_2/mmc,3)"},
      {"rod(41,0)", 7, "at least one cell"},
      {"rod(P4,3)", 4, "short international name of a rod group"},
      {"layer(81,2,2)", 6, "from 1 to 80"},
      {"layer(64,2,2,2)", 12, "expected"},
      {"layer(64,2,3)", 0, "as many cells along both"},
      {"space(225,2,2,2; 0,0)", 20, "takes more parameters"},
      {"space(225,2,2,2; 0,0,1/0)", 23, "divided by 0"},
      {"space(225,2,2,2; 0,0,x)", 21, "whole number"},
      {"space(\"P 2e\",1,1,1)", 10, "expected translations"},
      {"space(\"P 2,1,1,1)", 17, "after the symbol"},
      {"young(3)", 6, "list of sizes"},
      {"young([3,0])", 9, "at least 1"},
      {"young([3,2)", 10, "expected ',' or ']'"},
      {"pixels(D3,4,4)", 0, "no symmetry group of pictures"},
      {"Rubik(4)", 0, "Rubik(2) and Rubik(3)"},
      {"product_action(S3 x S2)", 18, "expected 'wr'"},
      {"M22:2", 3, "ambiguous"},
      {"C5:C4", 2, "C5:C4(2) or C5:C4(4)"},
      {"C5:C3", 2, "write C5 x C3"},
      {"C8:C2", 2, "C8:C2(3), C8:C2(5) or C8:C2(7)"},
      {"S3:C2", 2, "write S3 x C2"},
      {"C2^4:C3 x S3", 4, "SmallGroup(48,50)"},
      {"C2^4:A5", 4, "one of 2 groups"},
      {"C4 o C3", 3, "write C4 x C3"},
      {"(C2 x D4) o D4", 10, "which central elements"},
      {"2^(1+4)", 0, "2^(1+4)+ and 2^(1+4)-"},
      {"2^(1+3)+", 5, "the number is even"},
      {"4^(1+2)+", 0, "p a prime"},
      {"2^(1+4", 2, "not closed"},
      {"2^4", 0, "written C2"},
      {"7:C3", 0, "written C7"},
      {"SD8", 0, "from 16 on"},
      {"Mod8", 0, "from 16 on"},
      {"He4", 0, "primes p > 2"},
      {"M16", 0, "Mod16"},
      {"F3 x C2", 0, "from F5 on"},
      {"F72", 0, "SmallGroup(72,39) or SmallGroup(72,41)"},
      {"F60", 0, "no Frobenius group"},
      {"F506", 0, "C23:C11"},
      {"double(-43)", 7, "expected a symbol"},
      {"2.S5", 0, "there are two"},
      {"2.A77", 0, "expected a group"},
      {"double(X)", 0, "no Schoenflies symbol"},
      {"C7:C3(3)", 2, "no action"},
      {"C4:C2(2)", 2, "no action"},
      {"(1,2,3)", 0, "angle brackets"},
      {"<(1,2", 1, "not closed"},
      {"<(1,2)", 0, "not closed"},
      {"<>", 1, "expected a permutation"},
      {"<(1,2),(3,1,3)>", 12, "occurs twice"},
      {"<(1,0)>", 4, "numbered from 1"},
      {"<(1,(2))>", 4, "expected a point"},
      {"<(1,,2)>", 4, "expected a point"},
      {"<(1;2)>", 3, "expected a point"},
      {"<(1,2)(2,3)>", 7, "occurs twice"},
      {"Group([(1,2)", 6, "not closed"},
      {"Group(1,2)", 6, "expected a permutation"},
      {"@", 0, "file name"},
      {"@\"abc", 1, "not closed"},
  }));
  CAPTURE(text);
  const Refusal found = refusal(text);
  CAPTURE(found.message);
  REQUIRE(mentions(found.message, part));
  REQUIRE(found.position == position);
  REQUIRE_FALSE(mentions(found.message, "\n"));
}

TEST_CASE("what is known elsewhere is named, and nothing far is suggested", "[io][quick]") {
  for (const auto& [text, part] : std::vector<std::pair<const char*, const char*>>{{"E8", "W(E8)"},
                                                                                   {"SO(3)", "continuous"},
                                                                                   {"O(3)", "continuous"},
                                                                                   {"L2", "PSL(2,7)"},
                                                                                   {"Pm", "space(Pm,2,2,2)"},
                                                                                   {"J4", "J3"},
                                                                                   {"Co1", "Co2 Suz He Ru Fi22"},
                                                                                   {"G2", "as G2(3)"},
                                                                                   {"G2(6)", "not a power of a prime"},
                                                                                   {"Sux", "Suz"},
                                                                                   {"C2 x V4", "C2 x C2"},
                                                                                   {"D\u221eh", "continuous"},
                                                                                   {"C6i", "C6h"},
                                                                                   {"Foo", "groups are written as"},
                                                                                   {"X9", "groups are written as"},
                                                                                   {"group.json", "@group.json"},
                                                                                   {"O7(x", "whole number"}}) {
    CAPTURE(text);
    const std::string message = refusal(text).message;
    CAPTURE(message);
    REQUIRE(mentions(message, part));
    REQUIRE_FALSE(mentions(message, "\n"));
  }
  REQUIRE_FALSE(mentions(refusal("E8").message, "S8"));
  REQUIRE_FALSE(mentions(refusal("L2").message, "J2"));
}

TEST_CASE("a zero byte does not end the text", "[io][quick]") {
  REQUIRE_THROWS_AS(parse_finite_group(std::string("S5\0 x", 5)), ParseError);
  REQUIRE_THROWS_AS(parse_finite_group(std::string("@\"a\0b\"", 6)), ParseError);
  REQUIRE_THROWS_WITH(parse_finite_group(std::string("\0\0 x O(n)", 9)),
                      Catch::StartsWith("?? x O(n) is a group for every n"));
}

TEST_CASE("sizes are limited before anything is built", "[io][quick]") {
  for (const char* text :
       {"S2000000000", "S99999999999999999999999999", "GL(2,4294967291)", "GL(2,99999999999)", "GL(1000000,2)",
        "W(A1000000)", "<(2000000000)>", "<(1,99999999999999999999)>", "S9999 wr S9999", "S2^99999999999999999",
        "C1^20000", "S2^9000", "product_action(S9 wr S99)", "p1(100000,100000)", "p1(999999999999,999999999999)",
        "S5000000 x S5000000 x S5000000", "Dic9999999999", "C10000001", "C99999999v"}) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(parse_finite_group(text), LimitError);
  }
  std::string chain = "C1";
  for (int i = 0; i < 1500; ++i) chain += " wr C1";
  REQUIRE_THROWS_AS(parse_finite_group(chain), LimitError);
  std::string generators = "<(10000000)";
  for (int i = 0; i < 20; ++i) generators += ",()";
  REQUIRE_THROWS_AS(parse_finite_group(generators + ">"), LimitError);
  REQUIRE(mentions(refusal(std::string(100'000, '(') + "S3").message, "nested"));
  std::string nested;
  for (int i = 0; i < 5000; ++i) nested += "product_action(";
  REQUIRE(mentions(refusal(nested).message, "nested"));
  REQUIRE(parse_finite_group(std::string(90, '(') + "S3" + std::string(90, ')')).order() == 6);
  REQUIRE(parse_finite_group("S1000000").degree() == 1'000'000);
}

TEST_CASE("errors of other spellings are of the text as it was written", "[io][quick]") {
  try {
    parse_finite_group("p1m1");
    FAIL("it was read");
  } catch (const ParseError& e) {
    CHECK(e.text() == "p1m1");
    CHECK(std::string(e.what()).find("pm(8,8)") != std::string::npos);
  }
}

TEST_CASE("junk never does worse than an Error", "[io][quick]") {
  static const std::vector<std::string> pieces{"S",
                                               "A",
                                               "C",
                                               "D",
                                               "Q",
                                               "Dic",
                                               "B",
                                               "PSL",
                                               "GL",
                                               "AGL(",
                                               "W(",
                                               "E6",
                                               "M11",
                                               "point(",
                                               "p4m(",
                                               "p1",
                                               "(",
                                               ")",
                                               "<",
                                               ">",
                                               ",",
                                               "x",
                                               "wr",
                                               " x ",
                                               " wr ",
                                               ":",
                                               "@",
                                               "\"",
                                               "1",
                                               "2",
                                               "3",
                                               "7",
                                               "12",
                                               "()",
                                               "T",
                                               "Oh",
                                               "v",
                                               "h",
                                               "d",
                                               "m",
                                               "Group",
                                               "[",
                                               "]",
                                               "Rubik(",
                                               "pixels(",
                                               " ",
                                               "\n",
                                               "(1,2)",
                                               "D4",
                                               "C3v",
                                               "Dih",
                                               "-1",
                                               "_",
                                               "\xc3\x97",
                                               "\xff",
                                               "{",
                                               "S3",
                                               "C2",
                                               "2,3)",
                                               "3,3)",
                                               "product_action("};
  auto rng = test_rng();
  int parsed = 0;
  for (int trial = 0; trial < 20'000 * test_multiplier(); ++trial) {
    std::string text;
    const std::size_t length = rng.below(10);
    for (std::size_t i = 0; i < length; ++i)
      text += rng.below(20) == 0 ? std::string(1, static_cast<char>(rng.below(256))) : pieces[rng.below(pieces.size())];
    CAPTURE(text);
    try {
      const FiniteGroup G = parse_finite_group(text);
      ++parsed;
      REQUIRE(parse_finite_group(G.name()) == G);
    } catch (const ParseError& e) {
      if (e.position() > text.size() || e.text() != text) FAIL("the position is outside the text");
    } catch (const Error&) {
    }
  }
  REQUIRE(parsed > 100);
}

TEST_CASE("mutations of good expressions never do worse than an Error", "[io][quick]") {
  const std::vector<std::string> seeds{"C2 x (S3 wr PSL(2,7))",     "product_action(S3 wr S2)",
                                       "<(1,2,3)(4,5),(1,2)>",      "Group([(1,2,3),(1,2)])",
                                       "p4m(3,3) x pixels(D4,3,3)", "W(E6) x point(S4) x C3v"};
  auto rng = test_rng();
  for (int trial = 0; trial < 10'000 * test_multiplier(); ++trial) {
    std::string text = seeds[rng.below(seeds.size())];
    for (std::uint64_t k = rng.below(4) + 1; k > 0 && !text.empty(); --k) {
      const auto at = rng.below(text.size());
      const char with = text[rng.below(text.size())];
      if (rng.below(3) == 0)
        text.erase(at, 1 + rng.below(3));
      else if (rng.below(2) == 0)
        text.insert(at, 1, with);
      else
        text[at] = with;
    }
    CAPTURE(text);
    try {
      const FiniteGroup G = parse_finite_group(text);
      REQUIRE(parse_finite_group(G.name()) == G);
    } catch (const Error&) {
    }
  }
}

TEST_CASE("known_groups lists every family", "[io][quick]") {
  const std::string help = known_groups();
  for (const char* form :
       {"S<n>", "Q<4n>", "PSL(n,q)", "M24", "W(E8)", "point(S4)", "pixels(D4,h,w)", "product_action", "@file.json"})
    REQUIRE(mentions(help, form));
}

TEST_CASE("names that read back by themselves", "[io][quick]") {
  for (const char* name : {"S4",
                           "C2 x S3",
                           "S3 wr C2",
                           "p4m(4,4)",
                           "<(1,2,3),(1,2)>",
                           "product_action(S3 wr S2)",
                           "C43:C7(4)",
                           "C7:C3(2) x C2",
                           "C7:C3(2) wr C2",
                           "(C7:C3(2))^3",
                           "2^(1+4)+",
                           "(3^(1+2)-)^3",
                           "2^(1+6)- x C2",
                           "Aut(Q8)",
                           "Hol(C7)",
                           "Hol(C2 x C4)",
                           "SL(2,5) o SL(2,5)",
                           "C2^3:PSL(3,2)",
                           "C2^3:PSL(3,2) wr C2",
                           "SL(2,5) o SL(2,5) wr C2"})
    REQUIRE(group_expression(parse_finite_group(name)) == name);
  const FiniteGroup S4 = parse_finite_group("S4");
  REQUIRE(group_expression(FiniteGroup(5, {parse_permutation("(1,2)", 5)})).empty());  // of degree 2
  REQUIRE(group_expression(FiniteGroup(3, {})).empty());
  REQUIRE(group_expression(FiniteGroup(4, S4.generators(), "my group")).empty());
  REQUIRE(group_expression(FiniteGroup(4, S4.generators(), "@file.json")).empty());
  REQUIRE(group_expression(rational_matrix_group({RationalMatrix(IntegerMatrix{{0, -1}, {1, 0}})}, "S4")).empty());
}
