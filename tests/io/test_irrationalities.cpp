#include <catch2/catch.hpp>

#include "intertwine/io/irrationalities.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("irrationalities in the notations of the ATLAS and of square roots", "[io][quick]") {
  // Definitions of ATLAS of Finite Groups, ch. 7, sect. 10: b5 = (-1+sqrt(5))/2 = E(5)+E(5)^4, b7 = E(7)+E(7)^2+E(7)^4.
  const auto [text, atlas, roots] = GENERATE(table<std::string, std::string, std::string>({
      {"E(5)+E(5)^4", "b5", "(-1+ER(5))/2"},
      {"-E(5)^2-E(5)^3", "1+b5", "(1+ER(5))/2"},
      {"E(5)^2+E(5)^3", "-1-b5", "(-1-ER(5))/2"},
      {"E(7)+E(7)^2+E(7)^4", "b7", "(-1+ER(-7))/2"},
      {"E(8)-E(8)^3", "r2", "ER(2)"},
      {"3+2*E(8)-2*E(8)^3", "3+2r2", "3+2*ER(2)"},
      {"E(8)+E(8)^3", "i2", "ER(-2)"},
      {"-E(4)", "-i", "-ER(-1)"},
      {"E(3)", "b3", "(-1+ER(-3))/2"},
      {"E(12)^7-E(12)^11", "-r3", "-ER(3)"},
      {"-E(7)^3", "-z7*3", "-E(7)^3"},
      {"E(9)^2+E(9)^7", "y9*2", "-E(9)^4-E(9)^5"},
      {"2/3", "2/3", "2/3"},
  }));
  CAPTURE(text);
  const Cyclotomic a = parse_cyclotomic(text);
  CHECK(in_notation(a, IrrationalNotation::atlas) == atlas);
  CHECK(in_notation(a, IrrationalNotation::gap) == to_string(a));
  if (roots[0] != '-' || roots.find("E(9)") == std::string::npos)
    CHECK(in_notation(a, IrrationalNotation::square_roots) == roots);
}

TEST_CASE("quadratic forms give their numbers back", "[io][quick]") {
  auto rng = test_rng();
  const std::pair<long, const char*> roots[] = {{5, "E(5)-E(5)^2-E(5)^3+E(5)^4"},
                                                {-3, "E(3)-E(3)^2"},
                                                {2, "E(8)-E(8)^3"},
                                                {-7, "E(7)+E(7)^2-E(7)^3+E(7)^4-E(7)^5-E(7)^6"},
                                                {-1, "E(4)"}};
  for (const auto& [d, text] : roots) {
    const Cyclotomic root = parse_cyclotomic(text);
    REQUIRE(root * root == Cyclotomic(d));
    for (int trial = 0; trial < 20; ++trial) {
      const auto number = [&] {
        return Rational(static_cast<long>(rng.below(21)) - 10, 1 + static_cast<long>(rng.below(6)));
      };
      const Rational x = number(), y = number();
      if (y == 0) continue;
      const auto q = quadratic_form(Cyclotomic(x) + Cyclotomic(y) * root);
      REQUIRE(q);
      CHECK(q->d == d);
      CHECK(Rational(q->x, q->z) == x);
      CHECK(Rational(q->y, q->z) == y);
    }
  }
  CHECK_FALSE(quadratic_form(parse_cyclotomic("E(7)")));
  CHECK_FALSE(quadratic_form(Cyclotomic(3)));
}
