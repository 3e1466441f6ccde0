// Restriction of representations of classical groups to finite subgroups: crystal fields, flavour symmetries.
//
// A finite group H in a classical group G is known, for characters, by the character of C^n, the vector representation: it gives the
// eigenvalues of every element, roots of unity, and so an element of the maximal torus that is conjugate to it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/reductive/lie_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An element of a torus: coordinate i is exp(2 pi i exponents[i] / order).
struct TorusElement {
  std::uint32_t order;
  std::vector<std::uint32_t> exponents;
};

/// A finite group in SU(n), SL(n), U(n), GL(n), SO(n) or Sp(n), up to conjugacy, or in a product of these.
class FiniteEmbedding {
 public:
  /// The subgroup by which C^n becomes `vector`: one character for every factor of `from`, all of one table.
  /// \throws DomainError unless `from` is as above (Spin(n) is not known by its vectors), the degrees fit, the group acts faithfully, and
  /// unless `vector` has determinant 1 for SU(n), SL(n) and SO(n), is orthogonal for SO(n), symplectic for Sp(n).
  FiniteEmbedding(LieGroup from, std::vector<ClassFunction> vectors, const Task& task = {});

  const LieGroup& from() const { return from_; }
  const CharacterTable& table() const { return vectors_.front().table(); }
  const std::vector<ClassFunction>& vectors() const { return vectors_; }
  /// For people: "vector = T1".
  std::string how() const;

  /// The restriction of a character.
  ///
  /// \par Method  the weights as characters of the torus, counted by their values at the elements of the classes, as multiples of roots of
  ///              unity: no number is rounded. That the result is a character of dimension chi.dimension() is checked.
  /// \par Cost    one sum for every weight and class.
  /// \throws DomainError unless chi belongs to `from`; and where a representation of SO(2k) that a reflection does not fix is
  /// restricted to a group of which the character of C^n does not tell how it lies in SO(2k): it does if every element has an eigenvalue
  /// 1 or -1, or if C^n is the sum of a representation and its dual, of which one is taken.
  ClassFunction restrict(const LieCharacter& chi, const Task& task = {}) const;

 private:
  LieGroup from_;
  std::vector<ClassFunction> vectors_;
  /// A row of coefficients of labels for every coordinate of the torus, divided by the denominator.
  struct Coordinate {
    std::vector<int> row;
    int denominator;
  };
  std::vector<Coordinate> coordinates_;
  std::vector<TorusElement> elements_;  ///< one for each class
  /// A reflection of a factor SO(2k), which the character does not see: it exchanges the labels at node and node + 1,
  /// or changes the sign of the charge at node.
  struct Reflection {
    int node;
    bool charge;
    std::string group;
  };
  std::vector<Reflection> unseen_;
};

/// A finite group in O(n).
class OrthogonalEmbedding {
 public:
  /// \throws DomainError unless `vector` is an orthogonal character of degree n >= 1 and faithful.
  explicit OrthogonalEmbedding(ClassFunction vector, const Task& task = {});

  int n() const { return n_; }
  const CharacterTable& table() const { return vector_.table(); }
  const ClassFunction& vector() const { return vector_; }
  /// The determinant of C^n.
  const ClassFunction& parity() const { return parity_; }
  std::string how() const;

  /// The restriction of Weyl's module [mu] of O(n), see restrict_to_orthogonal: [1] is C^n, [l] the harmonic polynomials of degree l, [1^n] the
  /// determinant.
  ///
  /// \par Method  on elements of determinant 1 a character of SO(n); on the others, with -1 for odd n a character of SO(n) again, and
  ///              for even n, where 1 and -1 are eigenvalues, that of Sp(n-2) at the rest of them.
  /// \throws DomainError unless the first two columns of mu have at most n cells together; LimitError for parts above 10^6.
  /// \par Source  [Weyl 1946, VII.9]
  ClassFunction irrep(const Partition& mu, const Task& task = {}) const;

 private:
  int n_;
  ClassFunction vector_, parity_;
};

/// The way that a finite group usually lies in a classical group or in O(n): by its coordinates, the matrices that define it; in SO(n) by those of
/// dimension n - 1 and their determinant; by its first irreducible character of degree n that fits; by its points.
/// \throws DomainError if none of these is faithful and fits, and as the constructors; for products, where there are several ways.
FiniteEmbedding usual_embedding(const LieGroup& from, const CharacterTable& table, const Task& task = {});
OrthogonalEmbedding usual_orthogonal_embedding(int n, const CharacterTable& table, const Task& task = {});

}  // namespace intertwine
