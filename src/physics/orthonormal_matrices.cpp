// Point groups on orthonormal axes, exactly.
#include "intertwine/physics/orthonormal_matrices.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"

namespace intertwine {

namespace {

/// cos and sin of 2 pi k / n.
Cyclotomic exact_cosine(std::int64_t k, std::uint32_t n) {
  return Cyclotomic(Rational(1, 2)) * (Cyclotomic::root_of_unity(n, k) + Cyclotomic::root_of_unity(n, -k));
}
Cyclotomic exact_sine(std::int64_t k, std::uint32_t n) {
  return Cyclotomic(Rational(1, 2)) * Cyclotomic::root_of_unity(4, -1) *
         (Cyclotomic::root_of_unity(n, k) - Cyclotomic::root_of_unity(n, -k));
}

}  // namespace

FieldMatrix orthonormal_axes(const FiniteGroup& G) {
  const auto* symbol = G.structure().as<structure::PointGroup>();
  if (!symbol || !G.coordinates().matrices)
    throw DomainError("orthonormal_axes: " + G.name() + " is no point group with coordinates" +
                      (G.coordinates().obstacle.empty() ? "" : ": " + G.coordinates().obstacle));
  const bool antiprism = symbol->suffix == 'd' && symbol->family == 'D';
  if (symbol->n < 3 && !antiprism) return FieldMatrix::identity(AbelianField(), 3);
  // The basis is the first two corners of a polygon, and the axis; the first corner of an antiprism is half a step from x.
  const auto steps = static_cast<std::uint32_t>(antiprism ? 4 * symbol->n : symbol->n);
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
  return {3, 3, corners};
}

std::vector<FieldMatrix> orthonormal_matrices(const FiniteGroup& G) {
  const FieldMatrix axes = orthonormal_axes(G), back = inverse(axes);
  std::vector<FieldMatrix> matrices = G.coordinates().matrices();
  for (FieldMatrix& M : matrices) M = over_least_field(axes * M * back);
  return matrices;
}

Cyclotomic determinant_in_space(const FieldMatrix& R) {
  return R(0, 0) * (R(1, 1) * R(2, 2) - R(1, 2) * R(2, 1)) -
         R(0, 1) * (R(1, 0) * R(2, 2) - R(1, 2) * R(2, 0)) +
         R(0, 2) * (R(1, 0) * R(2, 1) - R(1, 1) * R(2, 0));
}

FieldMatrix over_least_field(const FieldMatrix& M) {
  std::vector<Cyclotomic> entries;
  for (std::size_t i = 0; i < M.rows(); ++i)
    for (std::size_t j = 0; j < M.cols(); ++j) entries.push_back(M(i, j));
  return {M.rows(), M.cols(), entries};
}

}  // namespace intertwine
