// Bases and strong generating sets. [Sims 1970; Seress 2003, ch. 4 and 8;
// Holt, Eick & O'Brien 2005, ch. 4]
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A chain G = G^(0) >= G^(1) >= ... >= 1 of point stabilizers, G^(k+1) fixing base point k. Immutable and
/// proved: built by random Schreier-Sims, then verified deterministically, so that order and membership are
/// theorems.
class StabilizerChain {
 public:
  struct State;

  /// \param base  points that the base must begin with, in this order (redundant ones are kept).
  StabilizerChain(std::size_t degree, std::span<const Permutation> generators, std::span<const Point> base = {},
                  const Task& task = {});
  /// The chain of a subgroup whose order is already proved: stops as soon as the order is reached, no
  /// verification. \throws InternalError if random elements of the generated group do not reach it (or exceed
  /// it).
  static StabilizerChain with_known_order(std::size_t degree, std::span<const Permutation> generators,
                                          const Integer& order, std::span<const Point> base = {},
                                          const Task& task = {});

  std::size_t degree() const;
  const Integer& order() const;
  /// The number of levels, and for each its base point, orbit (root first), and orbit length.
  std::size_t length() const;
  Point base_point(std::size_t level) const;
  std::span<const Point> orbit(std::size_t level) const;
  /// An element of G^(level) taking its base point to x; x must be in orbit(level).
  Permutation transversal(std::size_t level, Point x) const;
  /// Generators of G^(level); level = length() gives none.
  std::vector<Permutation> stabilizer_generators(std::size_t level) const;
  /// Every strong generator.
  std::vector<Permutation> strong_generators() const { return stabilizer_generators(0); }
  /// G is Sym(n) or Alt(n) on all n = degree points, n >= 8 (proved by Jordan's criterion).
  bool is_giant() const;

  bool contains(const Permutation& g) const;
  /// g divided by transversal elements as far as possible: the identity exactly when g is in G.
  Permutation sift(const Permutation& g) const;
  Permutation random_element(Rng& rng) const;
  /// Elements are numbered 0, ..., |G|-1 in mixed radix by the positions of the base images in the orbits;
  /// rank 0 is the identity. \throws DomainError if g is no element / the rank is out of range.
  Integer rank(const Permutation& g) const;
  Permutation unrank(const Integer& rank) const;
  /// Calls f(g) for every element in rank order, by depth-first products: one product an element. f returns
  /// false to stop.
  void for_each_element(const std::function<bool(const Permutation&)>& f, const Task& task = {}) const;

 private:
  explicit StabilizerChain(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace intertwine
