// Dimensions that characters count: those of Hom, and of equivariant polynomial maps degree by degree.
#pragma once
#include <cstddef>
#include <optional>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/hom/group_representation.hpp"

namespace intertwine::hom {

/// dim Hom(V, U), without a basis. Of representations that are known by their characters it is the inner product of
/// these.
/// \throws DomainError if the groups differ, and for differences that are no representations; LimitError through `task`
Integer hom_dimension(const Representation& V, const Representation& U, const Task& task = {});

/// dim Hom(Sym^k V, W) for k < count, W being trivial where it is not given; the closed form where molien_series of the
/// kind has it.
/// \throws DomainError if the groups differ; LimitError through `task`
/// \par Cost  Of representations by their characters that of their symmetric powers.
MolienSeries molien_series(const Representation& V, const std::optional<Representation>& W, std::size_t count,
                           const Task& task = {});

}  // namespace intertwine::hom
