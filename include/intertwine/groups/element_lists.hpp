// Elements listed: those of one conjugacy class; whether those of a group can be; those that one point tells apart.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The lists of images of all conjugates of g, g first.
///
/// Cost: for every conjugate and generator of G one list. \throws LimitError beyond 2^31 - 1 of them, or through
/// `task`.
FlatIndex<Point> class_elements(const FiniteGroup& G, const Permutation& g, const Task& task);

/// May all elements of G be listed? At most five millions, and their images in a quarter of the memory. The classes
/// by orbits then know the class of an element after one sift, where those by random elements may have to search.
bool elements_can_be_listed(const FiniteGroup& G, const Task& task);

/// A group that fixes no point of an orbit: its elements are that orbit, by rank. Products are found by translations
/// from the right, which commute with the generators, without a permutation of all points.
class RegularAction {
 public:
  /// Nothing if the stabilizer of the base point is not trivial. \throws LimitError for what the memory does not hold
  static std::optional<RegularAction> of(const FiniteGroup& G, const Task& task);

  std::size_t order() const { return parent_.size(); }
  std::uint32_t rank(const Permutation& g) const { return place_[g(base_)]; }
  bool is_identity(std::uint32_t x) const { return parent_[x] == x; }
  /// x is the generator times its parent, which is nearer to the identity. x must be another element than that.
  struct TreeStep {
    std::uint32_t parent, generator;
  };
  TreeStep step(std::uint32_t x) const { return {parent_[x], by_[x]}; }
  /// For every x the rank of x g, by the ranks of x and g. O(order).
  std::vector<std::uint32_t> right_translation(std::uint32_t g) const;
  /// The ranks of the elements conjugate to one, that first; `known` is set at them.
  std::vector<std::uint32_t> conjugates(std::uint32_t g, std::vector<bool>& known, const Task& task) const;

 private:
  RegularAction() = default;

  Point base_ = 0;
  std::vector<std::uint32_t> place_;                ///< the rank of the element that takes the base point to a point
  std::vector<std::vector<std::uint32_t>> left_;    ///< [generator s][rank of x]: that of s x
  std::vector<std::vector<std::uint32_t>> around_;  ///< likewise s x s^-1
  std::vector<std::uint32_t> walk_;  ///< ranks, each but the identity behind its parent, which a generator takes to it
  std::vector<std::uint32_t> parent_, by_;
};

}  // namespace intertwine
