#include "intertwine/physics/magnetic_structure.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Edges that a magnetic group leaves as they are, from a generic metric: Cholesky's factor of its mean.
Matrix3 generic_cell(const MagneticSpaceGroup& group) {
  const Matrix3 generic{{{10, 0.7, 0.3}, {0.7, 11.3, 0.9}, {0.3, 0.9, 12.9}}};
  Matrix3 metric{}, rows{};
  double count = 0;
  for (const auto* list : {&group.operations(), &group.antiunitary()})
    for (const SpaceOperation& g : *list) {
      ++count;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t l = 0; l < 3; ++l) metric[i][j] += g.W[k][i] * generic[k][l] * g.W[l][j];
    }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double x = 4 * metric[i][j] / count;
      for (std::size_t k = 0; k < j; ++k) x -= rows[i][k] * rows[j][k];
      rows[i][j] = i == j ? std::sqrt(x) : x / rows[j][j];
    }
  return rows;
}

int hand_of(const SpaceOperation& g) {
  const auto& W = g.W;
  return W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) - W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
         W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
}

/// The orbits of two generic atoms with moments, in a cell of `copies` along c.
CrystalStructure orbits(const MagneticSpaceGroup& group, std::size_t copies = 1) {
  CrystalStructure crystal{generic_cell(group), {}};
  const Matrix3 cell = crystal.cell;
  const Vector3 places[] = {{0.137, 0.261, 0.083}, {0.402, 0.119, 0.347}},
                moments[] = {{0.11, 0.23, 0.37}, {-0.31, 0.17, 0.05}};
  for (double& x : crystal.cell[2]) x *= static_cast<double>(copies);
  for (std::size_t kind = 0; kind < 2; ++kind)
    for (const bool reverses : {false, true})
      for (const SpaceOperation& g : reverses ? group.antiunitary() : group.operations())
        for (const auto& t : group.centring())
          for (std::size_t copy = 0; copy < copies; ++copy) {
            Vector3 x{}, m{}, cartesian{};
            const int sign = hand_of(g) * (reverses ? -1 : 1);
            for (std::size_t i = 0; i < 3; ++i) {
              x[i] = (g.w[i] + t[i]) / 12.0;
              for (std::size_t j = 0; j < 3; ++j)
                x[i] += g.W[i][j] * places[kind][j], m[i] += sign * g.W[i][j] * moments[kind][j];
            }
            for (std::size_t i = 0; i < 3; ++i)
              for (std::size_t j = 0; j < 3; ++j) cartesian[j] += m[i] * cell[i][j];
            x[2] = (x[2] + static_cast<double>(copy)) / static_cast<double>(copies);
            crystal.atoms.push_back({kind == 0 ? "Fe" : "Co", x});
            crystal.moments.push_back(cartesian);
          }
  return crystal;
}

void check_group(unsigned uni, std::size_t copies) {
  CAPTURE(uni, copies);
  const MagneticSpaceGroup group = MagneticSpaceGroup::named(std::to_string(uni));
  if (group.type() == 2) return;  // such moments are 0
  const MagneticSymmetry found = magnetic_symmetry(crystal_symmetry(orbits(group, copies), 1e-3));
  CHECK(found.type == group.type());
  CHECK(found.operations == group.operations().size() + group.antiunitary().size());
  CHECK(found.antiunitary == group.antiunitary().size());
  CHECK(found.sites.size() == 2);
  for (const MagneticSite& site : found.sites) CHECK(site.allowed == "(mx,my,mz)");
  CHECK(found.deviation < 1e-6);
  if (uni >= 282 && uni <= 284) return;  // spglib 2.0 does not name them
  REQUIRE(found.kind);
  CHECK(found.kind->uni == uni);
}

/// MnF2, rutile's structure, with moments of the metal.
CrystalStructure fluoride(const Vector3& first, const Vector3& second) {
  const double x = 0.305;
  CrystalStructure crystal{{{{4.87, 0, 0}, {0, 4.87, 0}, {0, 0, 3.31}}}, {}};
  crystal.atoms = {{"Mn", {0, 0, 0}},  {"Mn", {0.5, 0.5, 0.5}},        {"F", {x, x, 0}},
                   {"F", {-x, -x, 0}}, {"F", {0.5 + x, 0.5 - x, 0.5}}, {"F", {0.5 - x, 0.5 + x, 0.5}}};
  crystal.moments.assign(6, Vector3{});
  crystal.moments[0] = first;
  crystal.moments[1] = second;
  return crystal;
}

std::string moment_refusal(const CrystalStructure& crystal, double tolerance) {
  try {
    magnetic_symmetry(crystal_symmetry(crystal), tolerance);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("magnetic crystals have their groups and the moments that these allow", "[physics][quick]") {
  if (!has_space_group_search()) return;
  const auto known = [](const CrystalStructure& crystal, const char* number, const char* metal, const char* other) {
    const MagneticSymmetry found = magnetic_symmetry(crystal_symmetry(crystal));
    REQUIRE(found.kind);
    CHECK(found.kind->bns_number == number);
    REQUIRE(found.sites.size() >= 2);
    CHECK(found.sites.front().allowed == metal);
    CHECK(found.sites.back().allowed == other);
  };
  // The moments along c as in MnF2, along a, and ferromagnetic.
  known(fluoride({0, 0, 5}, {0, 0, -5}), "136.499", "(0,0,mz)", "(0,0,mz)");
  known(fluoride({5, 0, 0}, {-5, 0, 0}), "58.398", "(mx,my,0)", "(mx,my,0)");
  known(fluoride({0, 0, 5}, {0, 0, 5}), "136.501", "(0,0,mz)", "(0,0,mz)");
  known(fluoride({5, 5, 0}, {5, 5, 0}), "65.486", "(mx,mx,0)", "(mx,mx,0)");
  // Numbers without a direction, and no moments at all.
  CrystalStructure collinear = fluoride({0, 0, 5}, {0, 0, -5});
  collinear.collinear = true;
  const MagneticSymmetry scalar = magnetic_symmetry(crystal_symmetry(collinear));
  REQUIRE(scalar.kind);
  CHECK(scalar.kind->bns_symbol == "P4_2'/mn'm");
  CHECK(scalar.sites.front().allowed == "m");
  CHECK(scalar.sites.back().allowed == "m");
  const MagneticSymmetry grey = magnetic_symmetry(crystal_symmetry(fluoride({}, {})));
  CHECK(grey.type == 2);
  CHECK(grey.kind->bns_symbol == "P4_2/mnm1'");
  CHECK(grey.sites.front().allowed == "(0,0,0)");
}

TEST_CASE("a translation may reverse time, in cells of any size", "[physics][quick]") {
  if (!has_space_group_search()) return;
  for (const std::size_t copies : {2, 4}) {
    CrystalStructure chain{{{{3, 0, 0}, {0, 3, 0}, {0, 0, 4.0 * static_cast<double>(copies)}}}, {}};
    for (std::size_t k = 0; k < copies; ++k) {
      chain.atoms.push_back({"Cr", {0, 0, static_cast<double>(k) / static_cast<double>(copies)}});
      chain.moments.push_back({0, 0, k % 2 == 0 ? 2.0 : -2.0});
    }
    const MagneticSymmetry found = magnetic_symmetry(crystal_symmetry(chain));
    CHECK(found.type == 4);
    CHECK(found.cells == 2);
    CHECK(found.operations == 32);
    CHECK(found.sites.size() == 1);
    REQUIRE(found.kind);
    CHECK(found.kind->bns_symbol == "P_c4/mcc");
    CHECK(found.kind->bns_number == "124.360");
    CHECK(found.kind->og_number == "123.15.1013");
    CHECK(uni_of_og_symbol(found.kind->og_symbol) == found.kind->uni);
  }
  // An atom midway between opposite numbers has none.
  CrystalStructure pair{{{{3, 0, 0}, {0, 3, 0}, {0, 0, 8}}}, {}};
  pair.atoms = {{"Cr", {0, 0, 0}}, {"Cr", {0, 0, 0.5}}, {"O", {0, 0, 0.25}}, {"O", {0, 0, 0.75}}};
  pair.moments = {{0, 0, 2}, {0, 0, -2}, {}, {}};
  pair.collinear = true;
  const MagneticSymmetry between = magnetic_symmetry(crystal_symmetry(pair));
  CHECK(between.sites.front().allowed == "m");
  CHECK(between.sites.back().allowed == "0");
  // Four atoms of which one differs: the larger cell is needed.
  CrystalStructure chain{{{{3, 0, 0}, {0, 3, 0}, {0, 0, 16}}}, {}};
  for (std::size_t k = 0; k < 4; ++k) {
    chain.atoms.push_back({"Cr", {0, 0, static_cast<double>(k) / 4}});
    chain.moments.push_back({0, 0, k == 0 ? 2.0 : 1.0});
  }
  CHECK(magnetic_symmetry(crystal_symmetry(chain)).cells == 4);
}

TEST_CASE("kinds of magnetic groups have their symbols", "[physics][quick]") {
  if (!has_magnetic_numbers()) return;
  // From the tables of Litvin 2013.
  const std::tuple<unsigned, const char*, const char*, const char*> known[] = {
      {1, "P1", "1.1", "1.1.1"},
      {2, "P11'", "1.2", "1.2.2"},
      {3, "P_S1", "1.3", "1.3.3"},
      {24, "C_a2", "5.17", "3.6.13"},
      {101, "P2'2'2", "16.3", "16.3.101"},
      {282, "C_ccc2", "37.184", "35.9.244"},
      {546, "Pn'ma'", "62.448", "62.8.509"},
      {1070, "P_I4/mnc", "128.410", "139.15.1193"},
      {1163, "P4_2/m'n'm'", "136.503", "136.9.1160"},
      {1242, "R_I3", "146.12", "146.3.1242"},
      {1538, "P_Ia-3", "205.36", "206.4.1541"},
      {1602, "Pn'-3'n", "222.100", "222.3.1603"},
      {1623, "F_Sm-3m", "225.121", "221.6.1599"},
      {1633, "Fd-3m'", "227.131", "227.4.1631"},
  };
  for (const auto& [uni, symbol, bns, og] : known) {
    const MagneticKind kind = magnetic_kind(uni);
    CAPTURE(uni);
    CHECK(kind.bns_symbol == symbol);
    CHECK(kind.bns_number == bns);
    CHECK(kind.og_number == og);
    if (kind.type != 4) CHECK(kind.og_symbol == symbol);
    CHECK(uni_of_og_symbol(kind.og_symbol) == (kind.type == 4 ? std::optional(uni) : std::nullopt));
    if (uni != 101) CHECK(MagneticSpaceGroup::named(symbol).type() == kind.type);
  }
}

TEST_CASE("operations that are no group have no number", "[physics][quick]") {
  if (!has_magnetic_numbers()) return;
  const Matrix3 cell{{{3, 0, 0}, {0, 4, 0}, {0, 0, 5}}};
  const CellOperation one{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}}, point{{{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {}};
  CellOperation mirror{{{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}, {}}, turn{{{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, {}};
  const auto number = [&](const std::vector<CellOperation>& all) { return magnetic_number(cell, all); };
  CHECK(number({one, point, mirror, turn}) != 0);
  CHECK(number({one, point, mirror}) == 0);
  CHECK(number({}) == 0);
  CHECK(magnetic_number({{{3, 0, 0}, {1, 4, 0}, {0, 1, 5}}}, std::vector{one, mirror}) == 0);
  mirror.w[0] = 0.5;
  CHECK(number({one, point, mirror, turn}) == 0);
  turn.w[0] = 0.5;
  CHECK(number({one, point, mirror, turn}) != 0);
  turn.w[1] = 1e12;
  CHECK(number({one, point, mirror, turn}) != 0);
  turn.reverses_time = true;
  CHECK(number({one, point, mirror, turn}) == 0);
}

TEST_CASE("structures made by a magnetic group have it", "[physics][quick]") {
  if (!has_space_group_search()) return;
  for (const unsigned uni : {1U, 5U, 16U, 100U, 333U, 509U, 700U, 1003U, 1101U, 1242U, 1400U}) {
    check_group(uni, 1);
    check_group(uni, 2);
  }
}

TEST_CASE("structures made by every magnetic group have it", "[physics][slow][.]") {
  if (!has_space_group_search()) return;
  for (unsigned uni = 1; uni <= 1651; ++uni) {
    if (MagneticSpaceGroup::named(std::to_string(uni)).operations().size() > 24) continue;
    check_group(uni, 1);
  }
}

TEST_CASE("what moments cannot be is refused", "[physics][quick]") {
  CHECK_THROWS_AS(magnetic_kind(0), DomainError);
  CHECK_THROWS_AS(magnetic_kind(1652), DomainError);
  if (!has_space_group_search()) return;
  CHECK_THAT(moment_refusal(fluoride({0, 0, 5}, {0, 0, -5}), 0), Catch::Contains("is a positive number"));
  CrystalStructure few = fluoride({0, 0, 5}, {0, 0, -5});
  few.moments.pop_back();
  CHECK_THAT(moment_refusal(few, 0.02), Catch::Contains("a moment for each of its 6 atoms"));
  CrystalStructure endless = fluoride({0, 0, 1e300}, {0, 0, -5});
  CHECK_THAT(moment_refusal(endless, 0.02), Catch::Contains("up to a million"));
  // Four moments on a ring, each within the tolerance of its neighbour alone.
  CrystalStructure ring{{{{3, 0, 0}, {0, 3, 0}, {0, 0, 16}}}, {}};
  for (std::size_t k = 0; k < 4; ++k) {
    ring.atoms.push_back({"Cr", {0, 0, static_cast<double>(k) / 4}});
    ring.moments.push_back({0, 0, 1 + 0.015 * static_cast<double>(k == 3 ? 1 : k)});
  }
  CHECK_THAT(moment_refusal(ring, 0.02), Catch::Contains("are no group"));
}
