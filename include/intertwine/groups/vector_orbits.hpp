// Orbits of rational vectors under matrices, as permutations.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A union of orbits that spans Q^d.
struct SpanningOrbits {
  RationalMatrix vectors;            ///< one a row
  std::vector<Permutation> actions;  ///< generator k takes vector i to vector actions[k](i)
  std::vector<std::size_t> basis;    ///< d independent vectors among them
};

/// Invertible d x d matrices over Q, and the orbits of vectors under the group that they generate.
///
/// A vector is kept as a primitive integer vector and a positive scale. Two scales on one vector, or an orbit longer
/// than the group can be, prove that the group is not what it should be. [Babai, Beals & Rockmore 1993]
class OrbitSearch {
 public:
  /// Orbits of more vectors than this are not built.
  static constexpr std::uint64_t most_vectors = std::uint64_t{1} << 24;

  enum class Outcome {
    spanning,      ///< the orbits found span the space
    too_long,      ///< an orbit is longer than `order_bound`
    inconsistent,  ///< an element multiplies a vector by a positive number other than 1
    stopped        ///< by between_rounds
  };

  OrbitSearch(const std::vector<RationalMatrix>& generators, const Integer& order_bound, const Task& task);

  /// Vectors worth trying, one a row: they come before the basis vectors.
  void propose(const IntegerMatrix& rows);
  /// Tries the vectors proposed since the last attempt, as long as their orbits have at most `limit` elements; a few
  /// failures end it.
  /// \return stopped if the orbits found do not span yet.
  Outcome attempt(std::uint64_t limit);
  /// Tries the candidates with a growing limit on the length of orbits; the first limits are short, so that
  /// short orbits win. `between_rounds` may stop the search. \throws LimitError
  Outcome run(const std::function<bool()>& between_rounds);
  SpanningOrbits result() const;

 private:
  struct Orbit {
    std::vector<Integer> rows;  ///< primitive vectors, flat; empty when they fit in `small`
    std::vector<std::int64_t> small;
    std::vector<std::uint32_t> scale;
    std::vector<Rational> scales;
    std::vector<std::vector<Point>> images;  ///< by generator
    std::size_t size = 0;
    Integer entry(std::size_t i, std::size_t d) const { return small.empty() ? rows[i + d] : Integer(small[i + d]); }
  };
  enum class Growth { complete, over_limit, inconsistent };
  template <class Scalar>
  class Builder;
  class Span;

  Growth grow(const std::vector<Integer>& start, std::uint64_t limit, Orbit& orbit) const;
  bool in_span(const std::vector<Integer>& v) const;
  void accept(Orbit orbit);
  std::vector<std::vector<Integer>> candidates() const;
  Outcome round(const std::vector<std::vector<Integer>>& list, std::uint64_t limit, std::size_t failures_allowed);

  std::size_t dimension_;
  std::vector<IntegerMatrix> numerators_;
  std::vector<Integer> denominators_;
  std::vector<bool> unimodular_;  ///< integral with determinant +-1: primitive vectors stay primitive
  Integer order_bound_;
  const Task& task_;
  std::vector<std::vector<Integer>> proposed_;
  std::size_t attempted_ = 0;  ///< the number of proposed vectors that were attempted
  std::vector<Orbit> orbits_;
  IncrementalEchelon<PrimeField> span_;  ///< the span of the vectors found, modulo a prime
  std::vector<std::size_t> basis_;
  std::size_t total_ = 0;
};

/// Vectors with short orbits are often fixed, up to sign, by many elements: one-dimensional eigenspaces for 1 and -1
/// of generators, products and random words, and intersections of larger ones. One vector a row.
IntegerMatrix vectors_fixed_by_words(const std::vector<RationalMatrix>& generators, const Task& task);

}  // namespace intertwine
