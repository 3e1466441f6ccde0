// dim Hom by a dense elimination, which knows the matrices of the generators and nothing else.
#pragma once
#include <span>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/hom/equivariant_basis.hpp"

namespace test_lie {

/// The kernel of W -> g_U W - W g_V in all entries.
inline std::size_t dense_hom_dimension(const intertwine::ContinuousRepresentation& V,
                                       const intertwine::ContinuousRepresentation& U) {
  using namespace intertwine;
  const AbelianField K = AbelianField::compositum(V.field(), U.field());
  const std::size_t m = U.dimension(), n = V.dimension(), f = K.degree();
  const auto right = V.generator_coefficients(K), left = U.generator_coefficients(K);
  std::vector<FieldMatrix> equations;
  for (std::size_t g = 0; g < left.size(); g += f) {
    std::vector<Cyclotomic> entries(m * n * m * n);
    for (std::size_t t = 0; t < f; ++t) {
      const Cyclotomic power = K.generator().power(static_cast<std::int64_t>(t));
      for (const auto& e : left[g + t].entries())
        for (std::size_t j = 0; j < n; ++j)
          entries[(e.row * n + j) * m * n + e.col * n + j] += Cyclotomic(e.value) * power;
      for (const auto& e : right[g + t].entries())
        for (std::size_t i = 0; i < m; ++i)
          entries[(i * n + e.col) * m * n + i * n + e.row] -= Cyclotomic(e.value) * power;
    }
    equations.emplace_back(m * n, m * n, entries);
  }
  return m * n - (equations.empty() ? 0 : matrix_rank(vertical_stack(std::span<const FieldMatrix>(equations))));
}

/// The dimension for the only block of a basis; 0 where there is none.
inline std::size_t dense_hom_dimension(const intertwine::hom::Basis& basis) {
  if (basis.is_empty()) return 0;
  const auto& block = basis.blocks().front();
  return dense_hom_dimension(*block.source.as<intertwine::ContinuousRepresentation>(),
                             *block.target.as<intertwine::ContinuousRepresentation>());
}

}  // namespace test_lie
