#include "intertwine/groups/homomorphism.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"

using namespace intertwine;
using test_groups::group;

namespace {

SignedPermutation signed_list(const std::vector<int>& list) {
  std::vector<SignedPoint> images;
  for (const int x : list) images.emplace_back(static_cast<Point>(std::abs(x) - 1), x < 0);
  return SignedPermutation(images);
}

SignedPermutation natural(const std::string& cycles, std::size_t degree) {
  return SignedPermutation(parse_permutation(cycles, degree));
}

}  // namespace

TEST_CASE("a homomorphism has no broken relation and lifts every element", "[groups][quick]") {
  auto rng = test_rng();
  // The isomorphism of S4 with the rotations of the cube, on signed axes; a = (1,2,3,4), b = (1,2).
  const FiniteGroup G = test_groups::symmetric(4);
  const std::vector<SignedPermutation> axes = {signed_list({2, -1, 3}), signed_list({-1, 3, 2})};
  REQUIRE_FALSE(broken_relation(G, axes).has_value());
  const SignedHomomorphism f(G, axes);
  for (int trial = 0; trial < 50 * test_multiplier(); ++trial) {
    const Permutation g = G.random_element(rng), h = G.random_element(rng);
    REQUIRE(f(g) * f(h) == f(g * h));
    REQUIRE(f(g).is_identity() == g.is_identity());
  }
  REQUIRE(f(G.generators()[0]) == axes[0]);
}

TEST_CASE("an automorphism of S6 that is not inner", "[groups][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = group(6, {"(1,2)", "(2,3)", "(3,4)", "(4,5)", "(5,6)"});
  // Transpositions go to products of three [Sylvester's synthemes].
  const std::vector<SignedPermutation> images = {natural("(1,2)(3,4)(5,6)", 6), natural("(1,4)(2,5)(3,6)", 6),
                                                 natural("(1,3)(2,4)(5,6)", 6), natural("(1,2)(3,6)(4,5)", 6),
                                                 natural("(1,4)(2,3)(5,6)", 6)};
  REQUIRE_FALSE(broken_relation(G, images).has_value());
  const SignedHomomorphism f(G, images);
  for (int trial = 0; trial < 20; ++trial) {
    const Permutation g = G.random_element(rng), h = G.random_element(rng);
    REQUIRE(f(g) * f(h) == f(g * h));
  }
  auto wrong = images;
  wrong[4] = natural("(1,4)(2,6)(3,5)", 6);
  REQUIRE(broken_relation(G, wrong).has_value());
}

TEST_CASE("broken relations are short and readable", "[groups][quick]") {
  const FiniteGroup S4 = test_groups::symmetric(4);
  REQUIRE(broken_relation(S4, {natural("(1,2,3,4)", 4), natural("(1,2,3)", 4)}) == "b^2 = 1");
  REQUIRE(broken_relation(S4, {natural("(1,2,3,4,5)", 5), natural("(1,2)", 5)}) == "a^4 = 1");
  REQUIRE(broken_relation(S4, {signed_list({1}), signed_list({-1})}) == "(a*b)^3 = 1");
  // The commutator: two commuting involutions sent to reflections of the square.
  const FiniteGroup V4 = group(4, {"(1,2)", "(3,4)"});
  REQUIRE(broken_relation(V4, {signed_list({-1, 2}), signed_list({2, 1})}) == "(a*b)^2 = 1");
  // C3 x C3 sent onto the extraspecial group of order 27 and exponent 3: only a commutator can show it.
  const FiniteGroup C3C3 = group(6, {"(1,2,3)", "(4,5,6)"});
  REQUIRE(broken_relation(C3C3, {natural("(1,4,7)(2,5,8)(3,6,9)", 9), natural("(4,5,6)(7,9,8)", 9)}) ==
          "a*b*a^-1*b^-1 = 1");
  const FiniteGroup one = group(3, {"()"});
  REQUIRE(broken_relation(one, {natural("(1,2)", 2)}) == "a = 1");
}

TEST_CASE("a relation that no product of two generators shows is found", "[groups][quick]") {
  // Four commuting involutions a, b, c, abc: any three independent signs are free, the fourth is their
  // product.
  const FiniteGroup G = group(6, {"(1,2)", "(3,4)", "(5,6)", "(1,2)(3,4)(5,6)"});
  REQUIRE_FALSE(
      broken_relation(G, {signed_list({-1}), signed_list({1}), signed_list({1}), signed_list({-1})}).has_value());
  const auto relation = broken_relation(G, {signed_list({-1}), signed_list({1}), signed_list({1}), signed_list({1})});
  REQUIRE(relation.has_value());
  REQUIRE(std::count(relation->begin(), relation->end(), '*') == 3);
}

TEST_CASE("relations beyond the breadth-first budget are found", "[groups][quick]") {
  // Twenty-one commuting involutions, the last the product of the others: the shortest broken relation has 21
  // letters.
  constexpr std::size_t count = 20;
  std::vector<std::string> cycles;
  std::string last;
  for (std::size_t i = 0; i < count; ++i) {
    cycles.push_back("(" + std::to_string(2 * i + 1) + "," + std::to_string(2 * i + 2) + ")");
    last += cycles.back();
  }
  cycles.push_back(last);
  const FiniteGroup G = group(2 * count, cycles);
  std::vector<SignedPermutation> images(count + 1, signed_list({1}));
  images[0] = signed_list({-1});
  const auto relation = broken_relation(G, images);
  REQUIRE(relation.has_value());
  REQUIRE(relation->substr(relation->size() - 4) == " = 1");
  images[count] = signed_list({-1});
  REQUIRE_FALSE(broken_relation(G, images).has_value());
}

TEST_CASE("random wrong images of random generators are refuted", "[groups][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
    const std::size_t n = 3 + rng.below(4);
    std::vector<Permutation> generators = {random_permutation(n, rng), random_permutation(n, rng)};
    const FiniteGroup G(n, generators);
    // Conjugation is a homomorphism; exchanging the generators' images rarely is, and the two answers must
    // agree with the orders of the pair groups.
    const Permutation c = random_permutation(n, rng);
    std::vector<SignedPermutation> images;
    for (const Permutation& g : generators) images.emplace_back(c * g * c.inverse());
    REQUIRE_FALSE(broken_relation(G, images).has_value());
    std::swap(images[0], images[1]);
    std::vector<Permutation> pairs;
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Point> pair(generators[k].images().begin(), generators[k].images().end());
      for (Point i = 0; i < n; ++i) pair.push_back(static_cast<Point>(n + images[k](i).point()));
      pairs.emplace_back(pair);
    }
    REQUIRE(broken_relation(G, images).has_value() == (FiniteGroup(2 * n, pairs).order() != G.order()));
  }
}

TEST_CASE("bad arguments of homomorphisms are refused", "[groups][quick]") {
  const FiniteGroup S4 = test_groups::symmetric(4);
  REQUIRE_THROWS_AS(broken_relation(S4, {natural("(1,2)", 2)}), DomainError);
  REQUIRE_THROWS_AS(broken_relation(S4, {natural("(1,2)", 2), natural("(1,2)", 3)}), DomainError);
  REQUIRE_THROWS_WITH(SignedHomomorphism(S4, {signed_list({1}), signed_list({-1})}), Catch::Contains("(a*b)^3 = 1"));
  const FiniteGroup A4 = group(4, {"(1,2,3)", "(2,3,4)"});
  const SignedHomomorphism f(A4, {natural("(1,2,3)", 4), natural("(2,3,4)", 4)});
  REQUIRE_THROWS_AS(f(parse_permutation("(1,2)", 4)), DomainError);
  REQUIRE_THROWS_AS(f(parse_permutation("(1,2,3)", 5)), DomainError);
}
