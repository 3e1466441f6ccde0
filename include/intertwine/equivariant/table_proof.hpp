// The proof that travels with a table, made and checked again: the images of the generators (docs/formats.md, "Proofs").
#pragma once
#include <string>
#include <vector>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Generators of a group that is not finite, by matrices on the rows and the columns of a table: over a field Q(a) of degree m so many rational
/// ones for each generator, the coefficients of 1, a, ..., a^(m-1).
struct MatrixGenerators {
  std::vector<std::string> names;
  std::vector<bool> algebra;  ///< the generator is one of a Lie algebra
  std::vector<SparseMatrix> row, column;
  AbelianField field;
};

/// The table of Hom(V, U) with the images of the generators of their group: signed permutations if the table is tied, otherwise
/// matrices with a prime p modulo which the equations of commutation have the rank dim V dim U - P, the elements are independent
/// and the same holds of the bias.
///
/// \par Method  p divides neither the order of the group nor a denominator. So the projector on the solutions, the mean over the group,
///              can be reduced modulo p, and is idempotent of the same rank there: the equations lose no rank. p = 1 modulo the
///              conductor of the field, so that the field has a root there. Independence is looked at.
/// \throws DomainError if the table has other sides; LimitError for entries above 2^62, and through `task`
WeightBlock with_proof(WeightBlock table, const Representation& V, const Representation& U, const Task& task = {});
/// The table of a continuous group with its proof. The rank is computed by sparse elimination, with another prime where
/// it is too small.
WeightBlock with_proof(WeightBlock table, const MatrixGenerators& generators, const Task& task = {});

/// Proves that the proof of a table is that of these representations or generators: the same images under the same names, and a
/// prime that does what with_proof() promises. \throws VerificationError naming what is not; DomainError for a table without one
void verify_proof(const WeightBlock& table, const Representation& V, const Representation& U, const Task& task = {});
void verify_proof(const WeightBlock& table, const MatrixGenerators& generators, const Task& task = {});

}  // namespace intertwine
