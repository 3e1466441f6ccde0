// Branching: the Schur functors S_lambda(C^n) as representations of O(n), Sp(n), S_n and of products of finite groups.
// (For one finite group with character chi on C^n the restriction is schur_power(lambda, chi), see
// characters/class_function.hpp.)
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/gl/cauchy.hpp"

namespace intertwine {

/// The restriction of f(C^n) to O(n), as a combination of labels: the label mu, whose first two columns have together
/// at most n cells, stands for the irreducible module of O(n) in S_mu(C^n) that occurs in no smaller tensor power
/// (Weyl's traceless tensors). [1^n] is the determinant, [] trivial; the labels mu and mu~, whose first columns add up
/// to n, differ by the determinant and agree on SO(n). Partitions of f with more than n rows vanish.
///
/// \par Method   Littlewood's formula, s_lambda = sum of o_{lambda/delta} over partitions delta with even parts; labels
///               that do not fit n are brought to standard form by the reflections e_k -> det e_{n-k} of the columns of
///               o_mu = det(e_{mu'_j-j+i} + e_{mu'_j-j-i+2}), which is King's modification rule. Exact for every n.
/// \throws DomainError if n < 1 or a coefficient of f is negative; InternalError if dimensions do not add up.
/// \par Source   [Littlewood 1950, 11.9]; [King 1971]; [Koike & Terada 1987]
/// \par Example  restrict_to_orthogonal(SchurSum({2}), 3) = s[2] + s[]
SchurSum restrict_to_orthogonal(const SchurSum& f, int n, const Task& task = {});
/// The restriction to Sp(n), n even; labels have at most n/2 rows. s_lambda = sum of sp_{lambda/beta} over partitions
/// beta with even columns. \throws DomainError if n is odd or below 2.
/// \par Example  restrict_to_symplectic(SchurSum({1, 1}), 4) = s[1,1] + s[]
SchurSum restrict_to_symplectic(const SchurSum& f, int n, const Task& task = {});
/// The restriction of f(C^n) to the permutation matrices, as a combination of Specht modules: partitions of n.
///
/// \par Method   the vectors that involve exactly i letters are a module W_i of S_i that does not depend on n, and what
///               is wanted is the sum of the modules induced from W_i (x) trivial of S_i x S_(n-i) [Church, Ellenberg &
///               Farb 2015, FI#-modules]. W_i is found by characters of S_i, i up to the degree.
/// \throws DomainError if n < 0; LimitError if n and the degree both exceed 33.
/// \par Example  restrict_to_symmetric_group(SchurSum({2}), 3) = 2*s[3] + 2*s[2,1]
SchurSum restrict_to_symmetric_group(const SchurSum& f, int n, const Task& task = {});

/// The dimensions of the modules with these labels. [El Samra & King 1979]
/// \throws DomainError if n is not as above or mu is no label for it.
Integer dimension_of_orthogonal(const Partition& mu, int n);
Integer dimension_of_symplectic(const Partition& mu, int n);

/// S_functor(C^n) restricted to a subgroup of GL(n).
struct Branching {
  enum class Kind { orthogonal, symplectic, symmetric, finite };
  struct Constituent {
    Partition label;      ///< the label as above; empty for finite groups
    std::size_t row = 0;  ///< the row of the character table, for finite groups
    std::string name;     ///< the name of that row
    Integer multiplicity, dimension;
  };
  Kind kind = Kind::finite;
  Partition functor;
  int n = 0;
  std::vector<Constituent> constituents;
  std::string group, rep;  ///< for the caller to say: the subgroup and how it acts, as people write them

  /// dim S_functor(C^n).
  Integer dimension() const;
};
/// To O(n), Sp(n) or the permutation matrices. \throws as restrict_to_...; DomainError for Kind::finite.
Branching branching(const Partition& functor, Branching::Kind kind, int n, const Task& task = {});
/// To a finite group that acts on C^n with this character: schur_power. \throws DomainError unless it is a character;
/// LimitError as schur_power.
Branching branching(const Partition& functor, const ClassFunction& chi);
/// The dimensions add up to that of the functor, which comes from the hook content formula. \throws VerificationError
void verify(const Branching& branching);

/// multiplicity * (irreducible character `left` of G_1) (x) (irreducible character `right` of G_2), rows of the tables.
struct ProductConstituent {
  std::size_t left, right;
  Integer multiplicity;
  friend bool operator==(const ProductConstituent&, const ProductConstituent&) = default;
};

/// Restriction from GL(m) x GL(n) to G_1 x G_2, the groups acting on C^m and C^n with given characters. Restrictions of
/// single functors are kept. Not for use by several threads at once.
class ProductRestriction {
 public:
  /// \throws DomainError unless both are characters.
  ProductRestriction(ClassFunction left, ClassFunction right);

  const ClassFunction& left() const { return left_; }
  const ClassFunction& right() const { return right_; }
  /// The constituents of the sum of these terms, by left, then right, multiplicities positive.
  /// \throws LimitError if a functor has a weight above 200.
  std::vector<ProductConstituent> operator()(const std::vector<GlGlTerm>& terms, const Task& task = {}) const;
  /// How often irreducible i of G_1 times irreducible j of G_2 occurs in each of these terms: by Frobenius
  /// reciprocity the multiplicities of the terms in the module induced to GL(m) x GL(n).
  /// \throws DomainError if i or j is no row of its table.
  std::vector<Integer> multiplicities_of(std::size_t i, std::size_t j, const std::vector<GlGlTerm>& terms,
                                         const Task& task = {}) const;

 private:
  using Restrictions = std::map<Partition, std::vector<Integer>>;
  const std::vector<Integer>& restricted(bool to_left, const Partition& lambda, const Task& task) const;
  ClassFunction left_, right_;
  mutable Restrictions of_left_, of_right_;
};

/// The multiplicity of irreducible (i, j) in S_nu(C^m (x) C^n), without GL: a sum over pairs of classes with the power
/// sums chi_1(g^k) chi_2(h^k).
/// \par Cost  one determinant for every pair of classes.
/// \throws LimitError if the weight exceeds 200.
Integer product_multiplicity_by_classes(const Partition& nu, const ClassFunction& left, const ClassFunction& right,
                                        std::size_t i, std::size_t j, const Task& task = {});

/// S_functor(Hom(V, W)) = S_functor(W (x) V*), dim W = rows, dim V = cols, under GL(W) x GL(V) and, where a restriction is
/// given, under finite groups that act on W and V.
struct HomFunctor {
  Partition functor;
  int rows = 0, cols = 0;
  std::vector<GlGlTerm> terms;  ///< left a functor of W, right one of V*
  std::optional<ProductRestriction> restriction;
  std::vector<ProductConstituent> constituents;          ///< the constituents of all terms under the groups
  std::vector<std::vector<ProductConstituent>> by_term;  ///< and of each; empty unless asked for
  /// The other way round: the terms that an irreducible character of the product is found in.
  struct Pair {
    std::size_t left, right;
    std::vector<Integer> multiplicities;  ///< one for each term
  };
  std::optional<Pair> pair;
  std::string left_rep, right_rep;  ///< for the caller to say: how the groups act, as people write it
  bool checked = false;             ///< the caller called verify()
};
struct HomFunctorOptions {
  bool by_term = false;
  std::optional<std::pair<std::size_t, std::size_t>> pair;  ///< rows of the tables
};
/// \throws as schur_functor_decomposition.
HomFunctor functor_of_hom(const Partition& functor, int rows, int cols, const Task& task = {});
/// \param of_W,of_V  the characters of the groups; the second one acts on V* by the dual. \throws DomainError unless they are
/// characters, or if there is no such pair; as functor_of_hom and ProductRestriction.
HomFunctor functor_of_hom(const Partition& functor, const ClassFunction& of_W, const ClassFunction& of_V,
                          const HomFunctorOptions& options = {}, const Task& task = {});
/// The dimensions of the constituents add up to that of the terms; every multiplicity is that of sums over pairs of classes,
/// which know nothing of GL; and the terms of a pair add up to its multiplicity. \throws VerificationError
void verify(const HomFunctor& answer, const Task& task = {});

}  // namespace intertwine
