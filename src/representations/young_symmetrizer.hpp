// Young's symmetrizers: elements of the group algebra of a symmetric group that find the copies of a Specht module
// in any
// representation by sums over transversals, without linear equations.
#pragma once
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/spinning.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// V, or its dual: the action on linear forms, written as columns.
struct VectorAction {
  const Representation& V;
  bool dual;
  FieldMatrix operator()(const Permutation& g, const FieldMatrix& X) const;
};

/// The symmetrizer of the first standard tableau T of a shape: K, the sum over its column group with signs, times the
/// sum R over its row group; or R K. Both are, up to a factor, primitive idempotents that vanish on all irreducible
/// representations but the Specht module S of the shape and have rank 1 there. K R takes S to the line of the
/// polytabloid of T, R K its dual to the line of the form that reads off the coefficient of the tabloid of T.
/// [James &
/// Kerber 1981, 3.1]
class YoungSymmetrizer {
 public:
  explicit YoungSymmetrizer(const Partition& shape);

  /// K R X, or R K X if the action is a dual one. A group of the tableau is a product of symmetric groups on k
  /// points, which
  /// cost k (k - 1) / 2 applications each.
  FieldMatrix operator()(const VectorAction& act, const FieldMatrix& X, const Task& task) const;

  /// Words in transpositions[k] = (k, k+1), by which the polytabloid of T becomes that of every standard
  /// tableau in their
  /// order, and the form of T the forms of all, a basis of the dual.
  const SpinWords& words() const { return words_; }
  const std::vector<Permutation>& transpositions() const { return transpositions_; }

 private:
  FieldMatrix sum(const std::vector<std::vector<Point>>& parts, bool signs, const VectorAction& act, FieldMatrix X,
                  const Task& task) const;

  std::vector<std::vector<Point>> rows_, columns_;  ///< the rows and columns of T
  std::size_t degree_;
  SpinWords words_;
  std::vector<Permutation> transpositions_;
};

/// A basis of the image of the symmetrizer, whose dimension is m: columns, those of a reduced echelon form.
/// \par Cost  the symmetrizer applied to m + 1 vectors
FieldMatrix symmetrized(const YoungSymmetrizer& symmetrizer, const VectorAction& act, std::size_t m, const Task& task);

}  // namespace intertwine
