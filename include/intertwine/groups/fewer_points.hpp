// Intransitive groups on some of their orbits.
#pragma once
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

/// A group on short orbits that it is faithful on, generator by generator, with the way back: small subgroups of groups
/// on thousands of points have classes and tables on a few dozen.
class FewerPoints {
 public:
  explicit FewerPoints(const FiniteGroup& G, const Task& task = {});
  const FiniteGroup& group() const { return group_; }
  /// The element of G that acts like r.
  Permutation lifted(const Permutation& r) const;

 private:
  Permutation restricted(const Permutation& g) const;

  FiniteGroup group_;
  std::vector<Point> points_;        ///< points_[i] is what is point i of group()
  std::vector<Point> number_;        ///< the other way round
  std::vector<StabilizerChain> of_;  ///< the chain of G with a base among these points; empty where they are all points
};

}  // namespace intertwine
