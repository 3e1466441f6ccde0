// Projections and polynomial maps, by what the kinds of groups have.
#include "intertwine/hom/equivariant_maps.hpp"

#include "intertwine/classical/continuous_symmetrizer.hpp"
#include "intertwine/error.hpp"
#include "same_group.hpp"

namespace intertwine::hom {

std::optional<LargestGroup> largest_group(const Basis& basis, const WeightBlock& table, double seconds,
                                          const Task& task) {
  if (!basis.is_tied() || basis.blocks().size() != 1) return std::nullopt;
  const Basis::Block& block = basis.blocks().front();
  return intertwine::largest_group(table.weights, *block.source.as<intertwine::Representation>(),
                                   *block.target.as<intertwine::Representation>(), seconds, task);
}

std::shared_ptr<const EquivariantProjection> symmetrizer(const Representation& V, const Representation& U,
                                                         const Task& task) {
  return with_matrices("symmetrize", V, U,
                       [&](const auto& a, const auto& b) -> std::shared_ptr<const EquivariantProjection> {
                         if constexpr (requires { a.parts(); })
                           return std::make_shared<ContinuousSymmetrizer>(a, b, task);
                         else
                           return std::make_shared<Symmetrizer>(a, b, task);
                       });
}

AnyPolynomials polynomial_maps(const Representation& V, const Representation& U, unsigned degree, const Task& task) {
  return with_matrices("polynomial maps", V, U, [&](const auto& a, const auto& b) -> AnyPolynomials {
    return intertwine::polynomial_maps(a, b, degree, task);
  });
}

}  // namespace intertwine::hom
