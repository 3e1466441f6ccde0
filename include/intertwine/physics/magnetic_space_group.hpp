// Magnetic space groups by their operations, symbols and numbers: space groups some of whose operations reverse time.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
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
  /// A symbol of Belov, Neronova and Smirnova in any setting of SpaceGroup::named: "P n' m' a", "P21/c1'" for a grey
  /// group, "P_c4/mnc" with the translation that reverses time behind the letter of the lattice, "Fd-3m" if nothing
  /// reverses time. Blanks and underscores of screws do not matter. A symbol of Opechowski and Guccione (OG) with a
  /// translation that reverses time, "P_2cmm'2'", is read as its number is. P_C222 and 32 others are symbols of both
  /// kinds, for different groups; they are read as BNS symbols unless "og:" stands before. Or a number, see
  /// magnetic_group_numbered.
  /// \throws DomainError for other texts, and if primes contradict one another
  /// \par Source  [Belov & Neronova & Smirnova 1957]
  static MagneticSpaceGroup named(std::string_view text, const Task& task = {});

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

/// Was the library built with spglib, whose database has the numbers of magnetic groups?
bool has_magnetic_numbers();
/// By its number of Belov, Neronova and Smirnova, "62.448", of Opechowski and Guccione, "62.8.509", or its UNI number
/// from 1 to 1651, by spglib's database in the usual setting of SpaceGroup::numbered.
/// \throws DomainError for others, or without spglib
MagneticSpaceGroup magnetic_group_numbered(std::string_view number, const Task& task = {});

/// The UNI number of a symbol of Opechowski and Guccione, "P_2cmm'2'" or "P_{2c}mm'2'", of a group in which a
/// translation reverses time; blanks and other underscores do not matter. Nothing for other texts.
/// \par Source  [Litvin 2013]
std::optional<unsigned> uni_of_og_symbol(std::string_view text);

}  // namespace intertwine
