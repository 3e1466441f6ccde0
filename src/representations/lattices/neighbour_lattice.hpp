// Invariant lattices beside a given one.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "local_lattice.hpp"

namespace intertwine {

/// For n x n matrices over K without denominators at p, P being of degree 1 above p: the lattice Pi^-1 W for a space W of residues modulo P that they map
/// to itself, 0 < dim W < n, and whose dimension is wanted, as vectors of levels 1 and 0. Nothing if no such W is found, which there may be, if P is of
/// larger degree, or if a matrix has a denominator at p.
///
/// \par Method  W, or its annihilator in the dual module, is spun from a vector that a random word in the matrices, shifted by a number, maps to 0, until
///              a word proves that there is no W or some 64 were tried (the MeatAxe with Norton's criterion). For large p words are rarely singular.
/// \param sequence  all of 0, ..., n - 1: the first are taken as pivots
/// \par Cost    for each shifted word an echelon form modulo p, and if it is singular some 2 log n more (at worst 2 n) to spin two vectors
/// \par Source  [Parker 1984; Holt, Eick & O'Brien 2005, 7.4]
std::optional<LocalLattice> neighbour_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P,
                                              const AbelianField& K, const std::vector<std::size_t>& sequence,
                                              const std::function<bool(std::size_t)>& is_wanted, const Task& task);

}  // namespace intertwine
