// The four ways to a basis of Hom_G(V, U), and the proof that something is one. equivariant_basis chooses among them, block
// by block; they are public so that they can be compared: whatever two of them can both do, they agree on as spaces.
#pragma once
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Each method says what it verifies exactly of every element, and what follows. No method proves that there
/// are no more elements: equivariant_basis compares with characters.
/// All throw DomainError if the groups of V and U differ.
enum class BasisMethod { orbitals, induction, isotypic, splitting };

/// The method that equivariant_basis takes for V and U that are neither sums nor multiples: orbitals for monomial
/// representations, isotypic over fields larger than Q, induction where a factor is monomial, induced or a Schur functor of a monomial one (with columns as short as schur_power says), isotypic for modules of
/// dimension 100 and more of symmetric groups, otherwise splitting.
BasisMethod basis_method(const Representation& V, const Representation& U, const Task& task = {});

/// The orbits of G on the entries of a matrix, with signs (see OrbitalPattern). Verified: every entry is equal, up to
/// sign, to its image under every generator.
/// \throws DomainError unless V and U are monomial.
/// \par Cost  O(dim V) an orbit of rows and random element of its stabilizer; the check O(dim V dim U) a generator.
OrbitalPattern equivariant_basis_by_orbitals(const Representation& V, const Representation& U, const Task& task = {});

/// For V = P (x) N and U = P' (x) N' with P, P' monomial, the factors in any order: for one pair (x', x) of every orbit
/// on the basis vectors of P' and P, the maps N -> N' that commute with its stabilizer up to its signs, carried along
/// the orbit (Frobenius reciprocity on both sides; Mackey's formula). The maps N -> N' are found by intertwiner_space
/// for the stabilizer. Likewise for factors in blocks that the group permutes: the copies of an induced module, the weight spaces of S_lambda of a monomial one. Verified: the order of the stabilizer is |G| / |orbit|, and what it commutes with is what
/// intertwiner_space verified; that an element commutes with G follows from its first block.
/// \throws DomainError unless V and U are over Q and one of them has such a factor with more than one block;
///         LimitError for more than 2^26 pairs.
/// \par Cost    a problem of dimensions dim N, dim N' an orbit of pairs, then two products of matrices of these
///              dimensions an element and pair.
/// \par Source  [Curtis & Reiner 1981, 10.23]
IntertwinerSpace equivariant_basis_by_induction(const Representation& V, const Representation& U, const Task& task = {},
                                                const IntertwinerOptions& options = {});

/// Over any field: for every irreducible R the products of the maps V -> R -> U over the field L of R, V and U
/// (isotypic.hpp), and their traces to the field F of V and U; echelonized, and made sparse over the lattice of their
/// coordinates. Verified: the maps from and to R commute with every generator; that traces of their products do
/// follows.
/// \throws LimitError where an irreducible representation is not found.
/// \par Cost  the character table; the isotypic components of both sides; a product of dim U x d and d x dim V an
///            element and irreducible representation of dimension d.
IntertwinerSpace equivariant_basis_by_isotypic(const Representation& V, const Representation& U, const Task& task = {});

/// The smaller of V and U is split into cyclic modules S, irreducible ones where they are found, with projections a on
/// all copies of S; a homomorphism b from S is known by the image of one vector. The elements are the b a, made sparse
/// where they are not too large. Verified: all a and b commute with every generator, the b are independent, the a on
/// top of each other regular, so that the b a are independent; sparse elements commute entry by entry.
/// \throws DomainError unless V and U are over Q.
/// \par Cost    for irreducible V of dimension d and m = dim U: a kernel in dimension m, and a kernel of about d
///              equations for each generator in as many unknowns as U has vectors of V's kind.
/// \par Source  [Lux & Szoke 2003]; the splitting by zero divisors of endomorphism rings is that of the rational MeatAxe
///              [Holt 1998]
IntertwinerSpace equivariant_basis_by_splitting(const Representation& V, const Representation& U, const Task& task = {},
                                                const IntertwinerOptions& options = {});

/// Proves that the elements are a basis of Hom_G(V, U), from them and the representations alone: every element commutes
/// with every generator, entry by entry; they are independent (tied ones: no element is empty; others: their rank); and
/// there are as many as hom_dimension counts by characters or orbits, which knows nothing of them.
/// \throws VerificationError naming the first claim that fails; LimitError through `task`.
/// \par Cost  as hom_dimension; the entries of all elements times the entries in a row or column of rho(g), or dense
///            products where these cost less, for every generator; an elimination of all elements modulo a prime.
void verify(const IntertwinerSpace& basis, const Representation& V, const Representation& U, const Task& task = {});
/// \throws DomainError also unless V and U are monomial. \par Cost  O(dim V dim U) a generator, and hom_dimension.
void verify(const OrbitalPattern& basis, const Representation& V, const Representation& U, const Task& task = {});

}  // namespace intertwine
