// GL(2, q) and SL(2, q) on vectors, PGL(2, q) and PSL(2, q) on the projective line: the matrices of elements and
// their classes.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "intertwine/exact/finite_field.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A class of 2 x 2 matrices, those of a projective group up to scalars, by eigenvalues: w generates GF(q)*, e
/// generates GF(q^2)*, and e^(q+1) = w.
struct LinearClass {
  enum class Kind {
    central,      ///< the scalar w^i
    unipotent,    ///< w^i times a transvection; two classes in SL(2, q) for odd q
    split,        ///< eigenvalues w^i and w^j, i < j
    anisotropic,  ///< eigenvalues e^i and e^(q i)
  };
  Kind kind;
  std::uint64_t i, j = 0;
  bool second = false;  ///< is it the second of the two unipotent classes?
};

struct ListedClass {
  Permutation representative;
  Integer centralizer_order;
  std::uint64_t key;  ///< equal exactly for elements of one class
};

/// Two elements of a doubly transitive group: an element of the given order that fixes points 0 and 1, and a commutator
/// of elements that fix point 0, of the other order.
struct AffineElements {
  Permutation turn, shift;
};
std::optional<AffineElements> affine_elements(const FiniteGroup& G, std::uint64_t turn_order, std::uint64_t shift_order,
                                              const Task& task);

/// Points with coordinates in which G is all of GL(2, q), SL(2, q), PGL(2, q) or PSL(2, q).
class LinearForm {
 public:
  using Element = GaloisField::Element;
  using Vector = std::array<Element, 2>;
  struct Matrix {
    Element a, b, c, d;
  };

  bool special() const { return special_; }
  bool projective() const { return projective_; }
  std::uint32_t q() const { return field_.size(); }
  const GaloisField& field() const { return field_; }

  /// Classes are equal exactly if keys are.
  std::uint64_t key(const Permutation& g) const;
  /// All classes, the identity first.
  std::vector<ListedClass> classes(const Task& task) const;
  std::uint64_t number_of_classes() const;
  LinearClass type(const Permutation& g) const;

  /// The form of G, proved: its generators are matrices in these coordinates, and its order is that of the whole
  /// group. Coordinates of vectors are those of the named groups; those of a projective line are found for any names
  /// of its points.
  static std::optional<LinearForm> of(const FiniteGroup& G, const Task& task);

 private:
  LinearForm(bool special, bool projective, std::uint32_t q);
  bool find_line(const FiniteGroup& G, const Task& task);
  bool holds(const Permutation& g) const;
  std::size_t number(Vector v) const;
  void place_points();
  Element determinant(const Matrix& m) const;
  Matrix matrix(const Permutation& g) const;
  Permutation permutation(const Matrix& m) const;
  /// For projective groups a multiple with determinant 1 or w, and of these the one with the smaller trace.
  Matrix normalised(const Matrix& m) const;
  void find_eigenvalues(const Task& task);
  LinearClass classified(const Matrix& m) const;
  std::uint64_t key_of(const Matrix& m) const;
  Integer centralizer_order(const LinearClass& c, Element trace) const;

  bool special_, projective_;
  GaloisField field_;
  std::vector<Vector> vector_;            ///< the vector of every point
  std::vector<Point> point_;              ///< the point of every number of a vector
  std::uint32_t determinants_ = 1;        ///< w^0, w^1, ... that normalised matrices have
  std::vector<LinearClass> eigenvalues_;  ///< at q times the logarithm of the determinant plus the trace
};

}  // namespace intertwine
