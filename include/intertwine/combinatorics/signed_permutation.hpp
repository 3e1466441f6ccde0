// Signed permutations: matrices with one entry +1 or -1 in every row and column. They are the images of group
// elements under monomial representations with signs, and, when no sign is negative, permutation matrices.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

/// A basis vector with a sign, +e_i or -e_i, packed as 2 i + (1 if negative).
class SignedPoint {
 public:
  SignedPoint() = default;
  /// point < 2^31.
  explicit SignedPoint(Point point, bool negative = false) : code_(2 * point + (negative ? 1 : 0)) {}
  Point point() const { return code_ >> 1; }
  bool negative() const { return (code_ & 1) != 0; }
  int sign() const { return negative() ? -1 : 1; }
  std::uint32_t code() const { return code_; }
  static SignedPoint from_code(std::uint32_t code) {
    SignedPoint x;
    x.code_ = code;
    return x;
  }
  /// This vector, negated if `flip`.
  SignedPoint flipped(bool flip) const { return from_code(code_ ^ (flip ? 1U : 0U)); }
  friend bool operator==(SignedPoint, SignedPoint) = default;
  friend auto operator<=>(SignedPoint, SignedPoint) = default;

 private:
  std::uint32_t code_ = 0;
};

/// e_i -> sign(i) e_{g(i)}. Products and inverses are those of the matrices.
class SignedPermutation {
 public:
  SignedPermutation() = default;
  /// \throws DomainError, naming the first bad entry, unless the underlying points form a bijection.
  explicit SignedPermutation(std::vector<SignedPoint> images);
  explicit SignedPermutation(const Permutation& g);
  static SignedPermutation identity(std::size_t degree);
  static SignedPermutation unchecked(std::vector<SignedPoint> images);

  std::size_t degree() const { return images_.size(); }
  SignedPoint operator()(Point i) const { return images_[i]; }
  SignedPoint operator()(SignedPoint x) const { return images_[x.point()].flipped(x.negative()); }
  std::span<const SignedPoint> images() const { return images_; }

  bool is_identity() const;
  /// True when no sign is negative.
  bool is_unsigned() const;
  /// The underlying permutation of the points.
  Permutation permutation() const;
  /// Trace of the matrix.
  std::int64_t trace() const;
  SignedPermutation inverse() const;
  /// The cycles of the points, 1-based; a minus before a point says that the basis vector before it in the cycle goes
  /// to the negative. "(1,-2)" is e_1 -> -e_2, e_2 -> e_1; "(1,-2,-1)" is e_1 -> -e_2, e_2 -> -e_1; "(1,-1)" is e_1 -> -e_1.
  std::string to_string() const;

  /// Matrix product. \throws DomainError if the degrees differ.
  friend SignedPermutation operator*(const SignedPermutation& g, const SignedPermutation& h);
  friend bool operator==(const SignedPermutation&, const SignedPermutation&) = default;

 private:
  std::vector<SignedPoint> images_;
};

}  // namespace intertwine
