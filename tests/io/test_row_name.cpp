// Rows of character tables by their names: Mulliken's, Bethe's, partitions.
#include "intertwine/io/row_name.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "io/representations.hpp"
#include "support/groups.hpp"

using namespace intertwine;
using test_groups::symmetric;

TEST_CASE("rows of character tables are called by name", "[io][quick]") {
  const FiniteGroup Oh = point_group("Oh"), D3h = point_group("D3h"), I = point_group("I");
  const CharacterTable table = character_table(Oh);
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string name = table.name(row);
    CAPTURE(name);
    const Representation numbered = parse_representation(Oh, "irrep(" + std::to_string(row + 1) + ")");
    REQUIRE(character_of(numbered, table) == ClassFunction::irreducible(table, row));
    REQUIRE(parse_representation(Oh, "irrep(" + name + ")") == numbered);
    REQUIRE(parse_representation(Oh, name) == numbered);
  }
  REQUIRE(parse_representation(Oh, "2*T1u * T2g + irrep(eu)").dimension() == 20);
  REQUIRE(parse_representation(D3h, "E' * E'' + A1\" + irrep(E\")").dimension() == 7);
  REQUIRE(row_named(table, "t1U") == row_named(table, "T1u"));
  REQUIRE_FALSE(row_named(table, "T1").has_value());
  REQUIRE_FALSE(row_named(table, "").has_value());
  REQUIRE_FALSE(row_named(character_table(D3h), "E'''").has_value());
  const CharacterTable S4 = character_table(symmetric(4));
  REQUIRE(row_named(S4, "3,1").value() == row_named(S4, "[3,1]").value());
  // Vectors are T1 of the rotations of the icosahedron.
  const CharacterTable rotations = character_table(I);
  REQUIRE(character_of(parse_representation(I, "coordinates"), rotations) ==
          ClassFunction::irreducible(rotations, row_named(rotations, "T1").value()));
}

// [Koster et al. 1963], the multiplication tables of O, D4, C6v, C3v, T and D3h; the same for Oh and D4h with parities.
TEST_CASE("rows of point groups and their double groups by Bethe's names", "[io][quick]") {
  struct Product {
    const char *group, *product, *sum;
  };
  for (const auto& [name, product, sum] :
       {Product{"double(O)", "Γ6*Γ6", "Γ1 + Γ4"}, Product{"double(O)", "irrep(Γ6) * irrep(Γ7)", "Γ2 + Γ5"},
        Product{"double(Td)", "Γ8*Γ8", "Γ1 + Γ2 + Γ3 + 2*Γ4 + 2*Γ5"},
        Product{"double(Td)", "Γ5*Γ6", "Γ7 + Γ8"},  // p states in zincblende
        Product{"double(Td)", "G3*Gamma8", "G6+G7+Gamma_8"}, Product{"double(Oh)", "Γ6+*Γ8-", "Γ3- + Γ4- + Γ5-"},
        Product{"Oh*", "Γ_7^- * Γ7⁺", "A1u + T1u"}, Product{"double(D4h)", "Γ6+ * Γ7+", "Γ3+ + Γ4++Γ5+"},
        Product{"double(D2d)", "Γ6*Γ6", "Γ1+Γ2+Γ5"}, Product{"double(C6v)", "Γ7*Γ7", "Γ1+Γ2+Γ5"},
        Product{"double(C6v)", "Γ9*Γ9", "A1 + A2 + B1 + B2"},
        Product{"double(C6v)", "Γ5*Γ7", "Γ7+Γ9"},  // p states in wurtzite
        Product{"double(D3h)", "Γ6*Γ7", "Γ8+Γ9"}, Product{"double(D3h)", "Γ5*Γ7", "Γ7+Γ9"},
        Product{"double(C3v)", "Γ4*Γ4", "Γ1+Γ2+Γ3"}, Product{"double(T)", "Γ5*Γ5", "Γ1+Γ4"},
        Product{"double(D2h)", "Γ5+*Γ5+", "Ag+B1g+B2g+B3g"}, Product{"Td", "Γ4*Γ5", "Γ2+Γ3+Γ4+Γ5"},
        Product{"double(O)", "E1/2", "irrep(E1/2)"}}) {
    CAPTURE(name, product, sum);
    const FiniteGroup G = parse_finite_group(name);
    const CharacterTable table = character_table(G);
    CHECK(character_of(parse_representation(G, product), table) == character_of(parse_representation(G, sum), table));
  }
  for (const char* name : {"double(C3)", "double(C4h)", "double(S4)", "double(D3)"}) {
    const FiniteGroup G = parse_finite_group(name);
    const CharacterTable table = character_table(G);
    for (std::size_t row = 0; row < table.size(); ++row) {
      CAPTURE(name, table.name(row));
      CHECK(character_of(parse_representation(G, "irrep(" + table.name(row) + ")"), table) ==
            ClassFunction::irreducible(table, row));
    }
  }
  // Spin 1/2 is Γ6, or Γ4, Γ5 and Γ7: the character is the trace of q.
  for (const auto& [symbol, row] : {std::pair("Oh", "Γ6+"),
                                    {"Td", "Γ6"},
                                    {"D4h", "Γ6+"},
                                    {"D2d", "Γ6"},
                                    {"D3d", "Γ4+"},
                                    {"C6v", "Γ7"},
                                    {"D3h", "Γ7"},
                                    {"C2v", "Γ5"},
                                    {"Th", "Γ5+"}}) {
    CAPTURE(symbol, row);
    const CharacterTable table = character_table(parse_finite_group("double(" + std::string(symbol) + ")"));
    CHECK(table.name(row_named(table, row).value()) == (std::string(row).ends_with('+') ? "E1/2g" : "E1/2"));
  }
  const CharacterTable cubic = character_table(parse_finite_group("double(Oh)")),
                       trigonal = character_table(parse_finite_group("double(D3)"));
  for (const char* none : {"Γ6", "Γ9+", "Γ0+", "Γ", "Γ66+", "G6"}) CHECK_FALSE(row_named(cubic, none));
  CHECK_FALSE(row_named(trigonal, "Γ5"));  // of a conjugate pair
  CHECK_FALSE(row_named(trigonal, "Γ4+"));
  CHECK_FALSE(row_named(character_table(symmetric(4)), "Γ1"));
  REQUIRE_THROWS_WITH(parse_representation(parse_finite_group("double(Oh)"), "perm + Γ6"),
                      Catch::Contains("is called Γ6"));
}
