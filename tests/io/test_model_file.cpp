// Semidefinite programs in files of modelling tools.
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/model_file.hpp"
#include "intertwine/io/sdpa_file.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

namespace {

// maximize 2 - X12 + x0 - x2 where x0 >= 0, x1 is free, x2 <= 0, X is a matrix, X11 + X22 = 1, x0 - 2 x1 >= 1, and
// [[x1, 1/2], [1/2, 3]] is a matrix.
const std::string small_cbf =
    "# a comment\nVER\n3\n\nOBJSENSE\nMAX\n\nPSDVAR\n1\n2\n\nVAR\n3 3\nL+ 1\nF 1\nL- "
    "1\n\nPSDCON\n1\n2\n\nCON\n2 "
    "2\nL= 1\nL+ 1\n\nOBJFCOORD\n1\n0 1 0 -0.5\n\nOBJACOORD\n2\n0 1\n2 -1\n\nOBJBCOORD\n2.0\n\nFCOORD\n2\n0 "
    "0 0 0 "
    "1\n0 0 1 1 1\n\nACOORD\n2\n1 0 1\n1 1 -2\n\nBCOORD\n2\n0 -1\n1 -1\n\nHCOORD\n1\n0 1 0 0 "
    "1\n\nDCOORD\n2\n0 1 0 "
    "0.5\n0 1 1 3\n";

const std::string small_mof =
    R"({"version": {"major": 1, "minor": 7}, "variables": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "u"}],
 "objective": {"sense": "max", "function": {"type": "ScalarAffineFunction", "constant": 2.0,
   "terms": [{"coefficient": 0.1234567890123456789, "variable": "b"}, {"coefficient": -3, "variable": "u"}]}},
 "constraints": [
  {"function": {"type": "VectorOfVariables", "variables": ["a", "b", "c"]},
   "set": {"type": "PositiveSemidefiniteConeTriangle", "side_dimension": 2}},
  {"name": "trace", "function": {"type": "ScalarAffineFunction", "constant": 0,
    "terms": [{"coefficient": 1, "variable": "a"}, {"coefficient": 1e0, "variable": "c"}]},
   "set": {"type": "EqualTo", "value": 1}},
  {"function": {"type": "Variable", "name": "u"}, "set": {"type": "Interval", "lower": 0, "upper": 5}}]})";

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

}  // namespace

TEST_CASE("a CBF file is the problem that it says", "[io][quick]") {
  const sdp::Model model = parse_cbf(small_cbf, "p.cbf");
  REQUIRE(model.maximize);
  REQUIRE(model.constant == 2);
  // X, x0, the two parts of x1, x2, the slack of the inequality, the block of the matrix inequality.
  REQUIRE(model.problem.blocks() ==
          std::vector<sdp::Block>{{2, false}, {1, true}, {2, true}, {1, true}, {1, true}, {2, false}});
  // The objective is minimized, and x2 is minus its row.
  REQUIRE(model.problem.objective() == sdp::SymmetricMatrix{{0, 1, Rational(1, 2)}, {2, 2, -1}, {5, 5, -1}});
  const std::vector<sdp::SymmetricMatrix> A = {{{0, 0, 1}, {1, 1, 1}},
                                               {{2, 2, 1}, {3, 3, -2}, {4, 4, 2}, {6, 6, -1}},
                                               {{3, 3, 1}, {4, 4, -1}, {7, 7, -1}},
                                               {{7, 8, Rational(-1, 2)}},
                                               {{8, 8, -1}}};
  REQUIRE(model.problem.constraints() == A);
  REQUIRE(model.problem.right_sides() == std::vector<Rational>{1, 1, 0, Rational(-1, 2), -3});
  REQUIRE(model.variables.size() == 4);
  REQUIRE(model.variables[0].is_matrix);
  REQUIRE(model.variables[2].name == "x1");
  REQUIRE(model.variables[2].places == sdp::SymmetricMatrix{{3, 3, 1}, {4, 4, -1}});
}

TEST_CASE("a MOF file is the problem that it says, with its decimals exactly", "[io][quick]") {
  const sdp::Model model = parse_mof(small_mof, "p.mof.json");
  REQUIRE(model.maximize);
  REQUIRE(model.constant == 2);
  REQUIRE(model.problem.blocks() == std::vector<sdp::Block>{{2, false}, {2, true}, {1, true}, {1, true}});
  const Rational tenth(Integer("1234567890123456789"), Integer("10000000000000000000"));
  REQUIRE(model.problem.objective() == sdp::SymmetricMatrix{{0, 1, Rational(-tenth / 2)}, {2, 2, 3}, {3, 3, -3}});
  REQUIRE(model.problem.right_sides() == std::vector<Rational>{1, 0, 5});
  REQUIRE(model.problem.constraints()[2] == sdp::SymmetricMatrix{{2, 2, 1}, {3, 3, -1}, {5, 5, 1}});
}

TEST_CASE("what is written in CBF and MOF is read back", "[io][quick]") {
  const sdp::Problem problem({{2, false}, {2, true}, {1, false}}, {{0, 1, Rational(1, 4)}, {3, 3, -3}, {4, 4, 5}},
                             {{{0, 0, 1}, {1, 1, 1}}, {{2, 2, 7}, {4, 4, Rational(-1, 8)}}}, {2, Rational(1, 2)});
  for (const bool maximize : {false, true}) {
    // CBF has the matrices first.
    const sdp::Problem sorted({{2, false}, {1, false}, {2, true}}, {{0, 1, Rational(1, 4)}, {2, 2, 5}, {4, 4, -3}},
                              {{{0, 0, 1}, {1, 1, 1}}, {{2, 2, Rational(-1, 8)}, {3, 3, 7}}}, {2, Rational(1, 2)});
    const sdp::Model cbf = parse_cbf(to_model_text(problem, maximize, Rational(7, 2), ModelFormat::cbf), "p");
    REQUIRE(cbf.problem == sorted);
    const sdp::Model mof = parse_mof(to_model_text(problem, maximize, Rational(7, 2), ModelFormat::mof), "p");
    REQUIRE(mof.problem == problem);
    for (const sdp::Model* model : {&cbf, &mof}) {
      REQUIRE(model->maximize == maximize);
      REQUIRE(model->constant == Rational(7, 2));
    }
  }
  REQUIRE(parse_sdpa(to_model_text(problem, false, 0, ModelFormat::sdpa), "p") == problem);
  REQUIRE_THROWS_WITH(to_model_text(problem, true, 0, ModelFormat::sdpa), Contains("neither a sense nor a constant"));
}

TEST_CASE("a number that no double is near is refused when it is written", "[io][quick]") {
  const sdp::Problem problem({{1, false}}, {}, {{{0, 0, Rational(boost::multiprecision::pow(Integer(10), 400))}}}, {1});
  for (const ModelFormat format : {ModelFormat::cbf, ModelFormat::mof})
    REQUIRE_THROWS_WITH(to_model_text(problem, false, 0, format), Contains("too large for a file of doubles"));
}

TEST_CASE("files of models are told apart by their names", "[io][quick]") {
  REQUIRE(model_format("a.dat-s") == ModelFormat::sdpa);
  REQUIRE(model_format("a.CBF") == ModelFormat::cbf);
  REQUIRE(model_format("a.mof.json") == ModelFormat::mof);
  REQUIRE_THROWS_WITH(model_format("a.json"), "a.json ends in none of .dat-s, .cbf and .mof.json");
}

TEST_CASE("a wrong CBF file is refused with the line", "[io][quick]") {
  const std::pair<const char*, std::pair<const char*, const char*>> faults[] = {
      {"VER\n3", {"VER\n9", "line 3: version 9 is none of 1 to 4"}},
      {"MAX", {"BEST", "line 6: the sense is MIN or MAX, not BEST"}},
      {"F 1\nL- 1", {"Q 2", "the cone Q is none that is reduced"}},
      {"L- 1", {"L- 2", "the cones of VAR have other sizes together than 3"}},
      {"OBJBCOORD", {"INT\n1\n0", "INT makes variables whole numbers"}},
      {"0 1 0 -0.5", {"0 2 0 -0.5", "the place (2, 0) is outside of a matrix of 2 rows"}},
      {"0 1 0 -0.5", {"0 1 0 x", "the number is x, which is no number"}},
      {"0 1\n2 -1", {"0 1\n0 -1", "a place of OBJACOORD is there twice"}},
      {"0 1\n2 -1", {"0 1\n3 -1", "an index of OBJACOORD is 3, and goes from 0 to 2"}},
      {"0 1 0 0.5\n0 1 1 3", {"0 1 0 0.5\n0 0 1 3", "entries (0, 1) and (1, 0) of a matrix are both there"}},
      {"PSDVAR\n1\n2", {"PSDVAR\n1\n99999999999", "has 99999999999 rows"}},
      {"PSDCON\n1\n2", {"PSDCON\n1\n331237", "a matrix of 331237 rows makes 54859140705 equations"}},
      {"VER\n3", {"HCOORD\n1\n0 0 0 0 1\nVER\n3", "HCOORD has an index into a list that is empty"}},
  };
  for (const auto& [old, fault] : faults) {
    const std::string text = replaced(small_cbf, old, fault.first);
    CAPTURE(text);
    REQUIRE_THROWS_AS(parse_cbf(text, "p.cbf"), FileError);
    REQUIRE_THROWS_WITH(parse_cbf(text, "p.cbf"), Contains("p.cbf") && Contains(fault.second));
  }
  REQUIRE_THROWS_WITH(parse_cbf("VER\n", "p.cbf"), "p.cbf: the file ends before the version");
  REQUIRE_THROWS_WITH(parse_cbf("", "p.cbf"), "p.cbf: the problem has no variable");
}

TEST_CASE("a wrong MOF file is refused with the constraint", "[io][quick]") {
  const std::pair<const char*, std::pair<const char*, const char*>> faults[] = {
      {"\"major\": 1", {"\"major\": 2", "its version is 2, and 1 is read"}},
      {"{\"name\": \"b\"}", {"{\"name\": \"a\"}", "two variables have one name"}},
      {"{\"name\": \"b\"}", {"{\"name\": \"b\\u0000\"}", "the name of a variable has a NUL character"}},
      {"Interval", {"Integer", "constraint 3 is in a set of the type Integer"}},
      {"ScalarAffineFunction\", \"constant\": 0",
       {"ScalarQuadraticFunction\", \"constant\": 0", "constraint trace has a function"}},
      {"\"side_dimension\": 2", {"\"side_dimension\": 3", "3 entries, and its set the side_dimension 3"}},
      {"\"variable\": \"c\"", {"\"variable\": \"z\"", "the variable z, which is not declared"}},
      {"\"value\": 1", {"\"value\": \"1\"", "constraint trace has no value that is a number"}},
      {"\"max\"", {"\"best\"", "the sense is min, max or feasibility, not best"}},
      {"\"lower\": 0", {"\"lower\": NaN", "not valid JSON"}},
  };
  for (const auto& [old, fault] : faults) {
    const std::string text = replaced(small_mof, old, fault.first);
    CAPTURE(text);
    REQUIRE_THROWS_AS(parse_mof(text, "p.mof.json"), FileError);
    REQUIRE_THROWS_WITH(parse_mof(text, "p.mof.json"), Contains("p.mof.json: ") && Contains(fault.second));
  }
}
