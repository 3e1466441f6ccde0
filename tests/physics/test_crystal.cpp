#include "intertwine/physics/crystal.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "support/listed_crystals.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::string sum_of(const CrystalModes& modes, std::uint64_t Species::*part) {
  std::string text;
  for (const Species& s : modes.species)
    if (s.*part != 0)
      text += (text.empty() ? "" : " + ") + (s.*part == 1 ? s.name : std::to_string(s.*part) + " " + s.name);
  return text;
}

/// A crystal by other edges: cell' = M cell.
CrystalStructure with_edges(const CrystalStructure& crystal, const std::array<std::array<int, 3>, 3>& M) {
  CrystalStructure result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      result.cell[i][j] = 0;
      for (std::size_t k = 0; k < 3; ++k) result.cell[i][j] += M[i][k] * crystal.cell[k][j];
    }
  constexpr int far = 3;  // more cells than the new one reaches
  for (const Atom& atom : crystal.atoms)
    for (int a = -far; a <= far; ++a)
      for (int b = -far; b <= far; ++b)
        for (int c = -far; c <= far; ++c) {
          const Vector3 x{atom.position[0] + a, atom.position[1] + b, atom.position[2] + c};
          Vector3 place{};
          for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) place[j] += x[k] * crystal.cell[k][j];
          const Vector3 y = in_edges(result.cell, {place})[0];
          if (std::all_of(y.begin(), y.end(), [](double z) { return z > -1e-7 && z < 1 - 1e-7; }))
            result.atoms.push_back({atom.element, y});
        }
  return result;
}

std::string crystal_refusal(const CrystalStructure& crystal, double tolerance = 0.01) {
  try {
    crystal_symmetry(crystal, tolerance);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("crystals have the space groups and the optical modes that are published", "[physics][quick]") {
  if (!has_space_group_search()) {
    CHECK(crystal_refusal(listed_crystals()[0].structure).find("libsymspg-dev") != std::string::npos);
    return;
  }
  REQUIRE(listed_crystals().size() == 31);
  for (const ListedCrystal& one : listed_crystals()) {
    CAPTURE(one.name);
    const CrystalSymmetry m = crystal_symmetry(one.structure);
    CHECK(m.setting.number == one.number);
    CHECK(m.group == SpaceGroup::numbered(one.number));
    CHECK(m.hermann_mauguin() == space_group_name(one.number));
    CHECK(m.sites.size() == one.sites);
    CHECK(m.deviation < 1e-6);
    CHECK(m.atoms.size() * m.group.centring().size() == one.structure.atoms.size());
    const CrystalModes modes = crystal_modes(m);
    CHECK(sum_of(modes, &Species::vibrations) == one.optical);
    // Another way to count: the permutation representation times the vectors, by its matrices.
    CHECK(m.atom_representation().dimension() == m.atoms.size());
    for (const CrystalSite& site : m.sites) {
      CHECK(site.multiplicity == site.atoms.size() * m.group.centring().size());
      CHECK(point_group(site.schoenflies).order() * site.atoms.size() == m.point_group.order());
    }
  }
}

TEST_CASE("modes do not depend on the cell that is given", "[physics][quick]") {
  if (!has_space_group_search()) return;
  using Edges = std::array<std::array<int, 3>, 3>;
  // Another basis, a left-handed one, and a cell of two and of four.
  const std::vector<Edges> others{{{{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}},
                                  {{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}},
                                  {{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}},
                                  {{{2, 0, 0}, {0, 1, 0}, {1, 0, 2}}}};
  for (const std::string name : {"rutile", "silicon", "quartz", "calcite", "wurtzite", "monazite"}) {
    const auto one = std::ranges::find(listed_crystals(), name, &ListedCrystal::name);
    REQUIRE(one != listed_crystals().end());
    for (const Edges& M : others) {
      const CrystalStructure crystal = with_edges(one->structure, M);
      CAPTURE(name, crystal.atoms.size());
      const CrystalSymmetry m = crystal_symmetry(crystal);
      CHECK(m.atoms.size() * m.group.centring().size() == one->structure.atoms.size());
      CHECK(m.primitive.size() == crystal.atoms.size());
      CHECK(sum_of(crystal_modes(m), &Species::vibrations) == one->optical);
      // Quartz turned over by a left-handed basis is still the same quartz.
      CHECK(m.setting.number == one->number);
      for (std::size_t k = 0; k < crystal.atoms.size(); ++k)
        CHECK(m.atoms[m.primitive[k]].element == crystal.atoms[k].element);
    }
  }
}

TEST_CASE("measured crystals have the group within the tolerance, and a smaller one within less", "[physics][quick]") {
  if (!has_space_group_search()) return;
  auto random = test_rng();
  for (const std::string name : {"rutile", "spinel", "calcite", "orthorhombic perovskite"}) {
    const auto one = std::ranges::find(listed_crystals(), name, &ListedCrystal::name);
    CrystalStructure crystal = one->structure;
    for (Atom& atom : crystal.atoms)
      for (double& x : atom.position) x += 2e-4 * (static_cast<double>(random.below(1001)) / 1000 - 0.5);
    CAPTURE(name);
    const CrystalSymmetry m = crystal_symmetry(crystal, 0.02);
    CHECK(m.setting.number == one->number);
    CHECK(m.deviation > 1e-6);
    CHECK(m.deviation < 0.02);
    CHECK(m.displacement < 2 * m.deviation);
    CHECK(sum_of(crystal_modes(m), &Species::vibrations) == one->optical);
    CHECK(crystal_symmetry(crystal, 1e-6).setting.number == 1);
  }
}

TEST_CASE("mirrors, activity and sites of rutile", "[physics][quick]") {
  if (!has_space_group_search()) return;
  const CrystalSymmetry m = crystal_symmetry(listed_crystals()[0].structure);
  REQUIRE(m.sites.size() == 2);
  CHECK(m.setting.name == "P 42/m n m");
  CHECK(m.sites[0].element == "Ti");
  CHECK((m.sites[0].wyckoff == 'a' && m.sites[0].multiplicity == 2));
  CHECK(m.sites[0].schoenflies == "D2h");
  CHECK((m.sites[1].wyckoff == 'f' && m.sites[1].multiplicity == 4));
  CHECK(m.sites[1].site_symmetry == "m.2m");
  CHECK(m.sites[1].schoenflies == "C2v");
  const CrystalModes modes = crystal_modes(m);
  CHECK(sum_of(modes, &Species::total) == "A1g + A2g + B1g + B2g + Eg + 2 A2u + 2 B1u + 4 Eu");
  CHECK(sum_of(modes, &Species::translations) == "A2u + Eu");
  // Its first Raman spectra were read so: Raman A1g, B1g, B2g, Eg; infrared A2u, Eu; the others are silent.
  std::string raman, infrared;
  for (const Species& s : modes.species) {
    if (s.vibrations != 0 && s.raman) raman += s.name + " ";
    if (s.vibrations != 0 && s.infrared) infrared += s.name + " ";
  }
  CHECK(raman == "A1g B1g B2g Eg ");
  CHECK(infrared == "A2u Eu ");
  std::vector<std::uint64_t> titanium;
  for (std::size_t k = 0; k < modes.species.size(); ++k)
    if (modes.sites[0][k] != 0) titanium.push_back(modes.sites[0][k]);
  CHECK(titanium == std::vector<std::uint64_t>{1, 1, 2});  // A2u + B1u + 2 Eu
}

TEST_CASE("crystals that are none are refused in a sentence", "[physics][quick]") {
  const CrystalStructure rutile = listed_crystals()[0].structure;
  CrystalStructure wrong = rutile;
  wrong.atoms.push_back(rutile.atoms[0]);
  CHECK(crystal_refusal(wrong) ==
        "atoms 1 (Ti) and 7 (Ti) are 0 apart, which is not more than twice the tolerance 0.01; remove one of "
        "them, or "
        "take a smaller tolerance");
  wrong = rutile;
  wrong.atoms[5].element = "Xx";
  CHECK(crystal_refusal(wrong).find("atom 6 is 'Xx', which is no element") == 0);
  wrong = rutile;
  wrong.cell[2] = wrong.cell[1];
  CHECK(crystal_refusal(wrong).find("span no volume") != std::string::npos);
  wrong = rutile;
  wrong.atoms[0].position[1] = std::nan("");
  CHECK(crystal_refusal(wrong).find("coordinates are numbers") != std::string::npos);
  CHECK(crystal_refusal(rutile, 0).find("the tolerance is a positive distance") == 0);
  CHECK(crystal_refusal(rutile, 2).find("is too large for a cell") != std::string::npos);
  wrong.atoms.clear();
  CHECK(crystal_refusal(wrong) == "a crystal has at least one atom");
  wrong.atoms.assign(10'001, rutile.atoms[0]);
  CHECK(crystal_refusal(wrong).find("up to 10000") != std::string::npos);
  // A match that is another group: its exact operations do not fit.
  if (!has_space_group_search()) return;
  SpaceGroupMatch match = find_space_group(rutile);
  match.hall = SpaceGroup::numbered(131).hall();
  CHECK_THROWS_AS(crystal_symmetry(rutile, match, 0.01), DomainError);
}
