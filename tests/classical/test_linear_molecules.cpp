#include "intertwine/classical/linear_molecules.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/lie_expression.hpp"

using namespace intertwine;

TEST_CASE("C∞v and D∞h are O(2) and O(2) x Ci under names of their own") {
  for (const bool centre : {false, true}) {
    const ContinuousGroup G = linear_molecule_group(centre);
    const ContinuousGroup plain = parse_continuous_group(centre ? "O(2) x Ci" : "O(2)");
    CHECK(G.factors() == plain.factors());
    CHECK_FALSE(G == plain);
    CHECK(G == parse_continuous_group(G.name()));
    CHECK(centre_of_linear_molecule(G) == centre);
    CHECK_FALSE(centre_of_linear_molecule(plain));
  }
  CHECK(parse_continuous_group(" Dooh ").name() == "D∞h");
  CHECK_THROWS_AS(renamed(trivial_representation(parse_continuous_group("O(3)")), linear_molecule_group(false), "x"),
                  DomainError);
  CHECK_THROWS_WITH(hom::direct_product({parse_group("D∞h"), parse_group("S3")}), Catch::Contains("D∞h is O(2) x Ci"));
}

// The mirror takes y to -y, the inversion everything to its negative; z stays under turns.
TEST_CASE("the vectors of a linear molecule are R^3 with the axis z") {
  const auto images = axial_harmonic(true, 1).generator_matrices();
  REQUIRE(images.size() == 3);
  const auto entry = [&](std::size_t g, std::size_t i, std::size_t j) { return images[g](i, j); };
  CHECK(entry(0, 0, 1) == 1);
  CHECK(entry(0, 1, 0) == -1);
  for (const std::size_t i : {0U, 1U, 2U}) {
    CHECK(entry(0, 2, i) == 0);
    CHECK(entry(1, i, i) == (i == 1 ? -1 : 1));
    CHECK(entry(2, i, i) == -1);
  }
}

TEST_CASE("matrices of linear molecules have the species that characters have, and come back from their text") {
  for (const bool centre : {false, true}) {
    const ContinuousGroup G = linear_molecule_group(centre);
    for (const char* text : {"trivial",
                             "vector",
                             "parity",
                             "det",
                             "adjoint",
                             "harmonic(0)",
                             "harmonic(2)",
                             "harmonic(5)",
                             "2*vector + parity",
                             "vector^3",
                             "vector*parity",
                             "sym(3, vector)",
                             "alt(2, harmonic(2))",
                             "schur([2,1], vector)",
                             "dual(vector)",
                             "3",
                             "(vector + trivial)*vector",
                             centre ? "irrep(Σu-)" : "irrep(Σ-)",
                             centre ? "Πg^2" : "Π^2",
                             centre ? "Σg- * E7u" : "Σ- * E7"}) {
      CAPTURE(G.name(), text);
      const bool number = std::string_view(text) == "3";
      if (number) {
        CHECK_THROWS_AS(parse_representation(G, text), ParseError);
        continue;
      }
      const ContinuousRepresentation V = parse_representation(G, text);
      CHECK(axial_character(V) == parse_axial_representation(centre, text));
      CHECK(parse_representation(G, V.to_string()) == V);
      CHECK(parse_stored_representation(G, V.to_string()) == V);
    }
    CHECK_THROWS_WITH(parse_representation(G, "irrep([2])"), Catch::Contains("have names"));
    CHECK_THROWS_WITH(parse_representation(G, centre ? "irrep(Π)" : "irrep(Πu)"),
                      Catch::Contains("is no irreducible representation"));
  }
  CHECK(parse_representation(linear_molecule_group(true), "2*vector^2").to_string() == "2*vector^2");
  CHECK_THROWS_AS(axial_character(trivial_representation(parse_continuous_group("O(2)"))), DomainError);
}

// A representation that is too large for matrices is known by its character, and says why.
TEST_CASE("maps of linear molecules have bases") {
  const hom::Group G = parse_group("D∞h");
  const auto rep = [&](const char* text) { return parse_representation(G, text, Form::matrices); };
  const auto V = rep("vector"), W = rep("vector^2");
  REQUIRE(V.has_matrices());
  const auto basis =
      hom::equivariant_basis(*W.as<ContinuousRepresentation>(), *rep("sym(2, vector)").as<ContinuousRepresentation>());
  CHECK(basis.dimension() == 5 + 2);  // 2 Σg+ + Πg + Δg on both sides, of Πg two in V^2
  CHECK_FALSE(rep("harmonic(5000)").has_matrices());
  CHECK(rep("harmonic(5000)").reason().find("harmonic") != std::string::npos);
  CHECK(hom::tensor_product(V, rep("harmonic(5000)")).dimension() == 30003);
}
