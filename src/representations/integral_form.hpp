// Bases of invariant lattices for matrices with denominators.
#pragma once
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Matrices in a basis in which they are integral.
struct IntegralForm {
  std::vector<RationalMatrix> matrices;  ///< P^-1 A P
  RationalMatrix change;                 ///< P: its columns are a basis of the lattice
};

/// For n x n matrices A over Q that generate a finite group: the lattice that the images of Z^n generate. Of larger groups, and where a prime factor
/// of a denominator is not found (find_prime_divisor), matrices keep denominators.
///
/// \par Method  One prime p after the other. Where p^e is its largest power in a denominator, the columns of p^e A span a space W modulo p, and
///              W/p is added to the lattice by p^(e-1) A: the r unit vectors at the pivots of W are replaced by its echelon form over p,
///              with coefficients of at most p/2. The index grows by p^r, and is finite.
/// \par Cost    a step: two products with an r x (n - r) matrix of small numbers for each A. Numbers grow by about n p/4 a step, at most.
IntegralForm integral_form(std::vector<RationalMatrix> A, const Task& task = {});

}  // namespace intertwine
