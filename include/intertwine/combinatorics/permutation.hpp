// Permutations of {0, ..., n-1}.
//
// Conventions: (g * h)(i) = g(h(i)), the left action. Arrays are 0-based; cycle text is 1-based:
// "(1,2,3)(4,5)".
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

/// A point of a permutation domain, 0-based. Degrees go up to 2^31 - 1.
using Point = std::uint32_t;
inline constexpr std::size_t max_degree = 0x7fffffff;
/// The largest point that text may name when its degree is not given: a few characters must not cost gigabytes.
inline constexpr std::size_t max_inferred_degree = std::size_t{1} << 24;

class Permutation {
 public:
  /// The permutation of no points.
  Permutation() = default;
  /// i -> images[i]. \throws DomainError, naming the first bad entry, unless images is a bijection of
  /// {0..n-1}.
  explicit Permutation(std::vector<Point> images);
  /// \throws DomainError if the degree exceeds max_degree.
  static Permutation identity(std::size_t degree);
  /// No check: images must be a bijection.
  static Permutation unchecked(std::vector<Point> images);

  std::size_t degree() const { return images_.size(); }
  Point operator()(Point i) const { return images_[i]; }
  std::span<const Point> images() const { return images_; }

  bool is_identity() const;
  /// True for an even permutation. O(n).
  bool is_even() const;
  int sign() const { return is_even() ? 1 : -1; }
  /// The least k > 0 with g^k = 1: the least common multiple of the cycle lengths.
  Integer order() const;
  /// Lengths of all cycles, fixed points included, weakly decreasing.
  std::vector<Point> cycle_type() const;
  std::size_t number_of_fixed_points() const;
  Permutation inverse() const;
  /// g^k for any integer k, in O(n).
  Permutation power(const Integer& k) const;
  /// "(1,2,3)(4,5)", 1-based, "()" for the identity.
  std::string to_string() const;

  /// (g * h)(i) = g(h(i)). \throws DomainError if the degrees differ.
  friend Permutation operator*(const Permutation& g, const Permutation& h);
  friend bool operator==(const Permutation&, const Permutation&) = default;
  friend auto operator<=>(const Permutation&, const Permutation&) = default;

 private:
  std::vector<Point> images_;
};

/// Parses disjoint 1-based cycles, "(1,2,3)(4,5)", "(1 2 3)(4 5)" or "()"; spaces are allowed anywhere between tokens.
///
/// \param degree  number of points; 0 takes the largest point named (0 for "()").
/// \throws ParseError for malformed text, a repeated point, point 0, a point above the degree or, where no degree is
///         given, above max_inferred_degree; DomainError if the degree exceeds max_degree.
Permutation parse_permutation(std::string_view text, std::size_t degree = 0);

/// A uniformly random permutation of the given degree.
Permutation random_permutation(std::size_t degree, Rng& rng);

}  // namespace intertwine
