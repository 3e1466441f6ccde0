// The common part of the named families: size limits checked before anything is built, and lists of generators.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/finite_group.hpp"

namespace intertwine::named {

/// \throws LimitError if `group` would act on more than max_named_degree points, or if its generators
/// together would
///         have more than max_named_entries images.
void require_size(std::string_view group, const Integer& points, std::uint64_t generators);

/// The permutation i -> f(i) of {0, ..., degree-1}; f must be a bijection.
template <class F>
Permutation permutation_by(std::size_t degree, F f) {
  std::vector<Point> images(degree);
  for (std::size_t i = 0; i < degree; ++i) images[i] = static_cast<Point>(f(i));
  return Permutation::unchecked(std::move(images));
}

/// The list without identities and repetitions, in order.
std::vector<Permutation> without_redundant(std::vector<Permutation> generators);

/// The name of an operand of ":" or " o ", which associate to the left and bind tighter than "wr" and "x": in parentheses where it needs them.
std::string tight_operand(const FiniteGroup& G, bool right = false);

/// The group by the name that was typed, text that parses back to it, in the place of the one that it was built with.
FiniteGroup called(const FiniteGroup& G, std::string name);

}  // namespace intertwine::named
