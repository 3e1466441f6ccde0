// Crystals from CIF, POSCAR and extended .xyz: what is read, and where what is wrong stands.
#include "intertwine/io/crystal_file.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "intertwine/physics/crystal_report.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

const std::string cubic_cell =
    "data_a\n_cell_length_a 4\n_cell_length_b 4.0(1)\n_cell_length_c 4\n_cell_angle_alpha "
    "90\n_cell_angle_beta "
    "90\n_cell_angle_gamma 90\n";

/// A CIF of a cubic cell with these operations or names, and these rows of label, x, y, z.
std::string cif(const std::string& symmetry, const std::string& rows) {
  return cubic_cell + symmetry +
         "\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n" + rows + "\n";
}

std::string elements_of(const CrystalStructure& crystal) {
  std::string text;
  for (const Atom& atom : crystal.atoms) text += atom.element;
  return text;
}

}  // namespace

TEST_CASE("a CIF has all images of its sites", "[crystal_file][quick]") {
  for (const std::string symmetry :
       {"_space_group_name_H-M_alt 'P m -3 m'", "_symmetry_space_group_name_H-M \"P 4/m -3 2/m\"",
        "_space_group_IT_number 221", "_symmetry_space_group_name_Hall '-P 4 2 3'",
        "_space_group.name_H-M_alt\n;Pm-3m\n;\n", "_SPACE_GROUP_NAME_H-M_ALT Pm-3m # and a comment"}) {
    const CrystalStructure crystal = parse_cif(cif(symmetry, "Sr 0 0 0\nTi 1/2 0.5 .5000(2)\nO1 0.5 0.5 0"), "a.cif");
    CAPTURE(symmetry);
    CHECK(elements_of(crystal) == "SrTiOOO");
    CHECK(crystal.cell[1][1] == 4);
  }
  // Operations as programs write them; the last one is used twice, and images fall together.
  const std::string operations =
      "loop_\n_symmetry_equiv_pos_site_id\n_symmetry_equiv_pos_as_xyz\n1 x,y,z\n2 '-x, -y, -z'\n3 "
      "\"1/2+X,-y+0.5,z\"\n4 "
      "+x-1/2,y+1/2,-z\n";
  const CrystalStructure four = parse_cif(cif(operations, "Na1+ 0.1 0.2 0.3"), "a.cif");
  REQUIRE(four.atoms.size() == 4);
  CHECK(std::abs(four.atoms[2].position[0] - 0.6) < 1e-12);
  CHECK(std::abs(four.atoms[2].position[1] - 0.3) < 1e-12);
  // Thirds in four digits are special positions.
  const CrystalStructure thirds = parse_cif(
      "data_b _cell_length_a 3 _cell_length_b 3 _cell_length_c 5 _cell_angle_alpha 90 _cell_angle_beta 90\n"
      "_cell_angle_gamma 120 _symmetry_Int_Tables_number 194 loop_ _atom_site_type_symbol "
      "_atom_site_fract_x\n"
      "_atom_site_fract_y _atom_site_fract_z MG 0.3333 0.6667 0.2500",
      "b.cif");
  REQUIRE(thirds.atoms.size() == 2);
  CHECK(elements_of(thirds) == "MgMg");
  CHECK(std::abs(thirds.atoms[0].position[0] - 1.0 / 3) < 1e-12);
}

TEST_CASE("labels and symbols of CIF are elements, or refused", "[crystal_file][quick]") {
  const std::string p1 = "_space_group_IT_number 1";
  for (const auto& [label, element] : std::vector<std::pair<std::string, std::string>>{
           {"Fe1", "Fe"}, {"O2B", "O"}, {"Si(1)", "Si"}, {"OW1", "O"}, {"Cl", "Cl"}, {"D3", "D"}, {"C", "C"}})
    CHECK(elements_of(parse_cif(cif(p1, label + " 0 0 0"), "a.cif")) == element);
  CHECK_THROWS_WITH(parse_cif(cif(p1, "CA1 0 0 0"), "a.cif"), Contains("line 14") && Contains("Ca or C"));
  CHECK_THROWS_WITH(parse_cif(cif(p1, "Xx1 0 0 0"), "a.cif"), Contains("line 14"));
  CHECK_THROWS_WITH(parse_cif(cif(p1, "? 0 0 0"), "a.cif"), Contains("no element"));
  std::string typed = cif(p1, "A1 0 0 0");
  typed.replace(typed.find("_label"), 6, "_type_symbol");
  for (const auto& [symbol, element] : std::vector<std::pair<std::string, std::string>>{
           {"Fe3+", "Fe"}, {"O2-", "O"}, {"CL1-", "Cl"}, {"CA", "Ca"}, {"D", "D"}}) {
    std::string text = typed;
    CHECK(elements_of(parse_cif(text.replace(text.find("A1"), 2, symbol), "a.cif")) == element);
  }
}

TEST_CASE("what is wrong in a CIF is said with its line", "[crystal_file][quick]") {
  const std::string p1 = "_space_group_IT_number 1";
  const auto refused = [](const std::string& text, const std::string& why, const std::string& line) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_cif(text, "a.cif"), Contains("a.cif: line " + line + ":") && Contains(why));
  };
  refused("_cell_length_a 4", "begins with data_", "1");
  refused("data_a\n_cell_length_a 4", "no atoms", "1");
  refused(cif("", "C 0 0 0"), "neither operations", "1");
  refused(cif("_space_group_name_H-M_alt 'P q'", "C 0 0 0"), "P q", "8");
  refused(cif("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n-x,-y", "C 0 0 0"), "'-x,-y' is no operation", "11");
  refused(cif("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n_space_group_name_H-M_alt P-1", "C 0 0 0"),
          "1 operations here, and P-1 in line 11 has 2", "10");
  for (const std::string term : {"2x", "x2", "1/2*x", "xy", "1/2 x", "x+"})
    refused(cif("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n'" + term + ",y,z'", "C 0 0 0"),
            term + ",y,z' is no operation", "11");
  refused(cif(p1, "C 0 0 x"), "'x', which is no number", "14");
  refused(cif(p1, "C 0 0 0\nC 0 0"), "last row is not complete", "9");
  refused(cif(p1, "C 0 0 0") + "_x 'open", "has no '", "15");
  refused(cif(p1, "C 0 0 0") + "stray", "last row is not complete", "9");
  refused(cif(p1, "C 0 0 0") + cif(p1, "C 0 0 0"), "second structure", "15");
  refused(cif(p1, "C 0 0 0") + "_x\n;open", "no line with ';'", "16");
  std::string flat = cif(p1, "C 0 0 0");
  flat.replace(flat.find("gamma 90"), 8, "gamma 180");
  refused(flat, "no cell", "2");
  std::string half = cif(p1, "Na1 0 0 0 0.5");
  half.insert(half.find("\nNa1"), "\n_atom_site_occupancy");
  refused(half, "Na1 has the occupancy 0.5", "15");
  std::string apart = cif(p1, "C 0 0 0\nC 0.5 0 0") + "_atom_site_label C1";
  apart.replace(apart.find("_atom_site_label"), 16, "_atom_site_type_symbol");
  refused(apart, "in one loop", "1");
}

TEST_CASE("a loop of a CIF without a row says nothing", "[crystal_file][quick]") {
  for (const char* tag : {"_symmetry_equiv_pos_as_xyz", "_space_group_symop_magn_operation.xyz",
                          "_atom_site_moment.label", "_atom_site_occupancy", "_atom_site_type_symbol"}) {
    CAPTURE(tag);
    const std::string text = cif(std::string("_space_group_IT_number 2\nloop_\n") + tag, "C 0.1 0 0");
    CHECK(elements_of(parse_cif(text, "a.cif")) == "CC");
  }
}

TEST_CASE("the space group of a CIF fits its cell", "[crystal_file][quick]") {
  const auto with_cell = [](const std::string& name, const char* a, const char* b, const char* c, const char* angle) {
    return fmt::format(
        "data_a\n_cell_length_a {}\n_cell_length_b {}\n_cell_length_c {}\n_cell_angle_alpha "
        "{}\n_cell_angle_beta "
        "{}\n_cell_angle_gamma {}\n_space_group_name_H-M_alt "
        "'{}'\nloop_\n_atom_site_label\n_atom_site_fract_x\n"
        "_atom_site_fract_y\n_atom_site_fract_z\nC 0.1 0.1 0.1\nSi 0.4 0.4 0.4\n",
        a, b, c, angle, angle, angle, name);
  };
  // Without :R the axes are those of the cell: a rhombohedral one has two images of a place on the axis, not six.
  for (const char* name : {"R -3 m", "R -3 m:R", "R -3", "R 3 2"})
    CHECK(parse_cif(with_cell(name, "4", "4", "4", "80"), "a.cif").atoms.size() == 4);
  CHECK_THROWS_WITH(parse_cif(with_cell("R -3 m:H", "4", "4", "4", "80"), "a.cif"),
                    Contains("line 2") && Contains("another length or angle"));
  CHECK_THROWS_WITH(parse_cif(with_cell("P m -3 m", "4", "5", "6", "90"), "a.cif"),
                    Contains("line 2") && Contains("another length or angle"));
  CHECK_NOTHROW(parse_cif(with_cell("P m -3 m", "4", "4.02", "4.01", "90.2"), "a.cif"));
}

TEST_CASE("POSCAR in its forms", "[crystal_file][quick]") {
  const std::string head = "salt\n4.0\n1 0 0\n0 1 0\n0 0 1\nNa_pv Cl\n1 1\n";
  const CrystalStructure direct =
      parse_poscar(head + "Selective dynamics\nDirect\n0 0 0 T T F\n.5 .5 .5 Cl\n\n0 0 0\n", "P");
  CHECK(elements_of(direct) == "NaCl");
  CHECK(direct.cell[0][0] == 4);
  CHECK(direct.atoms[1].position == Vector3{0.5, 0.5, 0.5});
  const CrystalStructure cartesian = parse_poscar(head + "Cartesian\n0 0 0\n.5 .5 .5\n", "P");
  CHECK(std::abs(cartesian.atoms[1].position[2] - 0.5) < 1e-12);
  const CrystalStructure volume = parse_poscar("c\n-64\n1 0 0\n0 1 0\n0 0 1\nNa Cl\n1 1\nk\n0 0 0\n.5 .5 .5\n", "P");
  CHECK(std::abs(volume.cell[2][2] - 4) < 1e-12);
  CHECK(std::abs(volume.atoms[1].position[0] - 0.5) < 1e-12);

  // VASP 4 has no line of elements; phonopy and ASE take them from the comment then.
  const std::string edges = "\n4\n1 0 0\n0 1 0\n0 0 1\n", places = "\nDirect\n0 0 0\n.5 .5 .5\n";
  CHECK(elements_of(parse_poscar(" Na Cl" + edges + "1 1" + places, "P")) == "NaCl");
  CHECK(elements_of(parse_poscar("Na Cl" + edges + "Cl Na\n1 1" + places, "P")) == "ClNa");

  const auto refused = [](const std::string& text, const std::string& why) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_poscar(text, "P"), Contains(why));
  };
  refused("c\n4\n1 0 0\n0 1 0\n0 0 1\n1 1\nDirect\n0 0 0\n.5 .5 .5\n", "P: line 6: the elements are missing");
  for (const char* comment : {"Na", "Na Cl salt", "na cl", "NaCl 2", "11 17"})
    refused(comment + edges + "1 1" + places, "P: line 6: the elements are missing");
  refused("c\n4\n1 0 0\n0 1\n", "P: line 4: an edge of the cell has x, y and z");
  refused("c\nfour\n", "P: line 2: 'four' is no number");
  refused(head + "Reciprocal\n", "P: line 8: 'Reciprocal' says neither");
  refused(head + "Direct\n0 0 0\n", "P: line 10: the file ends here");
  refused(head + "Direct\n0 0 0\n0 0\n", "P: line 10: atom 2 (Cl) has 2 of three");
  refused("c\n4\n1 0 0\n0 1 0\n0 0 1\nNa Cl\n1\n", "P: line 7: this line has 1 numbers of atoms for 2");
  refused("c\n4\n1 0 0\n0 1 0\n0 2 0\nNa\n1\nC\n0 0 0\n", "P: line 3: the three edges");
  refused("c\n4\n1 0 0\n0 1 0\n0 0 1\nXx\n1\nC\n0 0 0\n", "P: line 6: 'Xx' is no element");
}

TEST_CASE("compressed files are refused by what unpacks them", "[crystal_file][quick]") {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("intertwine_packed_{}", getpid());
  for (const auto& [magic, tool] : {std::pair{"\xFD"
                                              "7zXZ",
                                              "unxz"},
                                    {"\x1F\x8B", "gunzip"},
                                    {"BZh9", "bunzip2"}}) {
    write_file(path, magic);
    CHECK_THROWS_WITH(read_crystal(path), Contains("is compressed") && Contains(tool));
  }
  std::filesystem::remove(path);
}

TEST_CASE("periodic .xyz files are crystals, others are not", "[crystal_file][quick]") {
  const std::string atoms = "\nC 0 0 0\nC 0.89 0.89 0.89\n",
                    lattice = "Lattice=\"0 1.78 1.78 1.78 0 1.78 1.78 1.78 0\"";
  for (const std::string& comment : {lattice, lattice + " pbc=\"T T T\"", lattice + " pbc=[True, True, True]"}) {
    const CrystalStructure diamond = parse_crystal_xyz("2\n" + comment + atoms, "a.xyz");
    CHECK(std::abs(diamond.atoms[1].position[0] - 0.25) < 1e-12);
    CHECK(diamond.cell[2] == Vector3{1.78, 1.78, 0});
  }
  for (const auto& [comment, why] :
       std::vector<std::pair<std::string, std::string>>{{"pbc=T", "no Lattice="},
                                                        {"", "no Lattice="},
                                                        {lattice + " pbc=\"T T F\"", "as a slab or a wire"},
                                                        {lattice + " pbc=F F F", "as a slab or a wire"},
                                                        {"Lattice=\"1 0 0 0 1 0\"", "6 of nine numbers"},
                                                        {"Lattice=\"1 0 0 0 1 0 0 0 x\"", "'x' is no coordinate"},
                                                        {"Lattice=\"1 0 0 0 1 0 0 1 0\"", "span no volume"}})
    CHECK_THROWS_WITH(parse_crystal_xyz("2\n" + comment + atoms, "a.xyz"), Contains("line 2") && Contains(why));
}

TEST_CASE("a structure is read by its name or by its contents", "[crystal_file][quick]") {
  const std::string poscar = "c\n4\n1 0 0\n0 1 0\n0 0 1\nNa\n1\nDirect\n0 0 0\n",
                    xyz = "1\nLattice=\"4 0 0 0 4 0 0 0 4\"\nNa 0 0 0\n",
                    text = "# made by hand\n" + cif("_space_group_IT_number 1", "Na 0 0 0");
  for (const auto& [name, contents] : std::vector<std::pair<std::string, std::string>>{{"POSCAR", poscar},
                                                                                       {"x/CONTCAR", poscar},
                                                                                       {"a.vasp", poscar},
                                                                                       {"a.cif", text},
                                                                                       {"a.CIF", text},
                                                                                       {"a.extxyz", xyz},
                                                                                       {"a", poscar},
                                                                                       {"b", text},
                                                                                       {"c", xyz},
                                                                                       {"d", "\xEF\xBB\xBF" + text}}) {
    CAPTURE(name);
    CHECK(elements_of(parse_crystal(contents, name)) == "Na");
  }
  CHECK_THROWS_WITH(parse_crystal(" \n", "a"), Contains("is empty"));
  CHECK_THROWS_AS(parse_crystal(poscar, "a.cif"), FileError);
}

TEST_CASE("the report on a crystal has the keys that are promised", "[crystal_file][quick]") {
  if (!has_space_group_search()) return;
  const CrystalStructure salt = parse_cif(cif("_space_group_name_H-M_alt Fm-3m", "Na 0 0 0\nCl 0.5 0.5 0.5"), "a.cif");
  CHECK(salt.atoms.size() == 8);
  CrystalSymmetry m = crystal_symmetry(salt);
  CrystalModes modes = crystal_modes(m);
  const CrystalReport report{"salt.cif", std::move(m), std::move(modes), std::nullopt};
  CHECK_THAT(to_text(record(report)), Contains("ClNa, 8 atoms in the cell, 2 in a primitive one") &&
                                          Contains("Fm-3m (number 225)") && Contains("optical       T1u\n"));
  for (const char* key :
       {"\"number\": 225", "\"name\": \"Fm-3m\"", "\"hall\": \"-F 4 2 3\"", "\"setting\": \"F m -3 m\"",
        "\"wyckoff\": \"a\"", "\"site_symmetry\": \"m-3m\"", "\"mechanical\"", "\"acoustic\"", "\"optical\"",
        "\"multiplicity\": 2", "\"ir\": true", "\"raman\": false"})
    CHECK_THAT(to_json(record(report)), Contains(key));
  CHECK_THAT(to_latex(record(report)), Contains("O_{h}") && Contains("T_{1u} & 2 & 1 & 1"));
}

namespace {

/// A magnetic CIF of an oblique cell, whose one moment has these components along its edges.
std::string magnetic_cif(const std::string& symmetry, const std::string& moment) {
  return "data_m\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 6\n_cell_angle_alpha "
         "90\n_cell_angle_beta 90\n"
         "_cell_angle_gamma 120\n" +
         symmetry +
         "\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nFe1 0 0 "
         "0\nLi1 0.5 0 0\n"
         "loop_\n_atom_site_moment.label\n_atom_site_moment.crystalaxis_x\n_atom_site_moment.crystalaxis_y\n"
         "_atom_site_moment.crystalaxis_z\n" +
         moment + "\n";
}
const std::string turns =
    "loop_\n_space_group_symop_magn_operation.xyz\nx,y,z,+1\n-x,-y,-z,+1\nloop_\n"
    "_space_group_symop_magn_centering.xyz\nx,y,z,+1\nx,y,z+1/2,-1";

std::string moments_refusal(const std::string& text) {
  try {
    parse_crystal(text, "m.mcif");
  } catch (const FileError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a magnetic CIF has moments, by operations that reverse time", "[crystal_file][quick]") {
  const CrystalStructure crystal = parse_crystal(magnetic_cif(turns, "Fe1 2 1.0(1) ."), "m.mcif");
  CHECK(elements_of(crystal) == "FeFeLiLi");
  REQUIRE(crystal.moments.size() == 4);
  // 2 along a and 1 along b, at 120 degrees.
  CHECK(std::abs(crystal.moments[0][0] - 1.5) < 1e-12);
  CHECK(std::abs(crystal.moments[0][1] - std::sqrt(0.75)) < 1e-12);
  CHECK(std::abs(crystal.moments[1][0] + 1.5) < 1e-12);
  CHECK(crystal.moments[2] == Vector3{});
  CHECK_FALSE(crystal.collinear);
  CHECK(parse_crystal(magnetic_cif(turns, "Fe1 0 0 0"), "m.mcif").moments.empty());
  // By the symbol alone, along Cartesian axes.
  std::string named = magnetic_cif("_space_group_magn.name_BNS \"P-1'\"", "Li1 0 0 0");
  CHECK(parse_crystal(named, "m.mcif").magnetic_name == "P-1'");
  named = magnetic_cif("_space_group_magn.name_BNS \"P_c-1\"\n_space_group_magn.transform_BNS_Pp_abc 'a,b,c;0,0,0'",
                       "Fe1 0 0 3");
  CHECK(parse_crystal(named, "m.mcif").moments[0][2] == 3);
}

TEST_CASE("magnetic CIF whose parts disagree are refused with their lines", "[crystal_file][quick]") {
  CHECK_THAT(
      moments_refusal(magnetic_cif("loop_\n_space_group_symop_magn_operation.xyz\nx,y,z,+1\n-x,-y,-z,-1", "Fe1 2 1 0")),
      Contains("m.mcif: line 24: the moment (2,1,0) of Fe1 is none that the operations allow: '-x,-y,-z,-1' in "
               "line 11 takes it to (-2,-1,0)"));
  if (has_magnetic_numbers())
    CHECK_THAT(moments_refusal(magnetic_cif("_space_group_magn.number_BNS 2.4\n" + turns, "Fe1 2 1 0")),
               Contains("line 11: the operations listed here are those of P_S-1 (2.7), and 2.4 in line 8 "
                        "says P-1 (2.4)"));
  CHECK_THAT(moments_refusal(magnetic_cif(turns, "Co1 2 1 0")), Contains("Co1 has a moment here, and no site"));
  CHECK_THAT(moments_refusal(magnetic_cif(turns, "Fe1 2 1 0\nFe1 2 1 0")), Contains("Fe1 has a second moment"));
  CHECK_THAT(moments_refusal(magnetic_cif(turns, "Fe1 2 x 0")), Contains("'x', which is no number"));
  CHECK_THAT(moments_refusal(magnetic_cif("loop_\n_space_group_symop_magn_operation.xyz\nx,y,z", "Fe1 2 1 0")),
             Contains("line 10: 'x,y,z' is no operation; one is written x,y,z,+1"));
  CHECK_THAT(moments_refusal(magnetic_cif(turns + "\n-x,y,z,+1", "Fe1 2 1 0")), Contains("is no translation"));
  CHECK_THAT(
      moments_refusal(magnetic_cif(
          "_space_group_magn.name_BNS Pnma\n_space_group_magn.transform_BNS_Pp_abc 'a,b,c;0,0,1/4'", "Fe1 2 1 0")),
      Contains("line 9: the change 'a,b,c;0,0,1/4' to the standard cell needs the operations"));
  CHECK_THAT(moments_refusal(magnetic_cif("_space_group_magn.name_BNS Pqrs", "Fe1 2 1 0")), Contains("line 8: "));
}

TEST_CASE("moments of other files", "[crystal_file][quick]") {
  const std::string head = "2\nLattice=\"3 0 0 0 3 0 0 0 3\" pbc=\"T T T\" Properties=species:S:1:pos:R:3:";
  const CrystalStructure vectors = parse_crystal(
      head + "forces:R:3:magmoms:R:3:initial_magmoms:R:1\nFe 0 0 0 7 7 7 1 2 3 9\nFe 1 1 1 7 7 7 0 0 1 9\n", "a.xyz");
  REQUIRE(vectors.moments.size() == 2);
  CHECK(vectors.moments[0] == Vector3{1, 2, 3});
  CHECK_FALSE(vectors.collinear);
  const CrystalStructure numbers = parse_crystal(head + "initial_magmoms:R:1\nFe 0 0 0 2.5\nFe 1 1 1 -2.5\n", "a.xyz");
  CHECK(numbers.moments[1] == Vector3{0, 0, -2.5});
  CHECK(numbers.collinear);
  CHECK(parse_crystal(head + "magmoms:R:1\nFe 0 0 0 0\nFe 1 1 1 0.0\n", "a.xyz").moments.empty());
  CHECK_THROWS_WITH(parse_crystal(head + "magmoms:R:3\nFe 0 0 0 0 1\nFe 1 1 1 0.0 0 0\n", "a.xyz"),
                    Contains("line 3: the moment of this atom has 2 of 3 numbers"));
  CHECK_THROWS_WITH(parse_crystal(head + "magmoms:R:1\nFe 0 0 0 up\nFe 1 1 1 0.0\n", "a.xyz"),
                    Contains("'up' is no moment"));
  const std::string aims = "lattice_vector 3 0 0\nlattice_vector 0 3 0\nlattice_vector 0 0 3\n";
  const CrystalStructure spins =
      parse_crystal(aims + "atom 0 0 0 Fe\ninitial_moment 2\natom_frac 0.5 0.5 0.5 Fe\n", "geometry.in");
  CHECK(spins.moments == std::vector<Vector3>{{0, 0, 2}, {0, 0, 0}});
  CHECK(spins.collinear);
  CHECK_THROWS_WITH(parse_crystal(aims + "initial_moment 2\natom 0 0 0 Fe\n", "geometry.in"),
                    Contains("line 4: initial_moment stands behind its atom"));
  CrystalStructure given = numbers;
  give_moments(given, "MAGMOM = 5*1 2");
  CHECK_FALSE(given.collinear);
  CHECK(given.moments[1] == Vector3{1, 1, 2});
  give_moments(given, "3 -3");
  CHECK(given.collinear);
  for (const auto& [text, words] : {std::pair{"1 2 3", "3 numbers for 2 atoms"},
                                    {"", "0 numbers"},
                                    {"x*2", "no count"},
                                    {"2*", "no number"},
                                    {"99999999999*1", "no count"},
                                    {"300000*1 300000*1", "too many"}})
    CHECK_THROWS_WITH(give_moments(given, text), Contains(words));
}
