// Solutions of reduced problems in the files of solvers, and what they are lifted to.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/solution_file.hpp"
#include "intertwine/sdp/solution.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

namespace {

/// Maximize 7 minus the sum of the entries of X, 3 x 3 of trace 1, minus twice a number of its own that is 5.
sdp::Model small_model() {
  sdp::SymmetricMatrix C{{3, 3, 2}}, trace;
  for (std::uint32_t i = 0; i < 3; ++i) {
    trace.push_back({i, i, 1});
    for (std::uint32_t j = i; j < 3; ++j) C.push_back({i, j, 1});
  }
  return {sdp::Problem({{3, false}, {1, true}}, C, {trace, {{3, 3, 1}}}, {1, 5}),
          true,
          7,
          {{"trace", false, 0, trace}, {"X0", true, 0, {}}}};
}

sdp::Reduction reduced(const sdp::Model& model, const std::string& group, const std::string& action) {
  return sdp::reduce(model.problem, parse_representation(parse_finite_group(group), action));
}

}  // namespace

TEST_CASE("solutions of CSDP, SDPA and JSON are lifted to one and the same", "[io][quick]") {
  const sdp::Model model = small_model();
  const sdp::Reduction reduction = reduced(model, "S3", "perm + trivial");
  const sdp::ReducedProblem& problem = reduction.problem();
  REQUIRE(problem.blocks.size() == 3);  // trivial and standard of three rows, and the number
  std::string csdp = "0 1e-3 \n1 1 1 1 9\n", sdpa = "xVec =\n{1,2}\nyMat =\n{\n", json = "[";
  for (std::size_t k = 0; k < 3; ++k) {
    // X = I/3 has the eigenvalue 1/3 in both blocks.
    const std::string value = problem.blocks[k].name == "variable" ? "5" : "0.33333333333333331";
    csdp += "2 " + std::to_string(k + 1) + " 1 1 " + value + "\n";
    sdpa += "{ {+" + value + "}, }\n";
    json += (k == 0 ? "[[" : ",[[") + value + "]]";
  }
  const std::string texts[] = {csdp, sdpa + "}\n  main loop time = 0.1\n", json + "]"};
  for (const std::string& text : texts) {
    CAPTURE(text);
    const sdp::Solution found = sdp::lifted(model, reduction, parse_solution(text, "s.sol", problem));
    REQUIRE(found.X[0].size() == 9);
    for (std::size_t i = 0; i < 9; ++i) REQUIRE(found.X[0][i] == Approx(i % 4 == 0 ? 1 / 3.0 : 0).margin(1e-12));
    REQUIRE(found.X[1] == std::vector<double>{5});
    REQUIRE(found.value == Approx(7 - 1 - 10));
    REQUIRE(found.violation < 1e-12);
    REQUIRE(found.variables.size() == 2);
    REQUIRE(found.variables[0] == Approx(1));
    REQUIRE_THAT(to_text(record(sdp::NamedSolution{model, found})), Contains("with 4 rows: the objective is -4"));
    REQUIRE_THAT(to_json(record(sdp::NamedSolution{model, found})), Contains("\"name\": \"trace\"") && !Contains("X0"));
    REQUIRE(record(sdp::NamedSolution{model, found}).arrays({}).arrays[0].shape == std::vector<std::uint64_t>{3, 3});
  }
}

TEST_CASE("a solution that breaks a constraint says which", "[io][quick]") {
  const sdp::Model model = small_model();
  const sdp::Reduction reduction = reduced(model, "C1", "4*trivial");
  REQUIRE(reduction.problem().blocks[0].size == 3);
  const auto Z = parse_solution("[[[1,0.5,0],[0.5,0,0],[0,0,0]],[[7]]]", "s.json", reduction.problem());
  const sdp::Solution found = sdp::lifted(model, reduction, Z);
  REQUIRE(found.violation == Approx(2));
  REQUIRE(found.worst == std::size_t{1});
  REQUIRE(found.value == Approx(7 - 2 - 14));  // both off-diagonal entries count
  const auto csdp = parse_solution("0 0\n2 1 1 1 1\n2 1 1 2 0.5\n2 2 1 1 7\n", "s.sol", reduction.problem());
  REQUIRE(csdp == Z);
  const auto sdpa =
      parse_solution("yMat =\n{\n{ {1,0.5,0},\n {0.5,0,0},\n {0,0,0} }\n{7}\n}\n", "s", reduction.problem());
  REQUIRE(sdpa == Z);
}

TEST_CASE("files that hold no solution of the reduced problem are refused", "[io][quick]") {
  const sdp::ReducedProblem problem = reduced(small_model(), "C1", "4*trivial").problem();
  const auto refused = [&](const std::string& text, const std::string& why) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(parse_solution(text, "s.sol", problem), FileError);
    REQUIRE_THROWS_WITH(parse_solution(text, "s.sol", problem), Contains("s.sol") && Contains(why));
  };
  refused("", "there are 0 multipliers, and the reduced problem has 2 constraints");
  refused("1 2 3\n", "there are 3 multipliers");
  refused("1 x\n", "line 1: multiplier 2 is x, which is no finite number");
  refused("1 nan\n", "no finite number");
  refused("1 1e999\n", "no finite number");
  refused("1 2\n2 1 1\n", "the file ends before the column");
  refused("1 2\n2 1 4 1 1\n", "line 2: the row is 4, and goes from 1 to 3");
  refused("1 2\n3 1 1 1 1\n", "the matrix is 3, and goes from 1 to 2");
  refused("1 2\n2 9 1 1 1\n", "the block is 9");
  refused("1 2\n2 1 1.5 1 1\n", "the row is 1.5");
  refused("yMat =\n", "no matrix after yMat");
  refused("yMat = {{1", "yMat has no end");
  refused("yMat = {{1,2}}", "yMat ends in block 1 of 2");
  refused("yMat = {{1,0,0,0,1,0,0,0,1},{1},{1}}", "more entries than the 2 blocks");
  refused("yMat = {{1,5,0,0,1,0,0,0,1},{1}}", "block 1 (from 1) is not symmetric in row 2 and column 1");
  refused("[[[1]]]", "there are 1 matrices, and the reduced problem has 2 blocks");
  refused("[[[1]],[[1]]]", "block 1 (from 1) is a list of 3 rows");
  refused("[[[1,0,0],[0,1,0],[0,0,\"x\"]],[[1]]]", "block 1 (from 1)");
  refused("[", "not valid JSON");
}
