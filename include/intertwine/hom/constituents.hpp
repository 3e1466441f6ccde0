// Representations of groups of every kind as sums of irreducible ones.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/hom/group_representation.hpp"
#include "intertwine/representations/first_rows.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine::hom {

/// An irreducible constituent.
struct Constituent {
  /// Its label over every factor of the group: a highest weight, a partition, a row of a character table, or a species
  /// of C∞v and D∞h. A finite group, and one that is known by its type, count as one factor.
  std::vector<FactorIrrep> factors;
  Integer degree;        ///< over the field asked for
  Integer multiplicity;  ///< negative only in differences of characters
  int indicator;         ///< the indicator of Frobenius and Schur, over the complex numbers
  std::string name;      ///< "27", "harmonic(2)*det", "[3,1]", "Σg+"; "E # 5" over a product
};

/// A representation as a sum of irreducible ones.
struct Decomposition {
  Group group;
  Integer dimension;    ///< the dimension of the representation
  std::string written;  ///< the representation as it was asked for
  /// In the order of rows for finite groups, of species for C∞v and D∞h, otherwise the largest first.
  std::vector<Constituent> constituents;
  /// For finite groups the table whose rows the constituents are.
  std::optional<CharacterTable> table = std::nullopt;
  /// For representations of finite groups by matrices the same with the field, Schur indices and the change of basis,
  /// if that was asked for.
  std::optional<intertwine::Decomposition> finite = std::nullopt;
};

/// \param over  the complex numbers, for groups that are not finite
/// \param table  the character table of a finite group, if it is at hand
/// \throws DomainError for other fields, and for a table of another group; what decompose of the kind of group throws
Decomposition decompose(const Representation& V, BaseField over = BaseField::complex, const Task& task = {},
                        const std::optional<CharacterTable>& table = std::nullopt);
/// Adds the isotypic components by matrices, and their orthonormal bases if asked for, to the answer of
/// decompose(V, over).
/// \throws DomainError as require_components; what isotypic_decomposition and orthonormal_decomposition throw
void add_components(Decomposition& d, const Representation& V, BaseField over, bool orthonormal, const Task& task = {});
/// \param what  what asks for matrices of components. \throws DomainError unless the group is finite
void require_components(const Group& G, const std::string& what);
/// One vector for each copy of an irreducible representation. \throws DomainError as require_components
SymmetryAdaptedBasis symmetry_adapted_basis(const Representation& V, BaseField over, const Task& task = {});
/// A character of a finite group as a sum of irreducible ones. \throws DomainError if it is no character
Decomposition decompose(const ClassFunction& f, std::string written);

}  // namespace intertwine::hom
