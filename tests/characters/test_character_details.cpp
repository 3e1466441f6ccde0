#include <catch2/catch.hpp>

#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

TEST_CASE("kernels, centres, determinants and families of the characters of Q8", "[characters][quick]") {
  const CharacterTable table = character_table(dicyclic_group(2));
  const auto details = character_details(table);
  REQUIRE(details.size() == 5);
  REQUIRE(details[0].kernel_order == 8);
  for (std::size_t i = 1; i < 4; ++i) {
    REQUIRE(details[i].kernel_order == 4);
    REQUIRE(details[i].centre_order == 8);
    REQUIRE(details[i].determinant == i);  // a linear character is its determinant
  }
  REQUIRE(details[4].kernel == std::vector<std::uint32_t>{0});
  REQUIRE(details[4].centre_order == 2);
  REQUIRE(details[4].determinant == 0);  // SU(2)
  const CharacterTable A5 = character_table(alternating_group(5));
  const auto of_A5 = character_details(A5);
  REQUIRE(of_A5[1].field == "Q(sqrt(5))");
  REQUIRE(of_A5[1].family == std::vector<std::size_t>{1, 2});
  REQUIRE(of_A5[3].family == std::vector<std::size_t>{3});
}

TEST_CASE("details of rows that are conjugate are those of each by itself", "[characters][quick]") {
  for (const FiniteGroup& G : {dicyclic_group(9), dihedral_group(15), special_linear_group(2, 5),
                               direct_product({dicyclic_group(3), cyclic_group(4)}), symmetric_group(5)}) {
    CAPTURE(G.name());
    const CharacterTable table = character_table(G);
    const auto details = character_details(table);
    for (std::size_t i = 0; i < table.size(); ++i) {
      REQUIRE(details[i].index == schur_index(table, i));
      REQUIRE(table.row(details[i].determinant) == determinant(ClassFunction::irreducible(table, i)).values());
    }
  }
  // 70 quaternionic rows of degree 2 over the cyclotomic integers of conductor 278, with one search for all of them.
  const auto large = character_details(character_table(dicyclic_group(139)));
  std::size_t quaternionic = 0;
  for (const CharacterDetails& d : large) quaternionic += d.index.real == 2 ? 1 : 0;
  REQUIRE(quaternionic == 69);
}

TEST_CASE("the characters of a subgroup beside those of the group", "[characters][quick]") {
  const CharacterTable S5 = character_table(symmetric_group(5));
  const SubgroupCharacters S4 = subgroup_characters(S5, symmetric_group(4));
  REQUIRE(S4.table.size() == 5);
  // Restricted degrees add up, and every character of the subgroup comes from one of the group.
  for (std::size_t i = 0; i < S5.size(); ++i) {
    Integer degree = 0;
    for (std::size_t j = 0; j < S4.table.size(); ++j) degree += S4.multiplicities[i][j] * S4.table.degree(j);
    REQUIRE(degree == S5.degree(i));
  }
  for (std::size_t c = 0; c < S4.table.size(); ++c)
    REQUIRE(S4.table.classes()[c].element_order == S5.classes()[S4.fusion[c]].element_order);
  REQUIRE_THROWS_AS(subgroup_characters(S5, symmetric_group(6)), DomainError);
  REQUIRE_THROWS_WITH(subgroup_characters(character_table(alternating_group(5)), symmetric_group(5)),
                      Catch::Contains("is no element of A5; give generators that are"));
}

TEST_CASE("reports on classes", "[characters][quick]") {
  const ClassReport r = class_report(symmetric_group(5), symmetric_group(4));
  REQUIRE_FALSE(r.formula);
  REQUIRE(r.known.classes->size() == 7);
  REQUIRE(r.subgroup->classes.size() == 5);
  for (std::size_t c = 0; c < 5; ++c)
    REQUIRE((*r.known.classes)[r.subgroup->fusion[c]].element_order == r.subgroup->classes[c].element_order);
  REQUIRE_THROWS_AS(class_report(symmetric_group(4), symmetric_group(5)), DomainError);

  const ClassReport large = class_report(symmetric_group(100));
  REQUIRE(large.formula->count == 190569292);
  REQUIRE_FALSE(large.known.classes);
  REQUIRE_THROWS_AS(class_report(symmetric_group(100), symmetric_group(4)), LimitError);

  const Task soon(0, 1e-6, {});
  REQUIRE_THROWS_AS(class_report(sporadic_group("M24"), {}, soon), LimitError);
}
