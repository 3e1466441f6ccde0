// Orthonormal bases of representations of finite groups, exact under square roots: invariant Hermitian forms, unitary matrices, bases
// adapted to the isotypic components.
#pragma once
#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/signed_root.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The positive definite Hermitian form H with rho(g)^* H rho(g) = H: the identity where the matrices are unitary, otherwise the sum of
/// rho(g)^* rho(g) over the group, as the product of the transversals of its stabilizer chain, scaled to H(0, 0) = 1.
/// (invariant_form of symmetrizer.hpp is the integral one of a representation over Q.)
/// \par Cost  two products of matrices of degree dim V for every element of the transversals, and exact: entries may be long
FieldMatrix invariant_hermitian_form(const Representation& V, const Task& task = {});
/// The invariant form of an irreducible representation over a smaller field: the trace of the form of R
/// (clebsch_gordan.hpp) from the field of R, which every automorphism leaves positive. For the real numbers it is the
/// only one up to a factor.
FieldMatrix invariant_form(const IrreducibleForm& form, const IrreducibleRepresentation& R, const Task& task = {});

/// A matrix with square roots: entry (i, k) is matrix(i, k) sqrt(row_norms[i] / col_norms[k]).
struct RootMatrix {
  FieldMatrix matrix;
  std::vector<Cyclotomic> row_norms, col_norms;  ///< real and positive

  /// Within a few units of the last place.
  std::complex<double> operator()(std::size_t i, std::size_t k) const;
  /// The entry itself where it and the quotient of the norms are rational.
  std::optional<SignedRoot> signed_root(std::size_t i, std::size_t k) const;
  /// "-sqrt(3/4)", "E(3)*sqrt(2)"; six digits where the quotient of the norms is irrational: "0.587785", "-0.5+0.866025i".
  std::string entry(std::size_t i, std::size_t k) const;
};

/// Vectors f_k / sqrt(norms[k]) that are orthonormal for a form H: columns^* H columns = diag(norms).
struct OrthonormalBasis {
  FieldMatrix form;               ///< H
  FieldMatrix columns;            ///< column k: f_k in the basis of V; upper triangular with ones on the diagonal
  std::vector<Cyclotomic> norms;  ///< real and positive
  /// The columns of the change of basis T.
  RootMatrix vectors() const;
  /// T^-1 A T of a matrix in the basis of V: unitary where A leaves H fixed.
  RootMatrix matrix(const FieldMatrix& A) const;
};

/// The basis of the form's space made orthogonal in its order (Gram and Schmidt, by halves). \throws DomainError unless the form is
/// Hermitian and positive definite.
OrthonormalBasis orthonormal_basis(const FieldMatrix& form, const Task& task = {});

/// Proves columns^* H columns = diag(norms), the norms being positive, and that H is fixed by these matrices. \throws VerificationError
void verify(const OrthonormalBasis& basis, const std::vector<FieldMatrix>& images, const Task& task = {});

/// Irreducible representations by unitary matrices: over the real numbers by orthogonal ones.
struct OrthonormalForms {
  IrreducibleForms forms;
  std::vector<OrthonormalBasis> bases;  ///< one for every entry
};
/// Each proved by verify(). \throws what invariant_form and irreducible_representation throw
OrthonormalForms orthonormal_forms(IrreducibleForms forms, const Task& task = {});

/// An isotypic component by orthonormal vectors: copy a of the irreducible representation has vectors a d, ..., a d + d - 1, and G acts on
/// every copy by the same unitary matrices. Vectors of different copies are orthogonal, as are those of different components.
struct OrthonormalComponent {
  FieldMatrix vectors;  ///< dim V x (multiplicity d), without the square roots
  /// The norms of all of them: vectors^* H vectors = diag(norms), H the form on V.
  std::vector<Cyclotomic> norms;
  std::vector<RootMatrix> matrices;  ///< the matrices of the generators on a copy
  RootMatrix basis() const;          ///< the orthonormal vectors themselves
};

/// Symmetry-adapted bases of all components of V.
struct OrthonormalDecomposition {
  FieldMatrix form;  ///< on V: the identity where V is unitary
  std::vector<OrthonormalComponent> components;
};
/// From isotypic_decomposition over the complex or the real numbers.
/// \throws DomainError over the rational numbers, where irreducible representations have more than one form
OrthonormalDecomposition orthonormal_decomposition(const Representation& V,
                                                   const std::vector<IsotypicComponent>& components, BaseField over,
                                                   const Task& task = {});
/// Proves what is said of the vectors, and that V acts on them by the matrices. \throws VerificationError
void verify(const OrthonormalDecomposition& found, const Representation& V, const Task& task = {});

/// The coordinates of a group (coordinate_representation) in a Cartesian frame, by orthogonal matrices: `cartesian`. The main axis
/// of a point group is along z, over Q(cos(2 pi / n), sin(2 pi / n)): Cn v has the mirror xz; in Dn, Dnh, Dnd x is the axis of a half
/// turn; T and O have the axes of the cube; I and Ih an axis of order 5 along z and one of order 2 along x. Weyl groups
/// have the simple roots, made orthogonal in their order.
/// \throws DomainError if there are no coordinates, or a norm has no root that is known to be cyclotomic.
Representation cartesian_representation(const FiniteGroup& G, const Task& task = {});

/// A real representation V by orthogonal matrices: its coordinates made orthonormal in their order, for invariant_hermitian_form. It is called as V is.
/// \throws DomainError if V is not real, or a norm has no root that is known to be cyclotomic
Representation in_orthonormal_frame(const Representation& V, const Task& task = {});

/// `harmonic(l)` of a group in space: homogeneous polynomials of degree l in the vectors of `cartesian`, modulo x^2 + y^2 + z^2; dimension
/// 2 l + 1, the restriction of O(3)'s harmonic polynomials of degree l. Basis: x^(l-b) y^b for b = 0 ... l, then x^(l-1-b) y^b z.
/// For a group in the plane the basis is the pair Re z^l, Im z^l (cos and sin of l times the angle), z = x + iy; 1 for
/// l = 0.
/// \par Cost  l^3 products of numbers of the field for every generator, in the plane log l.
/// \throws DomainError as cartesian_representation, and if the vectors have not two or three coordinates
Representation harmonic_representation(const FiniteGroup& G, std::uint64_t l, const Task& task = {});
/// The harmonic polynomials of a representation by orthogonal matrices, taken for the coordinates of R^n, 2 <= n <=
/// max_harmonic_variables. For n >= 3 the basis are the monomials of degree l without the last variable, then those
/// with its first power, each by decreasing powers of x1, x2, ...
/// \throws DomainError if n is another number; LimitError for dimensions of 2^26 and above, and through `task`
Representation harmonic_representation(const Representation& V, std::uint64_t l, const Task& task = {});
constexpr std::size_t max_harmonic_variables = 16;

/// The harmonic polynomials that the basis of harmonic_representation stands for: row i of `basis` has the coefficients of number i at the monomials, given
/// by their exponents, x1^l first. For n >= 3 those that differ from the monomials of that basis by multiples of r^2. \throws as harmonic_representation
struct HarmonicPolynomials {
  std::vector<std::vector<unsigned>> monomials;
  RationalMatrix basis;
};
HarmonicPolynomials harmonic_polynomials(std::size_t n, std::uint64_t l, const Task& task = {});

/// The answer of decompose() and, if they were wanted, of isotypic_decomposition() and orthonormal_decomposition().
struct Decomposition {
  std::string representation;  ///< V, as it was asked for
  std::uint64_t dimension;     ///< the dimension of V
  CharacterTable table;
  BaseField over;
  std::vector<Constituent> constituents;
  std::optional<std::vector<IsotypicComponent>> components;
  std::optional<OrthonormalDecomposition> orthonormal = {};
};

}  // namespace intertwine
