// Raman tensors of point groups.
#include "intertwine/physics/raman_tensors.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/tensor_properties.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

using namespace intertwine;

namespace {

/// The tensors of a species, one row of nine entries for each partner, with the numbers 1, 2, 3, ... for the constants.
FieldMatrix partners_of(const RamanSpecies& s) {
  std::vector<Rational> constants;
  for (std::size_t k = 0; k < s.form.independent.size(); ++k) constants.emplace_back(static_cast<long>(k + 1));
  const FieldMatrix numbers(RationalMatrix(constants.size(), 1, constants));
  return (s.form.coefficients * numbers).reshape(s.form.rows / 3, 9);
}

std::string text_of(const char* group) { return to_text(record(raman_report(group))); }

}  // namespace

TEST_CASE("Raman tensors of the tables", "[physics][quick]") {
  // [Loudon 1964], table 1; degenerate partners are named.
  CHECK(text_of("4/mmm").substr(text_of("4/mmm").find('\n') + 1) ==
        "A1g\n    a  .  .\n    .  a  .\n    .  .  b\n"
        "B1g\n    c   .  .\n    .  -c  .\n    .   .  .\n"
        "B2g\n    .  d  .\n    d  .  .\n    .  .  .\n"
        "Eg, of xz; yz\n    .  .  e     .  .  .\n    .  .  .     .  .  e\n    e  .  .     .  e  .\n");
  const std::vector<RamanSpecies> Oh = raman_tensors(point_group("Oh"));
  REQUIRE(Oh.size() == 3);
  CHECK((Oh[1].name == "Eg" && Oh[2].name == "T2g"));
  CHECK((Oh[1].form.entry(0, 0) == "b" && Oh[1].form.entry(2, 2) == "-2 b"));
  CHECK(Oh[1].form.entry(3, 0) == "-sqrt(3) b");
  CHECK((Oh[2].form.entry(1, 2) == "c" && Oh[2].form.entry(3, 2) == "c" && Oh[2].form.entry(6, 1) == "c"));
  const std::vector<RamanSpecies> C3v = raman_tensors(point_group("C3v"));
  CHECK(C3v[1].partners == std::vector<std::string>{"x", "y"});
  CHECK((C3v[1].form.entry(0, 0) == "c" && C3v[1].form.entry(1, 1) == "-c"));
  CHECK(C3v[1].form.entry(0, 2) == "d");
  CHECK(raman_tensors(point_group("C1")).front().form.independent.size() == 6);
}

TEST_CASE("Raman tensors: the sum over partners stays, and the first species is the susceptibility",
          "[physics][quick]") {
  for (const char* name : {"C1",  "Ci",  "C2", "Cs", "C2h", "D2",  "C2v", "D2h", "C4",  "S4",  "C4h", "D4",  "C4v",
                           "D2d", "D4h", "C3", "S6", "D3",  "C3v", "D3d", "C6",  "C3h", "C6h", "D6",  "C6v", "D3h",
                           "D6h", "T",   "Th", "O",  "Td",  "Oh",  "C5v", "D5h", "D4d", "D6d", "S8",  "I",   "Ih"}) {
    CAPTURE(name);
    const FiniteGroup G = point_group(name);
    const Representation vectors = cartesian_representation(G);
    const std::vector<RamanSpecies> species = raman_tensors(G);
    REQUIRE(!species.empty());
    CHECK(species.front().form.independent.size() == tensor_form(tensor_property("dielectric"), G).independent.size());
    for (const RamanSpecies& s : species) {
      CAPTURE(s.name);
      const FieldMatrix T = partners_of(s);
      CHECK(!s.form.independent.empty());
      CHECK((s.partners.size() == T.rows() || (s.partners.empty() && T.rows() == 1)));
      for (const Permutation& g : G.generators()) {
        const FieldMatrix R = vectors.field_matrix(g), moved = T * kronecker_product(R, R).transpose();
        CHECK(moved.transpose() * moved == T.transpose() * T);
      }
    }
  }
}

TEST_CASE("Raman tensors of other groups are refused", "[physics][quick]") {
  CHECK_THROWS_WITH(raman_report("Coov"), Catch::Contains("C∞v is a group without end"));
  CHECK_THROWS_WITH(raman_report("4'/m"), Catch::Contains("a magnetic one"));
  CHECK_THROWS_WITH(raman_report("-62m"), Catch::Contains("write D3h"));
  CHECK_THROWS_WITH(raman_tensors(symmetric_group(4)), Catch::Contains("is no point group"));
  CHECK_THROWS_WITH(tensor_property("rama"), Catch::Contains("and raman"));
}
