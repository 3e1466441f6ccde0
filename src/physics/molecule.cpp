// The point group of a molecule from measured positions.
#include "intertwine/physics/molecule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/physics/space.hpp"
#include "intertwine/representations/actions.hpp"
#include "physics/operation_groups.hpp"
#include "physics/point_search.hpp"

namespace intertwine {

using namespace space;

namespace {

/// The kind of operation that an orthogonal matrix is, up to sign a rotation.
struct Turn {
  int determinant;
  std::uint64_t order;  ///< the order of the rotation: the matrix, or its negative
  Vector3 axis;         ///< the axis of the rotation, any unit vector for order 1
};

/// These two tests alone fix numbers: directions are parallel, or not, by more than a tolerance can change.
bool parallel(const Vector3& a, const Vector3& b) { return std::abs(dot(a, b)) > 0.9; }
bool perpendicular(const Vector3& a, const Vector3& b) { return std::abs(dot(a, b)) < 0.2; }

Turn turn_of(const PointOperation& g) {
  const Matrix3 R = g.determinant > 0 ? g.matrix : negative(g.matrix);
  const double angle = std::acos(std::clamp((trace(R) - 1) / 2, -1.0, 1.0));
  Matrix3 symmetric;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) symmetric[i][j] = R[i][j] + R[j][i];
  const auto v = spectrum(symmetric).vectors.back();
  // The order of the operation is known exactly; that of the rotation is it, or for improper operations divides it.
  std::uint64_t order = g.determinant > 0 ? 1 : 2;
  std::vector<bool> seen(g.images.size(), false);
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    std::uint64_t cycle = 0;
    for (std::uint32_t j = i; !seen[j]; j = g.images[j]) seen[j] = true, ++cycle;
    if (cycle != 0) order = std::lcm(order, cycle);
  }
  std::uint64_t best = 1;
  double least = order == 1 || g.determinant < 0 ? angle : 10.0;
  for (std::uint64_t n = g.determinant > 0 ? order : 2; n <= order; ++n)
    if (n > 1 && order % n == 0)
      for (std::uint64_t k = 1; 2 * k <= n; ++k) {
        const double off = std::abs(angle - 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
        if (std::gcd(k, n) == 1 && off < least - 1e-9) least = off, best = n;
      }
  return {g.determinant, best, {v[0], v[1], v[2]}};
}

/// How good an axis or a plane is for a name: the atoms on it, then the sum of their numbers, then how long the molecule is
/// along it.
using Rank = std::tuple<std::size_t, unsigned, double>;

class Framing {
 public:
  Framing(const std::vector<PointOperation>& group, const std::vector<Atom>& atoms, const std::vector<Vector3>& points,
          double tolerance)
      : atoms_(atoms), points_(points), tolerance_(tolerance) {
    for (const PointOperation& g : group) turns_.push_back(turn_of(g));
  }

  /// The Schoenflies symbol; finds the main axis.
  std::string symbol() {
    const std::size_t order = turns_.size();
    std::size_t proper = 0;
    std::uint64_t highest = 1;
    for (const Turn& t : turns_)
      if (t.determinant > 0) ++proper, highest = std::max(highest, t.order);
    const bool improper = proper < order;
    if (highest >= 3 && several_axes()) {
      const char* const family = proper == 12 ? "T" : proper == 24 ? "O" : "I";
      if (!improper) return family;
      return family + std::string(proper == 12 && !has(-1, 1) ? "d" : "h");
    }
    if (highest == 1) {
      if (!improper) return "C1";
      if (has(-1, 1)) return "Ci";
      main_ = axes(-1, 2).front();
      return "Cs";
    }
    main_ = axes(1, highest).front();
    const std::string n = std::to_string(highest);
    const bool dihedral = proper == 2 * highest;
    if (dihedral && highest == 2 && improper) {
      if (has(-1, 1)) return "D2h";
      main_ = axes(-1, 4).front();  // that of the improper quarter turn
      return "D2d";
    }
    const std::string name = (dihedral ? "D" : "C") + n;
    if (!improper) return name;
    bool across = false, along = false;
    for (const Vector3& normal : axes(-1, 2)) (parallel(normal, main_) ? across : along) = true;
    if (across) return name + "h";
    if (dihedral) return name + "d";
    return along ? name + "v" : "S" + std::to_string(2 * highest);
  }

  /// Frames to try, the best first: rotations whose rows are x, y and z.
  std::vector<Matrix3> frames(const std::string& symbol) const {
    const char family = symbol[0], last = symbol.back();
    if (family == 'T' || family == 'O' || family == 'I') return polyhedral_frames(family);
    if (symbol == "C1" || symbol == "Ci") return {identity};
    if (symbol == "D2" || symbol == "D2h") return three_axes();
    const Vector3 z = upward(main_);
    std::vector<Vector3> xs;
    if (symbol == "C2v") {
      xs = ranked(axes(-1, 2), [this](const Vector3& v) { return plane_rank(v); });
    } else if (last == 'v') {
      for (const Vector3& normal : ranked(axes(-1, 2), [this](const Vector3& v) { return plane_rank(v); }))
        xs.push_back(cross(normal, z));
    } else if (family == 'D') {
      std::vector<Vector3> half_turns;
      for (const Vector3& v : axes(1, 2))
        if (!parallel(v, z)) half_turns.push_back(v);
      xs = ranked(half_turns, [this](const Vector3& v) { return axis_rank(v); });
    } else {
      xs = {Vector3{1, 0, 0}, Vector3{0, 1, 0}};
      if (std::abs(z[0]) > 0.9) std::swap(xs[0], xs[1]);
    }
    std::vector<Matrix3> result;
    for (const Vector3& x : xs) result.push_back(frame(x, z));
    return result;
  }

 private:
  bool has(int determinant, std::uint64_t order) const {
    return std::any_of(turns_.begin(), turns_.end(),
                       [&](const Turn& t) { return t.determinant == determinant && t.order == order; });
  }
  /// The different axes of the operations of this kind, an axis that is nearly parallel to another one counted once.
  std::vector<Vector3> axes(int determinant, std::uint64_t order) const {
    std::vector<Vector3> result;
    for (const Turn& t : turns_) {
      if (t.determinant != determinant || t.order != order) continue;
      // Axes of one group make angles of at least pi over its order.
      const double least = std::cos(0.4 * std::numbers::pi / static_cast<double>(turns_.size()));
      if (std::none_of(result.begin(), result.end(),
                       [&](const Vector3& v) { return std::abs(dot(v, t.axis)) > least; }))
        result.push_back(t.axis);
    }
    return result;
  }
  bool several_axes() const {
    const Turn* first = nullptr;
    for (const Turn& t : turns_) {
      if (t.determinant < 0 || t.order < 3) continue;
      if (!first) first = &t;
      if (!parallel(first->axis, t.axis)) return true;
    }
    return false;
  }

  Rank rank(const std::function<double(const Vector3&)>& distance) const {
    std::size_t number = 0;
    unsigned weight = 0;
    double sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double d = distance(points_[i]);
      if (d <= tolerance_) ++number, weight += atomic_number(atoms_[i].element);
      sum += d * d;
    }
    return {number, weight, -sum};
  }
  Rank axis_rank(const Vector3& v) const {
    return rank([&](const Vector3& p) { return length(across(p, v)); });
  }
  Rank plane_rank(const Vector3& normal) const {
    return rank([&](const Vector3& p) { return std::abs(dot(p, normal)); });
  }
  /// The best first; of equal ones those that turn the molecule least.
  template <class F>
  std::vector<Vector3> ranked(const std::vector<Vector3>& directions, F&& rank_of) const {
    std::vector<std::pair<Rank, Vector3>> list;
    for (const Vector3& v : directions) list.emplace_back(rank_of(v), upward(v));
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      const auto& [na, wa, sa] = a.first;
      const auto& [nb, wb, sb] = b.first;
      if (na != nb) return na > nb;
      if (wa != wb) return wa > wb;
      if (std::abs(sa - sb) > 1e-3 * std::abs(sa + sb)) return sa > sb;
      return a.second[0] > b.second[0] + 1e-6;
    });
    std::vector<Vector3> result;
    for (const auto& entry : list) result.push_back(entry.second);
    return result;
  }
  /// v or -v, whichever is nearer to the axes of the file.
  static Vector3 upward(const Vector3& v) {
    const double leaning = v[2] + 1e-3 * v[1] + 1e-6 * v[0];
    return leaning < 0 ? -1.0 * v : v;
  }
  static Matrix3 frame(const Vector3& x, const Vector3& z) {
    const Vector3 e = unit(across(x, z));
    return {e, cross(z, e), z};
  }
  /// D2 and D2h: x is across the plane with the most atoms, z along the better one of the other axes. Without planes z is the
  /// best axis and x the last one.
  std::vector<Matrix3> three_axes() const {
    const auto planes = axes(-1, 2);
    auto order = ranked(axes(1, 2), [this](const Vector3& v) { return axis_rank(v); });
    Vector3 x = order.back();
    if (!planes.empty()) x = ranked(planes, [this](const Vector3& v) { return plane_rank(v); }).front();
    for (const Vector3& z : order)
      if (perpendicular(x, z)) return {frame(x, z)};
    throw InternalError("molecular_symmetry: half turns of D2 that are not perpendicular");
  }
  /// z along an axis of order 4 of the octahedron, 5 of the icosahedron, 2 of the tetrahedron, x along one of order 4, 2, 2; two ways
  /// round for the icosahedron and the tetrahedron.
  std::vector<Matrix3> polyhedral_frames(char family) const {
    const auto nearest = [&](std::uint64_t order, const Vector3& v, const Vector3* not_along) {
      std::optional<Vector3> best;
      for (const Vector3& d : axes(1, order))
        if ((!not_along || perpendicular(d, *not_along)) &&
            (!best || std::abs(dot(d, v)) > std::abs(dot(*best, v)) + 1e-9))
          best = dot(d, v) < 0 ? -1.0 * d : d;
      if (!best) throw InternalError("molecular_symmetry: no perpendicular axes in " + std::string(1, family));
      return *best;
    };
    const Vector3 z = nearest(family == 'O' ? 4 : family == 'I' ? 5 : 2, {0, 0, 1}, nullptr);
    const Vector3 x = nearest(family == 'O' ? 4 : 2, std::abs(z[0]) < 0.7 ? Vector3{1, 0, 0} : Vector3{0, 1, 0}, &z);
    return {frame(x, z), frame(family == 'I' ? -1.0 * x : cross(z, x), z)};
  }

  const std::vector<Atom>& atoms_;
  const std::vector<Vector3>& points_;
  double tolerance_;
  std::vector<Turn> turns_;
  Vector3 main_{0, 0, 1};
};

void require_atoms(const std::vector<Atom>& atoms, double tolerance) {
  constexpr std::size_t most = 100'000;
  if (!(tolerance > 0) || !std::isfinite(tolerance))
    throw DomainError(fmt::format("the tolerance is a positive distance, such as 0.05, not {}", tolerance));
  if (atoms.empty()) throw DomainError("a molecule has at least one atom");
  if (atoms.size() > most)
    throw LimitError(
        fmt::format("the molecule has {} atoms; point groups are looked for up to {}", atoms.size(), most));
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (atomic_number(atoms[i].element) == 0)
      throw DomainError(fmt::format("atom {} is '{}', which is no element; write symbols such as C, Cl or D", i + 1,
                                    atoms[i].element));
    for (const double x : atoms[i].position)
      if (!(std::abs(x) <= 1e6))
        throw DomainError(fmt::format("atom {} ({}) has the coordinate {}; coordinates are numbers up to a million",
                                      i + 1, atoms[i].element, x));
  }
}

std::vector<std::uint32_t> kinds_of(const std::vector<Atom>& atoms) {
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> kinds;
  for (const Atom& atom : atoms)
    kinds.push_back(numbers.emplace(atom.element, static_cast<std::uint32_t>(numbers.size())).first->second);
  return kinds;
}

/// The images of the atoms under the generators, for the operations nearest to their matrices in a frame; nothing if
/// one is not there.
std::optional<std::vector<Permutation>> images_in_frame(const std::vector<PointOperation>& group, const Matrix3& frame,
                                                        const std::vector<Matrix3>& matrices) {
  constexpr double same = 0.3;  // a frame that is turned the wrong way round has no operation so near
  std::vector<Permutation> images;
  for (const Matrix3& M : matrices) {
    const Matrix3 wanted = transpose(frame) * M * frame;
    const auto nearest =
        std::min_element(group.begin(), group.end(), [&](const PointOperation& g, const PointOperation& h) {
          return difference(g.matrix, wanted) < difference(h.matrix, wanted);
        });
    if (difference(nearest->matrix, wanted) > same) return std::nullopt;
    images.push_back(Permutation(std::vector<Point>(nearest->images.begin(), nearest->images.end())));
  }
  return images;
}

/// The elements of the group, with what they do to atoms and vectors.
std::vector<MolecularSymmetry::Operation> all_operations(const MolecularSymmetry& m, const Task& task) {
  const auto& generators = m.group.generators();
  std::set<Permutation> seen{Permutation::identity(m.group.degree())};
  std::vector<MolecularSymmetry::Operation> operations{
      {Permutation::identity(m.group.degree()), Permutation::identity(m.atoms.size()), identity}};
  for (std::size_t k = 0; k < operations.size(); ++k)
    for (std::size_t s = 0; s < generators.size(); ++s) {
      task.poll();
      Permutation g = generators[s] * operations[k].element;
      if (!seen.insert(g).second) continue;
      operations.push_back({std::move(g), m.images[s] * operations[k].atoms, m.matrices[s] * operations[k].matrix});
    }
  return operations;
}

/// Turns the frame to where the molecule is nearest to its mean over the group, and keeps that mean.
void settle_frame(MolecularSymmetry& m, const std::vector<Vector3>& points) {
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < points.size(); ++i) m.oriented[i] = m.rotation * points[i];
    m.symmetrized.assign(points.size(), Vector3{0, 0, 0});
    for (const auto& g : m.operations)
      for (std::size_t i = 0; i < points.size(); ++i) {
        const auto j = g.atoms(static_cast<Point>(i));
        m.symmetrized[j] = m.symmetrized[j] + g.matrix * m.oriented[i];
      }
    Matrix3 correlation{};
    for (std::size_t i = 0; i < points.size(); ++i) {
      m.symmetrized[i] = (1 / static_cast<double>(m.operations.size())) * m.symmetrized[i];
      for (std::size_t k = 0; k < 3; ++k) correlation[k] = correlation[k] + m.symmetrized[i][k] * m.oriented[i];
    }
    // A line, and C1, leave turns open that change nothing; they are not made.
    if (m.kind != MoleculeKind::nonlinear || round + 1 == rounds || m.operations.size() == 1) break;
    m.rotation = nearest_rotation(correlation) * m.rotation;
  }
  m.displacement = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    m.displacement = std::max(m.displacement, length(m.symmetrized[i] - m.oriented[i]));
}

void number_orbits(MolecularSymmetry& m) {
  constexpr auto none = static_cast<std::uint32_t>(-1);
  m.orbits.assign(m.atoms.size(), none);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < m.atoms.size(); ++i) {
    if (m.orbits[i] != none) continue;
    for (const auto& g : m.operations) m.orbits[g.atoms(static_cast<Point>(i))] = next;
    ++next;
  }
}

/// A frame for a line, and the group that stands for the one without end.
void frame_line(MolecularSymmetry& m, const PointSet& set, Vector3 z) {
  if (z[2] + 1e-3 * z[1] + 1e-6 * z[0] < 0) z = -1.0 * z;
  const Vector3 x = unit(across(std::abs(z[0]) < 0.9 ? Vector3{1, 0, 0} : Vector3{0, 1, 0}, z));
  m.rotation = {x, cross(z, x), z};
  PointOperation inversion;
  const bool even = set.admits(negative(identity), m.tolerance, inversion);
  if (even) m.deviation = std::max(m.deviation, inversion.deviation);
  m.schoenflies = even ? "D∞h" : "C∞v";
  m.hermann_mauguin = even ? "∞/mm" : "∞m";
  m.group = point_group(even ? "D8h" : "C8v");
  m.matrices = cartesian_matrices(m.group);
  const auto atoms = m.atoms.size();
  for (const Matrix3& M : m.matrices) {
    const bool reversed = M[2][2] < 0;
    m.images.push_back(reversed ? Permutation(std::vector<Point>(inversion.images.begin(), inversion.images.end()))
                                : Permutation::identity(atoms));
  }
}

void frame_body(MolecularSymmetry& m, const std::vector<PointOperation>& group, const std::vector<Vector3>& points) {
  for (const PointOperation& g : group) m.deviation = std::max(m.deviation, g.deviation);
  Framing framing(group, m.atoms, points, m.tolerance);
  m.schoenflies = framing.symbol();
  m.group = point_group(m.schoenflies);
  m.schoenflies = m.group.structure().as<structure::PointGroup>()->symbol();
  m.hermann_mauguin = m.group.structure().as<structure::PointGroup>()->hermann_mauguin();
  m.matrices = cartesian_matrices(m.group);
  for (const Matrix3& frame : framing.frames(m.schoenflies)) {
    auto images = images_in_frame(group, frame, m.matrices);
    if (!images) continue;
    m.rotation = frame;
    m.images = std::move(*images);
    if (m.group.order() != group.size())
      throw InternalError(
          fmt::format("molecular_symmetry: {} operations were taken for {}", group.size(), m.schoenflies));
    return;
  }
  throw InternalError("molecular_symmetry: the operations of " + m.schoenflies + " stand in no frame");
}

/// How far beyond the tolerance, and how far below it, a ladder says which groups there are, and by what factor each of
/// them is within less than the one above.
constexpr double ladder_top = 4, ladder_foot = 0.02, ladder_step = 0.95;

/// The groups of a line that is so far from one, within what can be told.
void climb_line(MolecularSymmetry& m, const PointSet& set, double off_line) {
  PointOperation inversion;
  if (set.admits(negative(identity), set.widest(), inversion)) {
    const double deviation = std::max(off_line, inversion.deviation);
    m.ladder.push_back({"D∞h", 0, deviation});
    if (deviation <= std::max(off_line, ladder_foot * m.tolerance)) return;
  }
  m.ladder.push_back({"C∞v", 0, off_line});
}

/// The groups of a body by what their operations deviate, and those of the first one within the tolerance.
std::vector<PointOperation> climb_body(MolecularSymmetry& m, const PointSet& set, const std::vector<Vector3>& points,
                                       double within, const Task& task) {
  OperationGroups groups(set, within, task);
  std::vector<PointOperation> chosen;
  for (OperationGroup& rung : groups.ladder(ladder_foot * m.tolerance)) {
    const FiniteGroup G = point_group(Framing(rung.operations, m.atoms, points, m.tolerance).symbol());
    // Far beyond the tolerance operations may be none of a point group together.
    if (G.order() != rung.operations.size() && rung.deviation > m.tolerance) continue;
    const bool first_within = chosen.empty() && rung.deviation <= m.tolerance;
    // Groups within nearly the same distance differ by rounding.
    if (first_within || m.ladder.empty() || rung.deviation < ladder_step * m.ladder.back().deviation)
      m.ladder.push_back({G.structure().as<structure::PointGroup>()->symbol(), rung.operations.size(), rung.deviation});
    if (first_within) chosen = std::move(rung.operations);
  }
  return chosen;
}

}  // namespace

Representation MolecularSymmetry::atom_representation(const Task& task) const {
  if (images.empty()) return atoms.size() * trivial_representation(group);  // C1 has no generators to give images of
  std::vector<SignedPermutation> signed_images(images.begin(), images.end());
  return monomial_representation(group, std::move(signed_images), {}, task);
}

MolecularSymmetry molecular_symmetry(std::vector<Atom> atoms, double tolerance, const Task& task) {
  require_atoms(atoms, tolerance);
  const std::size_t n = atoms.size();
  Vector3 centre{0, 0, 0};
  for (const Atom& atom : atoms) centre = centre + (1 / static_cast<double>(n)) * atom.position;
  std::vector<Vector3> points;
  for (const Atom& atom : atoms) points.push_back(atom.position - centre);
  const PointSet set(points, kinds_of(atoms), tolerance, ladder_top, task);
  MolecularSymmetry m{std::move(atoms),
                      tolerance,
                      MoleculeKind::nonlinear,
                      {},
                      {},
                      point_group("Oh"),
                      {},
                      {},
                      {},
                      centre,
                      identity,
                      points,
                      points,
                      {},
                      0,
                      0,
                      {}};
  if (n == 1) {
    m.kind = MoleculeKind::atom;
    m.schoenflies = "Kh";
    m.hermann_mauguin = "∞/m∞";
    m.matrices = cartesian_matrices(m.group);
    m.images.assign(m.matrices.size(), Permutation::identity(1));
    m.ladder.push_back({"Kh", 0, 0});
  } else {
    Vector3 direction;
    const double off_line = set.off_line(direction);
    double within = set.widest();
    if (off_line <= within) {
      climb_line(m, set, off_line);
      within = std::nextafter(off_line, 0.0);
    }
    std::vector<PointOperation> group;
    if (within > ladder_foot * tolerance) group = climb_body(m, set, points, within, task);
    if (off_line <= tolerance) {
      m.kind = MoleculeKind::linear;
      m.deviation = off_line;
      frame_line(m, set, direction);
    } else {
      frame_body(m, group, points);
    }
  }
  m.operations = all_operations(m, task);
  settle_frame(m, points);
  number_orbits(m);
  return m;
}

MolecularSymmetry molecular_symmetry_towards(std::vector<Atom> atoms, const std::string& schoenflies, double tolerance,
                                             const Task& task) {
  MolecularSymmetry first = molecular_symmetry(atoms, tolerance, task);
  std::string wanted = schoenflies;
  if (const auto at = wanted.find("oo"); at != std::string::npos) wanted.replace(at, 2, "∞");
  if (first.schoenflies == wanted) return first;
  std::string known;
  for (const SymmetryRung& rung : first.ladder) {
    known += fmt::format("{}{} within {:.3g}", known.empty() ? "" : ", ", rung.schoenflies, rung.deviation);
    if (rung.schoenflies != wanted) continue;
    constexpr double above = 1.001, least = 1e-6;  // rungs are further apart than that
    MolecularSymmetry m = molecular_symmetry(std::move(atoms), std::max(above * rung.deviation, least), task);
    if (m.schoenflies == wanted) return m;
    break;
  }
  throw DomainError(fmt::format("the atoms do not have {}; near the tolerance {:g} they have {}", schoenflies,
                                tolerance, known.empty() ? first.schoenflies : known),
                    Remedy::tolerance);
}

}  // namespace intertwine
