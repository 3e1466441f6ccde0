// Invariant lattices beside a given one.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "local_lattice.hpp"

namespace intertwine {

/// For n x n matrices over K that are integral at P: Pi^-1 W for a space W of residues modulo P that they map to itself, whose dimension is wanted, as a
/// lattice at P of vectors of levels 1 and 0. Nothing if no such W is found, which there may be.
///
/// \par Method  W, or its annihilator, is spun from a vector that a random word in the matrices maps to 0, until a word proves that there is no W or
///              24 were tried (the MeatAxe with Norton's criterion).
/// \param sequence  all of 0, ..., n - 1: the first are taken as pivots
/// \par Cost    for each word two kernels and, mostly, some log n echelon forms for each of its first p, at most 16, shifts, of n f columns over Z/p, f being
///              the degree of P
/// \par Source  [Parker 1984; Holt, Eick & O'Brien 2005, 7.4]
std::optional<LocalLattice> neighbour_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P,
                                              const AbelianField& K, const std::vector<std::size_t>& sequence,
                                              const std::function<bool(std::size_t)>& is_wanted,
                                              const Task& task);

}  // namespace intertwine
