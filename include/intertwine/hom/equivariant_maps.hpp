// Equivariant maps between representations of groups of every kind: the projection onto them, polynomial maps, the
// largest group of a table.
#pragma once
#include <memory>
#include <optional>
#include <variant>

#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/equivariant/closure.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/equivariant/symmetrizer.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/hom/group_representation.hpp"

namespace intertwine::hom {

/// The largest group that a tied table of one block is equivariant to; nothing for others, and where it is not found in
/// time.
/// \param table  that of `basis`
std::optional<LargestGroup> largest_group(const Basis& basis, const WeightBlock& table, double seconds,
                                          const Task& task = {});

/// The mean over the group, or of a group that is not compact the projection that stands for it. \throws as
/// equivariant_basis
std::shared_ptr<const EquivariantProjection> symmetrizer(const Representation& V, const Representation& U,
                                                         const Task& task = {});

using AnyPolynomials = std::variant<PolynomialMaps, ContinuousPolynomialMaps>;
/// A basis of the equivariant polynomial maps V -> U of one degree. \throws as equivariant_basis
AnyPolynomials polynomial_maps(const Representation& V, const Representation& U, unsigned degree,
                               const Task& task = {});

}  // namespace intertwine::hom
