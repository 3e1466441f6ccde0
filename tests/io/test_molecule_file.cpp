// What files of molecules say beside the atoms: that these repeat, and in which columns they are.
#include "intertwine/io/molecule_file.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"

using namespace intertwine;
using Catch::Contains;

TEST_CASE("a periodic file is no cluster unless that is said", "[molecule_file][quick]") {
  // Diamond's cell, of two atoms.
  const std::string atoms = "\nC 0 0 0\nC 0.89 0.89 0.89\n",
                    lattice = "Lattice=\"0 1.78 1.78 1.78 0 1.78 1.78 1.78 0\"";
  const auto refused = [&](const std::string& comment) {
    CAPTURE(comment);
    CHECK_THROWS_WITH(parse_xyz("2\n" + comment + atoms, "a.xyz"),
                      Contains("a.xyz: line 2") && Contains("space group") && Contains("as a cluster"));
    CHECK(parse_xyz("2\n" + comment + atoms, "a.xyz", true).size() == 2);
  };
  for (const std::string& comment : std::vector<std::string>{
           lattice, lattice + " pbc=\"T T T\"", "pbc=\"F F T\" " + lattice, "energy=1 pbc='T T F'", "pbc=T",
           "LATTICE=\"1 0 0 0 1 0 0 0 1\"", lattice + " pbc=[False, False, True]", "pbc=[0, 0, 1]", "pbc={F F T}",
           "pbc=F F T energy=1", "pbc = \"F F T\"", "Lattice = \"1 0 0 0 1 0 0 0 1\"", "a=1 pbc=\"maybe\"",
           std::string("# CELL(abcABC): 5 5 5 90 90 90")})
    refused(comment);
  for (const std::string& comment :
       {lattice + " pbc=\"F F F\"", std::string("pbc=\"F F F\""), lattice + " pbc=[False, False, False]",
        std::string("pbc=F F F energy=1"), std::string("comment=\"no Lattice=here\""), std::string("tags=\"a pbc=T\""),
        std::string("= = \"x"), std::string("pbc="), std::string("Lattice energy of diamond"),
        std::string("xLattice=\"1\"")})
    CHECK(parse_xyz("2\n" + comment + atoms, "a.xyz").size() == 2);
}

TEST_CASE("the columns of an extended file are those that it names", "[molecule_file][quick]") {
  const auto read = [](const std::string& properties, const std::string& line) {
    return parse_xyz("1\nProperties=" + properties + "\n" + line + "\n", "a.xyz");
  };
  for (const auto& [properties, line] :
       std::vector<std::pair<std::string, std::string>>{{"species:S:1:pos:R:3", "N 1 2 3"},
                                                        {"species:S:1:pos:R:3:forces:R:3", "N 1 2 3 9 9 9"},
                                                        {"id:I:1:species:S:1:pos:R:3", "8 N 1 2 3"},  // 8 is not oxygen
                                                        {"pos:R:3:species:S:1", "1 2 3 N"},
                                                        {"Z:I:1:charge:R:1:pos:R:3", "7 0.5 1 2 3"}}) {
    const std::vector<Atom> atoms = read(properties, line);
    CAPTURE(properties);
    CHECK(atoms[0].element == "N");
    CHECK(atoms[0].position == Vector3{1, 2, 3});
  }
  for (const char* wrong :
       {"species:S:1", "pos:R:3", "species:S:1:pos:R:2", "species:S:1:pos:R", "species:S:x:pos:R:3", ""})
    CHECK_THROWS_WITH(read(wrong, "N 1 2 3"), Contains("does not say in which columns"));
  CHECK_THROWS_WITH(read("id:I:1:species:S:1:pos:R:3", "8 N 1 2"), Contains("three coordinates"));
}
