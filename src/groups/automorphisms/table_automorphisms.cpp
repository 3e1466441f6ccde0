// The permutations of rows and columns that keep a table of codes.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <vector>

#include "automorphism_search.hpp"
#include "colour_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/automorphism_group.hpp"

namespace intertwine {

std::optional<Automorphisms> table_automorphisms(const CodeRows& table, std::uint64_t params, bool has_signs,
                                                 std::span<const std::vector<Point>> known, std::uint64_t max_nodes,
                                                 const Task& task) {
  const ColourTable colours(table, params, has_signs, task);
  std::vector<std::vector<Point>> merged;
  for (std::size_t k = 0; k < known.size(); ++k) {
    merged.push_back(colours.merged(known[k]));
    if (merged.back().empty() && colours.points() > 0)
      throw DomainError(fmt::format("table_automorphisms: known symmetry {} does not preserve the table", k));
  }
  auto found = automorphisms(colours, std::move(merged), max_nodes, task);
  if (!found) return std::nullopt;
  return colours.merging().lifted(*std::move(found), task);
}

}  // namespace intertwine
