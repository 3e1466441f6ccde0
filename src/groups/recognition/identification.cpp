#include "intertwine/groups/identification.hpp"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <vector>

#include "groups/recognition/cayley_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"

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
  throw InternalError(
      fmt::format("a group of order {} is none of the {} that there are", order, listed.size()));
}

}  // namespace intertwine
