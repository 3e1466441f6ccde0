// The groups that measured operations form, by how far they take points.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"
#include "physics/point_search.hpp"

namespace intertwine {

/// A group of operations, the identity first, and the largest of their deviations.
struct OperationGroup {
  std::vector<PointOperation> operations;
  double deviation = 0;
};

/// Finds groups among the operations of points within a distance. Products are exact, so that a group is one.
class OperationGroups {
 public:
  /// \param within  at most set.widest(); the points are farther than that from any line
  OperationGroups(const PointSet& set, double within, const Task& task);

  /// The largest group all of whose operations deviate by at most so much: of all sets of operations that are groups
  /// the one with the most operations. Near set.widest() an operation may be missed.
  /// \par Cost  The operations together are mostly a group, which costs their number times that of generators;
  ///            otherwise all groups that they contain are looked at.
  OperationGroup largest(double within);
  /// Largest groups for ever smaller distances: each is larger than all groups within less. The last one deviates by at
  /// most `enough`; that of the identity alone does.
  std::vector<OperationGroup> ladder(double enough);

 private:
  using Index = std::uint32_t;
  static constexpr Index none = static_cast<Index>(-1), unknown = none - 1;
  struct Subgroup {
    std::vector<Index> generators, elements;  ///< elements ascending, the identity first
  };

  Index product(Index g, Index h);
  bool generate(const std::vector<Index>& generators, double within, std::vector<Index>& elements);
  bool extend(Subgroup& H, Index g, double within);
  Subgroup look_at_all(Subgroup best, std::vector<Index> allowed, double within);

  const PointSet& set_;
  double within_;
  Task task_;
  std::vector<PointOperation> operations_;
  std::map<std::pair<std::vector<std::uint32_t>, int>, Index> numbers_;
  std::vector<std::vector<Index>> products_;  ///< rows are as long as they were needed; unknown: not yet made
};

}  // namespace intertwine
