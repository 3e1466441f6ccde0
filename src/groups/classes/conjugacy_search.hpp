// Search for elements of a group that conjugate one permutation to another.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

/// Numbers that conjugation in G preserves: for a permutation g a colour of every point, such that x in G takes the
/// colours of g to those of x g x^{-1}. Made of the orbits of G on points and pairs, cycle lengths, and the orbits of
/// the pairs (x, g^k x).
class PointColours {
 public:
  /// Orbits of pairs of points: not at all; those of at most 1024 points, listed, which few elements pay for; of any number of points, which only many
  /// elements pay for: of more points only a way to find the orbit of a pair is kept, some 8 steps for a pair.
  enum class Pairs { none, of_few_points, all };
  explicit PointColours(const FiniteGroup& G, Pairs pairs = Pairs::of_few_points, const Task& task = {});
  std::vector<std::uint64_t> operator()(std::span<const Point> g) const;
  /// The multiset of the colours as one number: equal for conjugate elements.
  std::uint64_t invariant(std::span<const std::uint64_t> colours) const;

 private:
  /// The orbits of pairs (x, y), x in the largest orbit of G: what takes x to the root takes y into an orbit of the root's stabilizer.
  struct RootedPairs {
    OrbitTree tree;                     ///< the tree of a root in the largest orbit, low
    std::vector<Permutation> inverses;  ///< the inverses of the elements along the tree
    std::vector<Point> orbit;           ///< the orbits of the stabilizer of the root
  };
  static std::optional<RootedPairs> rooted_pairs(const FiniteGroup& G, std::span<const Point> orbits, const Task& task);
  /// The orbit of the pair (x, y).
  Point pair(Point x, Point y) const {
    if (!rooted_) return orbital_[x * degree_ + y];
    if (!rooted_->tree.contains(x)) return 0;
    for (; x != rooted_->tree.points[0]; x = rooted_->tree.parent[x])
      y = rooted_->inverses[static_cast<std::size_t>(rooted_->tree.generator[x])](y);
    return rooted_->orbit[y];
  }
  bool has_pairs() const { return !orbital_.empty() || rooted_; }
  void refine(std::vector<std::uint64_t>& colour) const;

  std::size_t degree_;
  std::vector<Point> orbit_;
  /// The orbital of the pair (x, y) at x * degree + y; empty if they tell nothing.
  std::vector<std::uint16_t> orbital_;
  std::optional<RootedPairs> rooted_;  ///< the pairs of more points
};

/// All x in G with x g x^{-1} = h, for one g and many h.
///
/// The base of G's chain begins with the points of cycles of g, one cycle after the other. The image of a base point
/// g(b) is h(x(b)), so that only the first point of every cycle is a free choice, and every forced image that leaves
/// the orbit of its level ends a branch. A search that takes long refines the colours after every free choice by the orbits
/// of the stabilizer of the base points so far, which x takes to the orbits of the stabilizer of their images, and ends a
/// branch where the refined colours of g and h do not fit [Leon 1991].
class ConjugacySearch {
 public:
  /// Transversals of groups that are not too large are listed, but not for one use.
  enum class Use { often, once };
  ConjugacySearch(const FiniteGroup& G, const PointColours& colours, const Permutation& g, const Task& task,
                  Use use = Use::often);

  const Permutation& element() const { return g_; }
  const std::vector<std::uint64_t>& colours() const { return colours_; }

  /// `colours` are those of h.
  std::optional<Permutation> conjugator(const Permutation& h, std::span<const std::uint64_t> colours,
                                        const Task& task) const;
  /// Is there one? Nothing if that takes more than so many choices of images.
  std::optional<bool> is_conjugate(const Permutation& h, std::span<const std::uint64_t> colours, std::uint64_t choices,
                                   const Task& task) const;

  struct Centralizer {
    std::vector<Permutation> generators;
    Integer order = 1;
  };
  Centralizer centralizer(const Task& task) const;

 private:
  class Walk;
  struct Level {
    Point base = 0;
    std::int32_t source = -1;  ///< level of a base point b with g(b) = base, -1 if the choice is free
    std::vector<Point> orbit;
    std::vector<std::int32_t> position;
    std::vector<Point> transversal;  ///< one after the other, if small enough to be kept
  };

  /// The colours of g with the base points before a free level fixed, and what they are made of.
  struct Refined {
    std::vector<Point> orbit;  ///< the orbit of every point under the stabilizer of these base points
    std::vector<std::uint64_t> colours;
    std::uint64_t sum = 0, invariant = 0;  ///< before and after they went along the cycles
  };
  /// By levels, empty for those that are not free. Made by the first search that needs them.
  const std::vector<Refined>& refined(const Task& task) const;

  /// The orbit of a level, from its base point along the generators of the stabilizer before it.
  struct LevelTree {
    OrbitTree tree;
    std::vector<Permutation> inverses;  ///< the inverses of the generators along the tree
    /// The image of y under the element of the transversal that takes x to the base point.
    Point divided(Point y, Point x) const {
      for (; tree.generator[x] >= 0; x = tree.parent[x]) y = inverses[static_cast<std::size_t>(tree.generator[x])](y);
      return y;
    }
  };
  /// By levels, empty for orbits of one point. Made by the first search that needs them.
  const std::vector<LevelTree>& trees(const Task& task) const;

  /// Asks the task for `more` bytes beside the levels.
  void require_memory(std::uint64_t more, const Task& task) const;
  std::vector<Point> adapted_base(std::size_t length) const;

  Permutation g_;
  std::vector<std::uint64_t> colours_;
  std::shared_ptr<const StabilizerChain> chain_;
  std::vector<Level> levels_;
  std::uint64_t bytes_ = 0;  ///< the bytes of the levels
  mutable std::once_flag refined_once_;
  mutable std::vector<Refined> refined_;
  mutable std::once_flag trees_once_;
  mutable std::vector<LevelTree> trees_;
};

/// The centralizer of g in G, for several g with the colours of G made once.
FiniteGroup centralizer(const FiniteGroup& G, const PointColours& colours, const Permutation& g, const Task& task);

}  // namespace intertwine
