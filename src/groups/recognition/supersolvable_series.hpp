// Chief series with factors of prime order, and elements as words along them.
#pragma once
#include <cstdint>
#include <optional>
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

/// 1 = N_0 < N_1 < ... < N_n = G with every N_i normal in G and N_i = <N_(i-1), h_i> of prime index over N_(i-1): G is
/// supersolvable. Generators are numbered from 0: generator(i) is h_(i+1).
///
/// With the series comes a chain of point stabilizers: every h_i is changed by elements of N_(i-1) until it fixes the first
/// base points and moves the next one out of its orbit under what fixes them in N_(i-1); that orbit becomes p times as long.
/// An element is the product of the transversal elements of all levels, each a product of powers of the h_i that belong to
/// the level, so that elements of N_i are words in h_1, ..., h_i, every one of them at most once. [Sims 1990]
class SupersolvableSeries {
 public:
  struct Letter {
    std::uint32_t generator, exponent;
    friend bool operator==(const Letter&, const Letter&) = default;
    friend auto operator<=>(const Letter&, const Letter&) = default;
  };
  using Word = std::vector<Letter>;

  /// The series; nothing if G is not supersolvable.
  ///
  /// \par Method  from below: an element outside N = N_i is replaced by commutators with generators of G' until G' centralizes
  ///              it modulo N (G' is nilpotent), by a power until it has prime order p modulo N, and, as G/G' acts on the
  ///              elements centralized by G' by commuting matrices with eigenvalues in the field with p elements, by
  ///              s v s^-1 v^-l for generators s and numbers l until it is an eigenvector of all generators. In groups of
  ///              prime power order commutators with generators lead to central elements.
  /// \par Cost    O(log|G|) elements, each by O(log|G|) products and membership tests for every generator, and by O(p) tests
  ///              for the largest primes. Elements are not listed.
  /// \throws LimitError by the task's limits.
  static std::optional<SupersolvableSeries> find(const FiniteGroup& G, const Task& task = {});

  std::size_t length() const { return generators_.size(); }
  std::uint32_t prime(std::size_t i) const { return primes_[i]; }
  const Permutation& generator(std::size_t i) const { return generators_[i]; }
  /// The base: elements are known by the images of these points.
  std::span<const Point> base() const { return base_; }
  /// The element with these base images as a word, its letters from left to right; false if there is none in the part of the
  /// series that is known. `images` is overwritten.
  bool factorize(std::span<Point> images, Word& word) const;
  /// The word of an element. \throws InternalError if g is none.
  Word word(const Permutation& g) const;
  /// The least i with the word in N_i.
  static std::size_t depth(const Word& word);

 private:
  friend class SeriesSearch;
  explicit SupersolvableSeries(const FiniteGroup& G, const Task& task);
  /// g normalizes the last N_i, is not in it, and g^p is.
  void extend(Permutation g, std::uint32_t p);

  struct Level {
    std::vector<std::uint32_t> letters;  ///< generators that belong to it, the first one first
    std::vector<Point> orbit;  ///< in mixed radix by the exponents of the letters, the first one fastest
    std::vector<std::int32_t> position;  ///< the positions of points in the orbit; -1 outside
  };
  std::vector<Point> base_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> primes_;
  std::vector<Permutation> generators_;
  std::vector<CyclePowers> powers_;
};

}  // namespace intertwine
