// Coordinates of groups in a Cartesian frame.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

namespace {

/// sqrt(p) for a prime p, by Gauss's sum.
Cyclotomic root_of_prime(std::uint32_t p) {
  if (p == 2) return Cyclotomic::root_of_unity(8) + Cyclotomic::root_of_unity(8, -1);
  std::vector<std::int64_t> legendre(p, -1);
  legendre[0] = 0;
  for (std::uint64_t k = 1; k < p; ++k) legendre[k * k % p] = 1;
  const Cyclotomic sum = Cyclotomic::from_coefficients(p, legendre);
  return p % 4 == 1 ? sum : Cyclotomic::root_of_unity(4, -1) * sum;  // i sqrt(p) otherwise
}

/// The positive root of a positive rational number, in a cyclotomic field; nothing where that has a huge conductor.
std::optional<Cyclotomic> root_of_rational(const Rational& s) {
  const SquarePart part = square_part(numerator(s) * denominator(s));
  if (part.squarefree > Cyclotomic::max_conductor / 4) return std::nullopt;
  Cyclotomic root(Rational(part.root, denominator(s)));
  auto rest = static_cast<std::uint32_t>(part.squarefree);
  for (std::uint32_t p = 2; rest > 1; ++p)
    if (rest % p == 0) root *= root_of_prime(p), rest /= p;
  return root;
}

/// The positive root of a positive number that is a rational multiple of the square of a sine: those of regular polygons are.
std::optional<Cyclotomic> root_of(const Cyclotomic& s) {
  if (s.is_rational()) return root_of_rational(s.to_rational());
  const std::uint32_t m = s.conductor();
  if (m > Cyclotomic::max_conductor / 4) return std::nullopt;
  for (std::int64_t k = 1; 2 * k <= m; ++k) {
    // (2 sin(pi k / m))^2 = 2 - 2 cos(2 pi k / m).
    const Cyclotomic square =
        Cyclotomic(2) - Cyclotomic::root_of_unity(m, k) - Cyclotomic::root_of_unity(m, -k);
    const Cyclotomic quotient = s / square;
    if (!quotient.is_rational()) continue;
    const auto root = root_of_rational(quotient.to_rational());
    if (!root) return std::nullopt;
    return *root * Cyclotomic::root_of_unity(4, -1) *
           (Cyclotomic::root_of_unity(2 * m, k) - Cyclotomic::root_of_unity(2 * m, -k));
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
      throw DomainError(fmt::format(
          "cartesian: no Cartesian frame of {} is over an abelian number field that is known here; "
          "`decompose --orthonormal` has one in doubles",
          V.group().name()));
    scale[k * n + k] = root->inverse();
  }
  return basis.columns * FieldMatrix(n, n, scale);
}

}  // namespace

Representation cartesian_representation(const FiniteGroup& G, const Task& task) {
  const Representation V = coordinate_representation(G);
  if (G.generators().empty()) return V;
  const auto* symbol = G.structure().as<structure::PointGroup>();
  const FieldMatrix frame = symbol != nullptr ? frame_of(*symbol, task) : frame_by_form(V, task);
  const FieldMatrix back = inverse(frame, task);
  std::vector<FieldMatrix> images;
  for (const Permutation& g : G.generators()) images.push_back(back * (V.field_matrix(g) * frame));
  return matrix_representation(G, images, "cartesian", task);
}

namespace {

/// A homogeneous polynomial of degree d modulo x^2 + y^2 + z^2: the coefficients of x^(d-b) y^b, b = 0 ... d, and x^(d-1-b) y^b z.
struct Harmonic {
  std::size_t degree;
  std::vector<Cyclotomic> plain, with_z;
};

/// The product with column k of R, a linear form in x, y, z.
Harmonic times(const Harmonic& f, const FieldMatrix& R, std::size_t k) {
  const std::size_t d = f.degree;
  Harmonic product{d + 1, std::vector<Cyclotomic>(d + 2), std::vector<Cyclotomic>(d + 1)};
  const Cyclotomic x = R(0, k), y = R(1, k), z = R(2, k);
  for (std::size_t b = 0; b <= d; ++b) {
    product.plain[b] = product.plain[b] + x * f.plain[b];
    product.plain[b + 1] = product.plain[b + 1] + y * f.plain[b];
    product.with_z[b] = product.with_z[b] + z * f.plain[b];
  }
  for (std::size_t b = 0; b < d; ++b) {
    product.with_z[b] = product.with_z[b] + x * f.with_z[b];
    product.with_z[b + 1] = product.with_z[b + 1] + y * f.with_z[b];
    product.plain[b] = product.plain[b] - z * f.with_z[b];  // z^2 = -x^2 - y^2
    product.plain[b + 2] = product.plain[b + 2] - z * f.with_z[b];
  }
  return product;
}

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
  if (V.dimension() == 2) return planar_harmonics(V, l, task);
  if (V.dimension() != 3)
    throw DomainError(fmt::format(
        "harmonic({}) is of groups in the plane or in space; the coordinates of {} have dimension {}", l,
        G.name(), V.dimension()));
  const std::uint64_t n = 2 * l + 1;
  if (G.generators().empty()) return n * trivial_representation(G);
  constexpr std::uint64_t huge = std::uint64_t{1} << 26U;  // of which the square is no number of bytes
  if (n >= huge)
    throw LimitError(fmt::format("harmonic({}) has dimension {}, too large for its matrices", l, n));
  task.require_memory(64 * n * n * G.generators().size(), "the matrices of harmonic polynomials");
  std::vector<FieldMatrix> images;
  for (const Permutation& g : G.generators()) {
    const FieldMatrix R = V.field_matrix(g);
    std::vector<Cyclotomic> entries(n * n);
    std::size_t column = 0;
    for (std::uint64_t c = 0; c <= std::min<std::uint64_t>(1, l); ++c) {
      for (std::uint64_t b = 0; b + c <= l; ++b, ++column) {
        task.poll();
        Harmonic image{0, {1}, {}};
        for (std::uint64_t k = 0; k < l; ++k) image = times(image, R, k < c ? 2 : k < c + b ? 1 : 0);
        for (std::size_t i = 0; i <= l; ++i) entries[i * n + column] = image.plain[i];
        for (std::size_t i = 0; i < l; ++i) entries[(l + 1 + i) * n + column] = image.with_z[i];
      }
    }
    images.emplace_back(n, n, entries);
  }
  return matrix_representation(G, images, fmt::format("harmonic({})", l), task);
}

}  // namespace intertwine
