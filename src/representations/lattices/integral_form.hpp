// Bases of invariant lattices for matrices with denominators.
#pragma once
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Matrices in a basis in which they are integral.
struct IntegralForm {
  std::vector<FieldMatrix> matrices;  ///< P^-1 A P
  FieldMatrix change;                 ///< P: its columns are a basis of the lattice
};

/// For n x n matrices A over K that generate a finite group: a lattice over the integers of K that they map to themselves. Where all ideals are
/// principal it is the one that the images of the unit vectors generate, otherwise that one or its product with an ideal, or, if these are not free, a
/// lattice beside it (neighbour_lattice) or its product with an ideal.
///
/// Denominators are kept, and never become larger, where none of these is free (then, mostly, those of one prime), where no short
/// number generates an ideal, where the integers of K are more than Z[a], of infinite groups, where a prime factor of a denominator is not found
/// (find_prime_divisor), and where a power p^(k + e) leaves words (local_lattice).
///
/// \par Method  One prime ideal P after the other: the lattice at P comes from words (local_lattice), as vectors (e_j + sum of x_fj e_f)/pi^k_j, pi a
///              generator of P, with k_f < k_j and short numbers x_fj that are right modulo P^k_j. Among vectors of one level k the longest are divided. Where
///              P is not principal, P Q^s is, for one ideal Q used for all, and what belongs to the lattice are multiples of the new vectors by powers of
///              Q. In the end few vectors at a time are combined to a basis (module_basis), for which the product of these powers must be principal.
/// \par Cost    for each P that of the words, and two products of A with a triangular matrix of short numbers
/// \par Source  lattices over such rings: [Cohen 2000, 1.2]
IntegralForm integral_form(std::vector<FieldMatrix> A, const AbelianField& K, const Task& task = {});

}  // namespace intertwine
