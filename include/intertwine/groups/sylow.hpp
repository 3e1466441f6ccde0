// Sylow subgroups and normalizers of cyclic subgroups.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// A Sylow subgroup of G for a prime p: the trivial group if p does not divide |G|. The order is proved.
///
/// \par Method  From G downwards: X is a p-subgroup normal in C <= G, and C contains a Sylow subgroup of G. An element y of
///              C, y^p in X, whose coset y X has a stabilizer of full p-part in C under conjugation is central modulo X in
///              a Sylow subgroup; the stabilizer replaces C and <X, y> replaces X, until C or X is a p-group.
/// \par Cost    a centralizer and |X| searches for a conjugating element for every element tried; powers of random elements
///              are, but the answer is the same in every run.
/// \throws DomainError unless p is a prime; LimitError by the task's limits.
FiniteGroup sylow_subgroup(const FiniteGroup& G, std::uint64_t p, const Task& task = {});

/// The normalizer of \<g> in G: the centralizer of g with elements that take g to its conjugate powers.
/// \par Cost    a centralizer and a search for every power until these generate the automorphisms induced.
FiniteGroup normalizer_of_cyclic(const FiniteGroup& G, const Permutation& g, const Task& task = {});
/// The normalizer of \<g> where the exponents k, 0 < k < |g|, are known for which g^k is conjugate to g; no others are
/// tried.
FiniteGroup normalizer_of_cyclic(const FiniteGroup& G, const Permutation& g,
                                 const std::vector<std::uint64_t>& exponents, const Task& task = {});

}  // namespace intertwine
