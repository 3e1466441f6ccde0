#include "intertwine/io/structure_file.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "support/listed_crystals.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::string file_refusal(const std::string& text, const std::string& name) {
  try {
    parse_crystal(text, name);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

constexpr const char* salt_yaml = R"(phonopy:
  version: "2.20.0"
physical_unit:
  length: "angstrom"
primitive_cell:
  lattice:
  - [     0.000000000000000,     2.820000000000000,     2.820000000000000 ] # a
  - [     2.820000000000000,     0.000000000000000,     2.820000000000000 ] # b
  - [     2.820000000000000,     2.820000000000000,     0.000000000000000 ] # c
  points:
  - symbol: Na # 1
    coordinates: [  0.000000000000000,  0.000000000000000,  0.000000000000000 ]
    mass: 22.989769
  - symbol: Cl # 2
    coordinates: [  0.500000000000000,  0.500000000000000,  0.500000000000000 ]
    mass: 35.453000
  reciprocal_lattice: # without 2pi
  - [    -0.177304964539007,     0.177304964539007,     0.177304964539007 ] # a*
)";

constexpr const char* salt_aims = R"(# rock salt
lattice_vector 0.0 2.82 2.82
lattice_vector 2.82 0.0 2.82
lattice_vector 2.82 2.82 0.0
atom 0.0 0.0 0.0 Na
  constrain_relaxation .true.
atom_frac 0.5 0.5 0.5 Cl
)";

}  // namespace

TEST_CASE("symmetrized crystals read again have the same group, sites and no deviation", "[io][quick]") {
  if (!has_space_group_search()) return;
  auto random = test_rng();
  for (const ListedCrystal& one : listed_crystals()) {
    CrystalStructure noisy = one.structure;
    for (Atom& atom : noisy.atoms)
      for (double& x : atom.position) x += 1e-4 * (static_cast<double>(random.below(1001)) / 1000 - 0.5);
    const CrystalSymmetry m = crystal_symmetry(noisy, 0.02);
    REQUIRE(m.setting.number == one.number);
    CHECK(m.deviation > 1e-7);
    for (const std::string file : {"sym.cif", "POSCAR", "sym.xyz", "a.VASP"}) {
      CAPTURE(one.name, file);
      const CrystalSymmetry again = crystal_symmetry(parse_crystal(structure_text(m, file), file), 1e-5);
      CHECK(again.setting.number == one.number);
      CHECK(again.deviation < 1e-9);
      CHECK(again.displacement < 1e-9);
      CHECK(again.sites.size() == m.sites.size());
      CHECK(again.crystal.atoms.size() == one.structure.atoms.size());
      const auto a = cell_parameters(m.cell), b = cell_parameters(again.cell);
      for (std::size_t k = 0; k < 6; ++k) CHECK(a[k] == Approx(b[k]));
    }
  }
}

TEST_CASE("structures are written for names that say how", "[io][quick]") {
  for (const char* name : {"a.cif", "POSCAR", "x/CONTCAR", "a.vasp", "a.xyz", "a.EXTXYZ"}) CHECK(names_structure(name));
  for (const char* name : {"a.json", "a.txt", "cif", "-", "a.npy"}) CHECK_FALSE(names_structure(name));
  if (!has_space_group_search()) return;
  const CrystalSymmetry m = crystal_symmetry(listed_crystals()[0].structure);
  CHECK_THROWS_AS(structure_text(m, "a.json"), DomainError);
}

TEST_CASE("symmetrized molecules read again have the same group and no deviation", "[io][quick]") {
  const std::vector<Atom> hydronium{
      {"O", {0, 0, 0.1}}, {"H", {0.94, 0, -0.2}}, {"H", {-0.47, 0.81, -0.21}}, {"H", {-0.46, -0.82, -0.19}}};
  const MolecularSymmetry m = molecular_symmetry(hydronium, 0.1);
  REQUIRE(m.schoenflies == "C3v");
  CHECK(m.deviation > 1e-3);
  const MolecularSymmetry again = molecular_symmetry(parse_xyz(xyz_text(m), "a.xyz"), 1e-4);
  CHECK(again.schoenflies == "C3v");
  CHECK(again.deviation < 1e-9);
  // A target is one of the groups nearby.
  CHECK(molecular_symmetry(hydronium, 0.005).schoenflies != "C3v");
  const MolecularSymmetry towards = molecular_symmetry_towards(hydronium, "C3v", 0.01);
  CHECK(towards.schoenflies == "C3v");
  CHECK(towards.deviation == Approx(m.deviation));
  CHECK_THROWS_WITH(
      molecular_symmetry_towards(hydronium, "D3h", 0.02),
      Catch::Matchers::StartsWith("the atoms do not have D3h; near the tolerance 0.02 they have C3v within"));
  const MolecularSymmetry line =
      molecular_symmetry_towards({{"O", {0, 0, 1.16}}, {"C", {0, 0, 0}}, {"O", {0, 0, -1.16}}}, "Dooh", 0.05);
  CHECK(line.schoenflies == "D∞h");
}

TEST_CASE("phonopy.yaml and geometry.in are crystals", "[io][quick]") {
  for (const auto& [text, name] :
       {std::pair{salt_yaml, "phonopy.yaml"}, {salt_aims, "geometry.in"}, {salt_yaml, "-"}, {salt_aims, "-"}}) {
    CAPTURE(name);
    const CrystalStructure crystal = parse_crystal(text, name);
    REQUIRE(crystal.atoms.size() == 2);
    CHECK(crystal.atoms[1].element == "Cl");
    CHECK(crystal.atoms[1].position[2] == Approx(0.5));
    CHECK(crystal.cell[0][1] == Approx(2.82));
    if (has_space_group_search()) CHECK(crystal_symmetry(crystal).setting.number == 225);
  }
  // The unit cell comes before the primitive one, wherever it stands.
  const std::string both = std::string(salt_yaml) +
                           "unit_cell:\n  lattice:\n  - [ 3, 0, 0 ]\n  - [ 0, 3, 0 ]\n  - [ 0, 0, 3 ]\n  points:\n"
                           "  - symbol: Po\n    coordinates: [ 0, 0, 0 ]\n";
  CHECK(parse_crystal(both, "phonopy_disp.yaml").atoms[0].element == "Po");
}

TEST_CASE("damaged files of phonopy and FHI-aims are refused with the line", "[io][quick]") {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK(file_refusal(changed(salt_yaml, "symbol: Na", "symbol: Xx"), "p.yaml")
            .find("p.yaml: line 11: 'Xx' is no element") == 0);
  CHECK(file_refusal(changed(salt_yaml, "0.000000000000000,     2.820", "2.820"), "p.yaml")
            .find("p.yaml: line 7: an edge of the lattice has three numbers, and here are 2") == 0);
  CHECK(file_refusal(changed(salt_yaml, "[  0.500000000000000", "[  half"), "p.yaml")
            .find("line 15: 'half' is no number") != std::string::npos);
  CHECK(file_refusal(changed(salt_yaml, "  - symbol: Na # 1\n", ""), "p.yaml").find("line 11: an atom has a symbol") !=
        std::string::npos);
  CHECK(file_refusal("a: 1\n", "p.yaml").find("has no unit_cell") != std::string::npos);
  CHECK(file_refusal("unit_cell:\n  lattice:\n", "p.yaml").find("a lattice of three edges") != std::string::npos);
  CHECK(file_refusal(changed(salt_aims, "lattice_vector 0.0 2.82", "lattice_vector 0.0"), "geometry.in")
            .find("line 2: a lattice_vector has three numbers") != std::string::npos);
  CHECK(
      file_refusal(changed(salt_aims, " Cl", ""), "geometry.in").find("line 7: an atom has x, y, z and its element") !=
      std::string::npos);
  CHECK(file_refusal("atom 0 0 0 Na\n", "geometry.in").find("`molecule`") != std::string::npos);
  CHECK(file_refusal(std::string(salt_aims) + "lattice_vector 1 1 1\n", "geometry.in")
            .find("the fourth lattice_vector") != std::string::npos);
  CHECK(file_refusal("lattice_vector 1 1 1\natom 0 0 0 Na\n", "geometry.in").find("three lines lattice_vector") !=
        std::string::npos);
}
