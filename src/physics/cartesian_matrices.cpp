// Point groups on orthonormal axes, as doubles.
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/physics/space.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

std::vector<Matrix3> cartesian_matrices(const FiniteGroup& G) {
  if (!G.structure().as<structure::PointGroup>())
    throw DomainError("cartesian_matrices: " + G.name() + " is no point group");
  const Representation V = cartesian_representation(G);
  std::vector<Matrix3> matrices;
  for (const Permutation& g : G.generators()) {
    const FieldMatrix exact = V.field_matrix(g);
    Matrix3 M;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) M[i][j] = exact(i, j).to_complex().real();
    matrices.push_back(M);
  }
  return matrices;
}

}  // namespace intertwine
