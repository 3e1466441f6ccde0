#include "intertwine/lie/orthogonal_character.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/lie/finite_embedding.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// "[2] + 2*[1,1]", as list of text and multiplicity.
std::vector<std::pair<std::string, Integer>> parts(const OddOrthogonalGroup& G, const LieCharacter& chi) {
  std::vector<std::pair<std::string, Integer>> result;
  for (const OrthogonalConstituent& part : G.constituents(chi))
    result.emplace_back(to_string(part.shape), part.multiplicity);
  return result;
}

ClassFunction restricted(const OddOrthogonalGroup& G, const LieCharacter& chi, const OrthogonalEmbedding& f) {
  ClassFunction sum = ClassFunction::constant(f.table(), 0);
  for (const OrthogonalConstituent& part : G.constituents(chi))
    sum = sum + Cyclotomic(part.multiplicity) * f.irrep(part.shape);
  return sum;
}

}  // namespace

TEST_CASE("products of representations of O(3)", "[lie][quick]") {
  const OddOrthogonalGroup G(3);
  using Parts = std::vector<std::pair<std::string, Integer>>;
  const LieCharacter V = G.irrep({1});
  CHECK(parts(G, tensor_product(V, V)) == Parts{{"[2]", 1}, {"[1,1]", 1}, {"[]", 1}});
  CHECK(parts(G, exterior_power(3, V)) == Parts{{"[1,1,1]", 1}});
  CHECK(parts(G, tensor_product(G.parity(), V)) == Parts{{"[1,1]", 1}});
  CHECK(parts(G, tensor_product(G.parity(), G.parity())) == Parts{{"[]", 1}});
  CHECK(parts(G, tensor_product(G.irrep({2, 1}), V)) == Parts{{"[3,1]", 1}, {"[2]", 1}, {"[1,1]", 1}});
  CHECK(parts(G, V.dual()) == Parts{{"[1]", 1}});
}

TEST_CASE("constituents of O(n) are the irreducible ones that were put in", "[lie][quick]") {
  for (const int n : {3, 5, 7}) {
    const OddOrthogonalGroup G(n);
    for (const Partition& shape :
         {Partition{}, Partition{1}, Partition{3}, Partition{1, 1}, Partition{2, 1}, Partition{1, 1, 1}}) {
      CAPTURE(n, to_string(shape));
      const LieCharacter chi = G.irrep(shape);
      REQUIRE(G.constituents(chi).size() == 1);
      CHECK(G.constituents(chi)[0].shape == shape);
      CHECK(G.constituents(chi)[0].degree == chi.dimension());
      const std::vector<OrthogonalConstituent> other = G.constituents(tensor_product(chi, G.parity()));
      REQUIRE(other.size() == 1);
      CHECK(other[0].degree == chi.dimension());
      CHECK(other[0].parity() == -G.constituents(chi)[0].parity());
    }
  }
}

TEST_CASE("Schur functors of C^n have the constituents that Littlewood's rule finds", "[lie][quick]") {
  // Two ways: weights of SO(n) x U(1); the branching of GL(n) to O(n).
  for (const int n : {3, 5, 7})
    for (const Partition& lambda : {Partition{1}, Partition{4}, Partition{3, 1}, Partition{2, 2},
                                    Partition{2, 1, 1}, Partition{3, 2, 1}}) {
      CAPTURE(n, to_string(lambda));
      const OddOrthogonalGroup G(n);
      std::map<std::string, Integer> found, expected;
      for (const OrthogonalConstituent& part : G.constituents(schur_functor(lambda, G.irrep({1}))))
        found[to_string(part.shape)] = part.multiplicity;
      for (const auto& [mu, count] : restrict_to_orthogonal(SchurSum(lambda), n))
        expected[to_string(mu)] = count;
      CHECK(found == expected);
    }
}

TEST_CASE("on finite subgroups characters of O(n) have the values that branching finds", "[lie][quick]") {
  const OrthogonalEmbedding cube = usual_orthogonal_embedding(3, character_table(point_group("Oh")));
  const OddOrthogonalGroup G(3);
  Rng rng = test_rng();
  for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
    const auto random_shape = [&] {
      const int first = 1 + static_cast<int>(rng.below(4));
      return rng.below(2) == 0 ? Partition{first} : Partition{first, 1};
    };
    const Partition a = random_shape(), b = random_shape();
    CAPTURE(to_string(a), to_string(b));
    const LieCharacter product = tensor_product(G.irrep(a), G.irrep(b));
    CHECK(restricted(G, product, cube) == cube.irrep(a) * cube.irrep(b));
    CHECK(restricted(G, symmetric_power(2, G.irrep(a)), cube) == symmetric_power(2, cube.irrep(a)));
    // A control: another parity is another character, unless the group has no reflections.
    CHECK(restricted(G, tensor_product(product, G.parity()), cube) != cube.irrep(a) * cube.irrep(b));
  }
}

TEST_CASE("names of representations of O(n), and what is none", "[lie][quick]") {
  const OddOrthogonalGroup G(5);
  CHECK(name_in_expressions(G, {}) == "trivial");
  CHECK(name_in_expressions(G, {1}) == "vector");
  CHECK(name_in_expressions(G, {4}) == "harmonic(4)");
  CHECK(name_in_expressions(G, {1, 1, 1, 1, 1}) == "parity");
  CHECK(name_in_expressions(G, {2, 1, 1, 1}) == "parity*harmonic(2)");
  CHECK(name_in_expressions(G, {2, 1}) == "irrep([2,1] as partition)");
  CHECK_THROWS_AS(G.irrep({2, 2, 2, 2}), DomainError);
  CHECK_THROWS_AS(G.irrep({1, 1, 1, 1, 1, 1}), DomainError);
  CHECK_THROWS_AS(OddOrthogonalGroup(4), DomainError);
  CHECK_THROWS_AS(OddOrthogonalGroup(1), DomainError);
  CHECK_THROWS_AS(OddOrthogonalGroup(-3), DomainError);
}
