// The leaves of the algebra: permutation actions, +-1 characters and representations given on generators.
#pragma once
#include <span>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The trivial representation, dimension 1.
Representation trivial_representation(const FiniteGroup& G);
/// The natural one on the points of G: `perm`.
Representation natural_permutation_representation(const FiniteGroup& G);
/// g -> the sign of g as a permutation of the points of G: `sign`.
Representation sign_representation(const FiniteGroup& G);
/// The character with value signs[k] (+1 or -1) at generator k. \throws DomainError, naming a broken
/// relation, if there is none.
Representation linear_character(const FiniteGroup& G, const std::vector<int>& signs);
/// The left regular representation; basis vector i is the element of rank i in the stabilizer chain.
/// \throws LimitError when |G| exceeds 2^31 - 1.
Representation regular_representation(const FiniteGroup& G);
/// All k-tuples of points, in lexicographic order: `tuples(k)`.
Representation tuple_action(const FiniteGroup& G, unsigned k);
/// The k-tuples without repetition, in lexicographic order: `arrangements(k)`.
Representation arrangement_action(const FiniteGroup& G, unsigned k);
/// The k-subsets of the points, in lexicographic order of their increasing lists: `subsets(k)`.
Representation subset_action(const FiniteGroup& G, unsigned k);
/// The images of a set of points (0-based) under G, in lexicographic order: `orbit({1,2,5})`. Cost: orbit
/// length times set size.
Representation set_orbit_action(const FiniteGroup& G, const std::vector<Point>& set, const Task& task = {});
/// The set partitions of the points with blocks of the given sizes (a partition of the degree), in
/// lexicographic order of their blocks: `partitions([2,2,1])`.
Representation set_partition_action(const FiniteGroup& G, const std::vector<unsigned>& shape, const Task& task = {});
/// The left cosets G/H, numbered as induction does: `cosets(<...>)`. \throws DomainError unless H <= G.
Representation coset_action(const FiniteGroup& G, const FiniteGroup& H, const Task& task = {});
/// The signed permutation representation with the given images of G's generators, checked to be a
/// homomorphism. \throws DomainError naming the relation that the images break, in words of the generators a,
/// b, c, ...
Representation monomial_representation(const FiniteGroup& G, std::vector<SignedPermutation> images,
                                       std::string text = {}, const Task& task = {});

}  // namespace intertwine
