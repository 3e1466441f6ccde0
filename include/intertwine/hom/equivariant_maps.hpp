// Equivariant maps between representations of groups of every kind: the certified basis, the projection onto them,
// polynomial maps.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "intertwine/classical/continuous_basis.hpp"
#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/equivariant/closure.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/equivariant/symmetrizer.hpp"
#include "intertwine/hom/group_representation.hpp"

namespace intertwine::hom {

/// The certified basis of Hom_G(V, U) and of the invariants of U, in one block for each pair of parts of V and U. A
/// value.
class Basis {
 public:
  using Kind = std::variant<EquivariantBasis, ContinuousBlocks>;
  explicit Basis(Kind kind) : kind_(std::move(kind)) {}

  const Kind& kind() const { return kind_; }
  template <class T>
  const T* as() const {
    return std::get_if<T>(&kind_);
  }
  /// dim Hom(V, U) and the dimension of the invariants of U, multiplicities counted.
  Integer dimension() const;
  Integer bias_dimension() const;
  /// Has V or U dimension 0, so that there is no table?
  bool is_empty() const;
  /// Are there several blocks, which no single pattern holds without repeating itself?
  bool is_several() const;
  /// Is every entry zero or plus or minus one parameter? Of classical groups none is.
  bool is_tied() const;
  /// Is the isotypic form of its tables known? It is where there is a character table, of finite groups.
  bool has_isotypic_form() const;

  /// The basis between the sums of the sites of all parts, each once: one pattern for pictures. This basis itself if
  /// there is one block.
  Basis sites(const Task& task = {}) const;
  /// The weight table, a block for each of the basis. \throws DomainError if V or U has dimension 0; as the tables of the
  /// kinds
  WeightTable table(const TableOptions& options = {}, const Task& task = {}) const;

 private:
  Kind kind_;
};

/// The basis, proved complete before it is returned.
/// \param single_pattern  one pattern for the whole of V and U, also where multiplicities differ
/// \throws DomainError if the groups differ, for representations that are known by their characters only, and for real
/// ones beside complex ones; LimitError through `task`
Basis equivariant_basis(const Representation& V, const Representation& U, bool single_pattern = false,
                        const Task& task = {});

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
