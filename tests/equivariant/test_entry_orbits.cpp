#include "intertwine/equivariant/entry_orbits.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "intertwine/equivariant/hom_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"

using namespace intertwine;

namespace {

Permutation element_of(const GeneratorWord& word, const FiniteGroup& G) {
  Permutation g = Permutation::identity(G.degree());
  for (const std::int32_t letter : word) {
    const Permutation& x = G.generators()[static_cast<std::size_t>(std::abs(letter) - 1)];
    g = g * (letter > 0 ? x : x.inverse());
  }
  return g;
}

// Where g takes an entry, and whether it negates it.
struct Image {
  MatrixEntry entry;
  bool negative;
};
Image image_of(const SignedPermutation& rows, const SignedPermutation& cols, MatrixEntry at) {
  const SignedPoint i = rows(static_cast<Point>(at.row)), j = cols(static_cast<Point>(at.col));
  return {{i.point(), j.point()}, i.negative() != j.negative()};
}

}  // namespace

TEST_CASE("words carry first entries to all others", "[equivariant][quick]") {
  for (const auto& [group, in, out] : {std::tuple("S4", "perm^2", "perm^2"),
                                       {"D4", "perm", "sign + perm"},
                                       {"B3", "perm", "alt(2, perm)"},
                                       {"p4m(4,4)", "perm", "perm"},
                                       {"C7", "perm", "perm"},
                                       {"S3", "sign", "trivial"}}) {
    CAPTURE(group, in, out);
    const FiniteGroup G = parse_finite_group(group);
    const Representation V = parse_representation(G, in), U = parse_representation(G, out);
    const EntryOrbits orbits(U.dimension(), V.dimension(), U.generator_images(), V.generator_images());
    const OrbitalPattern pattern(U.dimension(), V.dimension(), U.generator_images(), V.generator_images());
    std::vector<std::uint64_t> sizes(orbits.orbits().size(), 0);
    std::map<std::uint32_t, std::int64_t> parameter;
    std::int64_t params = 0;
    for (std::uint32_t k = 0; k < orbits.orbits().size(); ++k)
      parameter[k] = orbits.orbits()[k].negating ? 0 : ++params;
    REQUIRE(static_cast<std::uint64_t>(params) == pattern.params());
    for (std::uint64_t i = 0; i < U.dimension(); ++i)
      for (std::uint64_t j = 0; j < V.dimension(); ++j) {
        const std::uint64_t e = i * V.dimension() + j;
        const std::uint32_t orbit = orbits.orbit_of()[e];
        const bool minus = orbits.negative()[e];
        ++sizes[orbit];
        REQUIRE(pattern.label(i, j) == (minus ? -1 : 1) * parameter[orbit]);
        const GeneratorWord word = orbits.word(i, j);
        REQUIRE(word.empty() == (orbits.steps()[e] == 0));
        const Permutation g = element_of(word, G);
        const Image image = image_of(U.image(g), V.image(g), orbits.orbits()[orbit].first);
        REQUIRE(image.entry == MatrixEntry{i, j});
        REQUIRE(image.negative == minus);
        const std::uint64_t parent = orbits.parent(e);
        REQUIRE(orbits.word(parent / V.dimension(), parent % V.dimension()).size() + 1 ==
                std::max<std::size_t>(word.size(), 1));
      }
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const EntryOrbits::Orbit& orbit = orbits.orbits()[k];
      REQUIRE(orbit.size == sizes[k]);
      if (!orbit.negating) continue;
      const Permutation g = element_of(*orbit.negating, G);
      const Image image = image_of(U.image(g), V.image(g), orbit.first);
      REQUIRE(image.entry == orbit.first);
      REQUIRE(image.negative);
    }
  }
}

TEST_CASE("words are shortest", "[equivariant][quick]") {
  // On the circle of 7 the rotation and its inverse reach everything in three steps.
  const FiniteGroup G = parse_finite_group("C7");
  const Representation V = parse_representation(G, "perm");
  const EntryOrbits orbits(7, 7, V.generator_images(), V.generator_images());
  std::set<GeneratorWord> words;
  for (std::uint64_t i = 0; i < 7; ++i) words.insert(orbits.word(i, i));
  REQUIRE(words == std::set<GeneratorWord>{{}, {1}, {1, 1}, {1, 1, 1}, {-1}, {-1, -1}, {-1, -1, -1}});
}

TEST_CASE("entries without a group, none at all, and images that do not fit", "[equivariant][quick]") {
  const EntryOrbits alone(2, 3, {}, {});
  REQUIRE(alone.orbits().size() == 6);
  REQUIRE(alone.word(1, 2).empty());
  REQUIRE(EntryOrbits(0, 3, {}, {}).orbits().empty());
  REQUIRE_THROWS_AS(alone.word(2, 0), DomainError);
  REQUIRE_THROWS_AS(alone.word(0, 3), DomainError);
  const auto identity = [](std::size_t n) { return SignedPermutation::identity(n); };
  REQUIRE_THROWS_AS(EntryOrbits(2, 3, {identity(2)}, {}), DomainError);
  REQUIRE_THROWS_WITH(EntryOrbits(2, 3, {identity(2)}, {identity(2)}), Catch::Contains("degrees 2 and 2, not 2 and 3"));
  REQUIRE_THROWS_AS(EntryOrbits(1 << 16, 1 << 16, {}, {}), LimitError);
  REQUIRE_THROWS_AS(EntryOrbits(1000, 1000, {}, {}, Task(1 << 20, 0, {})), LimitError);
}
