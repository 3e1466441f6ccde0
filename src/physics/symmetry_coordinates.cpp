// Symmetry-adapted displacements, in doubles.
#include <algorithm>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/physics/molecular_motions.hpp"
#include "intertwine/physics/space.hpp"
#include "intertwine/representations/irreducible.hpp"

namespace intertwine {

using namespace space;

namespace {

using Vector = std::vector<double>;
using Square = std::vector<Vector>;  ///< rows

double inner(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Square times(const Square& A, const Square& B) {
  Square C(A.size(), Vector(B[0].size(), 0.0));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t k = 0; k < B.size(); ++k)
      for (std::size_t j = 0; j < B[0].size(); ++j) C[i][j] += A[i][k] * B[k][j];
  return C;
}

Square transposed(const Square& A) {
  Square B(A[0].size(), Vector(A.size()));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < B.size(); ++j) B[j][i] = A[i][j];
  return B;
}

/// M is replaced by C^-1 M C for all matrices M of a representation.
void change_basis(std::vector<Square>& matrices, const Square& C, const Square& inverse) {
  for (Square& M : matrices) M = times(inverse, times(M, C));
}

/// Makes a representation orthogonal: with the invariant form H = L L^T, R becomes L^T R L^-T.
void make_orthogonal(std::vector<Square>& matrices) {
  const std::size_t d = matrices[0].size();
  Square H(d, Vector(d, 0.0));
  for (const Square& R : matrices) {
    const Square square = times(transposed(R), R);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) H[i][j] += square[i][j] / static_cast<double>(matrices.size());
  }
  Square L(d, Vector(d, 0.0)), inverse(d, Vector(d, 0.0));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = H[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
    }
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = j; i < d; ++i) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) sum -= L[i][k] * inverse[k][j];
      inverse[i][j] = sum / L[i][i];
    }
  change_basis(matrices, transposed(inverse), transposed(L));
}

/// Turns the basis until the operations that only change signs of coordinates are diagonal, x-like partners first.
void adapt_partners(std::vector<Square>& matrices, const MolecularSymmetry& m) {
  const std::size_t d = matrices[0].size();
  Vector sum(d * d, 0.0);
  for (std::size_t g = 0; g < matrices.size(); ++g) {
    const Matrix3& M = m.operations[g].matrix;
    if (std::abs(M[0][0]) + std::abs(M[1][1]) + std::abs(M[2][2]) < 3 - 1e-9) continue;
    const double weight = (M[0][0] > 0 ? 4 : 0) + (M[1][1] > 0 ? 2 : 0) + (M[2][2] > 0 ? 1 : 0);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) sum[i * d + j] += weight * (matrices[g][i][j] + matrices[g][j][i]) / 2;
  }
  Square rows = spectrum(std::move(sum), d).vectors;
  std::reverse(rows.begin(), rows.end());
  change_basis(matrices, transposed(rows), rows);
  for (std::size_t k = 1; k < d;
       ++k)  // signs: the first operation that takes the first partner to this one does so with +
    for (const Square& R : matrices) {
      if (std::abs(R[k][0]) < 0.1) continue;
      if (R[k][0] > 0) break;
      for (Square& S : matrices)
        for (std::size_t i = 0; i < d; ++i) S[i][k] = -S[i][k];
      for (Square& S : matrices)
        for (std::size_t i = 0; i < d; ++i) S[k][i] = -S[k][i];
      break;
    }
}

/// Orthogonal matrices of a species for all operations.
std::vector<Square> partner_matrices(const MolecularSymmetry& m, const CharacterTable& table, const Species& s,
                                     const Task& task) {
  const IrreducibleForms forms = irreducible_form(table, s.rows.front(), BaseField::real, task);
  const Representation& W = forms.entries.at(0).form.representation;
  std::vector<Square> matrices;
  for (const auto& g : m.operations) {
    const FieldMatrix exact = W.field_matrix(g.element);
    Square R(exact.rows(), Vector(exact.cols()));
    for (std::size_t i = 0; i < exact.rows(); ++i)
      for (std::size_t j = 0; j < exact.cols(); ++j) R[i][j] = exact(i, j).to_complex().real();
    matrices.push_back(std::move(R));
  }
  make_orthogonal(matrices);
  adapt_partners(matrices, m);
  return matrices;
}

/// Collects copies of one representation among the displacements.
class Copies {
 public:
  Copies(const MolecularSymmetry& m, std::vector<Square> matrices, const Task& task)
      : m_(m), R_(std::move(matrices)), task_(task) {}

  /// The vectors found, in copies of as many as the degree, orthonormal.
  const std::vector<Vector>& vectors() const { return found_; }
  std::size_t size() const { return found_.size() / R_[0].size(); }

  /// Adds copies from the images of seeds, the largest remainders first, until there are `most` in all, or the seeds give no more.
  void add(const std::vector<Vector>& seeds, std::size_t most) {
    constexpr double negligible = 1e-6;
    std::vector<Square> maps;
    for (const Vector& seed : seeds)
      for (std::size_t k = 0; k < R_[0].size() && size() < most; ++k) {
        maps.push_back(map_from(seed, k));
        for (std::size_t f = 0; f < found_.size(); f += R_[0].size()) remove(maps.back(), f);
        if (inner(maps.back()[0], maps.back()[0]) < negligible * negligible) maps.pop_back();
      }
    while (size() < most && !maps.empty()) {
      const auto largest = std::max_element(maps.begin(), maps.end(), [](const Square& a, const Square& b) {
        return inner(a[0], a[0]) * (1 + 1e-9) < inner(b[0], b[0]);  // of equal ones the first
      });
      const double norm = std::sqrt(inner((*largest)[0], (*largest)[0]));
      if (norm < negligible) return;
      const std::size_t first = found_.size();
      for (Vector partner : *largest) {
        for (double& x : partner) x /= norm;
        found_.push_back(std::move(partner));
      }
      for (std::size_t again = 0; again < 2; ++again)  // of a small remainder rounding errors would be left
        for (Square& map : maps) remove(map, first);
    }
  }

 private:
  /// sum over g of (g seed) (R(g) w_k)^T, an equivariant map from the representation, as its columns. Such maps are multiples of
  /// isometries.
  Square map_from(const Vector& seed, std::size_t k) const {
    const std::size_t d = R_[0].size(), n = m_.atoms.size();
    Square map(d, Vector(3 * n, 0.0));
    const double scale = static_cast<double>(d) / static_cast<double>(R_.size());
    for (std::size_t g = 0; g < R_.size(); ++g) {
      task_.poll();
      for (std::uint32_t a = 0; a < n; ++a) {
        const Vector3 v{seed[3 * a], seed[3 * a + 1], seed[3 * a + 2]};
        if (v == Vector3{0, 0, 0}) continue;
        const Vector3 image = scale * (m_.operations[g].matrix * v);
        const std::size_t at = 3 * m_.operations[g].atoms(a);
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t x = 0; x < 3; ++x) map[j][at + x] += R_[g][j][k] * image[x];
      }
    }
    return map;
  }
  /// Makes the columns perpendicular to the copy that begins at `first`.
  void remove(Square& map, std::size_t first) const {
    for (Vector& column : map)
      for (std::size_t f = first; f < first + R_[0].size(); ++f) {
        const double c = inner(column, found_[f]);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] -= c * found_[f][i];
      }
  }

  const MolecularSymmetry& m_;
  std::vector<Square> R_;
  const Task& task_;
  std::vector<Vector> found_;
};

}  // namespace

std::vector<SymmetryCoordinate> symmetry_coordinates(const MolecularSymmetry& m, const MolecularMotions& motions,
                                                     const Task& task) {
  const std::size_t n = m.atoms.size();
  task.require_memory(3 * 8 * 9 * n * n, "the symmetry coordinates");
  std::vector<Vector> shifts(3, Vector(3 * n, 0.0)), turns = shifts;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t a = 0; a < n; ++a) {
      const Vector3 turned = cross(identity[k], m.symmetrized[a]);
      shifts[k][3 * a + k] = 1;
      std::copy(turned.begin(), turned.end(), turns[k].begin() + static_cast<std::ptrdiff_t>(3 * a));
    }
  std::vector<SymmetryCoordinate> result;
  for (std::size_t k = 0; k < motions.species.size(); ++k) {
    const Species& s = motions.species[k];
    if (s.total == 0) continue;
    Copies copies(m, partner_matrices(m, motions.table, s, task), task);
    copies.add(shifts, s.translations);
    copies.add(turns, s.translations + s.rotations);
    std::uint32_t next = 0;
    for (std::uint32_t a = 0; a < n && copies.size() < s.total; ++a) {
      if (m.orbits[a] != next) continue;  // one atom of every orbit
      ++next;
      std::vector<Vector> seeds(3, Vector(3 * n, 0.0));
      for (std::size_t x = 0; x < 3; ++x) seeds[x][3 * a + x] = 1;
      copies.add(seeds, s.total);
    }
    if (copies.size() != s.total)
      throw InternalError("symmetry_coordinates: not all copies of " + s.name + " were found");
    for (std::size_t i = 0; i < copies.vectors().size(); ++i) {
      const std::uint64_t copy = i / s.degree;
      const auto kind = copy < s.translations                 ? SymmetryCoordinate::Kind::translation
                        : copy < s.translations + s.rotations ? SymmetryCoordinate::Kind::rotation
                                                              : SymmetryCoordinate::Kind::vibration;
      result.push_back({k, kind, copy, i % s.degree, copies.vectors()[i]});
    }
  }
  return result;
}

}  // namespace intertwine
