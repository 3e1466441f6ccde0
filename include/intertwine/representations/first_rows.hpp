// Symmetry-adapted bases by first rows: of every irreducible representation one vector a copy, not all of its
// dimension.
//
// Let E be an equivariant endomorphism of V, and let X have a column for every copy of an irreducible
// representation R in V, the image of one vector w of R. Then E X = X B for a matrix B of as many rows as there
// are copies. The eigenvalues of E are those of the matrices B, each as often as R has dimensions. This is all
// that the block diagonalization of matrices and of semidefinite programs needs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A sparse matrix over an abelian number field, by columns.
struct SparseColumns {
  AbelianField field;
  std::uint64_t rows = 0;
  /// The entries of column k are numbers starts[k], ..., starts[k + 1] - 1, by increasing rows.
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> row;
  std::vector<Cyclotomic> value;

  std::size_t columns() const { return starts.size() - 1; }
  FieldMatrix matrix(const Task& task = {}) const;
};

/// The images of one vector under a basis of the maps from one irreducible representation to V.
struct FirstRows {
  /// The rows of the table of the complex constituents: one, or over the real numbers those conjugate to each other.
  std::vector<std::size_t> irreps;
  std::size_t degree = 0;        ///< the dimension of the irreducible representation over the field asked for
  std::size_t multiplicity = 0;  ///< how many copies V has
  int indicator = 1;             ///< of Frobenius and Schur: 1 real, 0 complex, -1 quaternionic
  /// dim V rows; one column for every copy. Over the real numbers a copy of complex type has two, one of
  /// quaternionic type four.
  SparseColumns basis;
  /// Over the complex numbers: row pivots[k] has one entry, in column k, which is an integer.
  std::vector<std::uint32_t> pivots;
};

/// First rows of all irreducible representations that occur in V, in the order of the table.
///
/// \par Method  A monomial V is a sum of modules on orbits of basis vectors. A map from R to such a module is a
///              linear form f on R that the stabilizer of the first basis vector multiplies by its sign. It takes
///              w to the vector with the entries f(g^{-1} w). Let w be the seed of R, which a subgroup H
///              multiplies by a linear character: then one entry for every orbit of H decides. Forms are found as
///              kernels on R, of dimension dim R; they are all of them when they are as many as the characters
///              say. The columns are a reduced echelon form, without denominators. For Specht modules of large
///              dimension they are the image of Young's symmetrizer, as in embeddings. Otherwise, for V not
///              monomial, they are columns of isotypic_maps.
/// \par Cost    for V monomial kernels in dimension dim R, a product of a matrix of that dimension with a vector
///              for every orbit of H and step of a Schreier tree, and the entries of the result; no matrix has
///              dim V rows and columns.
/// \throws DomainError if the groups differ, over the rational numbers, or over the real ones if V is not real;
///         LimitError by the task's limits, or where an irreducible representation is not known.
std::vector<FirstRows> first_rows(const Representation& V, const CharacterTable& table, BaseField over,
                                  const Task& task = {});

/// first_rows() as an answer.
struct SymmetryAdaptedBasis {
  std::string group, representation;
  std::uint64_t dimension = 0;
  BaseField over = BaseField::complex;
  std::vector<std::string> names;  ///< of every component: the names of its rows
  std::vector<FirstRows> components;
};
SymmetryAdaptedBasis symmetry_adapted_basis(const Representation& V, const CharacterTable& table, BaseField over,
                                            const Task& task = {});

}  // namespace intertwine
