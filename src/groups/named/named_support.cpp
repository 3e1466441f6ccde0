// Size limits and lists of generators for the named families.
#include "groups/named/named_support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine::named {

void require_size(std::string_view group, const Integer& points, std::uint64_t generators) {
  if (points > Integer(max_named_degree))
    throw LimitError(fmt::format("{} would act on {} points, more than the limit of {}; choose smaller parameters",
                                 group, to_string(points), max_named_degree));
  const Integer entries = points * Integer(generators);
  if (entries > Integer(max_named_entries))
    throw LimitError(
        fmt::format("{} would need {} generators on {} points, more than the limit of {} images in all; "
                    "choose smaller parameters",
                    group, generators, to_string(points), max_named_entries));
}

std::vector<Permutation> without_redundant(std::vector<Permutation> generators) {
  std::vector<Permutation> kept;
  for (Permutation& g : generators)
    if (!g.is_identity() && std::find(kept.begin(), kept.end(), g) == kept.end()) kept.push_back(std::move(g));
  return kept;
}

std::string tight_operand(const FiniteGroup& G, bool right) {
  const std::string& name = G.name();
  return name.find_first_of(right ? " :" : " ") == std::string::npos ? name : "(" + name + ")";
}

FiniteGroup called(const FiniteGroup& G, std::string name) {
  return FiniteGroup::with_known_order(G.degree(), G.generators(), std::move(name), G.order());
}

}  // namespace intertwine::named
