// Answers do not depend on default_seed: what is computed under five seeds is the same, down to the text.
#include <catch2/catch.hpp>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/random.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"

using namespace intertwine;

namespace {

/// Sets the seed for as long as it lives.
class Seeded {
 public:
  explicit Seeded(std::uint64_t seed) { default_seed.store(seed); }
  Seeded(const Seeded&) = delete;
  Seeded& operator=(const Seeded&) = delete;
  ~Seeded() { default_seed.store(fixed_seed); }
};

std::string text(const FiniteGroup& G) { return G.name() + "\n"; }

std::string text(const ConjugacyClasses& classes) {
  std::string result;
  for (std::size_t c = 0; c < classes.size(); ++c)
    result += classes[c].representative.to_string() + " " + classes[c].size.str() + "\n";
  return result;
}

std::string text(const Representation& V) {
  std::string result;
  for (const Permutation& g : V.group().generators()) {
    const FieldMatrix A = V.field_matrix(g);
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j) result += to_string(A(i, j)) + " ";
    result += "\n";
  }
  return result;
}

/// A new handle, which has to compute everything again.
FiniteGroup fresh(const FiniteGroup& G) { return FiniteGroup(G.degree(), G.generators()); }

std::string all_of(const FiniteGroup& given) {
  const FiniteGroup G = fresh(given);
  std::string result = text(derived_subgroup(G)) + text(stabilizer(G, 0)) + text(conjugacy_classes(G)) +
                       text(conjugacy_classes_by_random_search(G));
  const CharacterTable table = character_table(G);
  for (std::size_t row = 0; row < table.size(); ++row)
    for (const Cyclotomic& value : table.row(row)) result += to_string(value) + " ";
  if (G.order() <= 200) result += text(regular_representation(G));
  if (G.order() <= 400)
    for (const auto& R : irreducible_representations(table)) result += text(R.representation);
  return result;
}

}  // namespace

TEST_CASE("groups, classes, tables and irreducible matrices do not depend on the seed", "[representations][quick]") {
  for (const FiniteGroup& G :
       {alternating_group(5), special_linear_group(2, 3), projective_special_linear_group(2, 7), dicyclic_group(3),
        wreath_product(symmetric_group(3), symmetric_group(2)), sporadic_group("M12"), rubik_group(2)}) {
    CAPTURE(G.name());
    std::string expected;
    for (const std::uint64_t seed : {0, 1, 2, 77, 123456789}) {
      const Seeded now(seed);
      const std::string found = G.order() > 10'000'000 ? text(derived_subgroup(fresh(G))) : all_of(G);
      if (expected.empty()) expected = found;
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("the vectors that matrix groups permute do not depend on the seed", "[representations][quick]") {
  const std::vector<IntegerMatrix> quaternions{{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, -1}, {0, 0, 1, 0}},
                                               {{0, 0, -1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, -1, 0, 0}}};
  const std::vector<RationalMatrix> images(quaternions.begin(), quaternions.end());
  const std::vector<std::vector<std::vector<std::uint32_t>>> finite{{{0, 1}, {1, 1}}, {{2, 0}, {0, 3}}};
  std::string expected;
  for (const std::uint64_t seed : {0, 1, 2, 77, 123456789}) {
    const Seeded now(seed);
    const std::string found = text(rational_matrix_group(images)) + text(finite_field_matrix_group(4, finite));
    if (expected.empty()) expected = found;
    REQUIRE(found == expected);
  }
}
