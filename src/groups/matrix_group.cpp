#include "intertwine/groups/matrix_group.hpp"

namespace intertwine {

std::vector<RationalMatrix> defining_matrices(const FiniteGroup& G) {
  return G.coordinates().matrices ? G.coordinates().matrices() : std::vector<RationalMatrix>();
}

}  // namespace intertwine
