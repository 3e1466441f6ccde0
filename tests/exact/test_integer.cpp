#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("factorials", "[exact][quick]") {
  REQUIRE(factorial(0) == 1);
  REQUIRE(factorial(1) == 1);
  REQUIRE(factorial(20) == Integer("2432902008176640000"));
  REQUIRE(factorial(25) == Integer("15511210043330985984000000"));  // OEIS A000142
  Integer product = 1;
  for (unsigned long n = 1; n <= 300; ++n) {
    product *= n;
    REQUIRE(factorial(n) == product);
  }
  REQUIRE_THROWS_AS(factorial(max_factorial + 1), LimitError);
  REQUIRE_THROWS_AS(factorial(std::numeric_limits<unsigned long>::max()), LimitError);
}

TEST_CASE("binomial coefficients obey Pascal's rule", "[exact][quick]") {
  for (unsigned long n = 0; n <= 60; ++n) {
    REQUIRE(binomial(n, 0) == 1);
    REQUIRE(binomial(n, n) == 1);
    REQUIRE(binomial(n, n + 1) == 0);
    Integer row = 0;
    for (unsigned long k = 0; k <= n; ++k) {
      row += binomial(n, k);
      if (n > 0 && k > 0) REQUIRE(binomial(n, k) == binomial(n - 1, k - 1) + binomial(n - 1, k));
      REQUIRE(binomial(n, k) * factorial(k) * factorial(n - k) == factorial(n));
    }
    REQUIRE(row == (Integer(1) << n));
  }
  REQUIRE(binomial(100, 50) == Integer("100891344545564193334812497256"));  // OEIS A000984
}

TEST_CASE("binomial coefficients at the ends of the range", "[exact][quick]") {
  constexpr unsigned long most = std::numeric_limits<unsigned long>::max();
  REQUIRE(binomial(most, 1) == Integer(most));
  REQUIRE(binomial(most, most - 1) == Integer(most));
  REQUIRE(binomial(most, 2) == Integer(most) * (Integer(most) - 1) / 2);
  REQUIRE(binomial(3, most) == 0);
  REQUIRE_THROWS_AS(binomial(most, most / 2), LimitError);
  REQUIRE_THROWS_AS(binomial(2 * max_factorial + 2, max_factorial + 1), LimitError);
}

TEST_CASE("rational numbers are read in lowest terms", "[exact][quick]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"0", "0"},      {"-0", "0"},
      {"+7", "7"},     {"-5/2", "-5/2"},
      {"6/4", "3/2"},  {"0/9", "0"},
      {"-8/4", "-2"},  {"010", "10"},
      {"08", "8"},     {"-09/012", "-3/4"},
      {"000000", "0"}, {"1/010", "1/10"},
      {"+0012", "12"}, {"123456789012345678901234567890/3", "41152263004115226300411522630"}};
  for (const auto& [text, value] : cases) {
    CAPTURE(text);
    REQUIRE(to_string(parse_rational(text)) == value);
  }
}

TEST_CASE("reading inverts writing", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    Integer p = 0;
    Integer q = 0;
    for (std::uint64_t words = rng.below(4); words > 0; --words) p = (p << 64) + Integer(rng());
    for (std::uint64_t words = rng.below(4); words > 0; --words) q = (q << 64) + Integer(rng());
    if (rng.below(2) == 0) p = -p;
    const Rational a(p, q + 1);
    CAPTURE(trial, to_string(a));
    const Rational b = parse_rational(to_string(a));
    REQUIRE(a == b);
    REQUIRE(gcd(numerator(b), denominator(b)) == 1);
    REQUIRE(denominator(b) > 0);
    REQUIRE(parse_rational(to_string(p) + "/" + to_string(Integer(q + 1))) == a);
  }
}

TEST_CASE("what is no rational number is refused where it goes wrong", "[exact][quick]") {
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"", 0},      {"-", 1},   {"+", 1},    {"x", 0},    {" 1", 0},   {"1 ", 1},       {"--1", 1},
      {"1/", 2},    {"/2", 0},  {"1/-2", 2}, {"1/+2", 2}, {"1/0", 2},  {"12/000", 3},   {"1//2", 2},
      {"1/2/3", 3}, {"1.5", 0}, {"1e3", 0},  {"0x10", 1}, {"3/2z", 3}, {"\xc2\xb2", 0}, {std::string("1\0", 2), 1}};
  for (const auto& [text, position] : cases) {
    CAPTURE(text);
    try {
      static_cast<void>(parse_rational(text));
      FAIL("accepted");
    } catch (const ParseError& e) {
      REQUIRE(e.position() == position);
      REQUIRE(e.text() == text);
      REQUIRE_FALSE(std::string(e.what()).empty());
    }
  }
}
