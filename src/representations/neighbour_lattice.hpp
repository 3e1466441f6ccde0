// Invariant lattices beside a given one.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "local_lattice.hpp"

namespace intertwine {

/// For n x n matrices over K without denominators at p, the prime below P of degree 1: Pi^-1 W for a space W of residues modulo P that they map to itself, 0 < dim W < n, whose
/// dimension is wanted, as a lattice at P of vectors of levels 1 and 0. Nothing if no such W is found, which there may be, or where one of this fails.
///
/// \par Method  W is spun from a vector that a random word in the matrices, shifted by a number, maps to 0, or its annihilator is, in the dual module; until a word proves
///              that there is no W or 64 were tried (the MeatAxe with Norton's criterion). Rarely anything is found for large p.
/// \param sequence  all of 0, ..., n - 1: the first are taken as pivots
/// \par Cost    a word: an echelon form for its kernel, and where it has one some 2 log n (at worst 2 n) to spin two vectors, modulo p
/// \par Source  [Parker 1984; Holt, Eick & O'Brien 2005, 7.4]
std::optional<LocalLattice> neighbour_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P,
                                              const AbelianField& K, const std::vector<std::size_t>& sequence,
                                              const std::function<bool(std::size_t)>& is_wanted,
                                              const Task& task);

}  // namespace intertwine
