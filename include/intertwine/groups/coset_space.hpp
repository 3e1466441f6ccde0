// Left cosets G/H with a breadth-first transversal.
#pragma once
#include <vector>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The cosets t_0 H, t_1 H, ... with t_0 = 1, found breadth-first under the generators of G in their order.
///
/// A coset is known by its element whose images of H's base are lexicographically least: going down H's
/// chain, the base point goes to the least image of its orbit. That element is unique, and its images of a
/// base of G identify it. Cost: for every coset and generator one product and one product a level of H's
/// chain.
class CosetSpace {
 public:
  /// \throws DomainError unless H <= G; LimitError if there are more than 2^31 - 1 cosets, or through `task`.
  CosetSpace(const FiniteGroup& G, const FiniteGroup& H, const Task& task);

  const FiniteGroup& subgroup() const { return H_; }
  std::size_t size() const { return representatives_.size(); }
  const Permutation& representative(std::size_t i) const { return representatives_[i]; }
  /// The number of the coset gH. \throws DomainError if g is not in G (as far as that shows).
  Point coset_of(const Permutation& g) const;

 private:
  struct Level {
    Point base = 0;
    std::vector<Point> orbit;
    std::vector<Permutation> transversal;  ///< empty when it would take too much memory
    std::size_t number = 0;
  };
  void write_key(const Permutation& g, std::vector<Point>& key) const;

  FiniteGroup H_;
  std::vector<Level> levels_;
  std::vector<Point> base_;  ///< the base of G
  std::vector<Permutation> representatives_;
  FlatIndex<Point> keys_;
};

}  // namespace intertwine
