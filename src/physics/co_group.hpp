// The little co-group of a wave vector: operations modulo translations, whose products have phases.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/physics/spin_lifts.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Operations modulo translations, and their products.
class CoGroup {
 public:
  /// An operation of the little group: the listed one of this number times exp(-2 pi i phase), with lifts' signs in
  /// the phase.
  struct Product {
    std::size_t number;
    Rational phase;
  };

  /// \param operations  the identity first; \param lifts  with spin; it outlives the co-group
  CoGroup(const std::array<Rational, 3>& k, std::vector<SpaceOperation> operations, const SpinLifts* lifts,
          const Task& task);

  std::size_t size() const { return operations_.size(); }
  const std::vector<SpaceOperation>& operations() const { return operations_; }
  const Product& operator()(std::size_t g, std::size_t h) const { return products_[g][h]; }
  /// k.w of an operation x -> W x + w.
  Rational phase(std::size_t g) const;
  /// The one of some of the operations, which are a group with the identity first.
  CoGroup subgroup(const std::vector<std::size_t>& numbers, const Task& task) const;

  /// g h, which is in the little group, though g and h may be antiunitary without their time reversal.
  Product product(const SpaceOperation& g, const SpaceOperation& h) const { return product_among(operations_, g, h); }
  /// g h as one of a list.
  Product product_among(const std::vector<SpaceOperation>& list, const SpaceOperation& g,
                        const SpaceOperation& h) const;
  /// a^-1 g a for an antiunitary operation a, as its listed one and the phase of its conjugate in the
  /// co-representation.
  Product conjugate(const SpaceOperation& g, const SpaceOperation& a) const;

 private:
  Rational sign(const SpaceOperation& g, const SpaceOperation& h) const {
    return lifts_ != nullptr && lifts_->changes_sign(g, h) ? Rational(1, 2) : Rational(0);
  }

  std::array<Rational, 3> k_;
  std::vector<SpaceOperation> operations_;
  const SpinLifts* lifts_;
  std::vector<std::vector<Product>> products_;
};

/// exp(-2 pi i phase)
Cyclotomic phase_root(const Rational& phase);

/// Representations of a co-group with its products, by the central extension by the roots of unity that occur.
std::vector<LittleGroup::Irrep> small_representations(const CoGroup& co, const Task& task);

/// With spin the lifts of the whole group. In little_group.cpp.
std::optional<SpinLifts> lifts_of(const LittleGroup& little);

}  // namespace intertwine
