// What orbits and blocks say of a group: solvable, perfect, a bound on its order.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "reference_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("blocks that have blocks", "[groups][quick]") {
  // The first proper blocks of C_n and D_n that are found need not be minimal: what acts on one is imprimitive again.
  for (const std::size_t n : {12, 30, 60, 210}) {
    REQUIRE(is_solvable(dihedral_group(n)));
    REQUIRE_FALSE(is_perfect(dihedral_group(n)));
  }
}

TEST_CASE("solvable groups", "[groups][quick]") {
  for (const char* name :
       {"Syl2(S16)", "Syl2(M24)", "Syl3(S27)", "3^(1+4)+", "C5wrC5", "S4wrS3", "AGL(1,64)", "Rubik2x2x2"}) {
    CAPTURE(name);
    REQUIRE(is_solvable(reference_group(name).group) == (std::string(name) != "Rubik2x2x2"));
  }
  REQUIRE(is_solvable(make::wreath(make::symmetric(4), make::wreath(make::symmetric(3), make::symmetric(4)))));
  REQUIRE_FALSE(is_solvable(direct_product({make::symmetric(4), make::alternating(5)})));
}

TEST_CASE("solvable and perfect by orbits and blocks", "[groups][quick]") {
  // No derived subgroup is needed: a quotient or a section on blocks tells.
  const FiniteGroup W = make::wreath(make::symmetric(5), make::symmetric(100));
  REQUIRE_FALSE(is_solvable(W));
  REQUIRE_FALSE(is_perfect(W));
  REQUIRE(derived_subgroup(W).order() * 4 == W.order());
  // Only what acts inside a block, or only what acts on the blocks, is not solvable.
  REQUIRE_FALSE(is_solvable(make::wreath(make::alternating(5), make::symmetric(4))));
  REQUIRE_FALSE(is_solvable(make::wreath(make::symmetric(4), make::alternating(5))));
  REQUIRE(is_perfect(make::wreath(make::alternating(5), make::alternating(5))));
  REQUIRE_FALSE(is_perfect(make::wreath(cyclic_group(3), make::alternating(5))));
  // Primitive of prime power degree and of small order, not solvable.
  REQUIRE_FALSE(is_solvable(affine_general_linear_group(3, 2)));
}

TEST_CASE("orders of groups whose orbits share blocks", "[groups][quick]") {
  const auto beside = [](const Permutation& a, const std::vector<Point>& b) {
    std::vector<Point> images(a.images().begin(), a.images().end());
    for (const Point x : b) images.push_back(static_cast<Point>(a.degree() + x));
    return Permutation(std::move(images));
  };
  const FiniteGroup W = make::wreath(make::symmetric(4), make::symmetric(60));
  std::vector<Permutation> with_blocks, twice;
  for (const Permutation& g : W.generators()) {
    std::vector<Point> blocks(60), lifted(240);
    for (Point b = 0; b < 60; ++b) blocks[b] = g(4 * b) / 4;
    for (Point x = 0; x < 240; ++x) lifted[x] = 4 * blocks[x / 4] + x % 4;
    with_blocks.push_back(beside(g, blocks));
    twice.push_back(beside(g, lifted));
    twice.push_back(beside(Permutation(lifted), std::vector<Point>(g.images().begin(), g.images().end())));
  }
  // On its points and on its blocks; then two kinds of leaves at sixty centres.
  CHECK(FiniteGroup(300, with_blocks).order() == W.order());
  CHECK(FiniteGroup(480, twice).order() == W.order() * (W.order() / factorial(60)));
  // Two orbits of equal size without a map between them: pairs of permutations of one sign.
  std::vector<Point> one(20), swap(20), cycle(20), three(20);
  for (Point i = 0; i < 20; ++i) one[i] = swap[i] = three[i] = i, cycle[i] = (i + 1) % 20;
  std::swap(swap[0], swap[1]);
  three[0] = 1, three[1] = 2, three[2] = 0;
  const FiniteGroup L(
      40, {beside(Permutation(swap), swap), beside(Permutation(cycle), cycle), beside(Permutation(three), one)});
  REQUIRE(L.order() * 2 == factorial(20) * factorial(20));
  REQUIRE(derived_subgroup(L).order() * 2 == L.order());
}

TEST_CASE("centres of groups whose orbits determine each other", "[groups][quick]") {
  auto rng = test_rng();
  const std::vector<FiniteGroup> factors{
      cyclic_group(2),   cyclic_group(4), cyclic_group(6), dihedral_group(4), reference_group("Q8").group,
      make::symmetric(3)};
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    std::vector<FiniteGroup> chosen;
    for (std::uint64_t k = 2 + rng.below(3); k > 0; --k) chosen.push_back(factors[rng.below(factors.size())]);
    const FiniteGroup P = direct_product(chosen);
    std::vector<Permutation> generators;
    for (std::uint64_t k = 1 + rng.below(4); k > 0; --k) generators.push_back(P.random_element(rng));
    std::vector<Permutation> glued;
    for (const Permutation& g : generators) {
      // Beside the points a copy of them in the opposite order, which they determine.
      std::vector<Point> images(g.images().begin(), g.images().end());
      for (Point x = 0; x < g.degree(); ++x)
        images.push_back(static_cast<Point>(2 * g.degree() - 1 - g(static_cast<Point>(g.degree() - 1 - x))));
      glued.emplace_back(std::move(images));
    }
    for (const FiniteGroup& G : {FiniteGroup(P.degree(), generators), FiniteGroup(2 * P.degree(), glued)}) {
      if (G.order() > 3000) continue;
      CAPTURE(G.name());
      std::uint64_t central = 0;
      G.chain().for_each_element([&](const Permutation& z) {
        central += std::ranges::all_of(G.generators(), [&](const Permutation& g) { return z * g == g * z; });
        return true;
      });
      const FiniteGroup Z = centre(G);
      REQUIRE(Z.order() == central);
      for (const Permutation& z : Z.generators()) REQUIRE(G.contains(z));
    }
  }
}

TEST_CASE("the centre where hundreds of orbits are images of a dozen", "[groups][quick]") {
  // Signs on 500 pairs of points, many of them the same, beside S3: all of the signs are central, S3 has no centre.
  auto rng = test_rng();
  constexpr std::size_t pairs = 500, count = 8, n = 2 * pairs + 3;
  std::vector<Permutation> generators{parse_permutation("(1001,1002,1003)", n), parse_permutation("(1001,1002)", n)};
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Point> images(n);
    std::iota(images.begin(), images.end(), Point{0});
    for (Point i = 0; i < pairs; ++i)
      if (rng.below(2) != 0) std::swap(images[2 * i], images[2 * i + 1]);
    generators.emplace_back(std::move(images));
  }
  const FiniteGroup G(n, generators), Z = centre(G);
  REQUIRE(G.order() == Z.order() * 6);
  for (std::size_t k = 2; k < generators.size(); ++k) REQUIRE(Z.chain().contains(generators[k]));
  for (const Permutation& z : Z.generators()) REQUIRE(G.contains(z));
}
