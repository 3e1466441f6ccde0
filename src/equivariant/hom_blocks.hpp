// The common part of the methods for bases of Hom.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"

namespace intertwine {

/// \throws DomainError naming the operation unless V and U belong to one group.
void require_one_group(const Representation& V, const Representation& U, const char* operation);

/// Has one of V and U a factor with more than one block that the group permutes, so that something is won, and are they not too
/// many?
bool has_blocks(const Representation& V, const Representation& U, const Task& task);

/// The character table and the irreducible representations of a group, made when they are asked for.
class IrreducibleCache {
 public:
  explicit IrreducibleCache(FiniteGroup G) : group_(std::move(G)) {}
  const CharacterTable& table(const Task& task);
  const IrreducibleRepresentation& representation(std::size_t row, const Task& task);

 private:
  FiniteGroup group_;
  std::optional<CharacterTable> table_;
  std::map<std::size_t, IrreducibleRepresentation> representations_;
};

/// equivariant_basis_by_isotypic over a field F that contains those of V and U.
IntertwinerSpace isotypic_basis(const Representation& V, const Representation& U, const AbelianField& F,
                                IrreducibleCache& irreducibles, const Task& task);

}  // namespace intertwine
