// The exact, certified basis of Hom_G(V, U) for classical groups and their products with finite groups.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/equivariant/hom_basis.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/table_proof.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The certified basis of Hom(V, U).
///
/// - Every element commutes, exactly and entry by entry, with the matrices of all generators of V and U: of the Lie algebras,
///   of components and of finite factors. So it commutes with the group, whose Zariski closure these generate.
/// - The elements are independent: their rank modulo a prime.
/// - There are no more: their number is the dimension counted by characters, which knows nothing of the matrices. The character
///   of each classical factor is a Laurent polynomial on a torus, put together from the eigenvalues of the defining module; its
///   irreducible constituents are read off by Weyl's formula, each weight reflected into the dominant chamber with the sign of
///   the reflection [Brauer 1937; Klimyk 1968]. For O(n) and O(p,q) the coset of SO(n) is integrated the same way: minus
///   the identity times SO(n) for odd n; for even n the coset's measure is that of Sp(n - 2) [Weyl 1946]. Finite factors
///   count by hom_dimension, and factors multiply.
///
/// \throws DomainError if V and U belong to different groups, or if a finite factor acts over a field that is not Q; LimitError
///         for weight spaces above 11000, for more than 10^6 basis elements, and through `task`.
/// \par Method  V and U are expanded into external tensor products of leaves; equal pairs are solved once. Finite factors by
///              intertwiner_space; classical ones modulo primes p = 1 mod 4, where all classical groups split: highest-weight
///              vectors of U and the dual ones of V from the kernels of root vectors on weight spaces, joined by the inverse of
///              Shapovalov's form [Shapovalov 1972]; then components as signs, a reduced echelon form, rational
///              reconstruction, and a sparsified lattice basis where that is small.
/// \par Cost    for each dominant weight of both sides a kernel of the size of its weight space; a product of dim U x d and d x
///              dim V an element, d the degree of its irreducible representation. Nothing of the size dim V dim U is eliminated
///              but the elements themselves.
HomBasis hom_basis(const ContinuousRepresentation& V, const ContinuousRepresentation& U, const Task& task = {});

/// dim Hom(V, U) by characters alone, and the routes of that count: "weyl-characters, burnside-elements".
/// \throws DomainError if the groups differ
CountedDimension continuous_hom_dimension(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                          const Task& task = {});

/// The number of the first element that does not commute with some generator; nothing if all do. Exact.
/// \throws DomainError if the dimensions do not fit
std::optional<std::uint64_t> first_that_does_not_commute(const IntertwinerSpace& space,
                                                         const ContinuousRepresentation& V,
                                                         const ContinuousRepresentation& U, const Task& task = {});

/// The generators of the group of V and U with their matrices on both, for the proof of a table of Hom(V, U).
MatrixGenerators matrix_generators(const ContinuousRepresentation& V, const ContinuousRepresentation& U,
                                   const Task& task = {});

/// Proves from the elements and the representations alone that they are a basis of Hom(V, U).
/// \throws VerificationError naming the first claim that fails
void verify(const IntertwinerSpace& basis, const ContinuousRepresentation& V, const ContinuousRepresentation& U,
            const Task& task = {});

}  // namespace intertwine
