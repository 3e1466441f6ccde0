// Partial occupancies of CIF, and CIF whose names and operations disagree.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

std::string cubic_cif(const std::string& symmetry, const std::string& rows, bool with_occupancy = true) {
  return "data_a\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha "
         "90\n_cell_angle_beta "
         "90\n_cell_angle_gamma 90\n" +
         symmetry + "\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n" +
         (with_occupancy ? "_atom_site_occupancy\n" : "") + rows + "\n";
}

const std::string alloy = cubic_cif("_space_group_name_H-M_alt 'P m -3 m'",
                                    "Fe1 0 0 0 0.5\nCo1 0 0 0 0.5\nAl1 0.5 0.5 0.5 1\nNa1 0.5 0.5 0 0.25");

std::vector<std::string> kinds_of(const CrystalStructure& crystal) {
  std::vector<std::string> kinds;
  for (const Atom& atom : crystal.atoms) kinds.push_back(atom.element);
  return kinds;
}

}  // namespace

TEST_CASE("species of a shared site", "[crystal_file][quick]") {
  using Shares = std::vector<std::pair<std::string, double>>;
  CHECK(site_species("Fe0.5Co0.5") == Shares{{"Fe", 0.5}, {"Co", 0.5}});
  CHECK(site_species("Na0.25") == Shares{{"Na", 0.25}});
  CHECK(site_species("H1") == Shares{{"H", 1}});
  for (const char* text : {"", "Fe", "Fe0.5Co", "Qq0.5", "Fe0.7Co0.7", "Fe-0.5", "Fe1.5", "0.5", "Fe0"})
    CHECK(site_species(text).empty());
}

TEST_CASE("partial occupancies are refused, averaged or split", "[crystal_file][quick]") {
  CHECK_THROWS_WITH(parse_cif(alloy, "a.cif"),
                    Contains("line 15: Fe1 has the occupancy 0.5") && Contains("'average'") && Contains("'split'"));
  CHECK(kinds_of(parse_cif(alloy, "a.cif", Occupancy::average)) ==
        std::vector<std::string>{"Fe0.5Co0.5", "Al", "Na0.25", "Na0.25", "Na0.25"});
  CHECK(kinds_of(parse_cif(alloy, "a.cif", Occupancy::split)) ==
        std::vector<std::string>{"Fe0.5", "Co0.5", "Al", "Na0.25", "Na0.25", "Na0.25"});
  const auto named = [](const std::string& rows, Occupancy occupancy = Occupancy::average) {
    return kinds_of(parse_cif(cubic_cif("_space_group_name_H-M_alt 'P 1'", rows), "a.cif", occupancy));
  };
  CHECK(named("Fe1 0 0 0 0.3333\nFe2 0 0 1 0.6667") == std::vector<std::string>{"Fe"});
  CHECK(named("Fe1 0 0 0 0\nCo1 0 0 0 1") == std::vector<std::string>{"Co"});
  CHECK(named("Fe1 0 0 0 0.5(1)\nCo1 0.5 0 0 ?") == std::vector<std::string>{"Fe0.5", "Co"});
  for (const Occupancy occupancy : {Occupancy::average, Occupancy::split}) {
    CHECK_THROWS_WITH(named("Fe1 0 0 0 0.7\nCo1 0 0 0 0.7", occupancy),
                      Contains("line 16") && Contains("are 1.4 together"));
    CHECK_THROWS_WITH(named("Fe1 0 0 0 1.5", occupancy), Contains("line 15: Fe1 has the occupancy 1.5"));
    CHECK_THROWS_WITH(named("Fe1 0 0 0 -0.5", occupancy), Contains("which is not from 0 to 1"));
  }
  CHECK(occupancy_named("split") == Occupancy::split);
  CHECK_THROWS_WITH(occupancy_named("half"), Contains("none of average, split and refuse"));
}

TEST_CASE("mixed sites have a symmetry and are written with their occupancies", "[crystal_file][quick]") {
  if (!has_space_group_search()) return;
  const CrystalSymmetry average = crystal_symmetry(parse_cif(alloy, "a.cif", Occupancy::average));
  CHECK(average.setting.number == 221);
  REQUIRE(average.sites.size() == 3);
  CHECK(average.sites[0].element == "Fe0.5Co0.5");
  CHECK(average.sites[2].multiplicity == 3);
  const CrystalSymmetry split = crystal_symmetry(parse_cif(alloy, "a.cif", Occupancy::split));
  CHECK(split.setting.number == 221);
  REQUIRE(split.sites.size() == 4);
  CHECK(split.sites[0].position == split.sites[1].position);
  for (const CrystalSymmetry* m : {&average, &split}) {
    const std::string text = structure_text(*m, "a.cif");
    CHECK_THAT(text, Contains("_atom_site_occupancy") && Contains("Co1 Co") && Contains(" 0.25\n"));
    const CrystalStructure again = parse_cif(text, "again.cif", Occupancy::average);
    CHECK(kinds_of(again).front() == "Fe0.5Co0.5");
    CHECK_THROWS_WITH(structure_text(*m, "POSCAR"), Contains("write this structure into a file .cif"));
  }
  // A whole atom shares its place with none.
  CrystalStructure both{{{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}}, {{"Fe0.5", {0, 0, 0}}, {"Co", {0, 0, 0}}}};
  CHECK_THROWS_WITH(crystal_symmetry(both), Contains("are 0 apart"));
  both.atoms[1].element = "Fe0.5";
  CHECK_THROWS_WITH(crystal_symmetry(both), Contains("are 0 apart"));
}

TEST_CASE("names and operations of different groups are refused", "[crystal_file][quick]") {
  const auto refusal = [](const std::string& symmetry) {
    try {
      parse_cif(cubic_cif(symmetry, "Na1 0 0 0", false), "a.cif");
    } catch (const FileError& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  CHECK_THAT(refusal("_space_group_name_H-M_alt 'P 4 m m'\n_space_group_IT_number 136"),
             Contains("line 8: P 4 m m is the space group P 4 m m (number 99), and 136 in line 9 is"));
  CHECK_THAT(refusal("_space_group_name_Hall '-P 4 2 3'\n_space_group_name_H-M_alt 'P m -3'"),
             Contains("number 221") && Contains("number 200"));
  const std::string two = "\nloop_\n_space_group_symop_operation_xyz\nx,y,z\n";
  CHECK_THAT(refusal("_space_group_name_H-M_alt 'P -1'" + two + "-x,-y,z"),
             Contains("line 11: the operations listed here are those of another group, and P -1 in line 8 is"));
  CHECK(refusal("_space_group_name_H-M_alt 'P -1'" + two + "-x,-y,-z") == "none");
  CHECK(refusal("_space_group_name_H-M_alt 'P 1 1 2'" + two + "-x,-y,z") == "none");
  CHECK(refusal("_space_group_name_H-M_alt 'P 2'" + two + "-x,-y,z") == "none");  // in other axes than the name's
  if (has_magnetic_numbers())
    CHECK_THAT(refusal("_space_group_name_H-M_alt 'P 2'" + two + "-x,y+1/2,-z"),
               Contains("are those of P2_1 (number 4)"));
}
