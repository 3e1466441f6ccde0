#include "intertwine/exact/exact_offer.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Contains;

TEST_CASE("decimals are seen where they stand", "[exact][quick]") {
  for (const auto& [text, decimal] : std::initializer_list<std::pair<const char*, const char*>>{{"1.5", "1.5"},
                                                                                                {"-1.5*E(3)", "-1.5"},
                                                                                                {".5", ".5"},
                                                                                                {"3.", "3."},
                                                                                                {"1e0", "1e0"},
                                                                                                {"2.5E-3", "2.5E-3"},
                                                                                                {"+7.0, 1", "+7.0"}})
    CHECK(leading_decimal(text) == std::string_view(decimal));
  for (const char* none : {"1", "1/2", "E(3)", "", ".", "-", "2e", "1.2.3", "1.5x", "e5"})
    CHECK(leading_decimal(none) == std::nullopt);
}

TEST_CASE("exact numbers are offered for decimals", "[exact][quick]") {
  for (const auto& [decimal, offer] :
       std::initializer_list<std::pair<const char*, const char*>>{{"9.0", "9"},
                                                                  {"-1.", "-1"},
                                                                  {"1e0", "1"},
                                                                  {"0.0", "0"},
                                                                  {"1.5", "3/2"},
                                                                  {"0.333", "333/1000"},
                                                                  {"0.3333333333333333", "1/3"},
                                                                  {"1.4142135", "sqrt(2)"},
                                                                  {"-0.8660254037844386", "-sqrt(3)/2"},
                                                                  {"1.618033988749895", "(1+sqrt(5))/2"},
                                                                  {"-0.618033988749895", "-(-1+sqrt(5))/2"},
                                                                  {"2.414214", "1+sqrt(2)"},
                                                                  {"-2.414214", "-(1+sqrt(2))"},
                                                                  {"0.6234898018587336", "cos(2*pi/7)"},
                                                                  {"1e-20", "1/100000000000000000000"},
                                                                  {"0.12345678", "10/81"}}) {
    CAPTURE(decimal);
    CHECK(exact_offer(decimal) == offer);
  }
}

TEST_CASE("what is offered is near, and is read", "[exact][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 300 * test_multiplier(); ++trial) {
    const double x = (static_cast<double>(rng.below(2'000'001)) - 1e6) / 3e5;
    for (const std::string& text : {fmt::format("{:.3f}", x), fmt::format("{:.7f}", x), fmt::format("{:.16e}", x)}) {
      CAPTURE(text);
      const double offered = parse_cyclotomic(exact_offer(text)).to_complex().real();
      CHECK(std::abs(offered - x) <= (text.size() < 8 ? 2e-3 : 2e-6));
    }
  }
  // Sums of what is offered again, by way of doubles.
  for (const char* number : {"sqrt(2)/2", "(1-sqrt(5))/2", "cos(2*pi/9)", "-(3+sqrt(7))", "5*sqrt(3)/7", "17/31"}) {
    const Cyclotomic exact = parse_cyclotomic(number);
    CHECK(parse_cyclotomic(exact_offer(fmt::format("{:.17g}", exact.to_complex().real()))) == exact);
  }
}

TEST_CASE("decimals are refused with what is nearest and where they stand", "[exact][quick]") {
  CHECK_THROWS_WITH(parse_cyclotomic("2+1.618034*E(3)"),
                    Contains("the number 1.618034 is a decimal") && Contains("write (1+sqrt(5))/2 if that is meant"));
  try {
    parse_cyclotomic("2+1.618034*E(3)");
  } catch (const ParseError& e) {
    CHECK(e.position() == 2);
  }
  CHECK_THROWS_WITH(parse_rational("0.5"), Contains("write 1/2 if that is meant"));
  CHECK(parse_cyclotomic("i/2 + E(5)").conductor() == 20);
}
