#include "intertwine/physics/molecule.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "intertwine/physics/molecular_motions.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::vector<Atom> example(const std::string& name) {
  return read_xyz(project_folder() + "/examples/molecules/" + name + ".xyz");
}

/// "2 A1 + B2" for a part of the motions.
std::string sum(const MolecularMotions& motions, std::uint64_t Species::*part) {
  std::string text;
  for (const Species& s : motions.species)
    if (s.*part != 0)
      text += (text.empty() ? "" : " + ") + (s.*part == 1 ? "" : std::to_string(s.*part) + " ") + s.name;
  return text;
}

std::string active(const MolecularMotions& motions, bool Species::*in) {
  std::string text;
  for (const Species& s : motions.species)
    if (s.vibrations != 0 && s.*in) text += (text.empty() ? "" : " ") + s.name;
  return text;
}

Vector3 turned_by(const Matrix3& A, const Vector3& v) {
  Vector3 w{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) w[i] += A[i][j] * v[j];
  return w;
}

double distance(const Vector3& a, const Vector3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// Uniform in [-1, 1).
double random_number(Rng& rng) { return static_cast<double>(rng.below(1U << 20U)) / (1U << 19U) - 1; }

/// A rotation by a random unit quaternion.
Matrix3 random_rotation(Rng& rng) {
  std::array<double, 4> q{};
  double norm = 0;
  do {
    norm = 0;
    for (double& x : q) x = random_number(rng), norm += x * x;
  } while (norm > 1 || norm < 0.01);
  for (double& x : q) x /= std::sqrt(norm);
  const auto [w, x, y, z] = q;
  return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

}  // namespace

TEST_CASE("point groups and vibrations are those of the textbooks", "[physics][quick]") {
  // [Wilson, Decius & Cross 1955; Herzberg 1945; for C60 Dresselhaus et al. 1996]
  struct Row {
    const char *name, *schoenflies, *hermann_mauguin, *vibrations, *infrared, *raman;
  };
  for (const Row& row : {
           Row{"water", "C2v", "mm2", "2 A1 + B2", "A1 B2", "A1 B2"},
           Row{"ammonia", "C3v", "3m", "2 A1 + 2 E", "A1 E", "A1 E"},
           Row{"methane", "Td", "-43m", "A1 + E + 2 T2", "T2", "A1 E T2"},
           Row{"benzene", "D6h", "6/mmm", "2 A1g + A2g + 2 B2g + E1g + 4 E2g + A2u + 2 B1u + 2 B2u + 3 E1u + 2 E2u",
               "A2u E1u", "A1g E1g E2g"},
           Row{"ethane_staggered", "D3d", "-3m", "3 A1g + 3 Eg + A1u + 2 A2u + 3 Eu", "A2u Eu", "A1g Eg"},
           Row{"ethane_eclipsed", "D3h", "-6m2", "3 A1' + 3 E' + A1'' + 2 A2'' + 3 E''", "E' A2''", "A1' E' E''"},
           Row{"ethane_skew", "D3", "32", "4 A1 + 2 A2 + 6 E", "A2 E", "A1 E"},
           Row{"allene", "D2d", "-42m", "3 A1 + B1 + 3 B2 + 4 E", "B2 E", "A1 B1 B2 E"},
           Row{"ethylene", "D2h", "mmm", "3 Ag + B2g + 2 B3g + Au + 2 B1u + 2 B2u + B3u", "B1u B2u B3u", "Ag B2g B3g"},
           Row{"ferrocene_staggered", "D5d", "-5m", "4 A1g + A2g + 5 E1g + 6 E2g + 2 A1u + 4 A2u + 6 E1u + 6 E2u",
               "A2u E1u", "A1g E1g E2g"},
           Row{"ferrocene_eclipsed", "D5h", "-10m2", "4 A1' + A2' + 6 E1' + 6 E2' + 2 A1'' + 4 A2'' + 5 E1'' + 6 E2''",
               "E1' A2''", "A1' E2' E1''"},
           Row{"sulfur_hexafluoride", "Oh", "m-3m", "A1g + Eg + T2g + 2 T1u + T2u", "T1u", "A1g Eg T2g"},
           Row{"carbon_dioxide", "D∞h", "∞/mm", "Σg+ + Σu+ + Πu", "Σu+ Πu", "Σg+"},
           Row{"hydrogen_cyanide", "C∞v", "∞m", "2 Σ+ + Π", "Σ+ Π", "Σ+ Π"},
           Row{"phosphorus", "Td", "-43m", "A1 + E + T2", "T2", "A1 E T2"},
           Row{"cubane", "Oh", "m-3m", "2 A1g + 2 Eg + T1g + 4 T2g + 2 A2u + 2 Eu + 3 T1u + 2 T2u", "T1u",
               "A1g Eg T2g"},
           Row{"buckminsterfullerene", "Ih", "m-3-5",
               "2 Ag + 3 T1g + 4 T2g + 6 Gg + 8 Hg + Au + 4 T1u + 5 T2u + 6 Gu + 7 Hu", "T1u", "Ag Hg"},
           Row{"chlorofluorobromomethane", "C1", "1", "9 A", "A", "A"},
       }) {
    INFO(row.name);
    const MolecularSymmetry m = molecular_symmetry(example(row.name), 0.01);
    CHECK(m.schoenflies == row.schoenflies);
    CHECK(m.hermann_mauguin == row.hermann_mauguin);
    CHECK(m.deviation < 1e-4);
    const MolecularMotions motions = molecular_motions(m);
    CHECK(sum(motions, &Species::vibrations) == row.vibrations);
    CHECK(active(motions, &Species::infrared) == row.infrared);
    CHECK(active(motions, &Species::raman) == row.raman);
  }
}

TEST_CASE("turning, shifting and renumbering a molecule changes no name", "[physics][quick]") {
  Rng rng = test_rng();
  for (const char* name :
       {"water", "ammonia", "benzene", "ethane_skew", "ethane_staggered", "allene", "ethylene", "sulfur_hexafluoride",
        "carbon_dioxide", "hydrogen_cyanide", "phosphorus", "cubane", "ferrocene_eclipsed"}) {
    INFO(name);
    const std::vector<Atom> atoms = example(name);
    const MolecularSymmetry before = molecular_symmetry(atoms, 0.01);
    const MolecularMotions motions = molecular_motions(before);
    for (int trial = 0; trial < 3 * test_multiplier(); ++trial) {
      const Matrix3 R = random_rotation(rng);
      const Permutation order = random_permutation(atoms.size(), rng);
      std::vector<Atom> moved(atoms.size());
      for (std::uint32_t i = 0; i < atoms.size(); ++i) {
        Vector3 v = turned_by(R, atoms[i].position);
        for (std::size_t k = 0; k < 3; ++k) v[k] += 3.5 - 2.0 * static_cast<double>(k);
        moved[order(i)] = {atoms[i].element, v};
      }
      const MolecularSymmetry after = molecular_symmetry(moved, 0.01);
      CHECK(after.schoenflies == before.schoenflies);
      CHECK(sum(molecular_motions(after), &Species::vibrations) == sum(motions, &Species::vibrations));
      // No atom was moved against another, and the frame is a rotation of what was given.
      for (std::size_t i = 0; i < moved.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          CHECK(distance(after.oriented[i], after.oriented[j]) ==
                Approx(distance(moved[i].position, moved[j].position)).margin(1e-9));
    }
  }
}

TEST_CASE("every operation takes atoms to atoms, in the frame", "[physics][quick]") {
  for (const char* name : {"water", "benzene", "ethane_staggered", "allene", "phosphorus", "cubane",
                           "ferrocene_staggered", "carbon_dioxide", "buckminsterfullerene"}) {
    INFO(name);
    const MolecularSymmetry m = molecular_symmetry(example(name), 0.01);
    CHECK(m.group.order() == m.operations.size());
    double worst = 0, moved = 0;
    for (const auto& g : m.operations)
      for (std::uint32_t i = 0; i < m.atoms.size(); ++i) {
        worst = std::max(worst, distance(turned_by(g.matrix, m.oriented[i]), m.oriented[g.atoms(i)]));
        moved = std::max(moved, distance(turned_by(g.matrix, m.symmetrized[i]), m.symmetrized[g.atoms(i)]));
      }
    CHECK(worst < 1e-4);
    CHECK(moved < 1e-12);
  }
}

TEST_CASE("the tolerance decides, and is obeyed", "[physics][quick]") {
  // Water with one bond 0.06 longer: Cs exactly, C2v for those who do not look closer.
  std::vector<Atom> atoms = example("water");
  atoms[1].position[0] += 0.06;
  const MolecularSymmetry close = molecular_symmetry(atoms, 0.01), wide = molecular_symmetry(atoms, 0.1);
  CHECK(close.schoenflies == "Cs");
  CHECK(close.deviation < 1e-9);
  CHECK(wide.schoenflies == "C2v");
  CHECK(wide.deviation > 0.01);
  CHECK(wide.deviation <= 0.1);
  CHECK(wide.displacement > 0.005);
  CHECK(distance(wide.oriented[0], wide.oriented[1]) == Approx(distance(atoms[0].position, atoms[1].position)));
  CHECK(molecular_symmetry(atoms, 0.1).oriented == wide.oriented);

  // Ethane turned by 5 degrees against staggering: the twist moves hydrogens by 2 * 1.02 sin(2.5 degrees) = 0.09.
  std::vector<Atom> ethane = example("ethane_staggered");
  for (std::size_t i = 5; i < 8; ++i) {
    auto& [x, y, z] = ethane[i].position;
    const double c = std::cos(0.0872665), s = std::sin(0.0872665), u = c * x - s * y;
    y = s * x + c * y, x = u;
  }
  CHECK(molecular_symmetry(ethane, 0.02).schoenflies == "D3");
  CHECK(molecular_symmetry(ethane, 0.1).schoenflies == "D3d");

  // Noise below the tolerance: the exact group, whatever the noise.
  Rng rng = test_rng();
  for (const char* name :
       {"benzene", "sulfur_hexafluoride", "cubane", "buckminsterfullerene", "ferrocene_eclipsed", "methane"}) {
    INFO(name);
    std::vector<Atom> noisy = example(name);
    for (Atom& atom : noisy)
      for (double& x : atom.position) x += 0.01 * random_number(rng);
    const MolecularSymmetry m = molecular_symmetry(noisy);
    CHECK(m.schoenflies == molecular_symmetry(example(name), 0.01).schoenflies);
    CHECK(m.deviation <= 0.05);
    CHECK(m.deviation > 1e-3);
    CHECK(m.displacement < 0.03);
  }
}

TEST_CASE("groups within more and within less are said", "[physics][quick]") {
  // H3O+ with one bond shorter: C3v for those who look from 0.05 away, Cs exactly.
  std::vector<Atom> hydronium{{"O", {0, 0, 0}}};
  const double bonds[] = {0.900, 0.979, 0.979};
  for (std::size_t k = 0; k < 3; ++k) {
    const double turn = 2 * 3.14159265358979 * static_cast<double>(k) / 3;
    hydronium.push_back(
        {"H",
         {bonds[k] * 0.95 * std::cos(turn), bonds[k] * 0.95 * std::sin(turn), bonds[k] * std::sqrt(1 - 0.95 * 0.95)}});
  }
  const MolecularSymmetry wide = molecular_symmetry(hydronium);
  REQUIRE(wide.ladder.size() >= 2);
  const auto c3v = std::ranges::find(wide.ladder, "C3v", &SymmetryRung::schoenflies);
  REQUIRE(c3v != wide.ladder.end());
  CHECK((c3v->order == 6 && c3v->deviation > 0.04 && c3v->deviation < 0.06));
  CHECK((wide.ladder.back().schoenflies == "Cs" && wide.ladder.back().deviation < 1e-9));
  CHECK(wide.schoenflies == (c3v->deviation <= 0.05 ? "C3v" : "Cs"));
  const MolecularSymmetry close = molecular_symmetry(hydronium, 0.02);
  CHECK(close.schoenflies == "Cs");
  CHECK(close.ladder.front().schoenflies == "C3v");
  CHECK(close.ladder.front().deviation > close.tolerance);
  CHECK(molecular_symmetry(hydronium, 0.002).ladder.size() == 1);

  // Bent by a little: a line, and below it a body. Exactly symmetric molecules have one rung.
  const std::vector<Atom> bent{{"O", {1.16, 0.01, 0}}, {"C", {0, -0.01, 0}}, {"O", {-1.16, 0.01, 0}}};
  const MolecularSymmetry line = molecular_symmetry(bent);
  REQUIRE(line.ladder.size() == 2);
  CHECK((line.ladder[0].schoenflies == "D∞h" && line.ladder[0].order == 0 && line.ladder[0].deviation > 0.01));
  CHECK((line.ladder[1].schoenflies == "C2v" && line.ladder[1].deviation < 1e-9));
  CHECK(line.schoenflies == "D∞h");
  CHECK(molecular_symmetry(bent, 0.01).schoenflies == "C2v");
  CHECK(molecular_symmetry({{"O", {0, 0, 0}}}).ladder == std::vector<SymmetryRung>{{"Kh", 0, 0}});
  for (const char* name : {"benzene", "carbon_dioxide", "buckminsterfullerene", "methane"}) {
    INFO(name);
    const MolecularSymmetry m = molecular_symmetry(example(name), 0.01);
    CHECK(m.ladder.size() == 1);
    CHECK(m.ladder.front().schoenflies == m.schoenflies);
  }
}

TEST_CASE("a tolerance just above the deviation of a group finds it", "[physics][quick]") {
  Rng rng = test_rng();
  for (const char* name : {"water", "ammonia", "methane", "benzene", "allene", "ethylene", "sulfur_hexafluoride",
                           "phosphorus", "cubane", "ferrocene_eclipsed", "ethane_staggered"})
    for (const double noise : {0.02, 0.08, 0.15})
      for (int trial = 0; trial < 3 * test_multiplier(); ++trial) {
        std::vector<Atom> noisy = example(name);
        for (Atom& atom : noisy)
          for (double& x : atom.position) x += noise * random_number(rng);
        const MolecularSymmetry first = molecular_symmetry(noisy, 0.2);
        CAPTURE(name, noise, first.schoenflies, first.deviation);
        CHECK(first.deviation <= 0.2);
        for (const SymmetryRung& rung : first.ladder) {
          if (rung.order == 1 || rung.deviation < 0.001) continue;
          // Each rung is the largest group within a little more than its deviation, and not within a little less.
          if (2.04 * rung.deviation > 0.5) continue;  // atoms could not be told apart
          const MolecularSymmetry again = molecular_symmetry(noisy, 1.02 * rung.deviation);
          CHECK((again.kind != MoleculeKind::nonlinear || again.group.order() >= rung.order));
          if (again.deviation == Approx(rung.deviation)) CHECK(again.schoenflies == rung.schoenflies);
          const MolecularSymmetry less = molecular_symmetry(noisy, 0.98 * rung.deviation);
          if (less.kind == MoleculeKind::nonlinear && rung.order > 0) CHECK(less.group.order() < again.group.order());
        }
      }
}

TEST_CASE("all kinds of point groups are told apart", "[physics][quick]") {
  // An orbit of a general point, and one more on a scaled general point, has exactly the symmetry of the group.
  for (const char* name :
       {"C1",  "Cs",  "Ci",  "C2",  "C3",  "C4",  "C5",  "C6", "C2v", "C3v", "C4v", "C5v", "C6v", "C2h", "C3h", "C4h",
        "C5h", "C6h", "S4",  "S6",  "S8",  "S10", "D2",  "D3", "D4",  "D5",  "D6",  "D7",  "D2d", "D3d", "D4d", "D5d",
        "D6d", "D2h", "D3h", "D4h", "D5h", "D6h", "D8h", "T",  "Td",  "Th",  "O",   "Oh",  "I",   "Ih"}) {
    INFO(name);
    const FiniteGroup G = point_group(name);
    const std::vector<Matrix3> generators = cartesian_matrices(G);
    std::vector<Atom> atoms;
    for (const auto& [element, start] : {std::pair<std::string, Vector3>{"C", {8.1, 2.01, 5.7}},
                                         {"N", {3.9, 10.2, -15.6}},
                                         {"O", {-12.9, 23.7, 7.2}},
                                         {"F", {4.1, -7.3, 21.9}}}) {
      std::vector<Vector3> orbit{start};
      for (std::size_t k = 0; k < orbit.size(); ++k)
        for (const Matrix3& M : generators) {
          const Vector3 v = turned_by(M, orbit[k]);
          if (std::none_of(orbit.begin(), orbit.end(), [&](const Vector3& w) { return distance(v, w) < 1e-6; }))
            orbit.push_back(v);
        }
      CHECK(orbit.size() == G.order());
      for (const Vector3& v : orbit) atoms.push_back({element, v});
    }
    const MolecularSymmetry m = molecular_symmetry(atoms, 0.02);
    CHECK(m.schoenflies == name);
    CHECK(m.orbits.back() == 3);
    // Every general orbit carries the regular representation three times: 12 degree copies of everything in all.
    for (const Species& s : molecular_motions(m).species) CHECK(s.total * s.rows.size() == 12 * s.degree);
  }
}

TEST_CASE("atoms on a coarse grid have a group at every tolerance", "[physics][quick]") {
  // Operations whose deviations lie around the tolerance do not always close to a group; what is taken must.
  Rng rng = test_rng();
  for (int trial = 0; trial < 400 * test_multiplier(); ++trial) {
    std::vector<Atom> atoms;
    const std::size_t wanted = 2 + rng.below(9);
    const double noise = 0.05 * static_cast<double>(rng.below(5));
    while (atoms.size() < wanted) {
      Vector3 v;
      for (double& x : v) x = static_cast<double>(rng.below(3)) - 1 + noise * random_number(rng);
      if (std::all_of(atoms.begin(), atoms.end(), [&](const Atom& a) { return distance(a.position, v) > 0.45; }))
        atoms.push_back({rng.below(3) == 0 ? "N" : "C", v});
    }
    const double tolerance = 0.01 + 0.02 * static_cast<double>(rng.below(10));
    CAPTURE(trial, tolerance, noise);
    const MolecularSymmetry m = molecular_symmetry(atoms, tolerance);
    CHECK(m.deviation <= tolerance);
    CHECK(m.group.order() == m.operations.size());
    const MolecularMotions motions = molecular_motions(m);
    CHECK(symmetry_coordinates(m, motions).size() == 3 * atoms.size());
  }
}

TEST_CASE("symmetry coordinates are orthonormal and transform alike", "[physics][quick]") {
  for (const char* name : {"water", "ammonia", "methane", "benzene", "allene", "ethane_skew", "sulfur_hexafluoride",
                           "carbon_dioxide", "ferrocene_eclipsed", "phosphorus", "chlorofluorobromomethane"}) {
    INFO(name);
    const MolecularSymmetry m = molecular_symmetry(example(name), 0.01);
    const MolecularMotions motions = molecular_motions(m);
    const auto coordinates = symmetry_coordinates(m, motions);
    const std::size_t n = 3 * m.atoms.size();
    REQUIRE(coordinates.size() == n);
    double off = 0;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        double product = 0;
        for (std::size_t i = 0; i < n; ++i) product += coordinates[a].vector[i] * coordinates[b].vector[i];
        off = std::max(off, std::abs(product - (a == b ? 1 : 0)));
      }
    CHECK(off < 1e-10);
    // <copy c partner i | g | copy c' partner j> is 0 between different copies, and the same matrix for all copies of a species.
    double mixed = 0;
    for (const auto& g : m.operations) {
      std::map<std::array<std::uint64_t, 3>, double> matrix;
      for (const SymmetryCoordinate& a : coordinates) {
        std::vector<double> image(n);
        for (std::uint32_t atom = 0; atom < m.atoms.size(); ++atom) {
          const Vector3 v = turned_by(g.matrix, {a.vector[3 * atom], a.vector[3 * atom + 1], a.vector[3 * atom + 2]});
          for (std::size_t x = 0; x < 3; ++x) image[3 * g.atoms(atom) + x] = v[x];
        }
        for (const SymmetryCoordinate& b : coordinates) {
          double entry = 0;
          for (std::size_t i = 0; i < n; ++i) entry += b.vector[i] * image[i];
          if (a.species != b.species || a.copy != b.copy)
            mixed = std::max(mixed, std::abs(entry));
          else if (const auto [at, fresh] = matrix.emplace(std::array{a.species, a.partner, b.partner}, entry); !fresh)
            mixed = std::max(mixed, std::abs(entry - at->second));
        }
      }
    }
    CHECK(mixed < 1e-9);
  }
}

TEST_CASE("partners of vectors are x, y, z, and translations shift all atoms alike", "[physics][quick]") {
  const MolecularSymmetry m = molecular_symmetry(example("sulfur_hexafluoride"), 0.01);
  const MolecularMotions motions = molecular_motions(m);
  for (const SymmetryCoordinate& c : symmetry_coordinates(m, motions)) {
    if (c.kind != SymmetryCoordinate::Kind::translation) continue;
    CHECK(motions.species[c.species].name == "T1u");
    for (std::size_t i = 0; i < c.vector.size(); ++i)
      CHECK(std::abs(c.vector[i]) == Approx(i % 3 == c.partner ? 1 / std::sqrt(7.0) : 0.0).margin(1e-12));
  }
}

TEST_CASE("force constants are counted twice, pair by pair and by species", "[physics][quick]") {
  // Methane: 9 symmetric constants of 3N coordinates (the tutorial counts them by Sym^2), 5 among vibrations: 1 + 1 + 3.
  struct Row {
    const char* name;
    int all, internal;
  };
  for (const Row& row : {Row{"water", 16, 4}, Row{"methane", 9, 5}, Row{"ammonia", 0, 6}, Row{"benzene", 0, 34},
                         Row{"sulfur_hexafluoride", 0, 7}, Row{"carbon_dioxide", 0, 3}, Row{"phosphorus", 0, 3},
                         Row{"ethane_skew", 0, 0}, Row{"cubane", 0, 0}, Row{"buckminsterfullerene", 0, 0},
                         Row{"chlorofluorobromomethane", 120, 45}}) {
    INFO(row.name);
    const MolecularSymmetry m = molecular_symmetry(example(row.name), 0.01);
    const MolecularMotions motions = molecular_motions(m);
    if (row.all != 0) CHECK(motions.force_constants == row.all);
    if (row.internal != 0) CHECK(motions.internal_force_constants == row.internal);
    Integer sum = 0;
    std::uint64_t pairs = 0;
    for (const ForceConstantBlock& b : force_constant_blocks(m)) sum += b.constants(), pairs += b.pairs;
    CHECK(sum == motions.force_constants);
    CHECK(pairs == m.atoms.size() * (m.atoms.size() + 1) / 2);
  }
}

namespace {

/// The 3N x 3N matrix that the blocks say, with random numbers for their free components.
std::vector<double> random_hessian(const MolecularSymmetry& m, Rng& rng) {
  const std::size_t n = m.atoms.size(), side = 3 * n;
  std::vector<double> hessian(side * side, std::nan(""));
  for (const ForceConstantBlock& b : force_constant_blocks(m)) {
    std::array<double, 9> block{};
    for (std::size_t k = 0; k < b.constants(); ++k) {
      const double value = static_cast<double>(rng.below(2'000'001)) / 1e6 - 1;
      for (std::size_t at = 0; at < 9; ++at) {
        const std::complex<double> c = b.form.coefficients(at, k).to_complex();
        CHECK(std::abs(c.imag()) < 1e-14);
        block[at] += c.real() * value;
      }
    }
    for (const auto& g : m.operations)
      for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q) {
          double sum = 0;
          for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t d = 0; d < 3; ++d) sum += g.matrix[p][c] * block[3 * c + d] * g.matrix[q][d];
          const std::size_t row = 3 * g.atoms(b.first) + p, col = 3 * g.atoms(b.second) + q;
          // Whichever operation takes the pair there says the same.
          for (double* entry : {&hessian[row * side + col], &hessian[col * side + row]}) {
            if (!std::isnan(*entry)) CHECK(*entry == Approx(sum).margin(1e-12));
            *entry = sum;
          }
        }
  }
  return hessian;
}

/// The largest entry of H - P H P^T over the operations P of the group on all displacements.
double defect(const MolecularSymmetry& m, const std::vector<double>& hessian) {
  const auto n = static_cast<Point>(m.atoms.size());
  const std::size_t side = 3 * std::size_t{n};
  double largest = 0;
  for (const auto& g : m.operations)
    for (Point i = 0; i < n; ++i)
      for (Point j = 0; j < n; ++j)
        for (std::size_t p = 0; p < 3; ++p)
          for (std::size_t q = 0; q < 3; ++q) {
            double sum = 0;
            for (std::size_t c = 0; c < 3; ++c)
              for (std::size_t d = 0; d < 3; ++d)
                sum +=
                    g.matrix[p][c] * hessian[(3 * std::size_t{i} + c) * side + 3 * std::size_t{j} + d] * g.matrix[q][d];
            largest = std::max(largest, std::abs(hessian[(3 * g.atoms(i) + p) * side + 3 * g.atoms(j) + q] - sum));
          }
  return largest;
}

}  // namespace

TEST_CASE("a Hessian with the pattern of its blocks commutes with the group, and another one does not",
          "[physics][quick]") {
  Rng rng = test_rng();
  for (const char* name : {"water", "ammonia", "benzene", "methane", "carbon_dioxide", "phosphorus", "cubane",
                           "ferrocene_staggered", "ethane_skew", "chlorofluorobromomethane"}) {
    INFO(name);
    const MolecularSymmetry m = molecular_symmetry(example(name), 0.05);
    std::vector<double> hessian = random_hessian(m, rng);
    CHECK(std::none_of(hessian.begin(), hessian.end(), [](double x) { return std::isnan(x); }));
    CHECK(defect(m, hessian) < 1e-12);
    if (m.operations.size() == 1) continue;
    hessian[1] += 0.5;
    CHECK(defect(m, hessian) > 0.1);
  }
  // Water in yz: O stays under both mirrors, H2 under one, and the axis exchanges H2 and H3.
  const auto blocks = force_constant_blocks(molecular_symmetry(example("water"), 0.01));
  REQUIRE(blocks.size() == 4);
  const auto text = [&](std::size_t b) {
    std::string entries;
    for (std::size_t at = 0; at < 9; ++at) entries += (at == 0 ? "" : " ") + blocks[b].form.entry(at / 3, at % 3);
    return entries;
  };
  CHECK(text(0) == "xx 0 0 0 yy 0 0 0 zz");
  CHECK(text(1) == "xx 0 0 0 yy yz 0 zy zz");
  CHECK(text(2) == "xx 0 0 0 yy yz 0 yz zz");
  CHECK(text(3) == "xx 0 0 0 yy yz 0 -yz zz");
}

TEST_CASE("single atoms and isotopes", "[physics][quick]") {
  const MolecularSymmetry atom = molecular_symmetry({{"He", {1, 2, 3}}});
  CHECK(atom.schoenflies == "Kh");
  const MolecularMotions motions = molecular_motions(atom);
  CHECK(sum(motions, &Species::total) == "Pu");
  CHECK(sum(motions, &Species::vibrations).empty());
  CHECK(motions.force_constants == 1);
  CHECK(symmetry_coordinates(atom, motions).size() == 3);

  CHECK(molecular_symmetry({{"H", {0, 0, 0}}, {"H", {0, 0, 0.74}}}).schoenflies == "D∞h");
  CHECK(molecular_symmetry({{"H", {0, 0, 0}}, {"D", {0, 0, 0.74}}}).schoenflies == "C∞v");
  std::vector<Atom> methane = example("methane");
  methane[1].element = "D";
  CHECK(molecular_symmetry(methane).schoenflies == "C3v");
}

TEST_CASE("what is no molecule is refused in a sentence", "[physics][quick]") {
  using Catch::Contains;
  const auto read = [](const char* text) { return molecular_symmetry(parse_xyz(text, "a.xyz")); };
  CHECK_THROWS_WITH(read(""), Contains("a.xyz is empty"));
  CHECK_THROWS_WITH(read(" \n\n"), Contains("a.xyz is empty"));
  CHECK_THROWS_WITH(read("two\n\n"), Contains("line 1: 'two' is no number of atoms"));
  CHECK_THROWS_WITH(read("0\n\n"), Contains("line 1: '0' is no number of atoms"));
  CHECK_THROWS_WITH(read("99999999999999999999999\n\n"), Contains("is no number of atoms"));
  CHECK_THROWS_WITH(read("3"), Contains("no line of comment"));
  CHECK_THROWS_WITH(read("3\n\nH 0 0 0\nH 0 0 1\n"), Contains("line 1 announces 3 atoms, and there are 2"));
  CHECK_THROWS_WITH(read("1000000000000\n\nH 0 0 0\n"), Contains("announces 1000000000000 atoms, and there is 1"));
  CHECK_THROWS_WITH(read("1\n\nH 0 0 0\nH 0 0 1\n"), Contains("line 4: there is more after the 1 atom"));
  CHECK_THROWS_WITH(read("1\n\nXx 0 0 0\n"), Contains("line 3: 'Xx' is no element"));
  CHECK_THROWS_WITH(read("1\n\n119 0 0 0\n"), Contains("'119' is no element"));
  CHECK_THROWS_WITH(read("1\n\nH 0 0\n"), Contains("line 3: H has 2 of three coordinates"));
  CHECK_THROWS_WITH(read("1\n\nH 0 0 nan\n"), Contains("line 3: 'nan' is no coordinate"));
  CHECK_THROWS_WITH(read("1\n\nH 0 0 1e999\n"), Contains("'1e999' is no coordinate"));
  CHECK_THROWS_WITH(read("1\n\nH 0 inf 0\n"), Contains("'inf' is no coordinate"));
  CHECK_THROWS_WITH(read("3\n\nO 0 0 0\nH 0 0 1\nH 0 0 1\n"), Contains("atoms 2 and 3 are 0 apart"));
  CHECK_THROWS_WITH(molecular_symmetry({}), Contains("at least one atom"));
  CHECK_THROWS_WITH(molecular_symmetry({{"H", {0, 0, NAN}}}), Contains("atom 1 (H) has the coordinate nan"));
  CHECK_THROWS_WITH(molecular_symmetry({{"Q", {0, 0, 0}}}), Contains("atom 1 is 'Q', which is no element"));
  CHECK_THROWS_WITH(molecular_symmetry({{"H", {0, 0, 0}}}, -1), Contains("the tolerance is a positive distance"));
  CHECK_THROWS_WITH(molecular_symmetry({{"H", {0, 0, 0}}}, NAN), Contains("the tolerance is a positive distance"));
  CHECK_THROWS_AS(molecular_symmetry(std::vector<Atom>(100'001, {"H", {0, 0, 0}})), LimitError);
  CHECK_THROWS_AS(
      symmetry_coordinates(molecular_symmetry(example("buckminsterfullerene")),
                           molecular_motions(molecular_symmetry(example("buckminsterfullerene"))), Task(1000, 0, {})),
      LimitError);
}

TEST_CASE("elements are read as people write them", "[physics][quick]") {
  const std::vector<Atom> atoms =
      parse_xyz("4\r\nFortran\r\nCL 1.0D0 +2 -3e-1 0.7 extra\r\n17 0 0 5\r\n cl12 9 0 5\r\nd 0 3 9\n\n", "a.xyz");
  REQUIRE(atoms.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(atoms[i].element == "Cl");
  CHECK(atoms[3].element == "D");
  CHECK(atoms[0].position == Vector3{1, 2, -0.3});
  for (unsigned z = 1; z <= 118; ++z) CHECK(atomic_number(element_symbol(z)) == z);
  CHECK(atomic_number("J") == 0);
  CHECK_THROWS_AS(element_symbol(119), DomainError);
}
