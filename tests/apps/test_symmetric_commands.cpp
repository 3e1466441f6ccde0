// The commands on symmetric functions and coordinate rings, run as a user runs them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/program.hpp"

namespace {

/// The program with these arguments, quoted for the shell.
test_apps::Run run(const std::string& arguments) { return test_apps::run_line("intertwine " + arguments, {}); }

nlohmann::json json_of(const std::string& arguments) {
  const auto r = run(arguments + " --json");
  CAPTURE(arguments, r.out);
  REQUIRE(r.status == 0);
  return nlohmann::json::parse(r.out);
}

nlohmann::json parsed(const char* text) { return nlohmann::json::parse(text); }

}  // namespace

TEST_CASE("symmetric-function commands print sums", "[apps][quick]") {
  REQUIRE(run("lr '[2,1]' '[1]'").out == "s[3,1] + s[2,2] + s[2,1,1]\n");
  REQUIRE(run("lr '[2,1]' '[1]' --rows 2 --latex").out == "\\[\ns_{3,1} + s_{2,2}\n\\]\n");
  REQUIRE(run("lr '[2,1]' '[2,1]' --coefficient '[3,2,1]'").out == "2*s[3,2,1]\n");
  REQUIRE(run("lr '[2,1]' '[2,1]' --quantum --rows 2 --cols 2").out == "q*s[2] + q*s[1,1]\n");
  REQUIRE(run("lr '[1]' '[1]' --fusion 1 --rows 2").out == "s[1,1]\n");
  // 8 (x) 8 = 27 + 10 + 10* + 2 8 + 1
  REQUIRE(run("lr '[2,1]' '[2,1]' --sl 3").out ==
          "[4,2] of degree 27\n[3] of degree 10\n[3,3] of degree 10\n2 [2,1] of degree 8\n[] of degree 1\n");
  REQUIRE(json_of("lr '[2,1]' '[2,1]' --sl 3")["terms"][3] ==
          parsed(R"({"partition": [2,1], "degree": "8", "multiplicity": "2"})"));
  REQUIRE(json_of("lr '[1]' '[1]' --sl 100000000")["terms"][0]["degree"] == "5000000050000000");
  REQUIRE(run("lr '[2,1,1]' '[2]' --sl 2").status == 2);
  REQUIRE(run("lr '[2,1]' '[2]' --sl 3 --rows 2").status == 2);
  REQUIRE(run("skew '[2,1]' '[1]'").out == "s[2] + s[1,1]\n");
  REQUIRE(run("skew '[2]' '[3]'").out == "0\n");
  REQUIRE(run("coproduct '[2]'").out == "s[] # s[2] + s[1] # s[1] + s[2] # s[]\n");
  REQUIRE(json_of("coproduct 's[1]/2'")["terms"][0] == parsed(R"({"left": [], "right": [1], "coefficient": "1/2"})"));
  REQUIRE(run("coproduct '[1,2]'").status == 2);
  REQUIRE(run("plethysm '[2]' '[2]'").out == "s[4] + s[2,2]\n");
  REQUIRE(run("kronecker '[2,1]' '[2,1]'").out == "s[3] + s[2,1] + s[1,1,1]\n");
  REQUIRE(run("kronecker '[2,1]' '[2,1]' --coefficient '[3]'").out == "s[3]\n");
  REQUIRE(run("plethysm '[2]' '[3]' '[4,2]'").out == "s[4,2]\n");
  REQUIRE(run("plethysm '[2]' '[3]' '[3,3]'").out == "0\n");
  // Invariants of binary octavics have one generator in each degree from 2 to 10: degree 6 is 6, 4+2, 3+3, 2+2+2.
  REQUIRE(run("plethysm '[6]' '[8]' --coefficient '[24,24]'").out == "4*s[24,24]\n");
  REQUIRE(run("skew '[3,2,1]' '[1]' '[3,2]'").out == "s[3,2]\n");
}

TEST_CASE("symmetric-function commands answer in JSON", "[apps][quick]") {
  const auto lr = json_of("lr '[2,1]' '[2,1]'");
  REQUIRE(lr["command"] == "lr");
  REQUIRE(lr.contains("intertwine"));
  REQUIRE(lr["terms"].size() == 7);
  REQUIRE(lr["terms"][3] == parsed(R"({"partition": [3,2,1], "multiplicity": "2"})"));
  REQUIRE(json_of("plethysm '[2]' '[2]'")["terms"][1]["partition"] == parsed("[2,2]"));
  const auto cauchy = json_of("cauchy --rows 2 --cols 3 --degree 2");
  REQUIRE(cauchy["dimension"] == "21");
  REQUIRE(cauchy["terms"][0] == parsed(R"({"left": [2], "right": [2], "multiplicity": "1", "dimension": "18"})"));
  REQUIRE(json_of("cauchy --rows 2 --cols 2 --functor '[2,1]'")["dimension"] == "20");
}

TEST_CASE("coordinate-ring commands", "[apps][quick]") {
  const auto ring =
      json_of("coordinate-ring --rows 2 --cols 3 --degree 2 --bitableaux --highest-weight --isotypic --hilbert 3");
  REQUIRE(ring["dimension"] == "21");
  REQUIRE(ring["pieces"][1]["shape"] == parsed("[1,1]"));
  REQUIRE(ring["pieces"][1]["left_dimension"] == "1");
  REQUIRE(ring["pieces"][1]["right_dimension"] == "3");
  REQUIRE(ring["pieces"][1]["standard_bitableaux"] == parsed(R"(["[1,2|1,2]", "[1,2|1,3]", "[1,2|2,3]"])"));
  REQUIRE(ring["pieces"][0]["highest_weight_vector"] == "[1|1][1|1]");
  REQUIRE(ring["pieces"][1]["isotypic_basis"][0] == "x[1,1]*x[2,2] - x[1,2]*x[2,1]");
  REQUIRE(ring["hilbert_function"] == parsed(R"(["1", "6", "21", "56"])"));
  const auto straight = json_of("straighten --rows 2 --cols 2 --check '[1|2][2|1]'");
  REQUIRE(straight["terms"][1]["coefficient"] == "-1");
  REQUIRE(straight["terms"][1]["rows"] == parsed("[[1,2]]"));
  REQUIRE(straight["terms"][0]["columns"] == parsed("[[1],[2]]"));
  REQUIRE(run("straighten --rows 2 --cols 2 '[1|2][2|1]'").out ==
          "[1|2][2|1]\n+ 1 *\n    1 | 1\n    2 | 2\n- 1 *\n    1 2 | 1 2\n");
  REQUIRE(run("straighten --rows 2 --cols 2 --graded --check '[1|2][2|1]'").out ==
          "[1|2][2|1], in the associated graded algebra\n+ 1 *\n    1 | 1\n    2 | 2\n");
  const auto graded = json_of("straighten --rows 2 --cols 2 --graded '[1|2][2|1]'");
  REQUIRE(graded["graded"] == true);
  REQUIRE(graded["terms"].size() == 1);
  REQUIRE(json_of("straighten --rows 2 --cols 2 '[2,1|1,2][1|2]'")["product"] == "-[1,2|1,2][1|2]");
  REQUIRE(run("straighten --rows 2 --cols 2 '[2,1|1,2][1|2]'").out ==
          "-[1,2|1,2][1|2]\n- 1 *\n    1 2 | 1 2\n    1   | 2\n");
  REQUIRE(run("straighten --rows 2 --cols 2 --check '[1,1|1,2]'").out == "0, for a minor repeats a row or column\n");
  REQUIRE(json_of("straighten --rows 2 --cols 2 '[1,1|1,2]'")["terms"].empty());
  REQUIRE(
      json_of("determinantal --rows 6 --cols 6 --minors 3 --power 200 --primary")["primary_decomposition"] ==
      parsed(R"([{"minors": 1, "exponent": 600}, {"minors": 2, "exponent": 400}, {"minors": 3, "exponent": 200}])"));
  REQUIRE(run("determinantal 3 3 2 --member '[2,1|1,2]'").out ==
          "the ideal I_2 of 2-minors of a 3 x 3 matrix\n-[1,2|1,2] lies in it\n");
  REQUIRE(json_of("determinantal --rows 3 --cols 3 --minors 2 --hilbert 3")["hilbert_function"] ==
          parsed(R"(["1", "9", "36", "100"])"));
  const auto power = json_of("determinantal --rows 3 --cols 3 --minors 2 --power 2 --primary --member '[1,2,3|1,2,3]'");
  REQUIRE(power["member"] == false);
  REQUIRE(power["primary_decomposition"][0] == parsed(R"({"minors": 1, "exponent": 4})"));
  REQUIRE(
      json_of("determinantal --rows 3 --cols 3 --minors 2 --power 2 --symbolic --member '[1,2,3|1,2,3]'")["member"] ==
      true);
  REQUIRE(json_of("determinantal --rows 3 --cols 3 --invariant '[1,1]' --hilbert 2")["hilbert_function"][2] == "36");
}

TEST_CASE("wrong input to these commands is one line and status 2", "[apps][quick]") {
  for (const char* arguments :
       {"lr '[1,2]' '[1]'", "lr '[1]'", "lr '[1]' x", "lr '[1]' '[1]' --rows -1", "lr '[1]' '[1]' --quantum",
        "kronecker '[2]' '[3]'", "cauchy --rows 2 --cols 2", "cauchy --rows 2 --cols 2 --degree 2 --functor '[2]'",
        "coordinate-ring --rows 2 --cols 2", "straighten --rows 2 --cols 2 '[1|3]'",
        "straighten --rows 2 --cols 2 '[1,2|1]'", "determinantal --rows 3 --cols 3",
        "determinantal --rows 3 --cols 3 --minors 2",
        "determinantal --rows 3 --cols 3 --minors 2 --invariant '[1]' --hilbert 2"}) {
    const auto r = run(arguments);
    CAPTURE(arguments, r.out);
    REQUIRE(r.status == 2);
    REQUIRE(r.out.starts_with("intertwine: error: "));
  }
  REQUIRE(run("plethysm '[2000]' '[2000]'").status == 3);
  REQUIRE(run("lr '[8,7,6,5,4,3,2,1]' '[8,7,6,5,4,3,2,1]' --max-memory 1M").status == 3);
}
