// Semidefinite programs in SDPA-sparse files.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/sdpa_file.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

TEST_CASE("an SDPA file is read exactly, with its comments and brackets", "[io][quick]") {
  const sdp::Problem problem = parse_sdpa(
      "\"a comment\n* another\n2 = m\n2 = blocks\n(2, -3)\n{1.5, -1/3}\n0 1 1 2 1e-1\n1 1 1 1 1\n1 2 3 3 "
      "-2.50\n"
      "2 1 2 1 4\n",
      "p.dat-s");
  REQUIRE(problem.blocks() == std::vector<sdp::Block>{{2, false}, {3, true}});
  REQUIRE(problem.right_sides() == std::vector<Rational>{Rational(3, 2), Rational(-1, 3)});
  REQUIRE(problem.objective() == sdp::SymmetricMatrix{{0, 1, Rational(-1, 10)}});
  REQUIRE(problem.constraints()[0] == sdp::SymmetricMatrix{{0, 0, 1}, {4, 4, Rational(-5, 2)}});
  REQUIRE(problem.constraints()[1] == sdp::SymmetricMatrix{{0, 1, 4}});
  REQUIRE(problem.variables() == 6);
}

TEST_CASE("a written SDPA file is read back", "[io][quick]") {
  const sdp::Problem problem({{2, false}, {1, true}}, {{0, 1, Rational(1, 4)}, {2, 2, -3}}, {{{0, 0, 1}, {1, 1, 1}}},
                             {2});
  REQUIRE(parse_sdpa(to_sdpa(problem, "words"), "p") == problem);
}

TEST_CASE("a wrong SDPA file is refused with the line", "[io][quick]") {
  const auto refused = [](const std::string& text, const std::string& why) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(parse_sdpa(text, "p.dat-s"), FileError);
    REQUIRE_THROWS_WITH(parse_sdpa(text, "p.dat-s"), Contains("p.dat-s") && Contains(why));
  };
  refused("", "the file ends before the number of constraints");
  refused("x\n", "line 1: the number of constraints is x, which is no number");
  refused("1\n1\n2\n", "the file ends before number 1 of the right sides");
  refused("1\n1\n0\n1\n", "block 1 has the size 0");
  refused("1\n1\n2\n1\n1 1 1 3 1\n", "line 5: the column is 3, and goes from 1 to 2");
  refused("1\n1\n2\n1\n2 1 1 1 1\n", "the matrix is 2, and goes from 0 to 1");
  refused("1\n1\n-2\n1\n1 1 1 2 1\n", "diagonal");
  refused("1\n1\n2\n1\n1 1 1 1 1e9999999\n", "which is no number");
  refused("1\n1\n2\n1\n1 1 1 1 1/0\n", "which is no number");
  refused("99999999999\n1\n", "goes from 0 to");
}
