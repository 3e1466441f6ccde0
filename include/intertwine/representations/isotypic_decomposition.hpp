// Isotypic components with explicit changes of basis.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// All homomorphisms between R and V for an irreducible R of dimension d that occurs m times in V: V has m copies of R,
/// and copy a has the basis vectors inclusion e_(a d), ..., inclusion e_(a d + d - 1), on which G acts as on R.
struct IsotypicMaps {
  FieldMatrix inclusion;   ///< dim V x (m d): rho(g) inclusion = inclusion (1_m (x) R(g))
  FieldMatrix projection;  ///< (m d) x dim V: projection inclusion = 1, and R-equivariant likewise
};

/// \param multiplicity  how often R occurs in V, as the characters say.
///
/// \par Method  A map from R is known by the image of the seed of R, which lies in the space E of the vectors of V that
///              the seed's subgroup H multiplies by its character l. On E, of dimension r = <V|_H, l>, the averages e_l g e_l act,
///              and on the seed by the numbers phi(g); the common eigenvectors for these numbers are the images of the
///              seed as soon as there are no more than `multiplicity` of them. The rest is applying words to them.
///              If V is monomial, all of this is done on the orbits of its basis vectors up to signs, on those with the
///              same module once, and every copy lies in one orbit.
/// \par Cost    for V not monomial, or one orbit: r dim V (r + 1) operations for every g (a few), d applications of V to m vectors, and a linear
///              system in dimension d with m dim V right sides; for V not monomial also the kernel that is E. Otherwise this for every kind of orbit,
///              and m d dim V entries of the result. Verified exactly.
/// \throws DomainError if the groups differ; InternalError if R does not occur so often.
IsotypicMaps isotypic_maps(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                           const Task& task = {});

/// The inclusion of IsotypicMaps alone, for a choice of the copies that is not the same: a basis of Hom_G(R, V), proved to
/// commute; it is one if R occurs `multiplicity` times.
///
/// \par Method  For a Specht module the images of its first polytabloid are the image of Young's symmetrizer in V, a sum
///              over transversals of two Young subgroups that is applied to a few vectors; transpositions lead from them
///              to the images of all polytabloids. Otherwise as isotypic_maps.
/// \par Cost    for a Specht module of S_n at most n^2 applications of V to m + 1 vectors.
/// \throws DomainError if the groups differ; InternalError if R does not occur so often.
FieldMatrix embeddings(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                       const Task& task = {});
/// The projections in Hom_G(V, R), on top of each other; they are not dual to the embeddings. For a Specht module there
/// is also a linear system as in isotypic_maps.
FieldMatrix projections(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                        const Task& task = {});

/// The copies of one irreducible representation over a field F in V.
struct IsotypicComponent {
  /// The rows of the table of the complex constituents: one, or over smaller fields those conjugate to each other.
  std::vector<std::size_t> irreps;
  AbelianField field;  ///< F
  /// The matrices of the generators of G in the irreducible representation over F.
  std::vector<FieldMatrix> matrices;
  std::size_t degree;  ///< its dimension
  std::size_t multiplicity;
  FieldMatrix inclusion;   ///< dim V x (multiplicity degree), as in IsotypicMaps
  FieldMatrix projection;  ///< (multiplicity degree) x dim V
};

/// V as a direct sum of isotypic components, in the order of the table. The inclusions side by side are a regular
/// matrix T with T^{-1} rho(g) T block diagonal, and the projections on top of each other are its inverse.
///
/// Over the complex numbers F is, for every component, the field of V and of the irreducible representation together;
/// over the real numbers its real subfield; over the rational ones Q. From a representation over F's extension L it gets
/// one over F by restricting scalars, the powers of L's generator times the basis vectors being the basis.
/// \throws DomainError if the groups differ, or V is not over the field asked for; LimitError by the task's limits, above
///         dimension 6000, or where an irreducible representation is not known over a field small enough.
std::vector<IsotypicComponent> isotypic_decomposition(const Representation& V, const CharacterTable& table,
                                                      BaseField over, const Task& task = {});

/// Proves that these are the isotypic components of V, from them and a verified table alone: every projection is inverse
/// to its inclusion, and both commute with every generator as stated; the traces on every component are those of a
/// multiple of the sum of its characters, which belong to no other component; the dimensions add up to dim V. That the
/// components are independent, so that V is their sum, follows: different irreducible characters have no common
/// constituent. Whether the matrices are irreducible over the field is not looked at (over the complex numbers they are
/// where there is one character and the degree is its degree).
/// \throws VerificationError naming the component and the claim that fails; DomainError if the groups differ.
/// \par Cost  an application of V to all dim V vectors for every class, and two for every generator.
void verify(std::span<const IsotypicComponent> components, const Representation& V, const CharacterTable& table,
            const Task& task = {});

}  // namespace intertwine
