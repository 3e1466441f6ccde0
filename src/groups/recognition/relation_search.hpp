// Words that are relations of a group and fail for the images of its generators.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A relation of G, as text, that the second halves of the pairs break. pairs[k] acts as generator k on the
/// points of G and as its image on further points. The pairs are known not to be a homomorphism: the search
/// goes on until it finds one (or `task` stops it), short ones first. Every answer is checked on the
/// generators and on the images.
std::string find_broken_relation(const FiniteGroup& G, std::span<const Permutation> pairs, const Task& task);

/// A broken relation among orders of generators, of products of two, and commutators only.
std::optional<std::string> find_obvious_broken_relation(const FiniteGroup& G, std::span<const Permutation> pairs,
                                                        const Task& task);

}  // namespace intertwine
