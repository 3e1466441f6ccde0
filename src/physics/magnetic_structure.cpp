// The operations of a space group that keep moments.
#include "intertwine/physics/magnetic_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/physics/space.hpp"

namespace intertwine {

namespace {

using space::length;
using space::operator-;
using space::operator*;

using WholeVector = std::array<std::int64_t, 3>;
using WholeMatrix = std::array<WholeVector, 3>;

WholeVector times(const WholeMatrix& A, const WholeVector& v) {
  WholeVector result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += A[i][j] * v[j];
  return result;
}
WholeMatrix times(const WholeMatrix& A, const WholeMatrix& B) {
  WholeMatrix C{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
  return C;
}
WholeVector sum(const WholeVector& a, const WholeVector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
WholeMatrix turned_round(const WholeMatrix& A) {
  WholeMatrix B{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) B[j][i] = A[i][j];
  return B;
}
WholeMatrix whole(const std::array<std::array<int, 3>, 3>& W) {
  WholeMatrix A{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) A[i][j] = W[i][j];
  return A;
}
/// A A^adj = det A.
WholeMatrix adjugate(const WholeMatrix& A) {
  WholeMatrix B{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      B[i][j] = A[a][c] * A[b][d] - A[a][d] * A[b][c];
    }
  return B;
}
std::int64_t whole_determinant(const WholeMatrix& A) {
  const WholeMatrix B = adjugate(A);
  return A[0][0] * B[0][0] + A[0][1] * B[1][0] + A[0][2] * B[2][0];
}

/// A lattice whose edges are the columns of a matrix, in twelfths of standard edges, and classes modulo it.
class WholeLattice {
 public:
  explicit WholeLattice(const WholeMatrix& edges)
      : edges_(edges), adjugate_(adjugate(edges)), determinant_(whole_determinant(edges)) {
    if (determinant_ < 0) {
      determinant_ = -determinant_;
      for (auto& row : adjugate_)
        for (auto& x : row) x = -x;
    }
  }
  /// Equal for vectors whose difference is in the lattice; coordinates times `volume`.
  WholeVector key(const WholeVector& v) const {
    WholeVector result = times(adjugate_, v);
    for (auto& x : result) x = ((x % determinant_) + determinant_) % determinant_;
    return result;
  }
  const WholeMatrix& edges() const { return edges_; }
  std::int64_t volume() const { return determinant_; }
  /// The matrix in these edges, times the volume.
  WholeMatrix inside(const WholeMatrix& W) const { return times(times(adjugate_, W), edges_); }

 private:
  WholeMatrix edges_, adjugate_;
  std::int64_t determinant_;
};

/// A basis of the lattice that vectors span, by Euclid's algorithm along one coordinate after another, as columns.
WholeMatrix basis_of(std::vector<WholeVector> vectors) {
  WholeMatrix rows{};
  for (std::size_t i = 0; i < 3; ++i) {
    while (true) {
      const auto least = std::ranges::min_element(vectors, {}, [&](const WholeVector& v) {
        return v[i] == 0 ? std::numeric_limits<std::int64_t>::max() : std::abs(v[i]);
      });
      rows[i] = *least;
      bool done = true;
      for (WholeVector& v : vectors) {
        if (v == rows[i] && &v == &*least) continue;
        const std::int64_t q = v[i] / rows[i][i];
        for (std::size_t k = 0; k < 3; ++k) v[k] -= q * rows[i][k];
        done &= v[i] == 0;
      }
      if (done) {
        vectors.erase(least);
        break;
      }
    }
    // Numbers stay small, since what is in the lattice of the file may be left out.
    std::ranges::sort(vectors);
    vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
  }
  return turned_round(rows);
}

/// An operation that keeps the moments: its number among those of the atoms, and its translation in twelfths.
struct KeptOperation {
  std::size_t number;
  WholeVector shift;
  bool reverses_time;
};

class MomentSearch {
 public:
  MomentSearch(const CrystalSymmetry& crystal, double tolerance, const Task& task)
      : m_(crystal),
        tolerance_(tolerance),
        task_(task),
        file_(file_lattice()),
        sums_(crystal.crystal.atoms.size()),
        leader_(crystal.crystal.atoms.size()) {
    std::iota(leader_.begin(), leader_.end(), std::uint32_t{0});
  }

  MagneticSymmetry search() {
    place_atoms();
    result_.tolerance = tolerance_;
    result_.collinear = m_.crystal.collinear;
    try_operation(0);  // the identity, with all translations
    find_lattice();
    for (std::size_t number = 1; number < m_.operations.size(); ++number)
      if (keeps_lattice(whole(m_.operations[number].operation.W))) try_operation(number);
    classes();
    find_sites();
    name();
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse() const {
    throw DomainError(fmt::format("the operations that keep the moments within the tolerance {:g} are no "
                                  "group, so it lies among the "
                                  "deviations; take a smaller or a larger one",
                                  tolerance_),
                      Remedy::tolerance);
  }
  WholeLattice file_lattice() const {
    WholeMatrix Q{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double twelfths = 12 * m_.transformation[i][j];
        Q[i][j] = std::llround(twelfths);
        if (std::abs(twelfths - static_cast<double>(Q[i][j])) > 0.3 || std::abs(twelfths) > 12e4) refuse();
      }
    return WholeLattice(Q);
  }
  static Vector3 moved(const SpaceOperation& g, const Vector3& x) {
    Vector3 y{};
    for (std::size_t i = 0; i < 3; ++i) {
      y[i] = g.w[i] / 12.0;
      for (std::size_t j = 0; j < 3; ++j) y[i] += g.W[i][j] * x[j];
    }
    return y;
  }
  static WholeVector in_twelfths(const Vector3& d) {
    return {std::llround(12 * d[0]), std::llround(12 * d[1]), std::llround(12 * d[2])};
  }
  /// Every atom is one of the primitive cell and a translation of the atoms.
  void place_atoms() {
    const auto& atoms = m_.crystal.atoms;
    const Matrix3 to_edges = space::inverse(space::transpose(m_.crystal.cell));
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      const std::uint32_t r = m_.primitive[k];
      const Vector3 x = m_.transformation * atoms[k].position;
      Vector3 d{};
      for (std::size_t i = 0; i < 3; ++i) d[i] = x[i] + m_.shift[i] - m_.atoms[r].position[i];
      offsets_.push_back(in_twelfths(d));
      where_.emplace(std::pair(r, file_.key(offsets_[k])), static_cast<std::uint32_t>(k));
      moments_.push_back(m_.crystal.collinear ? m_.crystal.moments[k] : to_edges * m_.crystal.moments[k]);
    }
    if (where_.size() != atoms.size()) refuse();
    for (std::size_t k = 0; k < atoms.size(); ++k)
      if (m_.primitive[k] == m_.primitive[0]) {
        WholeVector t{};
        for (std::size_t i = 0; i < 3; ++i) t[i] = offsets_[k][i] - offsets_[0][i];
        translations_.push_back(t);
      }
  }
  double distance(const Vector3& a, const Vector3& b) const {
    const Vector3 d = a - b;
    return m_.crystal.collinear ? std::abs(d[2]) : length(space::transpose(m_.crystal.cell) * d);
  }
  /// The operation with each translation, with and without time reversal.
  void try_operation(std::size_t number) {
    const auto& g = m_.operations[number];
    const WholeMatrix W = whole(g.operation.W), inside = file_.inside(W);
    const auto hand = whole_determinant(W);
    std::vector<WholeVector> steps;
    for (std::size_t r = 0; r < m_.atoms.size(); ++r) {
      const Vector3 d = moved(g.operation, m_.atoms[r].position) - m_.atoms[g.atoms(static_cast<Point>(r))].position;
      steps.push_back(in_twelfths(d));
    }
    std::vector<Vector3> images;  // of moments
    for (const Vector3& f : moments_) {
      Vector3 y{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          y[i] += static_cast<double>(hand * inside[i][j]) / static_cast<double>(file_.volume()) * f[j];
      images.push_back(m_.crystal.collinear ? f : y);
    }
    std::vector<std::uint32_t> to(moments_.size());
    for (const WholeVector& t : translations_) {
      task_.poll();
      bool keeps[2] = {true, true};
      double worst[2] = {0, 0};
      for (std::size_t k = 0; k < to.size() && (keeps[0] || keeps[1]); ++k) {
        const std::uint32_t r = m_.primitive[k];
        const auto found = where_.find(
            std::pair(static_cast<std::uint32_t>(g.atoms(r)), file_.key(sum(sum(steps[r], times(W, offsets_[k])), t))));
        if (found == where_.end()) refuse();
        to[k] = found->second;
        const Vector3 reversed{-images[k][0], -images[k][1], -images[k][2]};
        worst[0] = std::max(worst[0], distance(images[k], moments_[to[k]]));
        worst[1] = std::max(worst[1], distance(reversed, moments_[to[k]]));
        for (std::size_t s = 0; s < 2; ++s) keeps[s] &= worst[s] <= tolerance_;
      }
      for (std::size_t s = 0; s < 2; ++s) {
        if (!keeps[s]) continue;
        result_.deviation = std::max(result_.deviation, worst[s]);
        WholeVector shift = t;
        for (std::size_t i = 0; i < 3; ++i) shift[i] += g.operation.w[i];
        kept_.push_back({number, shift, s == 1});
        for (std::size_t k = 0; k < to.size(); ++k) {
          if (to[k] == k) add_stabilizer(sums_[k], inside, s == 1 ? -hand : hand, s == 1);
          join(static_cast<std::uint32_t>(k), to[k]);
        }
      }
    }
  }
  /// The sum of the matrices of moments over the operations that leave an atom where it is.
  struct StabilizerSum {
    WholeMatrix matrices{};
    bool reverses = false;
  };
  static void add_stabilizer(StabilizerSum& total, const WholeMatrix& inside, std::int64_t sign, bool reverses) {
    total.reverses |= reverses;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) total.matrices[i][j] += sign * inside[i][j];
  }
  std::uint32_t leader(std::uint32_t k) const {
    while (leader_[k] != k) k = leader_[k];
    return k;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = leader(a), b = leader(b);
    leader_[std::max(a, b)] = std::min(a, b);
  }

  /// The translations that keep all moments.
  void find_lattice() {
    std::vector<WholeVector> vectors;
    const WholeMatrix edges = turned_round(file_.edges());
    vectors.assign(edges.begin(), edges.end());
    std::int64_t count = 0;
    for (const KeptOperation& g : kept_)
      if (is_identity(g) && !g.reverses_time) vectors.push_back(g.shift), ++count;
    magnetic_ = WholeLattice(basis_of(std::move(vectors)));
    if (magnetic_.volume() * count != file_.volume()) refuse();
    result_.cells = translations_.size() / static_cast<std::size_t>(count);
  }
  bool is_identity(const KeptOperation& g) const {
    return m_.operations[g.number].operation.W == std::array<std::array<int, 3>, 3>{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  }
  bool keeps_lattice(const WholeMatrix& W) const {
    for (const WholeVector& row : magnetic_.inside(W))
      for (const std::int64_t x : row)
        if (x % magnetic_.volume() != 0) return false;
    return true;
  }
  /// The operations modulo those translations, and that they are a group.
  void classes() {
    using Key = std::tuple<std::size_t, bool, WholeVector>;
    std::map<Key, KeptOperation> unlike;
    for (const KeptOperation& g : kept_) unlike.emplace(Key{g.number, g.reverses_time, magnetic_.key(g.shift)}, g);
    std::map<WholeMatrix, std::size_t> numbers;
    for (std::size_t k = 0; k < m_.operations.size(); ++k) numbers.emplace(whole(m_.operations[k].operation.W), k);
    bool grey = false, translation = false;
    Matrix3 edges{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) edges[i][j] = static_cast<double>(magnetic_.edges()[j][i]) / 12;
    result_.cell = edges * m_.cell;
    for (const auto& [key, g] : unlike) {
      const WholeMatrix W = whole(m_.operations[g.number].operation.W);
      for (const auto& [other_key, h] : unlike) {
        const std::size_t number = numbers.at(times(W, whole(m_.operations[h.number].operation.W)));
        const WholeVector shift = magnetic_.key(sum(g.shift, times(W, h.shift)));
        if (!unlike.contains(Key{number, g.reverses_time != h.reverses_time, shift})) refuse();
      }
      CellOperation o{{}, {}, g.reverses_time};
      const WholeMatrix inside = magnetic_.inside(W);
      const WholeVector at = magnetic_.key(g.shift);
      for (std::size_t i = 0; i < 3; ++i) {
        o.w[i] = static_cast<double>(at[i]) / static_cast<double>(magnetic_.volume());
        for (std::size_t j = 0; j < 3; ++j) o.W[i][j] = static_cast<int>(inside[i][j] / magnetic_.volume());
      }
      result_.listed.push_back(o);
      if (!g.reverses_time) continue;
      ++result_.antiunitary;
      if (is_identity(g)) (at == WholeVector{} ? grey : translation) = true;
    }
    result_.operations = unlike.size();
    result_.type = result_.antiunitary == 0 ? 1 : grey ? 2 : translation ? 4 : 3;
  }

  /// "(mx,-mx,0)": every vector that the matrix, a multiple of a projection, leaves.
  static std::pair<std::string, unsigned> pattern(const WholeMatrix& matrix) {
    std::array<std::array<Rational, 3>, 3> rows;  // the columns of the matrix, reduced
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) rows[i][j] = Rational(matrix[j][i]);
    std::vector<std::size_t> pivots;
    for (std::size_t column = 0; column < 3; ++column) {
      const std::size_t rank = pivots.size();
      std::size_t row = rank;
      while (row < 3 && rows[row][column] == 0) ++row;
      if (row == 3) continue;
      std::swap(rows[row], rows[rank]);
      const Rational head = rows[rank][column];
      for (Rational& x : rows[rank]) x /= head;
      for (std::size_t other = 0; other < 3; ++other) {
        const Rational factor = rows[other][column];
        if (other == rank || factor == 0) continue;
        for (std::size_t j = 0; j < 3; ++j) rows[other][j] -= factor * rows[rank][j];
      }
      pivots.push_back(column);
    }
    std::string text;
    for (std::size_t j = 0; j < 3; ++j) {
      std::string term;
      for (std::size_t p = 0; p < pivots.size(); ++p) {
        const Rational& c = rows[p][j];
        if (c == 0) continue;
        term += c < 0 ? "-" : term.empty() ? "" : "+";
        if (abs(c) != 1) term += Rational(abs(c)).str();
        term += std::string("m") + "xyz"[pivots[p]];
      }
      text += (j == 0 ? "(" : ",") + (term.empty() ? "0" : term);
    }
    return {text + ")", static_cast<unsigned>(pivots.size())};
  }
  void find_sites() {
    std::map<std::uint32_t, std::size_t> at;
    for (std::uint32_t k = 0; k < leader_.size(); ++k) {
      const auto [found, added] = at.emplace(leader(k), result_.sites.size());
      if (added) {
        const Atom& atom = m_.crystal.atoms[k];
        MagneticSite site{atom.element, {}, atom.position, moments_[k], "", 0};
        std::tie(site.allowed, site.freedom) = pattern(sums_[k].matrices);
        if (m_.crystal.collinear) {
          site.freedom = sums_[k].reverses ? 0 : 1;
          site.allowed = sums_[k].reverses ? "0" : "m";
        } else {
          for (std::size_t i = 0; i < 3; ++i) site.moment[i] *= length(m_.crystal.cell[i]);
        }
        result_.sites.push_back(std::move(site));
      }
      result_.sites[found->second].atoms.push_back(k);
    }
  }
  void name() {
    if (!has_magnetic_numbers()) return;
    const unsigned uni = magnetic_number(result_.cell, result_.listed);
    if (uni == 0) return;
    const MagneticKind kind = magnetic_kind(uni, task_);
    if (kind.type == result_.type) result_.kind = kind;
  }

  const CrystalSymmetry& m_;
  double tolerance_;
  const Task& task_;
  WholeLattice file_, magnetic_{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  std::vector<WholeVector> offsets_, translations_;  ///< of atoms; of the atoms' lattice modulo the file's
  std::map<std::pair<std::uint32_t, WholeVector>, std::uint32_t> where_;
  std::vector<Vector3> moments_;  ///< in edges of the file's cell
  std::vector<KeptOperation> kept_;
  std::vector<StabilizerSum> sums_;
  std::vector<std::uint32_t> leader_;
  MagneticSymmetry result_;
};

}  // namespace

MagneticSymmetry magnetic_symmetry(const CrystalSymmetry& crystal, double tolerance, const Task& task) {
  if (crystal.crystal.moments.size() != crystal.crystal.atoms.size())
    throw DomainError(fmt::format("a magnetic crystal has a moment for each of its {} atoms, and here are {}",
                                  crystal.crystal.atoms.size(), crystal.crystal.moments.size()));
  if (!(tolerance > 0) || !std::isfinite(tolerance))
    throw DomainError(fmt::format("the tolerance of moments is a positive number, such as 0.02, not {}", tolerance));
  for (const Vector3& moment : crystal.crystal.moments)
    for (const double x : moment)
      if (!(std::abs(x) <= 1e6))
        throw DomainError(fmt::format("a moment has the component {}; these are numbers up to a million", x));
  return MomentSearch(crystal, tolerance, task).search();
}

}  // namespace intertwine
