#include "intertwine/io/symmetric_expression.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::string value(const std::string& text) { return to_string(parse_symmetric_function(text)); }

}  // namespace

TEST_CASE("expressions in symmetric functions", "[io][quick]") {
  REQUIRE(value("s[2,1]*s[1]") == "s[3,1] + s[2,2] + s[2,1,1]");
  REQUIRE(value(" h[2] [ s[2] ]") == "s[4] + s[2,2]");
  REQUIRE(value("(p[1]^2 + p[2])/2") == "s[2]");
  REQUIRE(value("p[2]") == "s[2] - s[1,1]");
  REQUIRE(value("e[2]*h[1] - s[2,1]") == "s[1,1,1]");
  REQUIRE(value("m[2,1] + 2*m[1,1,1]") == "s[2,1]");
  REQUIRE(value("s[1]^0") == "s[]");
  for (const char* same : {"s21*s1", "s_21 * s_1", "s(2,1) * s(1)", "s_{2,1}*s_{1}"})
    REQUIRE(value(same) == value("s[2,1]*s[1]"));
  REQUIRE(value("2*3/4") == "3/2*s[]");
  REQUIRE(value("-s[1] + s[1]") == "0");
  REQUIRE(value("010*s[]") == "10*s[]");
}

TEST_CASE("plethysms of sums obey their laws", "[io][quick]") {
  // f[g + h] for f = h_2: h_2[g] + g h + h_2[h]; f[-g] = (-1)^d (omega f)[g]; products go to products.
  REQUIRE(value("h[2][s[2]+s[1]]") == value("h[2][s[2]] + s[2]*s[1] + h[2][s[1]]"));
  REQUIRE(value("s[2,1][-s[2]]") == value("-s[2,1][s[2]]"));
  REQUIRE(value("h[3][-s[2]]") == value("-e[3][s[2]]"));
  REQUIRE(value("(s[2]*s[1,1])[s[2,1]]") == value("s[2][s[2,1]] * s[1,1][s[2,1]]"));
  REQUIRE(value("h[2][2*s[1]]") == value("3*s[2] + s[1,1]"));
  REQUIRE(value("p[3][s[2]]") == value("s[2][p[3]]"));
  REQUIRE(value("h[2][h[2][s[1]]]") == value("h[2][h[2]]"));
  REQUIRE(value("s[2,1] ∘ s[2]") == value("s[2,1][s[2]]"));
  REQUIRE(value("h[2]∘(s[1]+s[2])") == value("h[2][s[1]+s[2]]"));
  REQUIRE(value("h[2]∘h[2]∘p[2]") == value("h[2][h[2][p[2]]]"));
  REQUIRE(value("2*h[2]∘s[1]^2") == value("2*(h[2][s[1]])^2"));
  REQUIRE(value("s[2,2][s[3]]") == to_string(to_symmetric_function(plethysm(Partition{2, 2}, Partition{3}))));
}

TEST_CASE("errors in expressions in symmetric functions say where", "[io][quick]") {
  const auto at = [](const std::string& text, std::size_t position) {
    CAPTURE(text);
    try {
      parse_symmetric_function(text);
      FAIL("no error");
    } catch (const ParseError& e) {
      REQUIRE(e.position() == position);
    }
  };
  at("", 0);
  at("q[1]", 0);
  at("s[1] s[2]", 5);
  at("s", 1);
  at("s[1", 1);
  at("s[1]/0", 5);
  at("(s[1]", 5);
  at("h[2][s[1]", 9);
  at("s[1]^x", 5);
  REQUIRE_THROWS_AS(parse_symmetric_function("s[1,2]"), ParseError);
  REQUIRE_THROWS_AS(parse_symmetric_function("s[600]*s[600]"), LimitError);
  REQUIRE_THROWS_AS(parse_symmetric_function("h[40][s[40]]"), LimitError);
  REQUIRE_THROWS_AS(parse_symmetric_function(std::string(100'000, '(')), LimitError);
}

TEST_CASE("coefficients that would fill the memory are refused", "[io][quick]") {
  for (const char* text : {"((9^1000)^1000)^1000", "h[8][h[8][h[8][h[8][9^1000]]]]", "(((1/2)^1000)^1000)^1000"}) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(parse_symmetric_function(text), Error);
  }
  REQUIRE_THROWS_AS(parse_symmetric_function("((9^1000)^1000)^1000"), LimitError);
  REQUIRE(parse_symmetric_function("2^1000").terms.size() == 1);
}

TEST_CASE("errors quote whole letters", "[io][quick]") {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_symmetric_function(text);
    } catch (const ParseError& e) {
      return e.what();
    }
    return {};
  };
  REQUIRE(message("s[2]⊛s[2]").starts_with("did not expect '⊛'"));
  REQUIRE(message("s[2]é").starts_with("did not expect 'é'"));
  REQUIRE(message("s[2]?").starts_with("did not expect '?'"));
  REQUIRE(message("s[2]\xe2").starts_with("did not expect '\xe2'"));  // no letter at all
}
