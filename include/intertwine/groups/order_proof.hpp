// What lets a stranger prove the order of a permutation group with products of permutations alone (docs/formats.md, "Proofs of orders").
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/presentation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A base and a strong generating set, every strong generator as a product of generators.
///
/// Elements are numbered: the generators of G, then one for every word, a product of elements before it (the letter k + 1 is element k, -(k + 1)
/// its inverse). That strong generators are such products bounds |G| from below by the lengths of the basic orbits; that all Schreier generators
/// are sifted to the identity bounds it from above.
struct OrderProof {
  std::vector<Point> base;
  std::vector<Word> words;
  std::vector<std::uint32_t> strong;  ///< numbers of elements, those of all generators among them
};

/// \par Method  random elements by product replacement, each remembered as a word, are sifted until the basic orbits have the product |G|, which the
///              chain of G has proved [Leon 1980]; words that nothing needs are left out. The same in every run.
/// \par Cost    a few dozen products for every strong generator, and the memory of a permutation for every word met.
/// \throws LimitError by the task's limits.
OrderProof order_proof(const FiniteGroup& G, const Task& task = {});

}  // namespace intertwine
