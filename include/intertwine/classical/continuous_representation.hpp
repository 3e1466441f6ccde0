// Representations of classical groups and of their products with finite groups: an algebra of exact matrices.
//
// A representation is given by the matrices of the generators: of the Lie algebra of every classical factor, of its components
// and of every finite factor. They are rational and sparse, and made by the algebra from the defining modules. Conventions are
// those of representations of finite groups: the basis of V * W is e_i (x) f_j -> i dim W + j, that of V + W is V's and then W's,
// k * V is V repeated k times, Sym^k and Lambda^k have their monomials in lexicographic order, and S_lambda its semistandard
// tableaux (SchurFunctor).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/reductive/lie_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

struct ContinuousNode;  // an expression node; src/classical/continuous_node.hpp

/// The kind of the coordinates of a representation: real for a group without complex factors
/// (ClassicalGroup::is_complex), complex for the others, unless restriction_of_scalars makes them real; the trivial
/// representation is `either`.
enum class Scalars { either, real, complex };

/// An immutable expression, cheap to copy. All functions below throw DomainError if groups differ, and LimitError for dimensions
/// above 2^31 - 1 and for functors of more than max_functor_dimension.
class ContinuousRepresentation {
 public:
  explicit ContinuousRepresentation(std::shared_ptr<const ContinuousNode> node) : node_(std::move(node)) {}

  /// The largest dimension of sym, alt, schur and harmonic, whose weight vectors are found by dense elimination.
  static constexpr std::uint64_t max_functor_dimension = 1500;
  /// The largest dimension of sym, alt and schur over products of groups, which are sums of functors of the factors.
  static constexpr std::uint64_t max_product_functor_dimension = 1'000'000;

  const ContinuousGroup& group() const;
  std::uint64_t dimension() const;
  /// Text that parse_representation reads back.
  std::string to_string() const;
  Scalars scalars() const;
  /// The matrices of the group's generators, in the order of ContinuousGroup::generator_names(): of the Lie algebra, of
  /// components and of finite factors. W is equivariant if and only if it commutes with all of them. For a real representation of SU(n) or U(n) the
  /// generators of the Lie algebra are ClassicalGroup::compact_generators.
  /// \throws DomainError if field() is not Q; LimitError through `task`
  std::vector<SparseMatrix> generator_matrices(const Task& task = {}) const;
  /// The field of their entries: Q, unless matrices are given over a larger one (matrix_representation).
  AbelianField field() const;
  /// The generators over a field K = Q(a) of degree m: m rational matrices for each generator, the coefficients of 1,
  /// a, ..., a^(m-1).
  /// \throws DomainError unless field() is in K; LimitError through `task`
  std::vector<SparseMatrix> generator_coefficients(const AbelianField& K, const Task& task = {}) const;
  /// (k, V_1) for k * V_1, otherwise (1, V).
  std::pair<std::uint64_t, ContinuousRepresentation> as_multiple() const;
  /// (k, W) for every summand k * W that is not 0, in their order.
  std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> summands() const;
  /// The summands, but neighbours of multiplicity 1 are one part. So the parts one after the
  /// other, each [k, dim W], are the coordinates of V: 16*trivial + 8*vector has two.
  std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> parts() const;
  const ContinuousNode& node() const { return *node_; }
  const std::shared_ptr<const ContinuousNode>& handle() const { return node_; }

  /// Are both the same expression over equal groups?
  friend bool operator==(const ContinuousRepresentation& V, const ContinuousRepresentation& U);

 private:
  std::shared_ptr<const ContinuousNode> node_;
};

/// The group whose characters the representations of G have: SO+(p,q) has those of SO(p + q). \throws DomainError for O(n) and O(p,q), which are not connected.
LieGroup lie_group_of(const ClassicalGroup& G);

ContinuousRepresentation trivial_representation(const ContinuousGroup& G);
/// The defining module of a single classical group; of a product the external product of these and of the points of its finite
/// factors, `perm # vector`; R^3 for C∞v and D∞h.
/// \param real  complex ones as real: `real(vector)`
ContinuousRepresentation natural_representation(const ContinuousGroup& G, bool real = false);
/// The determinant of the defining module: the sign of the component of O(n), trivial for SO(n), SL(n), SU(n) and Sp(n).
/// \throws DomainError for products (also below)
ContinuousRepresentation determinant_representation(const ContinuousGroup& G);
/// The Lie algebra, on which g acts by X -> g X g^-1, in the basis ClassicalGroup::lie_algebra(): the matrices of alt(2, vector) for SO(n), O(n) and
/// Spin(n) and of vector*dual(vector) for GL(n) and U(n), those of trace 0 for SL(n) and SU(n). \throws DomainError for products
ContinuousRepresentation adjoint_representation(const ContinuousGroup& G);
/// The harmonic polynomials of degree l on the defining module of an orthogonal group, irreducible over SO(n) for n >= 3. Basis
/// vector number i is the harmonic polynomial x^a - ... whose only monomial of degree at most 1 in the last coordinate is
/// x^a, the x^a in lexicographic order: for SO(3) and l = 2 they are x^2 - z^2, x y, x z, y^2 - z^2, y z. They are rational, and not
/// orthonormal. \throws DomainError for other groups
ContinuousRepresentation harmonic_representation(const ContinuousGroup& G, unsigned degree);
/// The real spinors of Spin(n), by rational matrices that are antisymmetric: a rotation of the plane of axes a and b acts by e_a e_b / 2 on the least
/// module over the even part of Clifford's algebra of the form x_1^2 + ... + x_n^2. Their dimensions for n = 3, 4, ..., 10 are 4, 4, 8, 8, 8, 8, 16, 32, and 16 times that of
/// n - 8 beyond. Over C they are the spinor representation, twice for n = 3, 4, 5 modulo 8, and for even n not divisible by 4 the sum of the
/// two halves. Where 4 divides n there are two half-spinors: `half` is +1 or -1, the sign of the last coordinate of the highest
/// weight, or 0 for their sum. \throws DomainError for other groups, and for half != 0 unless 4 divides n
/// \par Source  [Atiyah & Bott & Shapiro 1964]
ContinuousRepresentation spinor_representation(const ContinuousGroup& G, int half = 0);
/// The irreducible representation that a partition stands for: of SL(n), SU(n), GL(n) and U(n) a Schur functor of the defining module or the dual of one, times
/// powers of the determinant; of Sp(n) and orthogonal groups the traceless part of schur_power, by the basis that is in reduced echelon form in its
/// basis. The labels of O(n) and O(p,q) are Weyl's, partitions whose first two columns have at most n cells together (more than n/2 rows: a product
/// with the determinant); for the others they are those of LieGroup::weight_of_partition. A representation with another
/// constructor is made by it: harmonic(l), alt(k, vector), adjoint. A partition of SO(n), n even, whose last row n/2 is
/// not 0 stands for one half of the traceless part. Halves are defined over the rational numbers if and only if n/2 + q
/// is even for the form with q times -1 (SO(4), SO+(2,2), SO(8)); elsewhere they are complex conjugates, and what is
/// returned is the irreducible real representation, their sum.
/// \throws DomainError for products and for what is no label; LimitError above max_functor_dimension, also on the way, and for schur_power beyond its bounds
/// \par Method  the module that highest-weight vectors generate, modulo primes, lifted; that it is invariant is checked exactly, its dimension is that of Weyl's formula.
ContinuousRepresentation irreducible_representation(const ContinuousGroup& G, const std::vector<int>& partition,
                                                    const Task& task = {});
/// The irreducible representation of a highest weight, as LieGroup::irrep has it. Half-integral weights of Spin(n)
/// stand for irreducible real representations as spinor_representation does: over C they are the one of the weight,
/// twice for n = 3, 4, 5 modulo 8, or with its conjugate for n = 2 modulo 4. \throws DomainError also for O(n)
ContinuousRepresentation irreducible_of_weight(const ContinuousGroup& G, const Weight& highest, const Task& task = {});
/// A representation of a classical group by the matrices of its generators, in the order of ContinuousGroup::generator_names: `rep(@file.json)`, `rep([[[0,-1],[1,0]], ...])`, over an abelian number field. It is checked that brackets go to
/// brackets, that the matrices of components are involutions which commute and act on the Lie algebra as they should (of O(p,q) also that the product of both is the element
/// exp(i pi X) of the complex group, as in what the defining module makes), and that weights are those of the group:
/// half of those of so(3) are of Spin(3) alone. For SU(n) and U(n) it is a complex representation by the matrices of
/// lie_generators. Over a field that is not real it is a complex representation of the other groups as well.
/// \throws DomainError naming the relation that fails, and for products; LimitError above max_functor_dimension, and for weights above 100,000
/// \par Method  all checks by rational matrices, entries over K as matrices of degree [K : Q] (restrict_scalars). The images of a basis of the Lie algebra are brackets of those of the
///              generators; phi([X, B]) = [phi(X), phi(B)] for generators X and a basis B, exactly. Weights are eigenvalues modulo a prime of known integers.
ContinuousRepresentation matrix_representation(const ContinuousGroup& G, const std::vector<FieldMatrix>& images,
                                               const Task& task = {});
/// The representation by the images of other elements that generate the Lie algebra, given by their matrices on the
/// defining module; images of components come behind. The elements may be in the complex span: i times those of so(3)
/// as in physics, the Pauli and the Gell-Mann matrices. \throws DomainError also if they do not generate it, or naming
/// one whose image is not what brackets make of the others
ContinuousRepresentation matrix_representation(const ContinuousGroup& G, const std::vector<FieldMatrix>& generators,
                                               const std::vector<FieldMatrix>& images, const Task& task = {});
/// V, complex, of one group SU(n) or U(n), as a real representation of twice the dimension: `real(V)`. Basis vector 2k is e_k, 2k + 1 is i e_k. Over the complex
/// numbers it is the sum of V and its conjugate, so that Hom(real(V), real(U)) has twice the complex dimensions of Hom(V, U) and Hom(conjugate of V, U) together: for irreducible
/// V = U it is the field C, or 4-dimensional where V is isomorphic to its conjugate, the quaternions or the 2 x 2
/// matrices. A real V is returned as it is. Over a product of groups one factor alone is complex; A # B where it is the
/// last one becomes A # real(B). \throws DomainError for products with more of them, but for external products with
/// complex parts in the last factor alone
ContinuousRepresentation restriction_of_scalars(const ContinuousRepresentation& V);
/// The real form of an irreducible complex V of one group SU(n) or U(n) whose indicator is +: a real representation W
/// of the dimension of V, real(V) being W + W: `realform(V)`. It is what an antilinear map of square 1 that commutes
/// with the group leaves fixed, in the basis in reduced echelon form of real(V). A real V is returned as it is. The
/// real form of A # B, where the last factor alone is complex, is A # real_form(B). \throws DomainError for V that is
/// not over Q, for reducible, quaternionic and genuinely complex V, and for other products; LimitError above
/// max_functor_dimension, and where the square of such a map is no sum of two squares of small rational numbers, by
/// which it could be scaled to 1
ContinuousRepresentation real_form(const ContinuousRepresentation& V, const Task& task = {});
/// The scalars of maps between V and U: complex if neither is real and the group has complex factors. \throws DomainError if one is complex and the other real
Scalars common_scalars(const ContinuousRepresentation& V, const ContinuousRepresentation& U);
/// A representation of a finite group as one of a product with the only factor V.group().
ContinuousRepresentation finite_representation(const Representation& V);
/// V_1 # ... # V_k: factor i of G acts on V_i. \throws DomainError unless V_i belongs to factor i
ContinuousRepresentation external_product(const ContinuousGroup& G, const std::vector<ContinuousRepresentation>& V);

/// V as a representation of G, a group with the same factors under a name of its own, printed by this name.
/// \throws DomainError for other factors
ContinuousRepresentation renamed(const ContinuousRepresentation& V, const ContinuousGroup& G, std::string name);

ContinuousRepresentation operator+(const ContinuousRepresentation& V, const ContinuousRepresentation& W);
ContinuousRepresentation operator*(const ContinuousRepresentation& V, const ContinuousRepresentation& W);
ContinuousRepresentation operator*(std::uint64_t k, const ContinuousRepresentation& V);
ContinuousRepresentation tensor_power(const ContinuousRepresentation& V, unsigned k);
ContinuousRepresentation dual(const ContinuousRepresentation& V);
/// Sym^k, Lambda^k and S_shape. Over a product of groups Hom finds them as sums of external products of functors of the factors, by natural maps: Sym^k(A # B) is the
/// sum of S_lambda A # S_lambda B, Lambda^k with the conjugate partition, S_shape with Kronecker coefficients. \throws DomainError for one finite group; LimitError
/// above max_functor_dimension and max_product_functor_dimension
ContinuousRepresentation sym(unsigned k, const ContinuousRepresentation& V);
ContinuousRepresentation alt(unsigned k, const ContinuousRepresentation& V);
/// \throws LimitError also for base dimensions above 1000
ContinuousRepresentation schur_power(const Partition& shape, const ContinuousRepresentation& V, const Task& task = {});

}  // namespace intertwine
