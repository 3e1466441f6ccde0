// Clebsch-Gordan coefficients of finite groups: the irreducible representations inside a product of two of them, by exact maps that
// are orthogonal to each other.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The positive definite Hermitian form H that an irreducible representation leaves fixed, R(g)^* H R(g) = H, with H(0, 0) = 1: the
/// identity where the matrices are unitary.
FieldMatrix invariant_form(const IrreducibleRepresentation& R, const Task& task = {});

/// The copies of one irreducible representation R_k in R_i (x) R_j.
struct TensorConstituent {
  IrreducibleRepresentation irreducible;  ///< R_k
  FieldMatrix form;                       ///< H_k
  /// One for each copy: T_a is d_i d_j x d_k, and (R_i (x) R_j)(g) T_a = T_a R_k(g). Integral and primitive; column c is the vector
  /// number c of the copy in the basis e_a (x) f_b -> a d_j + b.
  std::vector<FieldMatrix> maps;
  /// T_a^* (H_i (x) H_j) T_b = norms[a] H_k for a = b, otherwise 0: T_a / sqrt(norms[a]) is an isometry. Real and positive.
  std::vector<Cyclotomic> norms;
  /// Of a square, i = j: +1 for copies in the symmetric square, -1 for those in the alternating one; otherwise 0.
  std::vector<int> symmetries;
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
