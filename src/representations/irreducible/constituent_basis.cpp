// Bases with small entries of constituents of induced modules.
#include "constituent_basis.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "representations/lattices/balanced_basis.hpp"
#include "representations/lattices/module_basis.hpp"
#include "spherical_lattice.hpp"

namespace intertwine {

// The images of the seed are multiples of the projections of the basis vectors of M, which span the dual of the lattice of
// integral vectors in the constituent. Matrices in dual bases are transposed inverses of each other, so either lattice
// serves; reduction is much faster on the images, and the entries are smaller (M12, degree 176: 11 against 8862).
FieldMatrix constituent_basis(const SphericalVector& v, std::size_t d, const AbelianField& K, const Task& task) {
  const std::size_t n = v.module().size(), m = K.degree();
  std::vector<SphericalVector::Codes> images;
  for (std::size_t k = 0; k < n; ++k) {
    task.poll();
    images.push_back(v.moved(k));
  }
  const IntegerMatrix lattice = lll(lattice_rows(images, CodeTable(v, K), m), task);
  if (lattice.rows() != d * m)
    throw InternalError(
        fmt::format("constituent_basis: the images of the seed have rank {} instead of {}", lattice.rows(), d * m));
  return balanced_basis(columns_over(K, module_basis(lattice, K, task)), K, task);
}

// Lattice reduction of n rows of n m coordinates: up to a few seconds.
bool has_small_constituent(std::size_t n, std::size_t d, std::size_t m) {
  return m == 1 ? n <= 2000 && n * d <= 600'000 : n * m <= 1100;
}

}  // namespace intertwine
