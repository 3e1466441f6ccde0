#include "intertwine/groups/words.hpp"

#include <catch2/catch.hpp>

#include "intertwine/groups/named_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Permutation value_of(const Word& word, const FiniteGroup& G) {
  Permutation g = Permutation::identity(G.degree());
  for (const std::int32_t letter : word) {
    const Permutation& s = G.generators()[static_cast<std::size_t>(letter > 0 ? letter - 1 : -letter - 1)];
    g = g * (letter > 0 ? s : s.inverse());
  }
  return g;
}

}  // namespace

TEST_CASE("words are freely reduced, and multiply as what they stand for", "[groups][quick]") {
  Rng rng = test_rng();
  const FiniteGroup G = symmetric_group(6);
  for (int trial = 0; trial < 50 * test_multiplier(); ++trial) {
    Word a, b;
    for (Word* word : {&a, &b})
      for (int k = 0; k < 12; ++k)
        words::append(*word, static_cast<std::int32_t>(1 + rng.below(2)) * (rng.below(2) == 0 ? 1 : -1));
    for (std::size_t k = 1; k < a.size(); ++k) REQUIRE(a[k] != -a[k - 1]);
    REQUIRE(value_of(words::product(a, b), G) == value_of(a, G) * value_of(b, G));
    REQUIRE(value_of(words::inverse(a), G) == value_of(a, G).inverse());
    REQUIRE(words::product(a, words::inverse(a)).empty());
  }
  CHECK(words::text({1, 1, -2}, 2) == "a^2*b^-1");
  CHECK(words::text({30}, 30) == "g30");
  CHECK(words::text({}, 2).empty());
}
