// Subgroups of small index of finitely presented groups with infinite abelian quotients: a proof that a group is
// infinite.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "intertwine/groups/presentation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The transitive actions on at most `most` points that satisfy the relators, one for every class of subgroups, by
/// number of points first come first: `found` is called with each until it says true, or `steps` tables were looked
/// at.
///
/// \par Method  tables of cosets are filled entry by entry, and relators closed after each; a table is dropped if
///                another base point would give a smaller one [Holt, Eick & O'Brien 2005, ch. 5.4].
void for_each_small_action(const Presentation& P, std::size_t most, std::uint64_t steps,
                           const std::function<bool(const CosetTable&)>& found, const Task& task);

/// The rank of the largest free abelian quotient of the subgroup of coset 0.
///
/// \par Method  loops of the graph of cosets, less the relators at all cosets: k n - (k - 1) - rank, with n
///                generators and k cosets. The rank over Q is at least that modulo a prime, which is looked at first.
std::size_t free_abelian_rank(const Presentation& P, const CosetTable& table, const Task& task);

/// A normal subgroup with an infinite abelian quotient.
struct InfiniteQuotient {
  std::size_t index, rank;
};
/// Of small index: a subgroup of all conjugates of one of index at most 8. Nothing if none is found, which tells
/// nothing.
/// \par Cost  at most about a second
std::optional<InfiniteQuotient> infinite_quotient(const Presentation& P, const Task& task);

}  // namespace intertwine
