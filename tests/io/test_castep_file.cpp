// Files .cell of CASTEP.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

const std::string box = "%BLOCK LATTICE_CART\n4 0 0\n0 4 0 ! b\n0 0 4\n%ENDBLOCK LATTICE_CART\n";

std::string with_atoms(const std::string& rows, const std::string& block = "POSITIONS_FRAC") {
  return "%BLOCK " + block + "\n" + rows + "\n%ENDBLOCK " + block + "\n";
}

}  // namespace

TEST_CASE("a .cell file of CASTEP is a crystal", "[crystal_file][quick]") {
  const CrystalStructure salt = parse_crystal(
      "# rock salt\n" + box + "kpoints_mp_grid 2 2 2\n%block symmetry_ops\n1 0 0\n%endblock symmetry_ops\n" +
          with_atoms("Na 0 0 0 ; a comment\nCl:1 0.5 0.5 0.5\nCOMMENT no atom"),
      "a.cell");
  REQUIRE(salt.atoms.size() == 2);
  CHECK(salt.cell[1] == Vector3{0, 4, 0});
  CHECK(salt.atoms[1].element == "Cl");
  CHECK(salt.atoms[1].position == Vector3{0.5, 0.5, 0.5});
  CHECK(salt.lines == std::vector<std::size_t>{12, 13});
  CHECK(salt.moments.empty());
  // Lengths and angles, in bohr; Cartesian places in nanometres, and the words in any case.
  const CrystalStructure hexagonal =
      parse_crystal("%Block lattice_abc\nbohr\n10 10 20\n90 90 120\n%EndBlock lattice_abc\n" +
                        with_atoms("nm\nzn 0 0 0.5291772109", "positions_abs"),
                    "no name");
  CHECK(hexagonal.cell[0][0] == Approx(5.29177210903));
  CHECK(hexagonal.cell[1][0] == Approx(-5.29177210903 / 2));
  CHECK(hexagonal.atoms[0].element == "Zn");
  CHECK(hexagonal.atoms[0].position[2] == Approx(0.5));
  const CrystalStructure moments =
      parse_crystal(box + with_atoms("Fe 0 0 0 SPIN=2.5\nFe 0.5 0.5 0.5 spin= -2.5\nO 0.5 0 0"), "a.cell");
  CHECK(moments.collinear);
  CHECK(moments.moments == std::vector<Vector3>{{0, 0, 2.5}, {0, 0, -2.5}, {}});
  const CrystalStructure vectors = parse_crystal(box + with_atoms("Fe 0 0 0 SPIN:(1 0 2)"), "a.cell");
  CHECK_FALSE(vectors.collinear);
  CHECK(vectors.moments[0] == Vector3{1, 0, 2});
}

TEST_CASE("what is wrong in a .cell file is named with its line", "[crystal_file][quick]") {
  const std::string atoms = with_atoms("Na 0 0 0");
  const std::pair<std::string, const char*> wrong[] = {
      {box, "and a block POSITIONS_FRAC or POSITIONS_ABS"},
      {atoms, "has a block LATTICE_CART"},
      {box + box + atoms, "line 6: a second cell begins here"},
      {box + atoms + atoms, "line 9: a second list of atoms begins here"},
      {box + "%BLOCK POSITIONS_FRAC\nNa 0 0 0\n", "line 6: the block POSITIONS_FRAC that begins here has no %ENDBLOCK"},
      {box + "%BLOCK POSITIONS_FRAC\n" + atoms, "line 7: a block begins inside of that of line 6"},
      {box + with_atoms("Xx 0 0 0"), "line 7: 'Xx' is no element"},
      {box + with_atoms("Na 0 0"), "line 7: the place of an atom has three numbers, and here are 2"},
      {box + with_atoms("Na 0 0 z"), "line 7: 'z' is no number"},
      {box + with_atoms("Na 0 0 0 MIXTURE:( 1 0.5)"), "line 7: MIXTURE says"},
      {box + with_atoms("Na 0 0 0 SPIN=up"), "line 7: SPIN has one number"},
      {box + with_atoms("Na 0 0 0 SPIN=1\nNa 0.5 0 0 SPIN=1 0 0"), "line 8: SPIN has one number here and three"},
      {box + with_atoms("furlong\nNa 0 0 0", "POSITIONS_ABS"), "line 7: 'furlong' is no unit of length"},
      {"%BLOCK LATTICE_CART\n4 0 0\n0 4 0\n%ENDBLOCK LATTICE_CART\n" + atoms,
       "line 4: LATTICE_CART has 3 lines, and here are 2"},
      {"%BLOCK LATTICE_ABC\n4 4 4\n90 90 180\n%ENDBLOCK LATTICE_ABC\n" + atoms,
       "line 4: lengths and angles are those of no cell"},
      {"%BLOCK LATTICE_CART\n4 0 0\n0 4 0\n0 0 0\n%ENDBLOCK LATTICE_CART\n" + with_atoms("Na 0 0 0", "POSITIONS_ABS"),
       "span no volume"},
  };
  for (const auto& [text, words] : wrong) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_castep_cell(text, "a.cell"), Contains(words));
  }
}
