// Homomorphisms through irreducible representations: Schur's lemma made explicit.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "intertwine/representations/isotypic_decomposition.hpp"

namespace intertwine {

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

/// A basis of Hom(V, U) over F, which contains the fields of both: dim U x dim V matrices, sparse, with coordinates
/// that are integers.
/// \par Cost  the isotypic components of both sides, and a product of dim U x d and d x dim V for every element.
std::vector<FieldMatrix> isotypic_homs(const Representation& V, const Representation& U,
                                       const AbelianField& F, IrreducibleCache& irreducibles,
                                       const Task& task);

}  // namespace intertwine
