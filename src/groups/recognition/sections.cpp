// Quotients of a group that its orbits and blocks show.
#include "groups/recognition/sections.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "groups/chain/block_tower.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// G on every orbit of more than one point.
std::vector<FiniteGroup> constituents(const FiniteGroup& G) {
  std::vector<FiniteGroup> result;
  for (const std::vector<Point>& orbit : orbits(G.degree(), G.generators()))
    if (orbit.size() == G.degree())
      result.push_back(G);
    else if (orbit.size() > 1)
      result.push_back(restriction(G, orbit));
  return result;
}

/// Solvable for one of the reasons that the order gives, or not solvable as the derived series ends.
bool has_solvable_series(const FiniteGroup& G, const Task& task) {
  if (is_abelian(G, task)) return true;
  Integer odd = G.order(task);
  if (odd % 2 != 0 || odd % 4 != 0) return true;  // Feit-Thompson; and a normal subgroup of index 2 with odd order
  while (odd % 2 == 0) odd /= 2;
  return odd == 1 || derived_series(G, task).back().order() == 1;
}

/// A solvable primitive group has prime power degree n and fewer than n^4 elements. [Palfy 1982]
bool is_solvable_primitive(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  if (n <= 4) return true;
  if (!prime_power(n) || G.order(task) >= Integer(n) * n * n * n) return false;
  return has_solvable_series(G, task);
}

}  // namespace

std::size_t rank_of_signs(const FiniteGroup& G, const Task& task) {
  std::map<std::size_t, Integer> echelon;  // by the leading bit; bit k is the sign of generator k
  for (const FiniteGroup& T : constituents(G))
    for (const BlockLevel& level : block_tower(T, task)) {
      Integer signs = 0;
      for (std::size_t k = 0; k < level.group.generators().size(); ++k)
        if (!level.group.generators()[k].is_even()) bit_set(signs, static_cast<unsigned>(k));
      while (signs != 0) {
        const auto [place, fresh] = echelon.try_emplace(msb(signs), signs);
        if (fresh) break;
        signs ^= place->second;
      }
    }
  return echelon.size();
}

// G is in the product of its constituents, and each of these in an iterated wreath product of what acts on one block of
// every level, which are quotients of its subgroups.
bool is_solvable(const FiniteGroup& G, const Task& task) {
  for (const FiniteGroup::Factor& factor : G.direct_factors())
    if (!is_solvable(factor.group, task)) return false;
  if (!G.direct_factors().empty() || is_abelian(G, task)) return true;
  for (const FiniteGroup& T : constituents(G))
    for (const BlockLevel& level : block_tower(T, task)) {
      const auto& [group, block] = level;
      if (block.empty()) {
        if (!is_solvable_primitive(group, task)) return false;
        continue;
      }
      const auto width = static_cast<std::size_t>(std::ranges::count(block, Point{0}));
      const std::vector<Point> points = carried_points(group, block, group.generators());
      if (!is_solvable(action_on_one_block(group, points, width), task)) return false;
    }
  return true;
}

bool is_perfect(const FiniteGroup& G, const Task& task) {
  for (const FiniteGroup::Factor& factor : G.direct_factors())
    if (!is_perfect(factor.group, task)) return false;
  if (!G.direct_factors().empty()) return true;
  return rank_of_signs(G, task) == 0 && derived_subgroup(G, task).order(task) == G.order(task);
}

}  // namespace intertwine
