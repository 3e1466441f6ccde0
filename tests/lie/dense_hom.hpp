// dim Hom by a dense elimination, which knows the matrices of the generators and nothing else.
#pragma once
#include <span>
#include <vector>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/lie/continuous_representation.hpp"

namespace test_lie {

/// The kernel of W -> g_U W - W g_V in all entries.
inline std::size_t dense_hom_dimension(const intertwine::ContinuousRepresentation& V,
                                       const intertwine::ContinuousRepresentation& U) {
  using namespace intertwine;
  const auto right = V.generator_matrices(), left = U.generator_matrices();
  const std::size_t m = U.dimension(), n = V.dimension();
  std::vector<RationalMatrix> equations;
  for (std::size_t g = 0; g < left.size(); ++g) {
    std::vector<Rational> entries(m * n * m * n);
    for (const auto& e : left[g].entries())
      for (std::size_t j = 0; j < n; ++j) entries[(e.row * n + j) * m * n + e.col * n + j] += e.value;
    for (const auto& e : right[g].entries())
      for (std::size_t i = 0; i < m; ++i) entries[(i * n + e.col) * m * n + i * n + e.row] -= e.value;
    equations.emplace_back(m * n, m * n, entries);
  }
  return m * n - (equations.empty() ? 0 : rank(vertical_stack(std::span<const RationalMatrix>(equations))));
}

}  // namespace test_lie
