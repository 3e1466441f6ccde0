#include "intertwine/exact/sum_text.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"

using namespace intertwine;

TEST_CASE("sums are written with their signs", "[exact][quick]") {
  REQUIRE(SumText().str() == "0");
  REQUIRE(SumText().add(0, "x").str() == "0");
  REQUIRE(SumText().add(Rational(-1, 3), "p[3]").add(2, "p[1]").add(-1, "q").str() == "-1/3*p[3] + 2*p[1] - q");
  REQUIRE(SumText().add(1, "").add(-1, "").add(-7, "x").str() == "1 - 1 - 7*x");
  REQUIRE(SumText(Notation::latex).add(Rational(-1, 3), "p_{3}").add(2, "x").str() == "-\\frac{1}{3} p_{3} + 2 x");
  const Cyclotomic root = Cyclotomic::root_of_unity(5), golden = root + root.power(4);
  REQUIRE(SumText().add(golden, "x").add(-root, "y").add(-golden, "").str() ==
          "(E(5)+E(5)^4)*x - E(5)*y + (-E(5)-E(5)^4)");
  REQUIRE(SumText(Notation::latex).add(golden, "x").str() == "(\\zeta_{5}+\\zeta_{5}^{4}) x");
  const Integer large = Integer(1) << 100;
  REQUIRE(SumText().add(Integer(-large), "x").str() == "-1267650600228229401496703205376*x");
}

TEST_CASE("long sums break between their terms", "[exact][quick]") {
  REQUIRE(wrapped_sum("a + b", 10) == "a + b\n");
  REQUIRE(wrapped_sum("a b +c - ", 10) == "a b +c - \n");  // other spaces, and a sign with nothing behind it
  const std::string term(30, 'x');
  REQUIRE(wrapped_sum(term + " + " + term + " - " + term, 70) == term + " + " + term + "\n  - " + term + "\n");
  REQUIRE(wrapped_sum("0", 80) == "0\n");
}

TEST_CASE("lists of numbers are read with positions", "[exact][quick]") {
  REQUIRE(parse_cyclotomic_list("").empty());
  REQUIRE(parse_cyclotomic_list("2,1/3, E(5)+E(5)^4").size() == 3);
  for (const auto& [text, position] : {std::pair{"2,x", 2}, {"2,", 2}, {",2", 0}, {"1,2,3/0", 6}}) {
    CAPTURE(text);
    try {
      parse_cyclotomic_list(text);
      FAIL("read");
    } catch (const ParseError& e) {
      REQUIRE(e.position() == static_cast<std::size_t>(position));
    }
  }
}
