// Sums over a transversal of a stabilizer, by Horner's rule on a tree.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/groups/orbits.hpp"

namespace intertwine {

/// A breadth-first tree on the orbit of a base point b: a node y below x by the generator s is y = s^{-1}(x). The elements
/// u_b = 1, u_y = u_x s take their points x to b; they are representatives of the right cosets H u of the
/// stabilizer H of b.
class SchreierTree {
 public:
  SchreierTree(Point base, std::size_t degree, std::span<const Permutation> generators) {
    std::vector<Permutation> inverses;
    for (const Permutation& s : generators) inverses.push_back(s.inverse());
    const OrbitTree tree = orbit_tree(base, degree, inverses);
    std::vector<std::uint32_t> number(degree);
    for (std::size_t k = 0; k < tree.points.size(); ++k) {
      number[tree.points[k]] = static_cast<std::uint32_t>(k);
      generator_.push_back(static_cast<std::uint32_t>(std::max(tree.generator[tree.points[k]], 0)));
    }
    // Nodes are numbered breadth-first, so that the children of a node are neighbours, ordered by generator.
    const std::size_t size = tree.points.size();
    first_child_.assign(size + 1, static_cast<std::uint32_t>(size));
    std::vector<std::uint32_t> weight(size, 1);
    heavy_.assign(size, none);
    for (std::size_t k = size; k-- > 1;) {
      const std::uint32_t p = number[tree.parent[tree.points[k]]];
      first_child_[p] = static_cast<std::uint32_t>(k);
      weight[p] += weight[k];
      if (heavy_[p] == none || weight[k] >= weight[heavy_[p]]) heavy_[p] = static_cast<std::uint32_t>(k);
    }
    for (std::size_t k = size; k-- > 0;)
      if (heavy_[k] == none) first_child_[k] = first_child_[k + 1];
  }

  std::size_t size() const { return generator_.size(); }

  /// The sum of u_x W over the orbit. Below a node x the elements are u_x v, and the sum T_x of the v is 1 plus, over
  /// the children y of x by the generators s, s T_y: at most size() - 1 applications act(s, M) of a generator, one for all
  /// children of a node by the same one. Heavy children come first, so that O(log size) matrices are held at once.
  template <class Matrix, class Act>
  Matrix sum(const Matrix& W, const Act& act) const {
    return below(0, W, act);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  template <class Matrix, class Act>
  Matrix below(std::uint32_t x, const Matrix& W, const Act& act) const {
    std::vector<std::uint32_t> path{x};
    while (heavy_[path.back()] != none) path.push_back(heavy_[path.back()]);
    Matrix at_child = W;
    for (std::size_t j = path.size() - 1; j-- > 0;) {
      const std::uint32_t node = path[j], heavy = path[j + 1];
      Matrix total = W;
      // The generator of the heavy child, whose sum is at hand, goes first.
      add_children(node, generator_[heavy], heavy, at_child, W, act);
      total += act(generator_[heavy], at_child);
      for (std::uint32_t c = first_child_[node]; c < first_child_[node + 1];) {
        const std::uint32_t s = generator_[c];
        const std::uint32_t next = end_of_generator(node, c);
        if (s != generator_[heavy]) {
          Matrix pending = heavy_[c] == none ? W : below(c, W, act);
          add_children(node, s, c, pending, W, act);
          total += act(s, pending);
        }
        c = next;
      }
      at_child = std::move(total);
    }
    return at_child;
  }

  std::uint32_t end_of_generator(std::uint32_t node, std::uint32_t c) const {
    const std::uint32_t s = generator_[c];
    while (c < first_child_[node + 1] && generator_[c] == s) ++c;
    return c;
  }

  /// Adds T_y for the children y of the node by s, but `except`.
  template <class Matrix, class Act>
  void add_children(std::uint32_t node, std::uint32_t s, std::uint32_t except, Matrix& sum, const Matrix& W,
                    const Act& act) const {
    for (std::uint32_t c = first_child_[node]; c < first_child_[node + 1]; ++c) {
      if (generator_[c] != s || c == except) continue;
      if (heavy_[c] == none)
        sum += W;
      else
        sum += below(c, W, act);
    }
  }

  std::vector<std::uint32_t> generator_;  ///< by node: how it comes from its parent
  std::vector<std::uint32_t>
      first_child_;                   ///< by node; the children of k are first_child_[k], ..., first_child_[k+1]-1
  std::vector<std::uint32_t> heavy_;  ///< by node: the child with the largest subtree
};

}  // namespace intertwine
