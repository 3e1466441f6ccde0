// Generators of stabilizers.
#pragma once
#include <functional>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Random elements that generate a subgroup of the given order, which no element leaves.
std::vector<Permutation> proved_generators(std::size_t degree, const Integer& order,
                                           const std::function<Permutation()>& random_element, Rng& rng,
                                           const Task& task);

}  // namespace intertwine
