#include "intertwine/physics/force_constants.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <numeric>

#include "intertwine/error.hpp"
#include "support/listed_crystals.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

CrystalSymmetry listed_symmetry(const std::string& name) {
  const auto one = std::ranges::find(listed_crystals(), name, &ListedCrystal::name);
  REQUIRE(one != listed_crystals().end());
  return crystal_symmetry(one->structure);
}

std::string force_refusal(const CrystalSymmetry& crystal, const ForceConstantQuestion& question) {
  try {
    count_force_constants(crystal, question);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// A number from -1 to 1.
double random_number(Rng& random) { return static_cast<double>(random.below(2001)) / 1000 - 1; }

std::vector<double> random_numbers(Rng& random, std::size_t n) {
  std::vector<double> list(n);
  for (double& x : list) x = random_number(random);
  return list;
}

/// The largest sum over the last atom of constants, which the sum rules say is 0.
double largest_sum(const ForceConstants& F, const std::vector<double>& constants) {
  const std::size_t N = F.supercell().atoms.size(), entries = F.question().order == 2 ? 9 : 27;
  double largest = 0;
  for (std::size_t first = 0; first < constants.size(); first += N * entries)
    for (std::size_t e = 0; e < entries; ++e) {
      double sum = 0;
      for (std::size_t k = 0; k < N; ++k) sum += constants[first + k * entries + e];
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

}  // namespace

TEST_CASE("as many force constants are free as symfc finds", "[physics][quick]") {
  if (!has_space_group_search()) return;
  std::ifstream in(test_data() + "/force_constants/symfc.txt");
  std::size_t structures = 0, lines = 0;
  std::string before;
  for (std::string line; std::getline(in, line);) {
    const auto part = pieces(line, '|');
    CAPTURE(line);
    ForceConstantQuestion question;
    question.order = static_cast<unsigned>(std::stoul(part.at(1)));
    const auto cells = pieces(part.at(2), ' ');
    for (std::size_t i = 0; i < 3; ++i) question.supercell[i] = static_cast<unsigned>(std::stoul(cells.at(i)));
    if (part.at(3) != "-") question.cutoff = std::stod(part.at(3));
    const CrystalSymmetry crystal = listed_symmetry(part.at(0));
    const ForceConstantCount count = count_force_constants(crystal, question);
    CHECK(count.dimension == Integer(std::stoul(part.at(4))));
    // Without a cutoff relations have to leave what characters count, which ForceConstants checks itself.
    if (!question.cutoff && count.tied < 1000) CHECK(ForceConstants(crystal, question).dimension() == count.dimension);
    structures += part.at(0) != before;
    before = part.at(0);
    ++lines;
  }
  CHECK(structures >= 20);
  CHECK(lines >= 60);
}

TEST_CASE("force constants of any parameters have the symmetries of their indices and sum to 0", "[physics][quick]") {
  if (!has_space_group_search()) return;
  auto random = test_rng();
  for (const std::string name : {"silicon", "quartz", "rutile", "caesium chloride"}) {
    CAPTURE(name);
    const CrystalSymmetry crystal = listed_symmetry(name);
    const ForceConstants F(crystal, {2, {2, 1, 1}, std::nullopt, true});
    const std::size_t N = F.supercell().atoms.size(), P = F.first_images().size();
    const auto x = random_numbers(random, F.dimension());
    const auto constants = F.constants(x);
    REQUIRE(constants.size() == P * N * 9);
    const double size = std::abs(*std::ranges::max_element(constants, {}, [](double c) { return std::abs(c); }));
    CHECK(largest_sum(F, constants) < 1e-11 * size);
    for (std::size_t i = 0; i < P; ++i)
      for (std::size_t j = 0; j < P; ++j)
        for (std::size_t e = 0; e < 9; ++e)
          CHECK(constants[(i * N + F.first_images()[j]) * 9 + e] ==
                Approx(constants[(j * N + F.first_images()[i]) * 9 + 3 * (e % 3) + e / 3]).margin(1e-11 * size));
    // Forces at one displacement of the atom of a first image are its constants; and they are linear in parameters.
    const std::size_t i = random.below(P), a = random.below(3);
    std::vector<double> u(3 * N, 0);
    u[3 * F.first_images()[i] + a] = 1;
    const auto forces = F.forces(u);
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t b = 0; b < 3; ++b) {
        double force = 0;
        for (std::size_t k = 0; k < x.size(); ++k) force += forces[(3 * j + b) * x.size() + k] * x[k];
        CHECK(force == Approx(-constants[(i * N + j) * 9 + 3 * a + b]).margin(1e-11 * size));
      }
    // Without sum rules they do not sum to 0.
    const ForceConstants tied(crystal, {2, {2, 1, 1}, std::nullopt, false});
    CHECK(tied.dimension() > F.dimension());
    CHECK(Integer(tied.dimension()) == F.count().tied);
    CHECK(largest_sum(tied, tied.constants(random_numbers(random, tied.dimension()))) > 1e-3);
  }
}

TEST_CASE("the nearest allowed force constants are themselves where they are allowed", "[physics][quick]") {
  if (!has_space_group_search()) return;
  auto random = test_rng();
  for (const auto& [name, order] : {std::pair{"wurtzite", 2U}, {"caesium chloride", 3U}, {"silicon", 3U}}) {
    CAPTURE(name);
    const ForceConstants F(listed_symmetry(name), {order, {1, 1, 1}, std::nullopt, true});
    const std::size_t n = F.dimension();
    const auto x = random_numbers(random, n);
    const auto constants = F.constants(x);
    CHECK(largest_sum(F, constants) < 1e-11);
    const auto gram = F.gram(), products = F.products(constants);
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        sum += gram[i * n + j] * x[j];
        CHECK(gram[i * n + j] == Approx(gram[j * n + i]));
      }
      CHECK(sum == Approx(products[i]).margin(1e-9));
      square += sum * x[i];
    }
    CHECK(square == Approx(std::inner_product(constants.begin(), constants.end(), constants.begin(), 0.0)));
  }
}

TEST_CASE("forces of third order are half of what constants make of two displacements", "[physics][quick]") {
  if (!has_space_group_search()) return;
  auto random = test_rng();
  const ForceConstants F(listed_symmetry("zinc blende"), {3, {1, 1, 1}, std::nullopt, true});
  const std::size_t N = F.supercell().atoms.size();
  const auto x = random_numbers(random, F.dimension()), u = random_numbers(random, 3 * N);
  const auto constants = F.constants(x), forces = F.forces(u);
  for (std::size_t i = 0; i < F.first_images().size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      double expected = 0, force = 0;
      for (std::size_t j = 0; j < N; ++j)
        for (std::size_t k = 0; k < N; ++k)
          for (std::size_t e = 0; e < 9; ++e)
            expected -= constants[((i * N + j) * N + k) * 27 + 9 * a + e] * u[3 * j + e / 3] * u[3 * k + e % 3] / 2;
      for (std::size_t k = 0; k < x.size(); ++k) force += forces[(3 * F.first_images()[i] + a) * x.size() + k] * x[k];
      CHECK(force == Approx(expected).margin(1e-9));
    }
}

TEST_CASE("force constants do not depend on the cell that is given, and large ones take no time", "[physics][quick]") {
  if (!has_space_group_search()) return;
  const CrystalSymmetry silicon = listed_symmetry("silicon");
  // symfc 1.8 says 25, 777 and 36,524 for 64 atoms.
  CHECK(count_force_constants(silicon, {2, {2, 2, 2}, std::nullopt, true}).dimension == 25);
  CHECK(ForceConstants(silicon, {3, {2, 2, 2}, std::nullopt, true}).dimension() == 777);
  CHECK(count_force_constants(silicon, {4, {2, 2, 2}, std::nullopt, true}).dimension == 36'524);
  CrystalStructure primitive{{{{0, 2.7155, 2.7155}, {2.7155, 0, 2.7155}, {2.7155, 2.7155, 0}}},
                             {{"Si", {0, 0, 0}}, {"Si", {0.25, 0.25, 0.25}}}};
  const CrystalSymmetry same = crystal_symmetry(primitive);
  for (const unsigned order : {2U, 3U}) {
    // The lattice of 2 x 2 x 2 primitive cells lies face-centred in that of 2 x 2 x 2 cubes: a smaller supercell.
    const ForceConstantQuestion question{order, {2, 2, 2}, std::nullopt, true};
    CHECK(ForceConstants(same, question).dimension() == count_force_constants(same, question).dimension);
    CHECK(count_force_constants(same, question).operations == 48 * 8);
  }
  // A cutoff below half of either supercell tells no difference.
  for (const unsigned order : {2U, 3U, 4U})
    CHECK(count_force_constants(same, {order, {4, 4, 4}, 2.6, true}).dimension ==
          count_force_constants(silicon, {order, {2, 2, 2}, 2.6, true}).dimension);
}

TEST_CASE("questions for force constants that have no answer are refused", "[physics][quick]") {
  if (!has_space_group_search()) return;
  const CrystalSymmetry silicon = listed_symmetry("silicon");
  CHECK(force_refusal(silicon, {1, {1, 1, 1}, std::nullopt, true}) == "force constants are of order 2, 3 or 4, not 1");
  CHECK(force_refusal(silicon, {2, {1, 0, 1}, std::nullopt, true}).find("at least one cell along every edge") !=
        std::string::npos);
  CHECK(force_refusal(silicon, {2, {50, 50, 50}, std::nullopt, true}).find("more than 10000 atoms") !=
        std::string::npos);
  CHECK(force_refusal(silicon, {2, {1, 1, 1}, -1.0, true}).find("a positive distance") != std::string::npos);
  CHECK(force_refusal(silicon, {2, {2, 2, 2}, 5.431, true}).find("5.431 apart, which is the cutoff") !=
        std::string::npos);
  const ForceConstants F(silicon, {2, {1, 1, 1}, std::nullopt, true});
  CHECK_THROWS_AS(F.constants(std::vector<double>(F.dimension() + 1)), DomainError);
  CHECK_THROWS_AS(F.forces(std::vector<double>(3)), DomainError);
  CHECK_THROWS_AS(F.products(std::vector<double>(3)), DomainError);
}
