// Finds out facts about a group.
#include "intertwine/groups/group_report.hpp"

#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// The least common multiple of the orders of representatives.
Integer exponent_by_classes(const FiniteGroup& G, const Task& task) {
  const ConjugacyClasses classes = conjugacy_classes(G, task);
  Integer result = 1;
  for (std::size_t c = 0; c < classes.size(); ++c) result = lcm(result, Integer(classes[c].element_order));
  return result;
}

/// \param decide  whether G is solvable, perfect, simple: for large degrees this takes longer than the order
GroupReport report(const FiniteGroup& G, bool decide, const Task& task) {
  GroupReport r{G, G.order(task), is_abelian(G, task), is_transitive(G), {}, {}, {}, {}, {}, {}, {}};
  if (decide) {
    r.solvable = is_solvable(G, task);
    r.perfect = is_perfect(G, task);
    r.simple = is_simple(G, task);
  }
  r.exponent = exponent(G, task);
  r.small_group = identify(G, task);
  return r;
}

}  // namespace

GroupReport group_report(const FiniteGroup& G, const Task& task) {
  constexpr std::size_t quick_degree = 1000;
  return report(G, G.degree() <= quick_degree, task);
}

GroupReport group_report_in_full(const FiniteGroup& G, const Task& task) {
  GroupReport r = report(G, true, task);
  const auto formula = class_formula(G, task);
  r.classes = formula ? formula->count : number_of_conjugacy_classes(G, task);
  if (formula) r.class_description = formula->description;
  if (!r.exponent && *r.classes <= listable_classes) r.exponent = exponent_by_classes(G, task);
  return r;
}

}  // namespace intertwine
