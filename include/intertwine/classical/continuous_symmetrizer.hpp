// The symmetrizer of continuous groups: the projection of all matrices onto the equivariant ones.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/equivariant/symmetrizer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// S on Hom(V, U): of compact groups (SO(n), O(n), SU(n), U(n), Spin(n), Sp(n) in its compact form, and their products with finite
/// groups) the mean over the group by Haar's measure. Groups that are not compact, SO+(p,q), SL(n), GL(n), have no
/// mean; S is in its place the projection along the sum of all submodules of Hom(V, U) that are not trivial. It is the
/// mean over a compact form of the complex group, whose representations these are (Weyl's unitarian trick). Immutable,
/// cheap to copy.
///
/// \par Method  The trace form tr(D B), D in Hom(U, V) and B in Hom(V, U), is invariant and pairs the invariants of both perfectly, since
///              groups are reductive. So S(W) is the only equivariant matrix with tr(D S(W)) = tr(D W) for every D: with bases D_l and B_k,
///              S(W) = sum over k, l of B_k (Gram^-1)(k, l) tr(D_l W). Block by block of the parts of V and U.
class ContinuousSymmetrizer final : public EquivariantProjection {
 public:
  /// \throws as hom_basis; LimitError where the Gram matrix of a block has no place in memory.
  /// \par Cost  the bases of Hom(V, U) and Hom(U, V), and the inverses of Gram matrices of dim Hom rows
  ContinuousSymmetrizer(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const Task& task = {});

  const ContinuousRepresentation& source() const;
  const ContinuousRepresentation& target() const;

  std::size_t rows() const override;
  std::size_t cols() const override;
  AbelianField field() const override;
  std::size_t generators() const override;
  std::string method_text() const override;
  FieldMatrix operator()(const FieldMatrix& W, const Task& task = {}) const override;
  void apply(std::span<const double> W, std::span<double> out, const Task& task = {}) const override;
  /// rho_U(X) W = W rho_V(X) for every generator of Lie algebras, components and finite factors.
  std::optional<std::size_t> failing_generator(const FieldMatrix& W, const Task& task = {}) const override;
  /// The largest entry of |rho_U(X) W - W rho_V(X)| over the generators X.
  double defect(std::span<const double> W, const Task& task = {}) const override;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace intertwine
