// Modules induced from linear characters.
#pragma once
#include <memory>
#include <vector>

#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/coset_space.hpp"
#include "intertwine/representations/representation.hpp"
#include "multiplicity_one.hpp"

namespace intertwine {

/// M = Ind_H^G l with the basis t_i (x) 1 over the cosets t_i H: g e_i = l(h) e_j where g t_i = t_j h. A value; copies
/// share their data.
class MonomialModule {
 public:
  MonomialModule(const FiniteGroup& G, const LinearPair& pair, const Task& task);

  const FiniteGroup& group() const { return G_; }
  const FiniteGroup& subgroup() const { return pair_->subgroup(); }
  std::size_t size() const { return cosets_->size(); }
  /// l has values zeta_r^k, r = order().
  std::uint32_t order() const { return pair_->order; }
  Cyclotomic root(std::uint32_t exponent) const;
  std::uint32_t exponent_at(const Permutation& h) const { return twisted(pair_->exponent_at(h)); }
  const LinearCharacters& linear() const { return *pair_->linear; }
  /// The exponent of l at coset t of H'.
  std::uint32_t exponent_at_coset(std::size_t t) const { return twisted(pair_->exponents[t]); }
  const Permutation& representative(std::size_t i) const { return cosets_->representative(i); }

  /// zeta^exponent e_point.
  using Image = MonomialEntry;
  /// g e_i.
  Image image(const Permutation& g, std::size_t i) const;
  std::vector<Image> images(const Permutation& g) const;
  /// The module of the conjugate of l under zeta -> zeta^k, k coprime to order().
  MonomialModule galois_conjugate(std::uint32_t k) const;
  /// M as a representation, over Q(l).
  Representation representation() const;

 private:
  std::uint32_t twisted(std::uint32_t exponent) const {
    return static_cast<std::uint32_t>(std::uint64_t{exponent} * twist_ % order());
  }

  FiniteGroup G_;
  std::shared_ptr<const LinearPair> pair_;
  std::shared_ptr<const CosetSpace> cosets_;
  std::uint32_t twist_ = 1;
};

/// A X or A^T X for the matrix A with zeta_order^exponent in row `point` of column i, images[i] = (point, exponent). Rows
/// with the same root of unity are scaled together.
FieldMatrix apply_monomial(std::uint32_t order, std::span<const MonomialEntry> images, const FieldMatrix& X,
                           bool transposed);

}  // namespace intertwine
