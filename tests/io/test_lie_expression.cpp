#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/decomposition_text.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/reductive/lie_branching.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"

using namespace intertwine;

namespace {

LieCharacter value(const std::string& group, const std::string& rep) {
  return parse_lie_representation(parse_lie_group(group), rep);
}

}  // namespace

TEST_CASE("names of reductive groups and of finite ones are told apart", "[io][quick]") {
  for (const char* text : {"SU(3)", " U(1)", "SL(2)", "GL (4)", "SO(3)", "Spin(7)", "Sp(4)", "E8", "Lie(A5)",
                           "G2 x SU(2)", "SO", "SU(", "F4", "SO3", "SU2 x U1"})
    CHECK(names_lie_group(text));
  for (const char* text : {"", "A5", "D4", "SL(2,3)", "GL( 2 , 3 )", "S4", "O(3)", "W(E8)", "E9", "U3(3)", "<(1,2)>",
                           "Oh", "SOS", "SO3y", "U3 (3)", "O3", "SO+(1,3)"})
    CHECK_FALSE(names_lie_group(text));
}

TEST_CASE("group expressions", "[io][quick]") {
  CHECK(parse_lie_group(" SU( 3 ) x U(1) ").name() == "SU(3) x U(1)");
  CHECK(parse_lie_group("SU3 x SO4 x U1").name() == "SU(3) x SO(4) x U(1)");
  CHECK(parse_lie_group("Lie(A2xT1)").name() == "Lie(A2 x T1)");
  CHECK(parse_lie_group("Lie(E8)") == parse_lie_group("E8"));
  CHECK(parse_lie_group("Spin(6)").type().name() == "D3");
  CHECK(parse_lie_group("SO(4)").type().name() == "A1 x A1");
}

TEST_CASE("representation expressions", "[io][quick]") {
  const LieGroup G = parse_lie_group("SU(3)");
  CHECK(value("SU(3)", "vector * vector") == value("SU(3)", "irrep([2,0]) + dual(vector)"));
  CHECK(value("SU(3)", "2*vector + adjoint") == value("SU(3)", "vector+irrep([1,1])+vector"));
  CHECK(value("SU(3)", "2*vector^2") == value("SU(3)", "vector^2 + vector*vector"));
  CHECK(value("SU(3)", "(vector + trivial)^2") == value("SU(3)", "vector^2 + 2*vector + trivial"));
  CHECK(value("SU(3)", "vector^0") == G.trivial());
  CHECK(value("SU(3)", "sym(2, vector) + alt(2, vector)") == value("SU(3)", "vector^2"));
  CHECK(value("SU(3)", "schur([2,1], vector)") == value("SU(3)", "irrep([2,1] as partition)"));
  CHECK(value("SU(3)", "schur([], adjoint)") == G.trivial());
  CHECK(value("Spin(7)", "spinor") == value("Spin(7)", "irrep([0,0,1])"));
  CHECK(value("U(2)", "irrep([0,-1] as partition)") == value("U(2)", "dual(vector)"));
  CHECK(value("SU(3)", "0*vector").size() == 0);
  CHECK(value("SU(3)", "irrep(8)^2") == value("SU(3)", "adjoint^2"));
  CHECK(value("SU(3)", "irrep( 10 * ) + irrep(10bar)") == value("SU(3)", "2*irrep([0,3])"));
  CHECK(value("SO(3)", "irrep(5)*irrep(3)") == value("SO(3)", "harmonic(2)*vector"));
  CHECK(value("SU(3)", "V ⊗ V*") == value("SU(3)", "vector * dual(vector)"));
  CHECK(value("SU(3)", "V² ⊕ 1") == value("SU(3)", "vector^2 + trivial"));
  CHECK(value("SU(3)", "2Λ²V") == value("SU(3)", "2*alt(2, vector)"));
  CHECK(value("SU(3)", "3Sym^2 V + 2vector^2") == value("SU(3)", "3*sym(2, vector) + 2*vector^2"));
}

TEST_CASE("representations by numbers alone, where they mean one thing", "[io][quick]") {
  // [Slansky 1981], tables of products.
  CHECK(value("SU(3)", "3*3bar") == value("SU(3)", "8 + 1"));
  CHECK(value("SU(3)", "3bar*3") == value("SU(3)", "adjoint + trivial"));
  CHECK(value("SU(3)", "3 ⊗ 3") == value("SU(3)", "6 + 3bar"));
  CHECK(value("SU(3)", "3⊗3⊗3") == value("SU(3)", "10 + 2*8 + 1"));
  CHECK(value("SU(3)", "8^2") == value("SU(3)", "27 + 10 + 10bar + 2*8 + 1"));
  CHECK(value("SU(3)", "10*") == value("SU(3)", "irrep([0,3])"));
  CHECK(value("SU(3)", "sym(2, 3) + 3**2") == value("SU(3)", "2*6 + 3*"));
  CHECK(value("SU(5)", "5bar ⊗ 10") == value("SU(5)", "5 + 45bar"));
  CHECK(value("E6", "27*27bar") == value("E6", "1 + 78 + 650"));
  CHECK(value("SU(3)", "3*vector + 8*1") == value("SU(3)", "vector + vector + vector + 8*trivial"));
  CHECK(value("SU(2)", "1/2*1/2") == value("SU(2)", "adjoint + trivial"));
  CHECK(value("SU(2)", "3/2 ⊗ 1/2") == value("SU(2)", "irrep([4]) + irrep([2])"));
  CHECK(value("SU(2)", "(1/2)^2 + vector") == value("SU(2)", "irrep([2]) + 1 + irrep([1])"));
  CHECK(value("SU(3)", "27 + 10 + 10* + 2*8 + 1") == value("SU(3)", "adjoint^2"));  // as it is printed
}

TEST_CASE("names of products by the dimensions and charges of the factors", "[io][quick]") {
  // [Slansky 1981], tables of subgroups.
  const auto branched = [](const char* from, const char* to, const char* V) {
    const LieGroup G = parse_lie_group(from), H = parse_lie_group(to);
    return restrict(parse_lie_representation(G, V), restriction_to_regular(G, H));
  };
  CHECK(branched("E8", "E6 x SU(3)", "248") == value("E6 x SU(3)", "(27, 3) + (27*, 3*) + (78, 1) + (1, 8)"));
  CHECK(branched("E7", "SU(3) x SU(6)", "56") == value("SU(3) x SU(6)", "(3,6) + (3bar,6bar) + (1,20)"));
  CHECK(branched("E6", "SU(6) x SU(2)", "27") == value("SU(6) x SU(2)", "(15,1) + (6*,2)"));
  CHECK(branched("F4", "SU(3) x SU(3)", "26") == value("SU(3) x SU(3)", "(1,8) + (3,3) + (3*,3*)"));
  CHECK(value("SU(3) x SU(2) x U(1)", "(3,2)_1*(3*,2)_-1") ==
        value("SU(3) x SU(2) x U(1)", "(8,3)_0 + (8,1)_0 + (1,3)_0 + (1,1)_0"));
  CHECK(value("Spin(10) x U(1)", "16_1^2") == value("Spin(10) x U(1)", "10_2 + 120_2 + 126_2"));
  CHECK(value("U(1) x U(1)", "1_(1,-2)*1_(1, 1)") == value("U(1) x U(1)", "irrep([2,-1])"));
  CHECK(value("Lie(A2 x A1)", "(3, 2)") == value("Lie(A2 x A1)", "irrep([1,0,1])"));
  CHECK(value("SU(3)", "(3+3)*3bar") == value("SU(3)", "2*8 + 2*1"));  // brackets stay brackets
  // Names that are printed are read again.
  for (const auto& [name, weight] : {std::pair{"SU(3) x SU(2) x U(1)", Weight{0, 2, 3, -4}},
                                     {"E6 x SU(3)", Weight{0, 0, 0, 0, 0, 1, 1, 1}},
                                     {"SO(10) x U(1)", Weight{2, 0, 0, 0, 0, 5}},
                                     {"Lie(B2 x G2 x T1 x T1)", Weight{1, 0, 0, 1, 0, -7}},
                                     {"U(1) x U(1)", Weight{0, 3}}}) {
    const LieGroup G = parse_lie_group(name);
    CHECK(value(name, irrep_name(G, weight)) == G.irrep(weight));
  }
  CHECK_THROWS_WITH(value("SU(3)", "(3,2)"), Catch::Contains("by 1 number and 0 charges"));
  CHECK_THROWS_WITH(value("E6 x SU(3)", "(27, 3, 1)"), Catch::Contains("by 2 numbers and 0 charges, as in (1, 1)"));
  CHECK_THROWS_WITH(value("SU(3) x U(1)", "3_(1,2)"), Catch::Contains("1 number and 1 charge, as in 1_0"));
  CHECK_THROWS_WITH(value("U(1) x U(1)", "2_(1,2)"), Catch::Contains("dimension 1 only"));
  CHECK_THROWS_WITH(value("E6 x SU(3)", "(27, 4)"), Catch::Contains("SU(3) has no irreducible representation 4"));
  CHECK_THROWS_WITH(value("E6 x SU(3)", "27"), Catch::Contains("(27, 1), (1, 27)"));
}

TEST_CASE("numbers that may mean two things are refused", "[io][quick]") {
  using Catch::Contains;
  for (const char* text : {"3*3", "8*8", "3 * 8", "3*3*", "3*6", "10*8 + 1"})
    CHECK_THROWS_WITH(value("SU(3)", text), Contains("may be a multiplicity"));
  for (const char* text : {"2", "1/2 * 2", "3/2 + 1", "1/2*1", "1*1/2", "2*1/2"})
    CHECK_THROWS_AS(value("SU(2)", text), ParseError);
  CHECK_THROWS_WITH(value("SU(2)", "2"), Contains("irrep([4]) for the spin, irrep(2) for the dimension"));
  CHECK_THROWS_WITH(value("SO(3)", "1/2"), Contains("SO(3)"));
  CHECK_THROWS_WITH(value("SU(3)", "1/2"), Contains("of SU(2)"));
  for (const char* text : {"2/2", "1/3", "4/2", "1/", "1/2/2", "1/-2"})
    CHECK_THROWS_AS(value("SU(2)", text), ParseError);
  CHECK_THROWS_WITH(value("SU(3)", "15"), Contains("irrep([2,1]), irrep([4,0])"));
  CHECK_THROWS_WITH(value("SU(3)", "2"), Contains("no irreducible representation 2"));
  CHECK_THROWS_WITH(value("SU(3)", "8bar"), Contains("no irreducible representation 8*"));
  CHECK_THROWS_WITH(value("U(3)", "3"), Contains("infinitely many"));
  CHECK_THROWS_WITH(value("SU(3)", "1000000"), Contains("at most 100000"));
}

TEST_CASE("what is wrong in an expression is pointed at", "[io][quick]") {
  const auto position = [](const auto& parse) -> std::size_t {
    try {
      parse();
    } catch (const ParseError& e) {
      return e.position();
    }
    return 1000;
  };
  for (const auto& [text, at] : {std::pair{"SO", 2},
                                 {"SO()", 3},
                                 {"SO(3", 4},
                                 {"SU(3) x", 7},
                                 {"SU(3) x S4", 8},
                                 {"SU(3) S4", 6},
                                 {"Lie(A2", 6},
                                 {"Lie(E9)", 4},
                                 {"Lie(A2 x)", 8},
                                 {"Sp(3)", 0},
                                 {"SU(0)", 0}}) {
    CAPTURE(text);
    CHECK(position([t = std::string(text)] { parse_lie_group(t); }) == static_cast<std::size_t>(at));
  }
  for (const auto& [text, at] : {std::pair{"", 0},
                                 {"foo", 0},
                                 {"vector +", 8},
                                 {"irrep", 5},
                                 {"irrep(8", 7},
                                 {"irrep(9)", 0},
                                 {"irrep(15)", 0},
                                 {"irrep(8**)", 8},
                                 {"irrep(10barn)", 8},
                                 {"irrep(1000000)", 6},
                                 {"irrep([1,0", 10},
                                 {"irrep([1,0])x", 12},
                                 {"irrep([1])", 0},
                                 {"irrep([1,0] as weight)", 15},
                                 {"sym(vector)", 4},
                                 {"sym(2 vector)", 6},
                                 {"schur([1,2], vector)", 6},
                                 {"2", 0},
                                 {"(vector", 7},
                                 {"spinor", 0},
                                 {"vector^", 7},
                                 {"vector^99999", 7},
                                 {"irrep([99999999,0])", 7}}) {
    CAPTURE(text);
    CHECK(position([t = std::string(text)] { value("SU(3)", t); }) == static_cast<std::size_t>(at));
  }
  CHECK_THROWS_WITH(parse_lie_group("SO"), Catch::Contains("as in SO(3)"));
  CHECK_THROWS_AS(parse_lie_group("SU(300)"), LimitError);
  CHECK_THROWS_AS(value("SU(3)", std::string(300, '(') + "vector"), LimitError);
}

TEST_CASE("decompositions as text: one name for two representations is told apart by the weight", "[io][quick]") {
  const LieGroup G = parse_lie_group("Spin(8)");
  const std::string text = to_text(record(hom::decompose({G, parse_lie_representation(G, "vector + spinor")})));
  CHECK(text.find("8[1,0,0,0] + 8[0,0,1,0] + 8[0,0,0,1]") != std::string::npos);
  CHECK(to_text(record(hom::decompose({G, LieCharacter(G.type())}))) == "0*trivial of Spin(8): dimension 0\n0\n");
}
