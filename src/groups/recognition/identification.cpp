// Identifies small groups by their number.
#include "intertwine/groups/identification.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "groups/recognition/cayley_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

constexpr std::size_t largest_order = 127;

/// The tables of all groups of one order, made once.
const std::vector<CayleyTable>& listed_tables(unsigned order) {
  static std::array<std::vector<CayleyTable>, largest_order + 1> tables;
  static std::array<std::once_flag, largest_order + 1> made;
  std::call_once(made[order], [order] {
    for (unsigned k = 1; k <= number_of_small_groups(order); ++k)
      tables[order].emplace_back(small_group(order, k), Task());
  });
  return tables[order];
}

}  // namespace

std::optional<structure::SmallGroup> identify(const FiniteGroup& G, const Task& task) {
  if (const auto* known = G.structure().as<structure::SmallGroup>()) return *known;
  const Integer& exact_order = G.order(task);
  if (exact_order > largest_order) return std::nullopt;
  const auto order = exact_order.convert_to<unsigned>();
  const CayleyTable table(G, task);
  const std::vector<CayleyTable>& listed = listed_tables(order);
  for (unsigned k = 1; k <= listed.size(); ++k)
    if (IsomorphismSearch(listed[k - 1], table, task).run()) return structure::SmallGroup{order, k};
  throw InternalError(fmt::format("a group of order {} is none of the {} that there are", order, listed.size()));
}

namespace {

/// How many elements of each order lie in classes of each size: the same for isomorphic groups, and for abelian ones only for these.
std::map<std::pair<std::uint64_t, Integer>, Integer> class_statistics(const FiniteGroup& G, const Task& task) {
  std::map<std::pair<std::uint64_t, Integer>, Integer> counts;
  const ConjugacyClasses classes = conjugacy_classes(G, task);
  for (std::size_t k = 0; k < classes.size(); ++k)
    counts[{classes[k].element_order, classes[k].size}] += classes[k].size;
  return counts;
}

}  // namespace

std::optional<bool> are_isomorphic(const FiniteGroup& G, const FiniteGroup& H, const Task& task) {
  const Integer& order = G.order(task);
  if (order != H.order(task)) return false;
  if (G.degree() == H.degree() && is_subgroup(G, H, task)) return true;
  if (order <= largest_tabled_order) return IsomorphismSearch(CayleyTable(G, task), CayleyTable(H, task), task).run();
  const bool abelian = is_abelian(G, task);
  if (abelian != is_abelian(H, task)) return false;
  if (abelian) {
    const auto of_G = exponent(G, task), of_H = exponent(H, task);
    if (of_G && of_H && *of_G != *of_H) return false;
    if (of_G == order && of_H == order) return true;  // cyclic
  }
  if (!abelian && (derived_subgroup(G, task).order(task) != derived_subgroup(H, task).order(task) ||
                   centre(G, task).order(task) != centre(H, task).order(task)))
    return false;
  constexpr unsigned listed_by_orbits = 20'000;
  if (order > listed_by_orbits) return std::nullopt;
  if (class_statistics(G, task) != class_statistics(H, task)) return false;
  return abelian ? std::optional(true) : std::nullopt;
}

}  // namespace intertwine
