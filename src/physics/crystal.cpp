// Crystals in the standard settings of their space groups.
#include "intertwine/physics/crystal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/physics/space.hpp"
#include "intertwine/representations/actions.hpp"
#include "physics/crystal_frame.hpp"

namespace intertwine {

using namespace space;

double cell_volume(const CrystalStructure& crystal) { return determinant(crystal.cell); }

std::vector<Vector3> in_edges(const Matrix3& cell, const std::vector<Vector3>& positions) {
  const double size = length(cell[0]) * length(cell[1]) * length(cell[2]);
  if (!std::isfinite(size) || !(std::abs(determinant(cell)) > 1e-6 * size))
    throw DomainError("the three edges of the cell span no volume; give three that are not in one plane");
  const Matrix3 to_edges = inverse(transpose(cell));
  std::vector<Vector3> result;
  for (const Vector3& x : positions) result.push_back(to_edges * x);
  return result;
}

namespace {

/// The fit of exact operations is within so many tolerances: spglib's origin and cell may themselves be off by one.
constexpr double allowed_tolerances = 4;

/// Places modulo the translations of a lattice.
class Lattice {
 public:
  /// \param cell  edges as rows
  Lattice(const Matrix3& cell, const std::vector<std::array<int, 3>>& centring) : edges_(transpose(cell)) {
    for (const auto& t : centring) centring_.push_back({t[0] / 12.0, t[1] / 12.0, t[2] / 12.0});
  }
  /// d less a translation, in edges: the shortest one, wherever that is much shorter than the edges.
  Vector3 shortest(const Vector3& d) const {
    Vector3 best{};
    double least = std::numeric_limits<double>::infinity();
    for (const Vector3& t : centring_) {
      Vector3 v = d + t;
      for (double& x : v) x -= std::round(x);
      const double length = distance(v);
      if (length < least) least = length, best = v;
    }
    return best;
  }
  double distance(const Vector3& d) const { return length(edges_ * d); }

 private:
  Matrix3 edges_;
  std::vector<Vector3> centring_;
};

Vector3 image(const SpaceOperation& g, const Vector3& x) {
  Vector3 y{g.w[0] / 12.0, g.w[1] / 12.0, g.w[2] / 12.0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) y[i] += g.W[i][j] * x[j];
  return y;
}

[[noreturn]] void refuse_fit(const SpaceGroup& group, double tolerance) {
  throw DomainError(
      fmt::format("the atoms do not fit the operations of {} well enough: the tolerance {:g} lies among the "
                  "deviations; "
                  "take a smaller or a larger one",
                  listed_setting(group) ? listed_setting(group)->name : group.hall(), tolerance),
      Remedy::tolerance);
}

/// The atoms of a primitive cell in the standard setting: means of those that translations take to one another.
void reduce_atoms(CrystalSymmetry& m, const Lattice& lattice, const Task& task) {
  std::vector<std::size_t> members;
  std::vector<Vector3> first;
  for (const Atom& atom : m.crystal.atoms) {
    task.poll();
    const Vector3 x = m.transformation * atom.position + m.shift;
    std::size_t nearest = first.size();
    double least = 2 * m.tolerance;
    for (std::size_t r = 0; r < first.size(); ++r) {
      if (m.atoms[r].element != atom.element) continue;
      const double d = lattice.distance(lattice.shortest(x - first[r]));
      if (d <= least) least = d, nearest = r;
    }
    m.primitive.push_back(static_cast<std::uint32_t>(nearest));
    if (nearest == first.size()) {
      first.push_back(x);
      members.push_back(1);
      m.atoms.push_back({atom.element, x});
      continue;
    }
    const double weight = 1.0 / static_cast<double>(++members[nearest]);
    Vector3& mean = m.atoms[nearest].position;
    mean = mean + weight * lattice.shortest(x - mean);
  }
  const double cells =
      std::abs(cell_volume(m.crystal) / determinant(m.cell)) * static_cast<double>(m.group.centring().size());
  for (const std::size_t count : members)
    if (std::abs(static_cast<double>(count) - cells) > 0.01 * cells) refuse_fit(m.group, m.tolerance);
}

/// The images of the atoms under an operation: the nearest atom of the same element for each.
Permutation images_of_atoms(const CrystalSymmetry& m, const Lattice& lattice, const SpaceOperation& g,
                            const Task& task) {
  std::vector<Point> images;
  std::vector<bool> taken(m.atoms.size(), false);
  for (const Atom& atom : m.atoms) {
    task.poll();
    const Vector3 y = image(g, atom.position);
    std::size_t nearest = m.atoms.size();
    double least = allowed_tolerances * m.tolerance;
    for (std::size_t j = 0; j < m.atoms.size(); ++j) {
      if (m.atoms[j].element != atom.element) continue;
      const double d = lattice.distance(lattice.shortest(y - m.atoms[j].position));
      if (d <= least) least = d, nearest = j;
    }
    if (nearest == m.atoms.size() || taken[nearest]) refuse_fit(m.group, m.tolerance);
    taken[nearest] = true;
    images.push_back(static_cast<Point>(nearest));
  }
  return Permutation(std::move(images));
}

/// All operations, as products of the generators of the point group.
void find_operations(CrystalSymmetry& m, const Lattice& lattice, bool hexagonal, const Task& task) {
  const auto& all = m.group.operations();
  const auto of_generators = operations_of_generators(m.point_group, m.group, hexagonal, task);
  const auto& generators = m.point_group.generators();
  std::vector<Permutation> images;
  for (const std::size_t k : of_generators) images.push_back(images_of_atoms(m, lattice, all[k], task));
  m.operations = {{Permutation::identity(m.point_group.degree()), all[0], Permutation::identity(m.atoms.size())}};
  std::set<Permutation> seen{m.operations[0].element};
  for (std::size_t k = 0; k < m.operations.size(); ++k)
    for (std::size_t s = 0; s < generators.size(); ++s) {
      Permutation element = generators[s] * m.operations[k].element;
      if (!seen.insert(element).second) continue;
      const auto &A = all[of_generators[s]].W, &B = m.operations[k].operation.W;
      std::array<std::array<int, 3>, 3> W{};
      for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 3; ++j) W[i / 3][i % 3] += A[i / 3][j] * B[j][i % 3];
      const auto g = std::ranges::find_if(all, [&](const SpaceOperation& h) { return h.W == W; });
      if (g == all.end()) throw InternalError("crystal_symmetry: a product of operations is none");
      m.operations.push_back({std::move(element), *g, images[s] * m.operations[k].atoms});
    }
  if (m.operations.size() != all.size())
    throw InternalError("crystal_symmetry: the point group has another order than the space group");
}

/// Moves the atoms to the means of their images, and says how far they and the images were.
void symmetrize_atoms(CrystalSymmetry& m, const Lattice& lattice) {
  std::vector<Vector3> moves(m.atoms.size(), Vector3{0, 0, 0});
  for (const auto& g : m.operations)
    for (std::size_t i = 0; i < m.atoms.size(); ++i) {
      const std::size_t j = g.atoms(static_cast<Point>(i));
      const Vector3 off = lattice.shortest(image(g.operation, m.atoms[i].position) - m.atoms[j].position);
      m.deviation = std::max(m.deviation, lattice.distance(off));
      moves[j] = moves[j] + (1.0 / static_cast<double>(m.operations.size())) * off;
    }
  if (m.deviation > allowed_tolerances * m.tolerance) refuse_fit(m.group, m.tolerance);
  for (std::size_t i = 0; i < m.atoms.size(); ++i) m.atoms[i].position = m.atoms[i].position + moves[i];
  for (std::size_t k = 0; k < m.primitive.size(); ++k) {
    const Vector3 x = m.transformation * m.crystal.atoms[k].position + m.shift;
    m.displacement = std::max(m.displacement, lattice.distance(lattice.shortest(x - m.atoms[m.primitive[k]].position)));
  }
}

/// From 0 to 1, without the noise of doubles at the ends.
double in_cell(double x) {
  x -= std::floor(x);
  return x < 5e-11 || x > 1 - 5e-11 ? 0.0 : x;
}

void find_sites(CrystalSymmetry& m, const SpaceGroupMatch& match) {
  std::vector<bool> seen(m.atoms.size(), false);
  for (std::uint32_t i = 0; i < m.atoms.size(); ++i) {
    if (seen[i]) continue;
    std::vector<SpaceOperation> stabilizer;
    CrystalSite site{m.atoms[i].element, 0, 0, {}, {}, m.atoms[i].position, {}};
    for (const auto& g : m.operations) {
      const auto j = static_cast<std::uint32_t>(g.atoms(i));
      if (j == i) stabilizer.push_back(g.operation);
      if (!seen[j]) site.atoms.push_back(j);
      seen[j] = true;
    }
    std::ranges::sort(site.atoms);
    const auto given = static_cast<std::size_t>(std::ranges::find(m.primitive, i) - m.primitive.begin());
    site.wyckoff = match.wyckoff[given];
    site.site_symmetry = match.site_symmetry[given];
    std::erase(site.site_symmetry, ' ');
    site.schoenflies = point_group_symbol(stabilizer);
    site.multiplicity = site.atoms.size() * m.group.centring().size();
    for (double& x : site.position) x = in_cell(x);
    m.sites.push_back(std::move(site));
  }
}

/// The cell whose lengths and angles are the means over the group, with a along x and b in the plane xy.
Matrix3 symmetrized_cell(const Matrix3& cell, const SpaceGroup& group) {
  const Matrix3 metric = cell * transpose(cell);
  Matrix3 mean{};
  for (const SpaceOperation& g : group.operations()) {
    Matrix3 W;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) W[i][j] = g.W[i][j];
    const Matrix3 moved = transpose(W) * metric * W;
    for (std::size_t i = 0; i < 3; ++i)
      mean[i] = mean[i] + (1.0 / static_cast<double>(group.operations().size())) * moved[i];
  }
  return cell_of_metric(mean);
}

void require_numbers(const CrystalStructure& crystal, double tolerance) {
  constexpr std::size_t most = 10'000;
  if (!(tolerance > 0) || !std::isfinite(tolerance))
    throw DomainError(fmt::format("the tolerance is a positive distance, such as 0.01, not {}", tolerance));
  if (crystal.atoms.empty()) throw DomainError("a crystal has at least one atom");
  if (crystal.atoms.size() > most)
    throw LimitError(fmt::format("the crystal has {} atoms in its cell; space groups are looked for up to {}",
                                 crystal.atoms.size(), most));
  for (const Vector3& edge : crystal.cell)
    for (const double x : edge)
      if (!(std::abs(x) <= 1e6))
        throw DomainError(
            fmt::format("an edge of the cell has the coordinate {}; these are numbers up to a million", x));
  for (std::size_t i = 0; i < crystal.atoms.size(); ++i) {
    const Atom& atom = crystal.atoms[i];
    if (atomic_number(atom.element) == 0 && site_species(atom.element).empty())
      throw DomainError(
          fmt::format("atom {} is '{}', which is no element; write symbols such as C, Cl or D", i + 1, atom.element));
    for (const double x : atom.position)
      if (!(std::abs(x) <= 1e6))
        throw DomainError(fmt::format("atom {} ({}) has the coordinate {}; coordinates are numbers up to a million",
                                      i + 1, atom.element, x));
  }
  in_edges(crystal.cell, {});
}

/// Species that are both partial: Fe0.5 and Co0.5.
bool may_share_place(const std::string& a, const std::string& b) {
  return a != b && !site_species(a).empty() && !site_species(b).empty();
}

}  // namespace

std::vector<std::pair<std::string, double>> site_species(std::string_view element) {
  std::vector<std::pair<std::string, double>> species;
  double sum = 0;
  constexpr double rounded = 0.011;
  for (std::size_t at = 0; at < element.size();) {
    const std::size_t letters = element[at] >= 'A' && element[at] <= 'Z' && at + 1 < element.size() &&
                                        element[at + 1] >= 'a' && element[at + 1] <= 'z'
                                    ? 2
                                    : 1;
    const std::string symbol(element.substr(at, letters));
    at += letters;
    double share = 0;
    const auto [end, error] =
        std::from_chars(element.data() + at, element.data() + element.size(), share, std::chars_format::fixed);
    if (atomic_number(symbol) == 0 || error != std::errc() || !(share > 0) || !(share <= 1)) return {};
    at = static_cast<std::size_t>(end - element.data());
    sum += share;
    species.emplace_back(symbol, share);
  }
  return sum <= 1 + rounded ? species : std::vector<std::pair<std::string, double>>{};
}

void require_crystal(const CrystalStructure& crystal, double tolerance) {
  require_numbers(crystal, tolerance);
  // Coordinates along an edge differ by at most this, where places are within the distances that matter.
  const Matrix3 across = inverse(transpose(crystal.cell));
  for (const Vector3& row : across)
    if (2 * allowed_tolerances * tolerance * length(row) > 0.5)
      throw DomainError(
          fmt::format("the tolerance {:g} is too large for a cell that is {:.4g} thin", tolerance, 1 / length(row)),
          Remedy::tolerance);
  const Lattice lattice(crystal.cell, {{0, 0, 0}});
  const auto shown_atom = [&](std::size_t k) {
    const bool has_line = crystal.lines.size() == crystal.atoms.size();
    return fmt::format("{} ({}{})", k + 1, crystal.atoms[k].element,
                       has_line ? fmt::format(", line {}", crystal.lines[k]) : "");
  };
  for (std::size_t i = 0; i < crystal.atoms.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double d = lattice.distance(lattice.shortest(crystal.atoms[i].position - crystal.atoms[j].position));
      if (d <= 2 * tolerance && !may_share_place(crystal.atoms[i].element, crystal.atoms[j].element))
        throw DomainError(
            fmt::format("atoms {} and {} are {:.3g} apart, which is not more than twice the tolerance {:g}; "
                        "remove one of them, or take a smaller tolerance",
                        shown_atom(j), shown_atom(i), d, tolerance),
            Remedy::tolerance);
    }
}

std::string CrystalSymmetry::hermann_mauguin() const { return std::string(space_group_name(setting.number)); }

Representation CrystalSymmetry::atom_representation(const Task& task) const {
  const auto& generators = point_group.generators();
  if (generators.empty()) return atoms.size() * trivial_representation(point_group);
  std::vector<SignedPermutation> images;
  for (const Permutation& s : generators) {
    const auto g = std::ranges::find_if(operations, [&](const Operation& o) { return o.element == s; });
    images.emplace_back(g->atoms);
  }
  return monomial_representation(point_group, std::move(images), {}, task);
}

CrystalSymmetry crystal_symmetry(CrystalStructure crystal, double tolerance, const Task& task) {
  const SpaceGroupMatch match = find_space_group(crystal, tolerance);
  return crystal_symmetry(std::move(crystal), match, tolerance, task);
}

CrystalSymmetry crystal_symmetry(CrystalStructure crystal, const SpaceGroupMatch& match, double tolerance,
                                 const Task& task) {
  require_crystal(crystal, tolerance);
  const std::size_t n = crystal.atoms.size();
  if (match.wyckoff.size() != n || match.site_symmetry.size() != n)
    throw DomainError("crystal_symmetry: a match has a letter and a site symmetry for every atom");
  SpaceGroup group = SpaceGroup::from_hall(match.hall);
  const auto setting = listed_setting(group);
  if (!setting || !(std::abs(determinant(match.transformation)) > 1e-9))
    throw DomainError("crystal_symmetry: the match names no setting of a space group, or no transformation to it");
  FiniteGroup points = point_group(point_group_symbol(group));
  const Matrix3 measured = transpose(transpose(crystal.cell) * inverse(match.transformation));
  CrystalSymmetry m{std::move(crystal),
                    tolerance,
                    std::move(group),
                    *setting,
                    measured,
                    match.transformation,
                    match.shift,
                    {},
                    {},
                    std::move(points),
                    {},
                    {},
                    0,
                    0};
  m.cell = symmetrized_cell(measured, m.group);
  const Lattice lattice(m.cell, m.group.centring());
  reduce_atoms(m, lattice, task);
  const auto W = m.group.operations();
  const bool hexagonal = std::ranges::any_of(
      W, [](const SpaceOperation& g) { return g.W[2][2] != 0 && g.W[0][0] * g.W[1][0] + g.W[0][1] * g.W[1][1] != 0; });
  find_operations(m, lattice, hexagonal, task);
  symmetrize_atoms(m, lattice);
  find_sites(m, match);
  return m;
}

}  // namespace intertwine
