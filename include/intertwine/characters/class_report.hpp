// The conjugacy classes of a group as people ask for them: in the order of the character table, with those of a subgroup, as
// far as they are known.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/group_report.hpp"

namespace intertwine {

struct ClassReport {
  struct Subgroup {
    ConjugacyClasses classes;
    std::vector<std::uint32_t> fusion;  ///< for each the class of the group that contains it
  };
  FiniteGroup group;
  std::optional<ClassFormula> formula;  ///< if the classes are too many to list; nothing else is known then
  PartialConjugacyClasses known;
  std::optional<Subgroup> subgroup;
};

/// The classes of G, or what a formula says of them if they are more than listable_classes.
/// \param H  a subgroup whose classes are wanted as well; a group on fewer points fixes the others
/// \throws DomainError unless H is a subgroup of G; LimitError by the task's limits, or for H where there is only a formula.
/// \par Cost  that of the classes; up to 20,000 elements and 100 classes also that of the character tables, which give
///            the order.
ClassReport class_report(const FiniteGroup& G, const std::optional<FiniteGroup>& H = {}, const Task& task = {});
/// The report of G and H with the classes that are known when a limit of the task stops the work.
ClassReport partial_class_report(const FiniteGroup& G, const std::optional<FiniteGroup>& H, const Task& task);

}  // namespace intertwine
