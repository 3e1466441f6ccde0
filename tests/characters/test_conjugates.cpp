#include "intertwine/characters/conjugates.hpp"

#include <catch2/catch.hpp>

#include "intertwine/characters/modular_characters.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

TEST_CASE("automorphisms of fields permute the characters of A5 and of C7", "[characters][quick]") {
  const CharacterTable A5 = character_table(alternating_group(5));
  const AbelianField Q, K = AbelianField::cyclotomic(5);
  CHECK(automorphisms_over(K, Q).size() == 4);
  CHECK(automorphisms_over(K, K.real_subfield()) == std::vector<std::uint32_t>{1, 4});
  for (std::size_t i = 0; i < A5.size(); ++i)
    CHECK(conjugate_rows(A5, i, automorphisms_over(K, Q)).size() == (A5.degree(i) == 3 ? 2 : 1));
  const CharacterTable C7 = character_table(cyclic_group(7));
  const AbelianField L = AbelianField::cyclotomic(7);
  for (std::size_t i = 1; i < 7; ++i) {
    CHECK(conjugate_rows(C7, i, automorphisms_over(L, Q)).size() == 6);
    CHECK(conjugate_rows(C7, i, automorphisms_over(L, L.real_subfield())).size() == 2);
  }
}

TEST_CASE("characters modulo a prime are orthonormal", "[characters][quick]") {
  const CharacterTable table = character_table(special_linear_group(2, 3));
  const PowerTable powers(table.classes());
  const ModularCharacters space(table.classes(), powers, Integer(1) << 40);
  std::vector<ModularCharacters::Vector> rows(table.size());
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t c = 0; c < table.size(); ++c) rows[i].push_back(space.residue(table(i, c)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      REQUIRE(space.inner(rows[i], rows[j]) == (i == j ? 1 : 0));
      REQUIRE(space.inner_with_dual(rows[i], space.dual(rows[j])) == (i == j ? 1 : 0));
    }
}
