// A rational module as its algorithms see it: something that group elements can be applied to.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// A module over Q of a finite group; elements are named by permutations. Not safe for several threads.
class ModuleAction {
 public:
  ModuleAction(std::size_t dimension, std::vector<Permutation> generators)
      : dimension_(dimension), generators_(std::move(generators)) {}
  virtual ~ModuleAction() = default;
  ModuleAction(const ModuleAction&) = delete;
  ModuleAction& operator=(const ModuleAction&) = delete;

  std::size_t dimension() const { return dimension_; }
  const std::vector<Permutation>& generators() const { return generators_; }
  /// rho(g) X.
  virtual RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const = 0;
  /// rho(g), kept for the next time.
  const RationalMatrix& matrix(const Permutation& g) const;
  /// rho(g) mod p for every generator; nothing if p divides a denominator. Kept for the last p.
  const std::vector<ModularMatrix>* modular_generators(std::uint64_t p) const;

 private:
  std::size_t dimension_;
  std::vector<Permutation> generators_;
  mutable std::map<Permutation, RationalMatrix> matrices_;
  mutable std::uint64_t prime_ = 0;
  mutable std::vector<ModularMatrix> modular_;
};

/// The action of a Representation. Matrices of small dimension are built once; large ones are applied lazily.
class RepresentationAction final : public ModuleAction {
 public:
  explicit RepresentationAction(Representation V);
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const override;
  const Representation& representation() const { return V_; }

 private:
  Representation V_;
};

/// The span of the columns of B (independent), which the generators keep, on the basis B.
class SubmoduleAction final : public ModuleAction {
 public:
  /// \param pivots  rows of B that make a regular square matrix.
  SubmoduleAction(const ModuleAction& parent, RationalMatrix B, std::vector<std::size_t> pivots);
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const override;
  /// Vectors of the span (columns) on the basis B.
  RationalMatrix coordinates(const RationalMatrix& X) const { return inverse_ * X.select_rows(pivots_); }

 private:
  const ModuleAction& parent_;
  RationalMatrix B_, inverse_;
  std::vector<std::size_t> pivots_;
};

/// rho(g^{-1})^T.
class DualAction final : public ModuleAction {
 public:
  explicit DualAction(const ModuleAction& base)
      : ModuleAction(base.dimension(), base.generators()), base_(base) {}
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const override {
    return base_.matrix(g.inverse()).transpose() * X;
  }

 private:
  const ModuleAction& base_;
};

}  // namespace intertwine
