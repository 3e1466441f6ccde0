// Representations of finite groups as values with an algebra: V + W, V * W, 3 * V, dual, Sym^k, Lambda^k, ...
//
// A Representation is an immutable expression, cheap to copy and safe to read from many threads. Nothing
// dense is built until an image is asked for. Representations are over an abelian number field, Q unless a leaf needs
// more. A monomial one (with signs) permutes the basis vectors e_0, ..., e_{n-1} and may negate them; permutation
// representations are those without signs; all others have leaves given by matrices.
//
// Conventions: rho(gh) = rho(g) rho(h); a permutation representation has rho(g) e_i = e_{g(i)}. The basis of
// V * W is e_i (x) f_j -> i dim W + j; the basis of V + W is that of V, then that of W; k * V is V repeated k
// times, the copy number being the slow index.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

class RepresentationNode;  // an expression node; representation_node.hpp

/// How an irreducible representation is written: irrep(5), or irrep(5, [4,0,1,-1,-1]) with the values of its
/// character on the classes in the order of the character table. Reading checks them, so that a text that is kept can
/// never come to mean another representation.
enum class TextForm { plain, checked };

class Representation {
 public:
  struct Summand;

  explicit Representation(std::shared_ptr<const RepresentationNode> node);

  const FiniteGroup& group() const;
  /// Number of basis vectors, multiplicities counted.
  std::uint64_t dimension() const;
  /// The field of the matrices: the smallest that contains the fields of all leaves.
  const AbelianField& field() const;
  /// No signs occur: every basis vector goes to a basis vector. Exact; where signs may cancel (sign^2,
  /// Lambda^k) the generator images are looked at, and above dimension 2^24 the answer is false without
  /// looking.
  bool is_permutation() const;
  /// Every leaf of the expression acts by signed permutations, so that image() exists.
  bool is_monomial() const;
  /// The trace of rho(g), g an element of the group given as a permutation of its points.
  /// Computed from the expression (a tensor product multiplies, Sym^k uses the powers of g); never enumerates
  /// the basis of a product or a power. \throws DomainError if g has the wrong degree.
  Cyclotomic character(const Permutation& g) const;
  /// rho(g) as a signed permutation of the basis. O(dimension).
  /// \throws DomainError unless is_monomial(); LimitError when the dimension exceeds 2^31 - 1; DomainError if g has
  /// the wrong degree or, for a representation known by the images of generators only, is no element of the group.
  SignedPermutation image(const Permutation& g) const;
  /// The images of group().generators(), in their order.
  std::vector<SignedPermutation> generator_images() const;
  /// rho(g) as a dense matrix, dimension x dimension, for monomial representations too.
  /// \throws LimitError when dimension^2 exceeds 2^32; DomainError unless field() is Q.
  RationalMatrix matrix(const Permutation& g) const;
  /// rho(g) as a dense matrix over any field().
  FieldMatrix field_matrix(const Permutation& g) const;
  /// The matrices of group().generators(), in their order.
  std::vector<RationalMatrix> generator_matrices() const;
  /// rho(g) X for X of shape dimension x k. Works factor by factor: the dense matrix of a sum or a tensor
  /// product is never built. \throws DomainError unless X has dimension() rows (and field() is Q, for rational X).
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const;
  FieldMatrix apply(const Permutation& g, const FieldMatrix& X) const;
  /// The expression as text that parse_representation reads back, for example "16*perm + sym(2, sign)".
  std::string to_string(TextForm form = TextForm::plain) const;
  /// The basis vector i for people, 1-based as in the papers: "3", "(1,2)", "{1,2}", "e3", "2:(1,4)" in a
  /// sum.
  std::string basis_label(std::uint64_t i) const;
  /// V as a direct sum of multiples of representations that are neither sums nor multiples, in basis order
  /// where no multiplicity is shared. 16*perm + 4*sign gives (16, perm), (4, sign).
  std::vector<Summand> summands() const;

  const RepresentationNode& node() const { return *node_; }

  /// Are both the same expression over equal groups, with the same matrices and labels? Isomorphic representations, and
  /// different ways to write one, are different values: compare characters for these.
  friend bool operator==(const Representation& V, const Representation& U);

 private:
  std::shared_ptr<const RepresentationNode> node_;
};

struct Representation::Summand {
  std::uint64_t multiplicity;
  Representation representation;
};

/// V + W, the direct sum. \throws DomainError if the groups differ (also for the operations below).
Representation operator+(const Representation& V, const Representation& W);
/// V (x) W.
Representation operator*(const Representation& V, const Representation& W);
/// V + ... + V, k times, kept as a multiplicity. k >= 0; 0 * V has dimension 0.
Representation operator*(std::uint64_t k, const Representation& V);
/// V_1 + ... + V_k in one node; k >= 1.
Representation direct_sum(const std::vector<Representation>& terms);
/// V_1 * ... * V_k in one node; k >= 1.
Representation tensor_product(const std::vector<Representation>& factors);
/// V (x) ... (x) V, k factors; the trivial representation when k = 0.
Representation tensor_power(const Representation& V, unsigned k);
/// The dual: rho*(g) = rho(g^{-1})^T. A signed permutation matrix is its own inverse transpose, so the
/// matrices agree.
Representation dual(const Representation& V);
/// Sym^k V on the monomials e_{i1} ... e_{ik}, i1 <= ... <= ik, in lexicographic order. Stays monomial.
Representation sym(unsigned k, const Representation& V);
/// Lambda^k V on e_{i1} ^ ... ^ e_{ik}, i1 < ... < ik, in lexicographic order. Stays monomial.
Representation alt(unsigned k, const Representation& V);
/// V as a representation of the subgroup H. \throws DomainError unless H's generators lie in V's group.
Representation restriction(const Representation& V, const FiniteGroup& H);
/// Ind_H^G V for V a representation of H <= G. Basis t_i (x) e_j -> i dim V + j over the transversal t_0 = 1,
/// t_1, ... of G/H found breadth-first. \throws DomainError unless V's group is a subgroup of G; LimitError
/// above 2^31 - 1 cosets.
Representation induction(const Representation& V, const FiniteGroup& G, const Task& task = {});
/// The conjugate of V, a representation of g H g^{-1} for V one of H: x acts as rho(g^{-1} x g). Its generators are the
/// conjugates of those of H. \throws DomainError if g has another degree.
Representation conjugation(const Representation& V, const Permutation& g);
/// V over a smaller field F, [V's field : F] times as large (restrict_scalars): the representation over F whose
/// complexification is the sum of V's conjugates over F. V itself if F contains its field.
Representation restriction_of_scalars(const Representation& V, const AbelianField& F);
/// The external tensor product: G_1 x ... x G_k acts on V_1 (x) ... (x) V_k factor by factor.
/// \throws DomainError unless G is a direct_product whose factors are the groups of the V_i, in order.
Representation external_product(const std::vector<Representation>& V, const FiniteGroup& G);
/// The pull-back of V along the projection of the direct product G to its factor number k (0-based).
Representation inflation(const Representation& V, const FiniteGroup& G, std::size_t k);

}  // namespace intertwine
