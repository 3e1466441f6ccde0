// The facts found out about a group, in one value.
#pragma once
#include <optional>
#include <string>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/group_structure.hpp"

namespace intertwine {

/// Answers list so many conjugacy classes at most, and otherwise say how many there are.
inline constexpr unsigned listable_classes = 1'000'000;

struct GroupReport {
  FiniteGroup group;
  Integer order;
  bool abelian, transitive;
  std::optional<bool> solvable, perfect, simple;  ///< nothing where it was not decided
  std::optional<Integer> exponent;
  std::optional<structure::SmallGroup> small_group;  ///< its isomorphism type, for orders up to 127
  std::optional<Integer> classes;                    ///< how many; counted by group_report_in_full only
  /// The description of the classes, where a formula counts them (ClassFormula).
  std::string class_description;
};

/// The facts that are found at once: solvable, perfect and simple up to degree 1000, the exponent where exponent()
/// gives it.
GroupReport group_report(const FiniteGroup& G, const Task& task = {});
/// Everything, however long it takes: the number of classes, and the exponent by the classes if they are at most a million.
/// (Simplicity stays open where is_simple does not decide.)
GroupReport group_report_in_full(const FiniteGroup& G, const Task& task = {});

}  // namespace intertwine
