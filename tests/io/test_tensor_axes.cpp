// Axes in words: directions, Euler's angles, turns, and what is refused.
#include "intertwine/io/tensor_axes.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/tensor_text.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

/// The first entry of the elastic tensor of a cubic crystal in these axes.
std::string entry_in(const char* axes, std::size_t row = 0, std::size_t col = 0) {
  return in_axes(tensor_report("elastic", "m-3m").form, *parse_tensor_axes(axes).exact).entry(row, col);
}

}  // namespace

TEST_CASE("directions, Euler's angles and turns are the same axes", "[tensor_axes][quick]") {
  // Along [110] a cubic crystal has (c11 + c12 + 2 c44)/2, along [111] (c11 + 2 c12 + 4 c44)/3 [Nye1957].
  for (const char* axes : {"1,1,0,-1,1,0,0,0,1", "sqrt(2) sqrt(2) 0 -1 1 0 0 0 7", "turn 45 about 0,0,1", "zxz 45,0,0",
                           "zyz:0,0,45", "turn 45.0 about 0 0 1/3", "[1,1,0],[-1,1,0],[0,0,1]"}) {
    CAPTURE(axes);
    CHECK(entry_in(axes) == "(c11 + c12 + 2 c44)/2");
    CHECK(entry_in(axes, 5, 5) == "(c11 - c12)/2");
  }
  CHECK(entry_in("1,1,1,1,-1,0,1,1,-2") == "(c11 + 2 c12 + 4 c44)/3");
  CHECK(entry_in("turn 120 about 1,1,1") == "c11");
  // A turn takes x to y about z, and y to z about x; Euler's second turn is about the new x.
  CHECK(parse_tensor_axes("turn 90 about 0,0,1").exact->to_string() == "[[0, 1, 0], [-1, 0, 0], [0, 0, 1]]");
  CHECK(parse_tensor_axes("zxz 90,90,0").exact->to_string() == "[[0, 1, 0], [0, 0, 1], [1, 0, 0]]");
  CHECK(parse_tensor_axes("zyz 90,90,0").exact->to_string() == "[[0, 0, -1], [-1, 0, 0], [0, 1, 0]]");
  const TensorAxes turn = parse_tensor_axes("turn 30 about 0,1,0");
  CHECK(turn.directions[0][0] == Approx(std::sqrt(0.75)));
  CHECK(turn.directions[0][2] == Approx(-0.5));
}

TEST_CASE("axes that are not exact, and what is refused", "[tensor_axes][quick]") {
  const TensorAxes decimal = parse_tensor_axes("0.6,0.8,0,-0.8,0.6,0,0,0,1");
  CHECK_FALSE(decimal.exact);
  CHECK(decimal.directions[1][0] == -0.8);
  CHECK_THAT(decimal.inexact, Contains("write 3/5"));
  for (const auto& [axes, why] : {std::pair{"1,1,0", "and not '1,1,0'"},
                                  {"", "nine numbers"},
                                  {"euler 1 2 3", "zxz 30,45,60"},
                                  {"zxz 30 45", "degrees"},
                                  {"turn 45 along 0,0,1", "'turn 45 about 1,1,1'"},
                                  {"turn x about 0,0,1", "axes"},
                                  {"turn sqrt(2) about 0,0,1", "a rational number of degrees"},
                                  {"turn 1/7000 about 0,0,1", "up to 360"},
                                  {"turn 45 about 0,0,0", "is 0, which is no direction"},
                                  {"turn 45 about 0,0,1.5", "write 3/2"},
                                  {"turn 45 about i,0,1", "is not real"},
                                  {"1,0,0,0,1,0,0,0,0", "direction 3 is 0"},
                                  {"1,0,0,1,1,0,0,0,1", "directions 1 and 2 are not at right angles"},
                                  {"1,0,0,0,1,0,0,0,-1", "left-handed"},
                                  {"1,0,0,0,1,0,0,0,x", "axes: "}}) {
    CAPTURE(axes);
    CHECK_THROWS_WITH(parse_tensor_axes(axes), Contains(why));
  }
}
