// Point groups on orthonormal axes, as doubles.
#include <cmath>
#include <numbers>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "physics/space.hpp"

namespace intertwine {

using namespace space;

std::vector<Matrix3> cartesian_matrices(const FiniteGroup& G) {
  const auto* symbol = G.structure().as<structure::PointGroup>();
  if (!symbol || !G.coordinates().matrices)
    throw DomainError("cartesian_matrices: " + G.name() + " is no point group with coordinates");
  // The basis of the coordinates as columns: orthonormal, or two corners of a polygon and the axis.
  Matrix3 basis = identity;
  const bool antiprism = symbol->suffix == 'd' && symbol->family == 'D';
  if (symbol->n >= 3 || antiprism) {
    const auto corners = static_cast<double>(antiprism ? 2 * symbol->n : symbol->n);
    const double step = 2 * std::numbers::pi / corners, first = antiprism ? step / 2 : 0;
    basis = transpose({Vector3{std::cos(first), std::sin(first), 0},
                       Vector3{std::cos(first + step), std::sin(first + step), 0}, Vector3{0, 0, 1}});
  }
  const Vector3 a = transpose(basis)[0], b = transpose(basis)[1];
  const double area = a[0] * b[1] - a[1] * b[0];
  const Matrix3 inverse{{{b[1] / area, -b[0] / area, 0}, {-a[1] / area, a[0] / area, 0}, {0, 0, 1}}};
  std::vector<Matrix3> matrices;
  for (const FieldMatrix& exact : G.coordinates().matrices()) {
    Matrix3 M;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) M[i][j] = exact(i, j).to_complex().real();
    matrices.push_back(basis * M * inverse);
  }
  return matrices;
}

}  // namespace intertwine
