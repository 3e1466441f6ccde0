#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/o3_irreps.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "io/tables.hpp"
#include "support/paths.hpp"

using namespace intertwine;

namespace {

std::size_t position_of(const std::string& group, const std::string& text) {
  const ContinuousGroup G = parse_continuous_group(group);
  try {
    parse_representation(G, text);
  } catch (const ParseError& e) {
    CHECK(e.text() == text);
    return e.position();
  }
  return std::string::npos;
}

}  // namespace

TEST_CASE("continuous groups are told from finite ones", "[io][quick]") {
  for (const char* text :
       {"SO(3)", "O(2)", "SO+(1,3)", "O(1,3)", "SL(2)", "GL(4)", "Sp(4)", "SU(2)", "U(1)", "S5 x O(3)", "(S5 x O(3))",
        "SO(2) x SO(2)", " O( 3 ) ", "SO", "S5 x SU", "SO3", "S5 x O3", "Sp4", "U1"})
    CHECK(names_continuous_group(text));
  for (const char* text :
       {"O", "Oh", "SL(2,3)", "GL(2,3)", "SL", "S5", "S5 x C2", "S3 wr S2", "<(1,2,3),(1,2)>", "Sp(4,3)", "Q8", "", "x",
        "aut(@SO(3).json)", "SO(3)y", "PSL(2,7)", "SO3y", "U3(3)", "L2(7)"})
    CHECK_FALSE(names_continuous_group(text));
}

TEST_CASE("names of continuous groups parse back", "[io][quick]") {
  CHECK(parse_continuous_group("S5 x O3").name() == "S5 x O(3)");
  CHECK(parse_continuous_group("SO12").name() == "SO(12)");
  for (const char* text : {"SO(3)", "O(2)", "SO+(1,3)", "O(1,3)", "SL(2)", "GL(4)", "Sp(4)", "SU(2)", "U(1)",
                           "S5 x O(3)", "SO(2) x SL(3)"}) {
    const ContinuousGroup G = parse_continuous_group(text);
    CHECK(G.name() == text);
    CHECK(parse_continuous_group(G.name()) == G);
    CHECK(parse_representation(G, natural_representation(G).to_string()) == natural_representation(G));
  }
  CHECK(parse_continuous_group("(C2 x C3) x O(3)").factors().size() == 3);
  CHECK(parse_continuous_group("((C2 x O(3)))") == parse_continuous_group("C2 x O(3)"));
}

TEST_CASE("bad names of continuous groups are refused where they stand", "[io][quick]") {
  const struct {
    const char* text;
    std::size_t position;
  } cases[] = {{"SO", 0}, {"S5 x SO", 5}, {"SO+(3)", 0}, {"SO(1,3)", 0}, {"O(3) x Foo", 7}, {"U x S3", 0}};
  for (const auto& c : cases) {
    INFO(c.text);
    try {
      parse_continuous_group(c.text);
      FAIL("accepted");
    } catch (const ParseError& e) {
      CHECK(e.position() == c.position);
      CHECK(e.text() == c.text);
    }
  }
  CHECK_THROWS_AS(parse_continuous_group("SO(0)"), DomainError);
  CHECK_THROWS_AS(parse_continuous_group("Sp(3)"), DomainError);
  CHECK_THROWS_AS(parse_continuous_group("O(0,3)"), DomainError);
  CHECK_THROWS_AS(parse_continuous_group("SO(1000)"), LimitError);
  CHECK_THROWS_AS(parse_continuous_group("SO(99999999999999999999)"), LimitError);
  CHECK_THROWS_AS(parse_continuous_group("S5"), ParseError);
  CHECK_THROWS_WITH(parse_finite_group("SO(3)"), Catch::Matchers::Contains("continuous group"));
  CHECK_THROWS_WITH(parse_finite_group("S3 x SO"), Catch::Matchers::Contains("needs its size"));
}

TEST_CASE("representations of continuous groups parse back", "[io][quick]") {
  const struct {
    const char *group, *text;
    std::uint64_t dimension;
  } cases[] = {{"O(3)", "2*vector + harmonic(2) + sym(2, vector)*vector", 6 + 5 + 18},
               {"O(3)", "(vector + det)^2", 16},
               {"O(3)", "2*(vector + det)*alt(2, vector)", 24},
               {"O(3)", "dual(vector)*schur([2,1], vector)", 24},
               {"O(3)", "vector^2^2", 81},
               {"O(2)", "harmonic(0) + harmonic(1) + harmonic(7)", 5},
               {"SU(2)", "spinor^3", 8},
               {"S5 x O(3)", "perm^2 # vector + trivial", 76},
               {"S5 x O(3)", "(perm # vector)^2", 225},
               {"S5 x O(3)", "(perm + sign) # (vector + trivial)", 24},
               {"S5 x O(3)", "3*(subsets(2) # det)", 30},
               {"S5 x O(3)", "sym(2, perm # vector) + trivial", 121},
               {"S3 x O(2)", "schur([2,1], perm # vector)*alt(2, perm # vector)", 70 * 15},
               {"SU(3)", "real(vector + det)*sym(2, real(vector))", 8 * 21},
               {"S3 x U(2)", "perm # real(vector)", 12},
               {"C2 x S3 x O(3)", "sign # perm # vector", 9}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.text);
    const ContinuousGroup G = parse_continuous_group(c.group);
    const ContinuousRepresentation V = parse_representation(G, c.text);
    CHECK(V.dimension() == c.dimension);
    const ContinuousRepresentation again = parse_representation(G, V.to_string());
    CHECK(again.to_string() == V.to_string());
    CHECK(again.generator_matrices() == V.generator_matrices());
  }
}

TEST_CASE("words of other systems name representations of continuous groups", "[io][quick]") {
  const ContinuousGroup G = parse_continuous_group("O(3)");
  const std::pair<const char*, const char*> cases[] = {{"V²", "vector^2"},
                                                       {"V^⊗2", "vector^2"},
                                                       {"V* ⊗ V", "dual(vector)*vector"},
                                                       {"1 ⊕ V", "trivial + vector"},
                                                       {"16vector", "16*vector"},
                                                       {"Λ²V", "alt(2, vector)"},
                                                       {"Sym^2(V)", "sym(2, vector)"},
                                                       {"Sym^2 V * V", "sym(2, vector)*vector"}};
  for (const auto& [theirs, ours] : cases) {
    CAPTURE(theirs);
    CHECK(parse_representation(G, theirs).to_string() == parse_representation(G, ours).to_string());
  }
  for (const char* text : {"3*3", "V'", "Sym(2)", "16x", "2", "vector*3", "vector x vector"})
    CHECK_THROWS_AS(parse_representation(G, text), ParseError);
  for (const char* text : {"SO13", "SO31", "O13", "S3 x SO13"})
    CHECK_THROWS_WITH(parse_continuous_group(text), Catch::Matchers::Contains("of space and time"));
  CHECK(parse_continuous_group("SO(13)").name() == "SO(13)");
}

TEST_CASE("matrices of continuous groups are read from text and files", "[io][quick]") {
  const test_tables::Folder folder;
  const ContinuousGroup G = parse_continuous_group("SO(2)");
  const auto in_text = parse_representation(G, "rep([ [[0, -2],[2,0]] ]) + vector");
  CHECK(in_text.dimension() == 4);
  CHECK(in_text.to_string() == "rep([[[0,-2],[2,0]]]) + vector");
  const auto write = [&](const std::string& text) { std::ofstream(folder / "turn.json") << text; };
  const auto read = [&] { return parse_representation(G, among_files("rep(@turn.json)", folder.path())); };
  write(R"({"type": "matrix", "dimension": 2, "images": [[["0", "-2/1"], [2, "0"]]]})");
  CHECK(read().to_string() == "rep([[[0,-2],[2,0]]])");
  CHECK(parse_representation(G, among_files("rep(@\"turn.json\")*vector", folder.path())).dimension() == 4);
  write(R"json({"type": "matrix", "dimension": 2, "images": [[["0", "-2"], ["2", "E(5)"]]]})json");
  CHECK_THROWS_WITH(read(), Catch::Matchers::Contains("integral weights"));
  write(R"json({"type": "matrix", "dimension": 1, "images": [[["2*i"]]]})json");
  CHECK(read().to_string() == "rep([[[2*E(4)]]])");
  // Images of another generator, which is half of that of the group.
  write(
      R"json({"type": "matrix", "dimension": 1, "generators": [[[0, "1/2"], ["-1/2", 0]]], "images": [[["i"]]]})json");
  CHECK(read().to_string() == "rep([[[2*E(4)]]])");
  write(R"json({"type": "matrix", "dimension": 1, "generators": [[[0, 1], [-1]]], "images": [[["i"]]]})json");
  CHECK_THROWS_WITH(read(), Catch::Matchers::Contains("generator 1"));
  write(R"json({"type": "matrix", "dimension": 1, "generators": [[[1, 0], [0, 1]]], "images": [[["i"]]]})json");
  CHECK_THROWS_WITH(read(), Catch::Matchers::Contains("not in the Lie algebra of SO(2)"));
  write(R"({"type": "permutation", "degree": 2, "images": [[1, 0]]})");
  CHECK_THROWS_WITH(read(), Catch::Matchers::Contains("must be \"matrix\""));
  write(R"({"type": "matrix", "dimension": 3, "images": [[["0", "-2"], ["2", "0"]]]})");
  CHECK_THROWS_AS(read(), FileError);
  CHECK(position_of("SO(2)", "vector + rep([[[0,-1],[1]]])") == 22);
  CHECK(position_of("SO(2)", "rep([[[0,-1],[1,x]]])") == 16);
  CHECK(position_of("SO(2)", "rep([[[0,-1]]])") == 5);
  CHECK(position_of("SO(2)", "vector*rep([])") == 7);
  CHECK(position_of("SO(2)", "rep(@)") == 5);
  CHECK(position_of("S3 x SO(2)", "rep([[[0]]])") == 0);
  CHECK(position_of("SO(2)", "rep([[[0,-1],[1,0]]]") == 20);
}

TEST_CASE("bad representations of continuous groups are refused where they stand", "[io][quick]") {
  CHECK(position_of("O(3)", "vektor") == 0);
  CHECK(position_of("O(3)", "vector + + vector") == 9);
  CHECK(position_of("O(3)", "vector # vector") == 0);
  CHECK(position_of("O(3)", "vector*3") == 7);
  CHECK(position_of("O(3)", "(vector") == 7);
  CHECK(position_of("O(3)", "vector)") == 6);
  CHECK(position_of("O(3)", "schur([1,2], vector)") == 9);
  CHECK(position_of("O(3)", "harmonic()") == 9);
  CHECK(position_of("O(3)", "vector^") == 7);
  CHECK(position_of("O(3)", "") == 0);
  CHECK(position_of("SL(2)", "parity") == 0);
  CHECK(position_of("SO(3)", "spinor") == 0);
  CHECK(position_of("S5 x O(3)", "vector") == 0);
  CHECK(position_of("S5 x O(3)", "perm # vektor") == 7);
  CHECK(position_of("S5 x O(3)", "trivial + prem # vector") == 10);
  CHECK(position_of("S5 x O(3)", "perm # ") == 7);
  CHECK(position_of("O(3)", std::string(500, '(') + "vector") != std::string::npos);
  const ContinuousGroup G = parse_continuous_group("SL(3)");
  CHECK_THROWS_AS(parse_representation(G, "harmonic(2)"), DomainError);
  CHECK_THROWS_AS(parse_representation(G, "vector^1000"), LimitError);
  CHECK_THROWS_AS(parse_representation(G, "sym(100000, vector)"), LimitError);
  CHECK_THROWS_AS(parse_representation(G, "alt(20, vector^10)"), LimitError);
  CHECK_THROWS_AS(parse_representation(G, "schur([2,1], vector^3)"), LimitError);
  CHECK(parse_representation(G, "alt(4, vector)").dimension() == 0);
}

TEST_CASE("representations of O(3) and SO(3) in the words of e3nn", "[continuous][quick]") {
  const ContinuousGroup full = parse_continuous_group("O(3)"), rotations = parse_continuous_group("SO(3)");
  const auto over = [](const ContinuousGroup& G, const char* text) { return parse_representation(G, text); };
  for (const auto& [theirs, ours] : std::initializer_list<std::pair<const char*, const char*>>{
           {"32x0e + 16x1o + 8x2e", "32*trivial + 16*vector + 8*harmonic(2)"},
           {"32x0e+16x1o+8x2e", "32*trivial + 16*vector + 8*harmonic(2)"},
           {"0e", "trivial"},
           {"0o+1e", "det + vector*det"},
           {"1o", "vector"},
           {"2x2o + 3o", "2*(harmonic(2)*det) + harmonic(3)"},
           {"1x1o", "vector"},
           {"1o * 2e", "vector * harmonic(2)"},
           {"sym(2, 1o)", "sym(2, vector)"},
           {"4x1o + 2*vector + 1", "4*vector + 2*vector + trivial"}}) {
    CAPTURE(theirs);
    CHECK(over(full, theirs).to_string() == over(full, ours).to_string());
    CHECK(over(full, theirs).dimension() == over(full, ours).dimension());
  }
  CHECK(over(rotations, "32x0 + 16x1 + 8x2").to_string() ==
        over(rotations, "32*trivial + 16*vector + 8*harmonic(2)").to_string());
  CHECK(over(rotations, "2x1o + 1e").to_string() == over(rotations, "2*vector + vector").to_string());
  // Written again, in the order of the summands.
  for (const char* text : {"32x0e+16x1o+8x2e", "1x0o+1x1e+2x2o+1x3o+1x4e", "1x1o+1x0e+1x1o", "3x5e"}) {
    CHECK(o3_irreps(over(full, text)) == text);
    CHECK(o3_irreps(over(full, o3_irreps(over(full, text)).c_str())) == text);
  }
  CHECK(o3_irreps(over(full, "2*vector + alt(2, vector) + harmonic(2)*det + parity")) == "2x1o+1x1e+1x2o+1x0o");
  CHECK(o3_irreps(over(rotations, "2x1o + 1e + 3x0")) == "2x1+1x1+3x0");
  CHECK_THROWS_WITH(o3_irreps(over(full, "1 + vector^2")),
                    Catch::Matchers::Contains("vector*vector") || Catch::Matchers::Contains("vector^2"));
  CHECK_THROWS_WITH(o3_irreps(over(parse_continuous_group("O(4)"), "vector")),
                    Catch::Matchers::Contains("the group is O(4)"));
  // Bad input says what is wrong, and where.
  const auto refused = [&](const ContinuousGroup& G, const char* text, const char* why) {
    CAPTURE(text);
    CHECK_THROWS_WITH(over(G, text), Catch::Matchers::Contains(why));
  };
  refused(full, "16x1", "1e where -1 is 1, 1o where it is -1");
  refused(parse_continuous_group("O(4)"), "16x1o", "O(3) or SO(3)");
  refused(parse_continuous_group("SU(2)"), "2x1o", "the group is SU(2)");
  refused(full, "16xvector", "a degree");
  refused(full, "vector*3", "a multiplicity comes first");
  refused(full, "1oo", "");
  refused(full, "4294967296x0e", "a multiplicity");
}
