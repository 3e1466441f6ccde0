#include "intertwine/exact/signed_root.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

SignedRoot root(const Rational& s) { return SignedRoot::of_signed_square(s); }

/// Is a the double nearest to sqrt(s), s > 0? The halves to both neighbours are on the right sides, exactly.
bool is_nearest(double a, const Rational& s) {
  const Rational x(a), above(std::nextafter(a, std::numeric_limits<double>::infinity())), below(std::nextafter(a, 0.0));
  const Rational high = (x + above) / 2, low = (x + below) / 2;
  return low * low <= s && s <= high * high;
}

}  // namespace

TEST_CASE("roots of rational numbers have one form, and are written as people write them", "[exact][quick]") {
  CHECK(to_string(SignedRoot()) == "0");
  CHECK(to_string(root(Rational(-4, 9))) == "-2/3");
  CHECK(to_string(root(Rational(3, 10))) == "sqrt(3/10)");
  CHECK(to_string(-root(2)) == "-sqrt(2)");
  CHECK(SignedRoot(Rational(-1, 2)) == root(Rational(-1, 4)));
  CHECK(root(2) * root(Rational(1, 2)) == SignedRoot(1));
  CHECK(-root(3) / root(12) == SignedRoot(Rational(-1, 2)));
  CHECK(root(8).to_rational() == std::nullopt);
  CHECK(root(Rational(-9, 4)).to_rational() == Rational(-3, 2));
  CHECK(root(-5).sign() == -1);
  CHECK(root(-5).square() == 5);
  CHECK_THROWS_AS(root(1) / SignedRoot(), DomainError);
}

TEST_CASE("the double of a root is the nearest one", "[exact][quick]") {
  CHECK(root(2).to_double() == std::sqrt(2.0));
  CHECK(root(Rational(-1, 4)).to_double() == -0.5);
  CHECK(SignedRoot().to_double() == 0.0);
  // half way between two doubles: the even one
  const Rational half = Rational(1) + Rational(1, Integer(1) << 53), odd = half + Rational(1, Integer(1) << 52);
  CHECK(SignedRoot(half).to_double() == 1.0);
  CHECK(SignedRoot(odd).to_double() == 1.0 + std::ldexp(1.0, -51));
  CHECK(root(half * half + Rational(1, Integer(1) << 300)).to_double() == 1.0 + std::ldexp(1.0, -52));
  CHECK(SignedRoot(Rational(1, Integer(1) << 1074)).to_double() == std::numeric_limits<double>::denorm_min());
  CHECK(SignedRoot(Rational(1, Integer(1) << 1080)).to_double() == 0.0);
  CHECK(SignedRoot(Rational(Integer(1) << 1030)).to_double() == std::numeric_limits<double>::infinity());
  Rng rng = test_rng();
  for (int trial = 0; trial < 300 * test_multiplier(); ++trial) {
    const Integer p = Integer(rng.below(1'000'000'000) + 1) << static_cast<unsigned>(rng.below(200)),
                  q = Integer(rng.below(1'000'000'000) + 1) << static_cast<unsigned>(rng.below(200));
    const Rational s(p, q);
    INFO(to_string(s));
    CHECK(is_nearest(root(s).to_double(), s));
  }
  CHECK_FALSE(is_nearest(std::nextafter(std::sqrt(2.0), 2.0), 2));
}
