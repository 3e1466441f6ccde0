// Suzuki's groups Sz(q) on q^2 + 1 points: matrices of elements and their classes. [Suzuki 1962; Tits 1962]
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/groups/linear_form.hpp"

namespace intertwine {

/// A class of Sz(q), with r^2 = 2 q. Three cyclic subgroups \<x> meet the classes of elements of odd order.
struct SuzukiClass {
  enum class Kind {
    identity,
    involution,
    quarter,  ///< elements of order 4: two classes, k = 0 and 1, inverse to one another
    split,    ///< x^k and x^-k, x of order q - 1
    plus,     ///< x^k, x^-k, x^(qk) and x^(-qk), x of order q + r + 1
    minus,    ///< x^k, x^-k, x^(qk) and x^(-qk), x of order q - r + 1
  };
  Kind kind;
  std::uint64_t k = 0;  ///< the least exponent
};

/// Points with coordinates in which G is Sz(q): infinity = (0, 0, 0, 1), and (1, x, y, x y + x^(theta + 2) +
/// y^theta), where theta is the automorphism of GF(q) whose square is t -> t^2.
class SuzukiForm {
 public:
  using Element = GaloisField::Element;

  std::uint32_t q() const { return field_.size(); }
  /// Classes are equal exactly if keys are.
  std::uint64_t key(const Permutation& g) const;
  /// All classes, the identity first.
  std::vector<ListedClass> classes(const Task& task) const;
  std::uint64_t number_of_classes() const { return q() + std::uint64_t{3}; }
  SuzukiClass type(const Permutation& g) const;
  /// r with r^2 = 2 q.
  std::uint64_t r() const { return 2 * half_; }

  /// The form of G, proved: its generators are elements of Sz(q) in these coordinates, and it has the order of Sz(q).
  /// The points may have any names.
  static std::optional<SuzukiForm> of(const FiniteGroup& G, const Task& task);

 private:
  using Vector = std::array<Element, 4>;
  using Matrix = std::array<Vector, 4>;  ///< rows

  explicit SuzukiForm(std::uint32_t q);
  bool find_ovoid(const FiniteGroup& G, const Task& task);
  void find_eigenvalues(const Task& task);

  Element theta(Element a) const { return field_.power(a, 2 * half_); }
  Element norm(Element a) const { return field_.multiply(a, theta(a)); }  ///< a^(theta + 1)
  Vector affine(Element x, Element y) const;
  std::size_t number(const Vector& v) const;
  Vector apply(const Matrix& m, const Vector& v) const;
  Matrix product(const Matrix& a, const Matrix& b) const;
  Matrix power(Matrix m, std::uint64_t k) const;
  bool has_order(const Matrix& m, std::uint64_t n) const;
  Element trace(const Matrix& m) const;
  /// Matrices of determinant 1: (x, y) -> (x + a, y + b + a^theta x), and (x, y) -> (s x, s^(theta + 1) y).
  Matrix translation(Element a, Element b) const;
  Matrix dilation(Element s) const;
  /// The translation that takes (x, y) back to (0, 0).
  Matrix translation_from(const Vector& v) const { return translation(v[1], field_.add(v[2], norm(v[1]))); }
  /// The element of Sz(q) that moves infinity, (0, 0) and (1, 0) as g does, if there is one.
  std::optional<Matrix> matrix(const Permutation& g) const;
  Permutation permutation(const Matrix& m) const;

  GaloisField field_;
  std::uint64_t half_;                    ///< r / 2
  std::vector<Vector> vector_;            ///< the vector of every point
  std::vector<Point> point_;              ///< the point of every number of a vector
  std::vector<SuzukiClass> eigenvalues_;  ///< the eigenvalues of elements of odd order, by their traces
};

}  // namespace intertwine
