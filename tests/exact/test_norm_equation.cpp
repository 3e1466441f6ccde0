// Norm equations: known solutions, laws on random norms, what is no norm.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/exact/norm_equation.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Cyclotomic norm(const Cyclotomic& a, std::int64_t k, int l) {
  Cyclotomic result = 1, image = a;
  for (int i = 0; i < l; ++i) {
    result *= image;
    image = image.galois_conjugate(k);
  }
  return result;
}

Cyclotomic random_number(const AbelianField& K, Rng& rng, unsigned bound) {
  std::vector<Rational> coordinates;
  for (std::size_t i = 0; i < K.degree(); ++i)
    coordinates.emplace_back(static_cast<long>(rng.below(2 * bound + 1)) - static_cast<long>(bound));
  return K.element(coordinates);
}

}  // namespace

TEST_CASE("norm equations with known answers", "[norm_equation][quick]") {
  // -1 is a sum of two squares in Q(zeta_p) if and only if the order of 2 modulo p is even [Fein, Gordon & Smith 1971]; a root of unity
  // of order 3 is a norm from Q(zeta_57) to the field fixed by zeta_19 -> zeta_19^7, as it is a cube modulo 19.
  const auto [n, k, l, c] = GENERATE(table<std::uint32_t, std::uint32_t, int, std::string>({{4, 3, 2, "5"},
                                                                                            {4, 3, 2, "169/2"},
                                                                                            {12, 7, 2, "-1"},
                                                                                            {20, 11, 2, "-1"},
                                                                                            {44, 23, 2, "-1"},
                                                                                            {52, 27, 2, "-1"},
                                                                                            {57, 7, 3, "E(3)"},
                                                                                            {8, 5, 2, "E(4)"},
                                                                                            {9, 4, 3, "E(3)"},
                                                                                            {13, 3, 3, "1"}}));
  CAPTURE(n, k, c);
  const AbelianField K = AbelianField::cyclotomic(n);
  const Cyclotomic value = parse_cyclotomic(c);
  const auto a = solve_norm_equation(K, k, value);
  REQUIRE(a);
  REQUIRE(K.contains(*a));
  REQUIRE(norm(*a, k, l) == value);
}

TEST_CASE("what is no norm has no solution", "[norm_equation][quick]") {
  // -1 and 3 are no sums of two rational squares; 2 has order 3 modulo 7; 2 is inert in Q(zeta_3).
  const auto [n, k, c] =
      GENERATE(table<std::uint32_t, std::uint32_t, int>({{4, 3, -1}, {4, 3, 3}, {28, 15, -1}, {3, 2, 2}}));
  CAPTURE(n, c);
  REQUIRE_FALSE(solve_norm_equation(AbelianField::cyclotomic(n), k, c));
}

TEST_CASE("norms of random products of short numbers are norms", "[norm_equation][quick]") {
  auto rng = test_rng();
  const auto [n, k, l] = GENERATE(table<std::uint32_t, std::uint32_t, int>(
      {{3, 2, 2}, {4, 3, 2}, {5, 4, 2}, {8, 3, 2}, {7, 2, 3}, {9, 4, 3}, {12, 5, 2}}));
  const AbelianField K = AbelianField::cyclotomic(n);
  for (int trial = 0; trial < 3; ++trial) {
    Cyclotomic x = 1;
    for (int factor = 0; factor < 3; ++factor)
      x *= Cyclotomic(1 + static_cast<long>(rng.below(3))) +
           Cyclotomic::root_of_unity(n, static_cast<std::int64_t>(1 + rng.below(n - 1)));
    if (x.is_zero()) continue;
    const Cyclotomic c = norm(x, k, l);
    CAPTURE(n, k, to_string(x));
    const auto a = solve_norm_equation(K, k, c);
    REQUIRE(a);
    REQUIRE(norm(*a, k, l) == c);
  }
}

TEST_CASE("roots of numbers of a field", "[norm_equation][quick]") {
  auto rng = test_rng();
  const auto [n, l] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{1, 2}, {1, 3}, {5, 2}, {5, 3}, {7, 2}, {9, 3}, {24, 2}, {15, 5}}));
  const AbelianField F = AbelianField::cyclotomic(n);
  for (int trial = 0; trial < 4; ++trial) {
    const Cyclotomic r = random_number(F, rng, trial < 2 ? 3 : 1000) * Cyclotomic(Rational(1, 1 + trial));
    CAPTURE(n, l, to_string(r));
    const auto found = field_root(F, l, r.power(l));
    REQUIRE(found);
    REQUIRE(found->power(l) == r.power(l));
  }
  REQUIRE_FALSE(field_root(F, l, Cyclotomic(11)));  // ramified in no Q(zeta_n) of these
}

TEST_CASE("norm equations are checked", "[norm_equation][quick]") {
  const AbelianField K = AbelianField::cyclotomic(12);
  REQUIRE_THROWS_WITH(solve_norm_equation(K, 1, 2), Catch::Contains("no automorphism of Q(E(12)) of prime order"));
  REQUIRE_THROWS_WITH(solve_norm_equation(K, 2, 2), Catch::Contains("no automorphism"));
  REQUIRE_THROWS_WITH(solve_norm_equation(AbelianField::cyclotomic(5), 2, 2), Catch::Contains("of prime order"));
  REQUIRE_THROWS_WITH(solve_norm_equation(K, 7, 0), Catch::Contains("0 is 0 or not in Q(E(3))"));
  REQUIRE_THROWS_WITH(solve_norm_equation(K, 7, Cyclotomic::root_of_unity(4)), Catch::Contains("not in Q(E(3))"));
  REQUIRE(fixed_field(K, 7).to_string() == "Q(E(3))");
  REQUIRE(fixed_field(K, 1) == K);
  REQUIRE(fixed_field(AbelianField::cyclotomic(7), 6).to_string() == "Q(E(7)+E(7)^6)");
  REQUIRE_THROWS_WITH(fixed_field(K, 3), Catch::Contains("no automorphism"));
}
