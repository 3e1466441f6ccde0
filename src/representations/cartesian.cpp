// Coordinates of groups in a Cartesian frame.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/group_structure.hpp"
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

/// x, y, z with an axis of order 5 of the icosahedron along z, as columns: its corner (0, 1, phi) is there.
FieldMatrix icosahedral_frame() {
  const Cyclotomic phi = Cyclotomic(1) + Cyclotomic::root_of_unity(5) + Cyclotomic::root_of_unity(5, -1);
  const Cyclotomic size = *root_of(phi + Cyclotomic(2));
  const Cyclotomic one = size.inverse(), tau = phi * one;
  const std::vector<Cyclotomic> columns{1, 0, 0, 0, tau, one, 0, -one, tau};
  return {3, 3, columns};
}

}  // namespace

Representation cartesian_representation(const FiniteGroup& G, const Task& task) {
  const Representation V = coordinate_representation(G);
  if (G.generators().empty()) return V;
  const OrthonormalBasis basis = orthonormal_basis(invariant_hermitian_form(V, task), task);
  const std::size_t n = V.dimension();
  std::vector<Cyclotomic> scale(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto root = root_of(basis.norms[k]);
    if (!root)
      throw DomainError(fmt::format(
          "cartesian: no Cartesian frame of {} is over an abelian number field that is known here; "
          "`decompose --orthonormal` has one in doubles",
          G.name()));
    scale[k * n + k] = root->inverse();
  }
  FieldMatrix frame = basis.columns * FieldMatrix(n, n, scale);
  const auto* symbol = G.structure().as<structure::PointGroup>();
  if (symbol != nullptr && symbol->family == 'I') frame = frame * icosahedral_frame();
  const FieldMatrix back = inverse(frame, task);
  std::vector<FieldMatrix> images;
  for (const Permutation& g : G.generators()) images.push_back(back * (V.field_matrix(g) * frame));
  return matrix_representation(G, images, "cartesian", task);
}

}  // namespace intertwine
