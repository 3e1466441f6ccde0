// Puts the classes of a group and of a subgroup together for answers.
#include "intertwine/characters/class_report.hpp"

#include <fmt/format.h>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// Classes that only the characters tell apart get the order of the table if that costs little.
ConjugacyClasses in_table_order(const ConjugacyClasses& classes, const Task& task) {
  constexpr unsigned small_order = 20'000, few_classes = 100;
  if (classes.group().order() > small_order || classes.size() > few_classes) return classes;
  return character_table(classes, task).classes();
}

ClassReport report(const FiniteGroup& G, const std::optional<FiniteGroup>& H, bool partial, const Task& task) {
  if (H) require_subgroup(*H, G, task);
  ClassReport r{G, class_formula(G, task), {}, {}};
  if (r.formula && r.formula->count > listable_classes) {
    if (H)
      throw LimitError(fmt::format("{} has {} classes, too many to list and to find those of a subgroup in", G.name(),
                                   r.formula->count.str()));
    return r;
  }
  r.formula.reset();
  if (partial)
    r.known = partial_conjugacy_classes(G, task);
  else
    r.known.classes = conjugacy_classes(G, task);
  if (!r.known.classes) return r;
  r.known.classes = in_table_order(*r.known.classes, task);
  if (H) {
    ConjugacyClasses classes = in_table_order(conjugacy_classes(*H, task), task);
    auto into = fusion(classes, *r.known.classes, task);
    r.subgroup = ClassReport::Subgroup{std::move(classes), std::move(into)};
  }
  return r;
}

}  // namespace

ClassReport class_report(const FiniteGroup& G, const std::optional<FiniteGroup>& H, const Task& task) {
  return report(G, H, false, task);
}

ClassReport partial_class_report(const FiniteGroup& G, const std::optional<FiniteGroup>& H, const Task& task) {
  return report(G, H, true, task);
}

}  // namespace intertwine
