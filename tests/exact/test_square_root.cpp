#include "intertwine/exact/square_root.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "exact/square_part.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Positive real part, or 0 and positive imaginary part: by the exact signs.
bool is_principal(const Cyclotomic& root) {
  const int real = (root + root.conjugate()).sign();
  return real != 0 ? real > 0 : (root * Cyclotomic::root_of_unity(4, -1)).sign() >= 0;
}

}  // namespace

TEST_CASE("square roots of large numbers, and with i in texts", "[exact][quick]") {
  for (const long n : {9973L, 30030L}) {
    const Cyclotomic root = square_root(n);
    CHECK(root * root == Cyclotomic(n));
    CHECK(square_root(-n) == Cyclotomic::root_of_unity(4) * root);
  }
  CHECK_THROWS_AS(square_root(1'000'003), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("sqrt(99999999999999999999)"), LimitError);
  for (const auto& [text, same] : {std::pair("-i*sqrt(3)/2", "-E(3)-1/2"),
                                   {"1/2+sqrt(-3)/2", "-E(3)^2"},
                                   {"sqrt(2)*sqrt(3)-ER(6)", "0"},
                                   {"2*E(3)*sqrt(9)/3/2", "E(3)"},
                                   {"i*i", "-1"},
                                   {"sqrt(2/3)*3", "sqrt(6)"},
                                   {"1/i", "-E(4)"}}) {
    CAPTURE(text);
    CHECK(parse_cyclotomic(text) == parse_cyclotomic(same));
  }
}

TEST_CASE("square roots of rational numbers", "[exact][quick]") {
  for (int p = -120; p <= 120; ++p)
    for (const int q : {1, 2, 3, 7, 12}) {
      const Rational a(p, q);
      CAPTURE(p, q);
      const Cyclotomic root = square_root(a);
      REQUIRE(root * root == Cyclotomic(a));
      REQUIRE((p == 0 || is_principal(root)));
    }
  CHECK(square_root(5) == parse_cyclotomic("E(5)-E(5)^2-E(5)^3+E(5)^4"));
  CHECK(square_root(-3) == parse_cyclotomic("1+2*E(3)"));
  const Integer prime("170141183460469231731687303715884105727");  // 2^127 - 1
  CHECK(square_root(Rational(prime * prime * 3, 4)) == square_root(3) * Cyclotomic(Rational(prime, 2)));
  CHECK_THROWS_AS(square_root(Rational(prime)), LimitError);
  CHECK_THROWS_AS(square_root(Rational(999'979)), LimitError);  // 3 modulo 4: of conductor 4 * 999979
  CHECK(square_root(Rational(99'989)).conductor() == 99'989);
}

TEST_CASE("the squarefree part is found below the bound or not at all", "[exact][quick]") {
  for (int n = 1; n <= 3000; ++n) {
    const SquarePart all = square_part(Integer(n));
    for (const std::uint64_t most : {1U, 2U, 7U, 100U}) {
      const auto part = square_part(Integer(n), most);
      REQUIRE(part.has_value() == (all.squarefree <= most));
      if (part) REQUIRE(part->root == all.root);
    }
  }
  const Integer p("1000000007"), q("998244353");
  CHECK(square_part(2 * p * p).root == p);
  CHECK(square_part(p * q).squarefree == p * q);
}

// sin(2 pi / 5), cos(pi / 8), and 2 cos(pi / 24) = sqrt(2 + (sqrt(6) + sqrt(2)) / 2), as trigonometry has them.
TEST_CASE("square roots of quadratic numbers", "[exact][quick]") {
  CHECK(parse_cyclotomic("sqrt((5+sqrt(5))/8)") == parse_cyclotomic("sin(2*pi/5)"));
  CHECK(parse_cyclotomic("sqrt((2+sqrt(2))/4)") == parse_cyclotomic("cos(pi/8)"));
  CHECK(parse_cyclotomic("sqrt(2+(sqrt(6)+sqrt(2))/2)") == parse_cyclotomic("2*cos(pi/24)"));
  CHECK(parse_cyclotomic("sqrt(2+sqrt(2+sqrt(2)))") == parse_cyclotomic("2*cos(pi/16)"));
  CHECK(parse_cyclotomic("sqrt(2*E(4))") == parse_cyclotomic("1+E(4)"));
  CHECK(parse_cyclotomic("sqrt(-2*E(4))") == parse_cyclotomic("1-E(4)"));
  // dihedral of order 8, by their norms -1, -1 and 7
  for (const char* text : {"1+sqrt(2)", "(1+sqrt(5))/2", "3+sqrt(2)"})
    CHECK_FALSE(cyclotomic_square_root(parse_cyclotomic(text)));
  CHECK_THROWS_AS(cyclotomic_square_root(parse_cyclotomic("1+E(7)")), DomainError);
  auto rng = test_rng();
  const auto rational = [&] { return Rational(static_cast<int>(rng.below(19)) - 9, 1 + rng.below(4)); };
  int cyclic = 0;
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    // squares of elements of biquadratic and of cyclic fields whose squares are quadratic
    const int choices[] = {-7, -5, -3, -2, -1, 2, 3, 5, 6, 10, 13};
    const Integer d = choices[rng.below(std::size(choices))], e = choices[rng.below(std::size(choices))];
    const char* quartics[] = {"sin(2*pi/5)", "cos(pi/8)", "sqrt((13+3*sqrt(13))/2)", "sqrt(10+sqrt(10))"};
    const std::uint64_t kind = rng.below(6);
    Cyclotomic root =
        Cyclotomic(rational()) * square_root(Rational(d)) + Cyclotomic(rational()) * square_root(Rational(e));
    if (kind < 4) {
      const char* fields[] = {"sqrt(5)", "sqrt(2)", "sqrt(13)", "sqrt(10)"};
      root = parse_cyclotomic(quartics[kind]) *
             (Cyclotomic(rational()) + Cyclotomic(rational()) * parse_cyclotomic(fields[kind]));
      ++cyclic;
    }
    if (root.is_zero()) continue;
    CAPTURE(to_string(root));
    const auto found = cyclotomic_square_root(root * root);
    REQUIRE(found);
    REQUIRE((*found == root || *found == -root));
    REQUIRE(is_principal(*found));
  }
  CHECK(cyclic > 0);
}

TEST_CASE("numbers with roots, parentheses and angles are read", "[exact][quick]") {
  const auto [text, form] = GENERATE(table<std::string, std::string>({
      {"sqrt(2)/2", "1/2*E(8)-1/2*E(8)^3"},
      {"1/sqrt(2)", "1/2*E(8)-1/2*E(8)^3"},
      {"ER(-3)", "E(3)-E(3)^2"},
      {"(1+sqrt(5))/2", "-E(5)^2-E(5)^3"},
      {"2/(sqrt(5)-1)", "-E(5)^2-E(5)^3"},
      {"E(3)/2", "1/2*E(3)"},
      {"1/E(3)", "E(3)^2"},
      {"- ( 1 - E(4) ) * (1 + E(4))", "-2"},
      {"2/3/4*6", "1"},
      {"cos(2*pi/3)", "-1/2"},
      {"cos(2pi/5) - cos(pi*2/5)", "0"},
      {"sin(pi/6)+sin(-pi/6)", "0"},
      {"sin(pi/2)*cos(0*pi)", "1"},
      {"2*cos(2*pi/7)", "E(7)+E(7)^6"},
      {"sqrt(1/3)", "-1/3*E(12)^7+1/3*E(12)^11"},
      {"sqrt(0)", "0"},
  }));
  CAPTURE(text);
  CHECK(to_string(parse_cyclotomic(text)) == form);
}

// Short texts that stand for numbers of a million terms end by a limit, soon.
TEST_CASE("hostile numbers end by a limit", "[exact][slow][.]") {
  std::string nested(200, '('), many = "sqrt(99989)";
  for (int k = 0; k < 5000; ++k) many += "+sqrt(99989)";
  CHECK_THROWS_AS(parse_cyclotomic(nested), ParseError);
  CHECK_THROWS_AS(parse_cyclotomic(many), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("(1+E(99991))*(1+sqrt(99989))"), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("1/(1+E(99991))"), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("sqrt(1+E(99991))"), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("sqrt(" + std::string(100'000, '7') + ")"), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("cos(pi/1000001)"), LimitError);
}
