// Crystals from CIF, POSCAR and extended .xyz: what is read, and where what is wrong stands.
#include "intertwine/io/crystal_file.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "intertwine/error.hpp"

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
         "\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n" + rows +
         "\n";
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
    const CrystalStructure crystal =
        parse_cif(cif(symmetry, "Sr 0 0 0\nTi 1/2 0.5 .5000(2)\nO1 0.5 0.5 0"), "a.cif");
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
  const CrystalStructure volume =
      parse_poscar("c\n-64\n1 0 0\n0 1 0\n0 0 1\nNa Cl\n1 1\nk\n0 0 0\n.5 .5 .5\n", "P");
  CHECK(std::abs(volume.cell[2][2] - 4) < 1e-12);
  CHECK(std::abs(volume.atoms[1].position[0] - 0.5) < 1e-12);

  const auto refused = [](const std::string& text, const std::string& why) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_poscar(text, "P"), Contains(why));
  };
  refused("c\n4\n1 0 0\n0 1 0\n0 0 1\n1 1\nDirect\n0 0 0\n.5 .5 .5\n", "P: line 6: the elements are missing");
  refused("c\n4\n1 0 0\n0 1\n", "P: line 4: an edge of the cell has x, y and z");
  refused("c\nfour\n", "P: line 2: 'four' is no number");
  refused(head + "Reciprocal\n", "P: line 8: 'Reciprocal' says neither");
  refused(head + "Direct\n0 0 0\n", "P: line 10: the file ends here");
  refused(head + "Direct\n0 0 0\n0 0\n", "P: line 10: atom 2 (Cl) has 2 of three");
  refused("c\n4\n1 0 0\n0 1 0\n0 0 1\nNa Cl\n1\n", "P: line 7: this line has 1 numbers of atoms for 2");
  refused("c\n4\n1 0 0\n0 1 0\n0 2 0\nNa\n1\nC\n0 0 0\n", "P: line 3: the three edges");
  refused("c\n4\n1 0 0\n0 1 0\n0 0 1\nXx\n1\nC\n0 0 0\n", "P: line 6: 'Xx' is no element");
}

TEST_CASE("periodic .xyz files are crystals, others are not", "[crystal_file][quick]") {
  const std::string atoms = "\nC 0 0 0\nC 0.89 0.89 0.89\n",
                    lattice = "Lattice=\"0 1.78 1.78 1.78 0 1.78 1.78 1.78 0\"";
  for (const std::string& comment :
       {lattice, lattice + " pbc=\"T T T\"", lattice + " pbc=[True, True, True]"}) {
    const CrystalStructure diamond = parse_crystal_xyz("2\n" + comment + atoms, "a.xyz");
    CHECK(std::abs(diamond.atoms[1].position[0] - 0.25) < 1e-12);
    CHECK(diamond.cell[2] == Vector3{1.78, 1.78, 0});
  }
  for (const auto& [comment, why] : std::vector<std::pair<std::string, std::string>>{
           {"pbc=T", "no Lattice="},
           {"", "no Lattice="},
           {lattice + " pbc=\"T T F\"", "as a slab or a wire"},
           {lattice + " pbc=F F F", "as a slab or a wire"},
           {"Lattice=\"1 0 0 0 1 0\"", "6 of nine numbers"},
           {"Lattice=\"1 0 0 0 1 0 0 0 x\"", "'x' is no coordinate"},
           {"Lattice=\"1 0 0 0 1 0 0 1 0\"", "span no volume"}})
    CHECK_THROWS_WITH(parse_crystal_xyz("2\n" + comment + atoms, "a.xyz"),
                      Contains("line 2") && Contains(why));
}

TEST_CASE("a structure is read by its name or by its contents", "[crystal_file][quick]") {
  const std::string poscar = "c\n4\n1 0 0\n0 1 0\n0 0 1\nNa\n1\nDirect\n0 0 0\n",
                    xyz = "1\nLattice=\"4 0 0 0 4 0 0 0 4\"\nNa 0 0 0\n",
                    text = "# made by hand\n" + cif("_space_group_IT_number 1", "Na 0 0 0");
  for (const auto& [name, contents] :
       std::vector<std::pair<std::string, std::string>>{{"POSCAR", poscar},
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
  const CrystalStructure salt =
      parse_cif(cif("_space_group_name_H-M_alt Fm-3m", "Na 0 0 0\nCl 0.5 0.5 0.5"), "a.cif");
  CHECK(salt.atoms.size() == 8);
  CrystalSymmetry m = crystal_symmetry(salt);
  CrystalModes modes = crystal_modes(m);
  const CrystalReport report{"salt.cif", std::move(m), std::move(modes), std::nullopt};
  CHECK_THAT(to_text(report), Contains("ClNa, 8 atoms in the cell, 2 in a primitive one") &&
                                  Contains("Fm-3m (number 225)") && Contains("optical       T1u\n"));
  for (const char* key :
       {"\"number\": 225", "\"name\": \"Fm-3m\"", "\"hall\": \"-F 4 2 3\"", "\"setting\": \"F m -3 m\"",
        "\"wyckoff\": \"a\"", "\"site_symmetry\": \"m-3m\"", "\"mechanical\"", "\"acoustic\"", "\"optical\"",
        "\"multiplicity\": 2", "\"ir\": true", "\"raman\": false"})
    CHECK_THAT(to_json(report), Contains(key));
  CHECK_THAT(to_latex(report), Contains("O_{h}") && Contains("T_{1u} & 2 & 1 & 1"));
}
