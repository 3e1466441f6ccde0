// Magnetic space groups by their operations: space groups some of whose operations reverse time.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "intertwine/groups/space_groups.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An operation, perhaps followed by time reversal.
struct MagneticOperation {
  SpaceOperation operation;
  bool reverses_time;
  friend bool operator==(const MagneticOperation&, const MagneticOperation&) = default;
};

/// One of the 1651 kinds of magnetic space groups, in any setting whose translations are in twelfths. A value.
class MagneticSpaceGroup {
 public:
  /// A space group by itself, or with time reversal: grey.
  explicit MagneticSpaceGroup(const SpaceGroup& group, bool grey = true);
  /// The group that these generate together with the translations by edges of the cell.
  /// \throws DomainError if a matrix has not the determinant 1 or -1, or the matrices generate no finite group of a
  ///         crystal
  explicit MagneticSpaceGroup(std::span<const MagneticOperation> generators, const Task& task = {});

  /// Translations that do not reverse time, modulo Z^3, 0 first.
  const std::vector<std::array<int, 3>>& centring() const { return centring_; }
  /// One operation for every matrix among those that do not reverse time, the identity first; w from 0 to 11.
  const std::vector<SpaceOperation>& operations() const { return operations_; }
  /// Likewise those that reverse time, without the reversal; of a grey group the same as operations().
  const std::vector<SpaceOperation>& antiunitary() const { return antiunitary_; }
  /// 1: nothing reverses time; 2: time reversal is an operation; 4: a translation reverses time; 3: all others.
  unsigned type() const;

  friend bool operator==(const MagneticSpaceGroup&, const MagneticSpaceGroup&) = default;

 private:
  std::vector<std::array<int, 3>> centring_;
  std::vector<SpaceOperation> operations_, antiunitary_;
};

}  // namespace intertwine
