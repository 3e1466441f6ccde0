// The common part of the named families: lists of generators.
#pragma once
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine::named {

/// The permutation i -> f(i) of {0, ..., degree-1}; f must be a bijection.
template <class F>
Permutation permutation_by(std::size_t degree, F f) {
  std::vector<Point> images(degree);
  for (std::size_t i = 0; i < degree; ++i) images[i] = static_cast<Point>(f(i));
  return Permutation::unchecked(std::move(images));
}

/// The list without identities and repetitions, in order.
std::vector<Permutation> without_redundant(std::vector<Permutation> generators);

}  // namespace intertwine::named
