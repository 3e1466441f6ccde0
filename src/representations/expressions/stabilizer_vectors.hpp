// Vectors with short orbits under a group whose permutation action is known.
#pragma once
#include <utility>
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Vectors that elements of the stabilizers of a point, of two points, ... fix: their orbits are no longer than those
/// of the points where the elements found generate the stabilizer. A heuristic: the answers depend on random elements
/// and prove nothing.
class StabilizerVectors {
 public:
  StabilizerVectors(const FiniteGroup& G, const std::vector<RationalMatrix>& images, const Task& task);

  /// Goes down one stabilizer; false if there is none left, or the matrices are too large for it to pay.
  bool descend();
  /// The index of the present stabilizer in the group: a bound on the orbits of what it fixes.
  const Integer& index() const { return index_; }
  /// A few vectors, one a row, that elements of the present stabilizer fix.
  IntegerMatrix vectors() const;

 private:
  struct Pair {
    Permutation element;
    RationalMatrix matrix;
    friend Pair operator*(const Pair& a, const Pair& b) { return {a.element * b.element, a.matrix * b.matrix}; }
  };
  bool is_large(const Pair& p) const;
  /// The quotients a^{-1} b of the pairs found.
  std::vector<Pair> quotients() const;

  const FiniteGroup& group_;
  const Task& task_;
  std::size_t dimension_;
  std::size_t most_bits_;
  std::size_t level_ = 0;
  Integer index_ = 1;
  std::vector<Pair> generators_;
  std::vector<std::pair<Pair, Pair>> found_;  ///< (a, b): a and b take the base point to the same point
};

}  // namespace intertwine
