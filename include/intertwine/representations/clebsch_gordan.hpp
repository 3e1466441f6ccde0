// Clebsch-Gordan coefficients of finite groups: the irreducible representations inside a product of two of them, by exact maps that
// are orthogonal to each other.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The positive definite Hermitian form H that an irreducible representation leaves fixed, R(g)^* H R(g) = H, with H(0, 0) = 1: the
/// identity where the matrices are unitary.
FieldMatrix invariant_form(const IrreducibleRepresentation& R, const Task& task = {});

/// The copies of an irreducible representation U, with the invariant form H, inside a product V (x) W with the form F = H_V (x) H_W.
struct OrthogonalCopies {
  FieldMatrix form;  ///< H, H(0, 0) = 1
  /// One for each copy: T_a is dim V dim W x dim U and commutes, (V (x) W)(g) T_a = T_a U(g). Integral and primitive; column c is
  /// the vector number c of the copy in the basis e_i (x) f_j -> i dim W + j.
  std::vector<FieldMatrix> maps;
  /// T_a^* F T_b = norms[a] H for a = b, otherwise 0: T_a / sqrt(norms[a]) is an isometry. Real and positive.
  std::vector<Cyclotomic> norms;
  /// The symmetry of each copy where V = W: +1 for copies in the symmetric square, -1 for those in the alternating one;
  /// otherwise 0.
  std::vector<int> symmetries;
};
/// (A (x) B) T, without the matrix A (x) B: O((rows of A + rows of B) times the entries of T). \throws DomainError on a shape mismatch
FieldMatrix tensor_apply(const FieldMatrix& A, const FieldMatrix& B, const FieldMatrix& T);
/// The span of these copies, made orthogonal without taking roots (Gram and Schmidt); in a square the symmetric ones come first.
/// \param copies  independent intertwiners as OrthogonalCopies::maps
OrthogonalCopies orthogonal_copies(const std::vector<FieldMatrix>& copies, const FieldMatrix& left_form,
                                   const FieldMatrix& right_form, FieldMatrix form, bool square);
/// Proves what is said of forms, norms and symmetries, not that the maps commute. \throws VerificationError that names `what`
void verify(const OrthogonalCopies& copies, const FieldMatrix& left_form, const FieldMatrix& right_form,
            const std::string& what, const Task& task = {});

/// The copies of one irreducible representation R_k in R_i (x) R_j.
struct TensorConstituent : OrthogonalCopies {
  TensorConstituent(OrthogonalCopies copies, IrreducibleRepresentation R)
      : OrthogonalCopies(std::move(copies)), irreducible(std::move(R)) {}
  IrreducibleRepresentation irreducible;  ///< R_k
};

/// R_i (x) R_j by the matrices that irreducible_representation has.
struct FiniteClebschGordan {
  CharacterTable table;
  IrreducibleRepresentation left, right;        ///< R_i, R_j
  FieldMatrix left_form, right_form;            ///< H_i, H_j
  std::vector<TensorConstituent> constituents;  ///< in the order of the table
};

/// All constituents, or only the one of row `only`. Rows count from 0.
/// \par Method  isotypic_maps, and the Gram matrix of the copies made diagonal: no square roots are taken.
/// \throws DomainError for rows beyond the table, or if `only` is no constituent; what irreducible_representation and isotypic_maps
///         throw
FiniteClebschGordan clebsch_gordan(const CharacterTable& table, std::size_t i, std::size_t j,
                                   std::optional<std::size_t> only = {}, const Task& task = {});

/// Proves the maps from themselves and the matrices of generators: each commutes as stated, the forms are fixed, and
/// the maps orthogonal with these norms. \throws VerificationError naming the first claim that fails
void verify(const FiniteClebschGordan& answer, const Task& task = {});

}  // namespace intertwine
