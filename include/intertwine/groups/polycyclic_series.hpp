// Series of subgroups with steps of prime index, and elements as words along them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// g^k of points in constant time, by the cycles of g.
class CyclePowers {
 public:
  explicit CyclePowers(const Permutation& g);
  /// g^k(x); -order <= k.
  Point operator()(Point x, std::int64_t k) const {
    const Cycle& c = cycles_[cycle_[x]];
    const std::int64_t at = (static_cast<std::int64_t>(place_[x]) - c.first + k) % c.length;
    return points_[static_cast<std::size_t>(c.first + (at < 0 ? at + c.length : at))];
  }

 private:
  struct Cycle {
    std::int64_t first, length;
  };
  std::vector<Cycle> cycles_;
  std::vector<Point> cycle_, place_, points_;
};

/// 1 = N_0 < N_1 < ... < N_n with every N_i = <N_(i-1), h_i> and N_(i-1) normal in it with prime index. Generators
/// are numbered from 0: generator(i) is h_(i+1).
///
/// With the series comes a chain of point stabilizers: every h_i is changed by elements of N_(i-1) until it fixes
/// the first base points and moves the next one out of its orbit under what fixes them in N_(i-1); that orbit
/// becomes p times as long. An element is the product of the transversal elements of all levels, each a product of
/// powers of the h_i that belong to the level, so that elements of N_i are words in h_1, ..., h_i, every one of
/// them at most once. [Sims 1990]
class PolycyclicSeries {
 public:
  struct Letter {
    std::uint32_t generator, exponent;
    friend bool operator==(const Letter&, const Letter&) = default;
    friend auto operator<=>(const Letter&, const Letter&) = default;
  };
  using Word = std::vector<Letter>;

  /// The trivial group, in a series that G's elements can be put on.
  PolycyclicSeries(const FiniteGroup& G, const Task& task);

  std::size_t length() const { return generators_.size(); }
  std::uint32_t prime(std::size_t i) const { return primes_[i]; }
  const Permutation& generator(std::size_t i) const { return generators_[i]; }
  /// The base: elements are known by the images of these points.
  std::span<const Point> base() const { return base_; }
  /// The element with these base images as a word, its letters from left to right; false if there is none in the
  /// part of the series that is known. `images` is overwritten.
  bool factorize(std::span<Point> images, Word& word) const;
  /// The word of an element. \throws InternalError if g is none.
  Word word(const Permutation& g) const;
  /// The least i with the word in N_i.
  static std::size_t depth(const Word& word);
  /// Is this element of G in the part of the series that is known?
  bool contains(const Permutation& g) const;
  /// One step more: g normalizes the last N_i, is not in it, and g^p is. \throws InternalError if it is no step.
  void extend(Permutation g, std::uint32_t p);

 private:
  struct Level {
    std::vector<std::uint32_t> letters;  ///< generators that belong to it, the first one first
    std::vector<Point> orbit;            ///< in mixed radix by the exponents of the letters, the first one fastest
    std::vector<std::int32_t> position;  ///< the positions of points in the orbit; -1 outside
  };
  std::vector<Point> base_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> primes_;
  std::vector<Permutation> generators_;
  std::vector<CyclePowers> powers_;
};

}  // namespace intertwine
