// The atoms of a supercell as cosets of lattices, in integers: translations are twelfths of the standard cell's edges.
#include "physics/supercell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/physics/space.hpp"

namespace intertwine {

using namespace space;

namespace {

constexpr std::int64_t twelve = 12;

using Twelfths = std::array<std::int64_t, 3>;
using IntegerEdges = std::array<Twelfths, 3>;

/// Vectors of a lattice modulo a lattice in it.
class Cosets {
 public:
  /// \param edges  columns: those of the supercell, in twelfths of standard ones
  explicit Cosets(const IntegerEdges& edges) : edges_(edges) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
        adjugate_[i][j] = edges[r][u] * edges[s][v] - edges[r][v] * edges[s][u];
      }
    for (std::size_t k = 0; k < 3; ++k) volume_ += adjugate_[0][k] * edges[k][0];
    if (volume_ < 0) {
      volume_ = -volume_;
      for (auto& row : adjugate_)
        for (auto& x : row) x = -x;
    }
  }
  std::int64_t volume() const { return volume_; }
  /// Coordinates in edges of the supercell, times the volume, modulo it: equal for equal cosets.
  Twelfths key(const Twelfths& t) const {
    Twelfths c{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) c[i] += adjugate_[i][j] * t[j];
      c[i] %= volume_;
      if (c[i] < 0) c[i] += volume_;
    }
    return c;
  }
  /// Does W take the lattice of the supercell to itself?
  bool kept_by(const Supercell::Integral3& W) const {
    for (std::size_t j = 0; j < 3; ++j) {
      Twelfths image{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) image[i] += W[i][k] * edges_[k][j];
      if (key(image) != Twelfths{0, 0, 0}) return false;
    }
    return true;
  }

 private:
  IntegerEdges edges_, adjugate_{};
  std::int64_t volume_ = 0;
};

Twelfths both(const Twelfths& a, const Twelfths& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

Vector3 in_edges_of(const Twelfths& t) {
  const auto part = [&](std::size_t i) { return static_cast<double>(t[i]) / twelve; };
  return {part(0), part(1), part(2)};
}

/// The translation of the lattice that is nearest to d.
Twelfths nearest_translation(const Vector3& d, const std::vector<std::array<int, 3>>& centring) {
  Twelfths best{};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& t : centring) {
    Twelfths candidate{};
    double off = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double whole = std::round(d[i] - t[i] / 12.0);
      candidate[i] = twelve * static_cast<std::int64_t>(whole) + t[i];
      off += std::pow(d[i] - static_cast<double>(candidate[i]) / twelve, 2);
    }
    if (off < least) least = off, best = candidate;
  }
  return best;
}

/// The edges of the given cell in twelfths of the standard ones: columns.
IntegerEdges given_edges(const CrystalSymmetry& crystal) {
  IntegerEdges edges{};
  for (std::size_t j = 0; j < 3; ++j) {
    const Matrix3& P = crystal.transformation;
    for (std::size_t i = 0; i < 3; ++i)
      if (!(std::abs(P[i][j]) < 1e4))
        throw LimitError("the edges of the cell are more than 10,000 times those of the standard cell");
    const Twelfths t = nearest_translation({P[0][j], P[1][j], P[2][j]}, crystal.group.centring());
    for (std::size_t i = 0; i < 3; ++i) {
      if (std::abs(P[i][j] - static_cast<double>(t[i]) / twelve) > 0.05)
        throw DomainError("edge " + std::to_string(j + 1) +
                          " of the cell is no translation of its space group within the tolerance");
      edges[i][j] = t[i];
    }
  }
  return edges;
}

/// The standard cell in the axes of the structure: the symmetrized one, turned to the measured one.
Matrix3 turned_cell(const CrystalSymmetry& crystal) {
  const Matrix3 measured = transpose(transpose(crystal.crystal.cell) * inverse(crystal.transformation));
  return crystal.cell * transpose(nearest_rotation(transpose(measured) * crystal.cell));
}

/// Every coset by its key, with a translation in it.
std::map<Twelfths, std::pair<std::uint32_t, Twelfths>> all_cosets(const Cosets& cosets,
                                                                  const std::vector<std::array<int, 3>>& centring,
                                                                  const Task& task) {
  std::vector<Twelfths> steps{{twelve, 0, 0}, {0, twelve, 0}, {0, 0, twelve}};
  for (const auto& t : centring) steps.push_back({t[0], t[1], t[2]});
  std::map<Twelfths, std::pair<std::uint32_t, Twelfths>> found;
  std::vector<Twelfths> list{{0, 0, 0}};
  found.emplace(Twelfths{0, 0, 0}, std::pair{0U, list[0]});
  for (std::size_t k = 0; k < list.size(); ++k) {
    task.poll();
    for (const Twelfths& step : steps) {
      const Twelfths next = both(list[k], step);
      if (found.emplace(cosets.key(next), std::pair{static_cast<std::uint32_t>(list.size()), next}).second)
        list.push_back(next);
    }
  }
  return found;
}

/// Distances between atoms and nearest images modulo a lattice.
class NearestImages {
 public:
  /// \param edges  rows
  explicit NearestImages(const Matrix3& edges) : edges_(edges), across_(inverse(transpose(edges))) {
    for (std::size_t i = 0; i < 3; ++i) thickness_[i] = 1 / length(across_[i]);
  }
  double operator()(const Vector3& d) const {
    Vector3 f = across_ * d;
    for (double& x : f) x -= std::round(x);
    double least = length(transpose(edges_) * f);
    std::array<int, 3> reach{};
    for (std::size_t i = 0; i < 3; ++i) reach[i] = static_cast<int>(std::floor(least / thickness_[i] + 0.5));
    for (int i = -reach[0]; i <= reach[0]; ++i)
      for (int j = -reach[1]; j <= reach[1]; ++j)
        for (int k = -reach[2]; k <= reach[2]; ++k)
          least = std::min(least, length(transpose(edges_) * (f + Vector3{double(i), double(j), double(k)})));
    return least;
  }

 private:
  Matrix3 edges_, across_;
  Vector3 thickness_{};
};

Supercell::Integral3 integral_inverse(const Supercell::Integral3& W) {
  Supercell::Integral3 inverse{};
  int determinant = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
      inverse[i][j] = W[r][u] * W[s][v] - W[r][v] * W[s][u];
    }
  for (std::size_t k = 0; k < 3; ++k) determinant += inverse[0][k] * W[k][0];
  for (auto& row : inverse)
    for (int& x : row) x *= determinant;  // which is 1 or -1
  return inverse;
}

/// The images of the atoms of the primitive cell under an operation, and the translations behind them.
std::vector<Twelfths> translations_of(const CrystalSymmetry& crystal, const CrystalSymmetry::Operation& g) {
  std::vector<Twelfths> list;
  for (std::size_t i = 0; i < crystal.atoms.size(); ++i) {
    const Vector3& x = crystal.atoms[i].position;
    const Vector3& y = crystal.atoms[g.atoms(static_cast<Point>(i))].position;
    Vector3 d;
    for (std::size_t r = 0; r < 3; ++r) {
      d[r] = g.operation.w[r] / 12.0 - y[r];
      for (std::size_t s = 0; s < 3; ++s) d[r] += g.operation.W[r][s] * x[s];
    }
    list.push_back(nearest_translation(d, crystal.group.centring()));
  }
  return list;
}

/// The structure repeated, with the primitive atom and the key of the translation of every atom.
struct Repeated {
  CrystalStructure structure;
  std::vector<std::pair<std::uint32_t, Twelfths>> places;
};
Repeated repeat(const CrystalSymmetry& crystal, const IntegerEdges& cell, const std::array<unsigned, 3>& cells,
                const Cosets& cosets) {
  Repeated result;
  for (std::size_t i = 0; i < 3; ++i)
    result.structure.cell[i] = static_cast<double>(cells[i]) * crystal.crystal.cell[i];
  for (std::size_t k = 0; k < crystal.crystal.atoms.size(); ++k) {
    const Atom& atom = crystal.crystal.atoms[k];
    const std::uint32_t i = crystal.primitive[k];
    const Twelfths own = nearest_translation(
        crystal.transformation * atom.position + crystal.shift - crystal.atoms[i].position, crystal.group.centring());
    for (unsigned c = 0; c < cells[2]; ++c)
      for (unsigned b = 0; b < cells[1]; ++b)
        for (unsigned a = 0; a < cells[0]; ++a) {
          Twelfths t = own;
          for (std::size_t r = 0; r < 3; ++r) t[r] += cell[r][0] * a + cell[r][1] * b + cell[r][2] * c;
          const Vector3& x = atom.position;
          result.structure.atoms.push_back(
              {atom.element, {(x[0] + a) / cells[0], (x[1] + b) / cells[1], (x[2] + c) / cells[2]}});
          result.places.emplace_back(i, cosets.key(t));
        }
  }
  return result;
}

}  // namespace

Supercell make_supercell(const CrystalSymmetry& crystal, const std::array<unsigned, 3>& cells, const Task& task) {
  constexpr std::uint64_t most = 10'000;
  std::uint64_t atoms = crystal.crystal.atoms.size();
  for (const unsigned n : cells) {
    if (n == 0) throw DomainError("a supercell has at least one cell along every edge, such as 2,2,2");
    if (atoms > most || n > most || (atoms *= n) > most)
      throw LimitError(
          fmt::format("a supercell of {} x {} x {} cells has more than {} atoms", cells[0], cells[1], cells[2], most));
  }
  const IntegerEdges cell = given_edges(crystal);
  IntegerEdges edges = cell;
  for (auto& row : edges)
    for (std::size_t j = 0; j < 3; ++j) row[j] *= cells[j];
  const Cosets cosets(edges);
  const auto found = all_cosets(cosets, crystal.group.centring(), task);
  const std::size_t T = found.size();
  Supercell s;
  s.edges = turned_cell(crystal);
  s.primitive = crystal.atoms.size();
  s.translations = T;
  if (s.size() != atoms) throw InternalError("make_supercell: the lattices do not fit the number of atoms");
  std::vector<Twelfths> keys(T), vectors(T);
  for (const auto& [key, value] : found) keys[value.first] = key, vectors[value.first] = value.second;
  const auto number = [&](const Twelfths& key) { return found.at(key).first; };
  task.require_memory(8 * T * T, "sums of the translations of a supercell");
  s.sums.resize(T * T);
  s.differences.resize(T * T);
  for (std::size_t a = 0; a < T; ++a) {
    task.poll();
    for (std::size_t b = 0; b < T; ++b) {
      Twelfths sum = both(keys[a], keys[b]);
      for (auto& x : sum) x %= cosets.volume();
      const std::uint32_t c = number(sum);
      s.sums[a * T + b] = c;
      s.differences[c * T + b] = static_cast<std::uint32_t>(a);
    }
  }
  Repeated repeated = repeat(crystal, cell, cells, cosets);
  s.structure = std::move(repeated.structure);
  s.given.assign(atoms, std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t k = 0; k < atoms; ++k) {
    const auto& [i, key] = repeated.places[k];
    const auto place = static_cast<std::uint32_t>(i * T + number(key));
    if (s.given[place] != std::numeric_limits<std::uint32_t>::max())
      throw InternalError("make_supercell: two atoms are at one place");
    s.given[place] = k;
    s.internal.push_back(place);
  }
  for (const auto& g : crystal.operations) {
    task.poll();
    if (!cosets.kept_by(g.operation.W)) continue;
    const auto shifts = translations_of(crystal, g);
    Supercell::Operation operation{g.operation.W, integral_inverse(g.operation.W), {}};
    for (std::uint32_t i = 0; i < s.primitive; ++i)
      for (std::size_t t = 0; t < T; ++t) {
        Twelfths moved = shifts[i];
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t c = 0; c < 3; ++c) moved[r] += g.operation.W[r][c] * vectors[t][c];
        operation.image.push_back(static_cast<std::uint32_t>(g.atoms(i) * T + number(cosets.key(moved))));
      }
    s.operations.push_back(std::move(operation));
  }
  Matrix3 rows{};
  for (std::size_t j = 0; j < 3; ++j)
    rows[j] = transpose(s.edges) * in_edges_of({edges[0][j], edges[1][j], edges[2][j]});
  const NearestImages nearest(rows);
  for (std::size_t i = 0; i < s.primitive; ++i)
    for (std::size_t j = 0; j < s.primitive; ++j)
      for (std::size_t t = 0; t < T; ++t) {
        task.poll();
        s.distances.push_back(nearest(
            transpose(s.edges) * (crystal.atoms[j].position + in_edges_of(vectors[t]) - crystal.atoms[i].position)));
      }
  return s;
}

}  // namespace intertwine
