// Coordinates of groups in a Cartesian frame.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "intertwine/combinatorics/exponents.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/square_root.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

namespace {

/// The positive root of a positive number, in a cyclotomic field; nothing where none is found.
std::optional<Cyclotomic> root_of(const Cyclotomic& s) {
  try {
    return cyclotomic_square_root(s);
  } catch (const DomainError&) {  // of high degree
  } catch (const LimitError&) {   // a huge conductor
  }
  return std::nullopt;
}

/// cos and sin of 2 pi k / n.
Cyclotomic exact_cosine(std::int64_t k, std::uint32_t n) {
  return Cyclotomic(Rational(1, 2)) * (Cyclotomic::root_of_unity(n, k) + Cyclotomic::root_of_unity(n, -k));
}
Cyclotomic exact_sine(std::int64_t k, std::uint32_t n) {
  return Cyclotomic(Rational(1, 2)) * Cyclotomic::root_of_unity(4, -1) *
         (Cyclotomic::root_of_unity(n, k) - Cyclotomic::root_of_unity(n, -k));
}

/// x, y, z of a point group as columns in its coordinates.
FieldMatrix frame_of(const structure::PointGroup& symbol, const Task& task) {
  if (symbol.family == 'I') {  // the corner (0, 1, phi) of the icosahedron is along z
    const Cyclotomic phi = Cyclotomic(1) + Cyclotomic::root_of_unity(5) + Cyclotomic::root_of_unity(5, -1);
    const Cyclotomic one = root_of(phi + Cyclotomic(2))->inverse(), tau = phi * one;
    const std::vector<Cyclotomic> columns{1, 0, 0, 0, tau, one, 0, -one, tau};
    return {3, 3, columns};
  }
  const bool antiprism = symbol.suffix == 'd' && symbol.family == 'D';
  if (symbol.n < 3 && !antiprism) return FieldMatrix::identity(AbelianField(), 3);
  // The coordinates are the first two corners of a polygon, and the axis; the first corner of an antiprism is half a step from x.
  const auto steps = static_cast<std::uint32_t>(antiprism ? 4 * symbol.n : symbol.n);
  const std::int64_t first = antiprism ? 1 : 0, second = antiprism ? 3 : 1;
  const std::vector<Cyclotomic> corners{exact_cosine(first, steps),
                                        exact_cosine(second, steps),
                                        0,
                                        exact_sine(first, steps),
                                        exact_sine(second, steps),
                                        0,
                                        0,
                                        0,
                                        1};
  return inverse(FieldMatrix(3, 3, corners), task);
}

/// The coordinates made orthonormal in their order, for the form that G leaves alone.
FieldMatrix frame_by_form(const Representation& V, const Task& task) {
  const OrthonormalBasis basis = orthonormal_basis(invariant_hermitian_form(V, task), task);
  const std::size_t n = V.dimension();
  std::vector<Cyclotomic> scale(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto root = root_of(basis.norms[k]);
    if (!root)
      throw DomainError(
          fmt::format("{}: no Cartesian frame of {} is over an abelian number field that is known here; "
                      "an orthonormal decomposition has one in doubles",
                      V.to_string() == "coordinates" ? "cartesian" : V.to_string(), V.group().name()));
    scale[k * n + k] = root->inverse();
  }
  return basis.columns * FieldMatrix(n, n, scale);
}

Representation in_frame(const Representation& V, const FieldMatrix& frame, std::string text, const Task& task) {
  const FieldMatrix back = inverse(frame, task);
  std::vector<FieldMatrix> images;
  for (const Permutation& g : V.group().generators()) images.push_back(back * (V.field_matrix(g) * frame));
  return matrix_representation(V.group(), images, std::move(text), task);
}

}  // namespace

Representation cartesian_representation(const FiniteGroup& G, const Task& task) {
  const Representation V = coordinate_representation(G);
  if (G.generators().empty()) return V;
  const auto* symbol = G.structure().as<structure::PointGroup>();
  return in_frame(V, symbol != nullptr ? frame_of(*symbol, task) : frame_by_form(V, task), "cartesian", task);
}

Representation in_orthonormal_frame(const Representation& V, const Task& task) {
  if (!V.field().is_real())
    throw DomainError(
        fmt::format("{} is over {}; frames are of real representations", V.to_string(), V.field().to_string()));
  if (V.group().generators().empty()) return V;
  return in_frame(V, frame_by_form(V, task), V.to_string(), task);
}

namespace {

/// Homogeneous polynomials of degree d in n >= 2 variables modulo the sum of the squares: the monomials without the last variable, then those with its
/// first power, each in the order of exponents_of.
class Residues {
 public:
  Residues(std::size_t n, std::uint64_t d) : monomials_(exponents_of(n - 1, d)), plain_(monomials_.size()) {
    if (d > 0)
      for (auto& exponents : exponents_of(n - 1, d - 1)) monomials_.push_back(std::move(exponents));
    for (std::size_t i = 0; i < plain_; ++i) monomials_[i].push_back(0);
    for (std::size_t i = plain_; i < monomials_.size(); ++i) monomials_[i].push_back(1);
    for (std::size_t i = 0; i < monomials_.size(); ++i) places_.emplace(monomials_[i], i);
  }
  const std::vector<std::vector<unsigned>>& monomials() const { return monomials_; }
  std::size_t size() const { return monomials_.size(); }

  using Coefficients = std::vector<Cyclotomic>;
  /// The product of f, of degree one less, with column k of R, a linear form.
  Coefficients times(const Residues& less, const Coefficients& f, const FieldMatrix& R, std::size_t k) const {
    Coefficients product(size());
    const std::size_t n = R.rows();
    for (std::size_t i = 0; i < n; ++i) {
      const Cyclotomic r = R(i, k);
      if (r == 0) continue;
      for (std::size_t a = 0; a < f.size(); ++a) {
        if (f[a] == 0) continue;
        std::vector<unsigned> exponents = less.monomials_[a];
        if (++exponents[i]; exponents[n - 1] < 2) {
          product[places_.at(exponents)] += r * f[a];
          continue;
        }
        exponents[n - 1] = 0;  // the last square is minus the others
        for (std::size_t j = 0; j + 1 < n; ++j) {
          exponents[j] += 2;
          product[places_.at(exponents)] -= r * f[a];
          exponents[j] -= 2;
        }
      }
    }
    return product;
  }

  /// The number of the monomial divided by its last variable that it has, and that variable.
  std::pair<std::size_t, std::size_t> parent(const Residues& less, std::size_t i) const {
    std::vector<unsigned> exponents = monomials_[i];
    std::size_t k = exponents.size() - 1;
    while (exponents[k] == 0) --k;
    --exponents[k];
    return {less.places_.at(exponents), k};
  }

 private:
  std::vector<std::vector<unsigned>> monomials_;
  std::size_t plain_;
  std::map<std::vector<unsigned>, std::size_t> places_;
};

/// On Re z^l and Im z^l, z = x + iy: a rotation by an angle becomes one by l times the angle, what comes after a mirror likewise.
Representation planar_harmonics(const Representation& V, std::uint64_t l, const Task& task) {
  const FiniteGroup& G = V.group();
  if (l == 0 || G.generators().empty()) return std::uint64_t{l == 0 ? 1U : 2U} * trivial_representation(G);
  std::vector<FieldMatrix> images;
  for (const Permutation& g : G.generators()) {
    const FieldMatrix R = V.field_matrix(g);
    const Cyclotomic a = R(0, 0), b = R(1, 0), sign = a * R(1, 1) - b * R(0, 1);
    Cyclotomic c(1), s;  // (a + ib)^l, by squaring
    for (std::uint64_t bit = std::uint64_t{1} << (63 - std::countl_zero(l)); bit != 0; bit >>= 1) {
      task.poll();
      const Cyclotomic square = c * c - s * s;
      s = Cyclotomic(2) * c * s;
      c = square;
      if ((l & bit) == 0) continue;
      const Cyclotomic next = c * a - s * b;
      s = c * b + s * a;
      c = next;
    }
    images.emplace_back(2, 2, std::vector<Cyclotomic>{c, -(s * sign), s, c * sign});
  }
  return matrix_representation(G, images, fmt::format("harmonic({})", l), task);
}

}  // namespace

Representation harmonic_representation(const FiniteGroup& G, std::uint64_t l, const Task& task) {
  const Representation V = cartesian_representation(G, task);
  if (V.dimension() != 2 && V.dimension() != 3)
    throw DomainError(
        fmt::format("harmonic({}) is of groups in the plane or in space; the coordinates of {} have dimension {}", l,
                    G.name(), V.dimension()));
  return harmonic_representation(V, l, task);
}

Representation harmonic_representation(const Representation& V, std::uint64_t l, const Task& task) {
  const FiniteGroup& G = V.group();
  const std::size_t n = V.dimension();
  if (n == 2) return planar_harmonics(V, l, task);
  if (n < 2 || n > max_harmonic_variables)
    throw DomainError(fmt::format("harmonic({}) is of groups that turn R^n, n from 2 to {}, not of dimension {}", l,
                                  max_harmonic_variables, n));
  const Integer dimension = binomial(l + n - 1, n - 1) - (l < 2 ? Integer(0) : binomial(l + n - 3, n - 1));
  constexpr std::uint64_t huge = std::uint64_t{1} << 26U;  // of which the square is no number of bytes
  if (dimension >= huge)
    throw LimitError(fmt::format("harmonic({}) has dimension {}, too large for its matrices", l, dimension.str()));
  const auto d = dimension.convert_to<std::uint64_t>();
  if (G.generators().empty()) return d * trivial_representation(G);
  task.require_memory(64 * d * d * G.generators().size(), "the matrices of harmonic polynomials");
  std::vector<Residues> degrees;
  for (std::uint64_t k = 0; k <= l; ++k) degrees.emplace_back(n, k);
  std::vector<FieldMatrix> images;
  for (const Permutation& g : G.generators()) {
    const FieldMatrix R = V.field_matrix(g);
    std::vector<Residues::Coefficients> columns{{1}};
    for (std::uint64_t k = 1; k <= l; ++k) {
      std::vector<Residues::Coefficients> next;
      for (std::size_t i = 0; i < degrees[k].size(); ++i) {
        task.poll();
        const auto [parent, variable] = degrees[k].parent(degrees[k - 1], i);
        next.push_back(degrees[k].times(degrees[k - 1], columns[parent], R, variable));
      }
      columns = std::move(next);
    }
    std::vector<Cyclotomic> entries(d * d);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < d; ++i) entries[i * d + j] = columns[j][i];
    images.emplace_back(d, d, entries);
  }
  return matrix_representation(G, images, fmt::format("harmonic({})", l), task);
}

namespace {

/// The sum of the second derivatives, without the terms of the power 0.
std::map<std::vector<unsigned>, Rational> laplacian(const std::map<std::vector<unsigned>, Rational>& f) {
  std::map<std::vector<unsigned>, Rational> out;
  for (const auto& [exponents, value] : f)
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      const unsigned power = exponents[i];
      if (power < 2) continue;
      std::vector<unsigned> less = exponents;
      less[i] -= 2;
      if ((out[less] += value * power * (power - 1)) == 0) out.erase(less);
    }
  return out;
}

std::map<std::vector<unsigned>, Rational> times_square(const std::map<std::vector<unsigned>, Rational>& f) {
  std::map<std::vector<unsigned>, Rational> out;
  for (const auto& [exponents, value] : f)
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      std::vector<unsigned> more = exponents;
      more[i] += 2;
      if ((out[more] += value) == 0) out.erase(more);
    }
  return out;
}

/// The harmonic polynomial that differs from f, of degree l in n variables, by a multiple of the sum of the squares r^2: the sum of
/// c_j r^(2j) (laplacian^j f) with c_0 = 1, c_j = -c_(j-1) / (2 j (n + 2 l - 2 - 2 j)).
std::map<std::vector<unsigned>, Rational> harmonic_part(std::map<std::vector<unsigned>, Rational> f, std::size_t n,
                                                        std::uint64_t l) {
  std::map<std::vector<unsigned>, Rational> sum = f;
  Rational c(1);
  for (std::uint64_t j = 1; 2 * j <= l; ++j) {
    f = laplacian(f);
    c /= -Rational(Integer(2 * j) * (n + 2 * l - 2 - 2 * j));
    auto term = f;
    for (std::uint64_t k = 0; k < j; ++k) term = times_square(term);
    for (const auto& [exponents, value] : term)
      if ((sum[exponents] += c * value) == 0) sum.erase(exponents);
  }
  return sum;
}

}  // namespace

HarmonicPolynomials harmonic_polynomials(std::size_t n, std::uint64_t l, const Task& task) {
  if (n < 2 || n > max_harmonic_variables)
    throw DomainError(
        fmt::format("harmonic polynomials have 2 to {} variables here, not {}", max_harmonic_variables, n));
  const Integer size = binomial(l + n - 1, n - 1);
  if (size * size > Integer(1) << 28U)
    throw LimitError(
        fmt::format("the polynomials of degree {} in {} variables have {} monomials, too many", l, n, size.str()));
  const Integer dimension = size - (l < 2 ? Integer(0) : binomial(l + n - 3, n - 1));
  task.require_memory(sizeof(Rational) * Integer(size * dimension).convert_to<std::uint64_t>(),
                      "the coefficients of harmonic polynomials");
  HarmonicPolynomials out{exponents_of(n, l), {}};
  std::map<std::vector<unsigned>, std::size_t> places;
  for (std::size_t a = 0; a < out.monomials.size(); ++a) places.emplace(out.monomials[a], a);
  std::vector<std::map<std::vector<unsigned>, Rational>> rows;
  if (n == 2) {  // Re and Im of (x + iy)^l
    rows.resize(l == 0 ? 1 : 2);
    for (std::uint64_t k = 0; k <= l; ++k)
      rows[k % 2][{static_cast<unsigned>(l - k), static_cast<unsigned>(k)}] =
          Rational(k % 4 < 2 ? binomial(l, k) : Integer(-binomial(l, k)));
  } else {
    const Residues residues(n, l);
    for (const auto& exponents : residues.monomials()) {
      task.poll();
      rows.push_back(harmonic_part({{exponents, Rational(1)}}, n, l));
    }
  }
  std::vector<Rational> entries(rows.size() * out.monomials.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [exponents, value] : rows[i]) entries[i * out.monomials.size() + places.at(exponents)] = value;
  out.basis = RationalMatrix(rows.size(), out.monomials.size(), entries);
  return out;
}

}  // namespace intertwine
