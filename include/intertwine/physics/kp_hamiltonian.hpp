// Matrices of the levels at a wave vector k, and what symmetry leaves of a Hamiltonian near k.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An irreducible co-representation by unitary matrices over cyclotomic numbers.
struct LevelMatrices {
  std::vector<FieldMatrix> operations;  ///< D(g), of LittleGroup::operations
  /// U(a), of LittleGroup::antiunitary: the operation and then time reversal takes x to U(a) conj(x).
  std::vector<FieldMatrix> antiunitary;
};
/// \param level  a number of little.corepresentations, from 0
/// \par Method  Solvable groups: a representation is induced from one of a normal subgroup of prime index, or extends
///              one, and then the character fixes the factor of the matrix that permutes. [Bradley & Cracknell 1972] Of
///              types b and c the matrices are those induced from the operations that do not reverse time.
/// \throws DomainError if there is no such level
LevelMatrices level_matrices(const LittleGroup& little, std::size_t level, const Task& task = {});

/// A Hermitian matrix of homogeneous polynomials: the sum of q1^e1 q2^e2 q3^e3 times a matrix.
struct KpTerm {
  using Exponents = std::array<unsigned, 3>;
  std::vector<std::pair<Exponents, FieldMatrix>> monomials;  ///< exponents decrease
};
/// A basis over the real numbers of the terms of this order of matrices H(k + q) on a level, with
/// H(k + g q) = D(g) H(k + q) D(g)^-1 and H(k + a q) = U(a) conj(H(k + q)) U(a)^-1; g takes q to q W^-1, and a to
/// -q W^-1. They are as many as kp_dimensions says. [Bir & Pikus 1974]
/// \param axes  the edges of the cell as rows: q is in Cartesian components then, q_dual = axes q; otherwise it is in
///              the basis dual to the edges
/// \par Method  Hermitian matrices with one entry or two, times monomials, are averaged over all operations until
///              there are enough.
/// \throws DomainError if there is no such level, or `axes` is no 3 x 3 matrix of real numbers; LimitError for
/// orders above 20
std::vector<KpTerm> kp_terms(const LittleGroup& little, std::size_t level, unsigned order,
                             const std::optional<FieldMatrix>& axes = {}, const Task& task = {});

}  // namespace intertwine
