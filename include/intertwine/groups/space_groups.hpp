// Space groups by Hall's symbols, numbers and names of the International Tables, rod and layer groups by numbers and names, and their finite
// quotients: crystals of a x b x c cells with periodic boundaries.
//
// A position is given in units of the cell's edges; a symmetry takes x to W x + w, W integral, w in twelfths.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// x -> W x + w / 12.
struct SpaceOperation {
  std::array<std::array<int, 3>, 3> W;
  std::array<int, 3> w;
  friend bool operator==(const SpaceOperation&, const SpaceOperation&) = default;
  /// First h, then g; w as it comes, not modulo translations.
  friend SpaceOperation operator*(const SpaceOperation& g, const SpaceOperation& h);
};

/// A space group in one setting: a lattice of translations that contains Z^3, and one symmetry for every element of the point group. Or a rod or
/// layer group, whose translations are those along c, or along a and b, alone. A value.
class SpaceGroup {
 public:
  /// By Hall's symbol, "-F 4 2 3", "P 31 2 (0 0 4)": lattice letters P A B C I F R S T, - for a centre at the origin, up to four generators
  /// with axes x y z ' " * (by default z, then x or a - b, then a + b + c), translations a b c n u v w d and screws 1 to 5, and an origin
  /// shift in twelfths. \throws ParseError with the position, also where the generators make no space group of this lattice
  /// \par Source  [Hall 1981]
  static SpaceGroup from_hall(std::string_view symbol);
  /// Number 1 to 230, in the usual setting: unique axis b, origin at a centre where there is a choice, hexagonal axes. \throws DomainError
  static SpaceGroup numbered(unsigned number);
  /// A Hermann-Mauguin symbol, full or short, of any of 560 settings: "P 31 2 1", "P21/n", "Pbnm", "F d -3 m:1",
  /// "R 3:R"; a number, perhaps with a choice of axes or origin, "227", "227:1"; or Hall's symbol, "-F 4vw 2vw 3".
  /// Blanks, underscores and brackets in Hermann-Mauguin symbols do not matter. Without a choice the origin is at a
  /// centre and axes are hexagonal. A text that is a symbol of both kinds, of different groups or settings, is read
  /// as a name of CIF files if it is printed like one, and refused otherwise; "hm:P 2" and "hall:P 2" say which is meant.
  /// \throws DomainError, ParseError
  static SpaceGroup named(std::string_view text);

  /// The rod group of this number, 1 to 75, whose only translations are along c: in the setting of the International Tables, with the axis
  /// a for inclined groups. \throws DomainError \par Source  [Kopsky 2010]
  static SpaceGroup rod(unsigned number);
  /// "41" or the short international name "p4_2/mmc". \throws DomainError
  static SpaceGroup rod(std::string_view text);
  /// The layer group of this number, 1 to 80, with translations along a and b alone; likewise.
  static SpaceGroup layer(unsigned number);
  static SpaceGroup layer(std::string_view text);

  /// "space", "rod" or "layer", as crystal_name begins.
  std::string_view kind() const;
  /// Are there translations along a, b, c? Along all three, but for rods and layers.
  const std::array<bool, 3>& periodic() const { return periodic_; }
  /// Hall's symbol; of a rod or a layer that of the space group that it makes with translations across.
  const std::string& hall() const { return hall_; }
  /// Translations modulo Z^3 in twelfths, 0 first: 1, 2, 3 or 4 of them.
  const std::vector<std::array<int, 3>>& centring() const { return centring_; }
  /// One symmetry for each element of the point group, the identity first; w is the least modulo the lattice, from 0 to 11.
  const std::vector<SpaceOperation>& operations() const { return operations_; }
  /// The operations of the symbol, the origin shifted.
  const std::vector<SpaceOperation>& generators() const { return generators_; }

  /// Have both the same symmetries? Other settings of a group differ.
  friend bool operator==(const SpaceGroup& a, const SpaceGroup& b);

 private:
  SpaceGroup() = default;
  std::string hall_;
  std::vector<std::array<int, 3>> centring_;
  std::vector<SpaceOperation> operations_, generators_;
  std::array<bool, 3> periodic_{true, true, true};
};
/// The short international name of a rod group, "p4_2/mmc", or of a layer group, "p4/nmm". \throws DomainError
std::string_view rod_group_name(unsigned number);
std::string_view layer_group_name(unsigned number);
/// The number of such a name, with or without '_'. \throws DomainError
unsigned rod_group_number(std::string_view name);
unsigned layer_group_number(std::string_view name);

/// The short international name of number 1 to 230, "P2_1/c". \throws DomainError
std::string_view space_group_name(unsigned number);
/// The number of a Hermann-Mauguin symbol, full or short, of any setting, "Fm-3m", "P2_1/c" or "P 1 21/n 1"; names of
/// before 1992, Abm2, too.
/// \throws DomainError for others
unsigned space_group_number(std::string_view name);

/// One of 560 settings of the 230 space groups that tables list, those of gemmi and spglib.
struct SpaceSetting {
  unsigned number;
  std::string name;       ///< the name as CIF files write it, "F d -3 m:2"
  std::string_view hall;  ///< the symbol as the tables have it
};
/// The setting of a space group, if it is listed; nothing for rods and layers.
std::optional<SpaceSetting> listed_setting(const SpaceGroup& group);
/// Hall's symbol, with "hall:" before it if SpaceGroup::named would not read it as this group.
std::string readable_hall(const SpaceGroup& group);

/// The number of the group among those of its kind, if this is its usual setting.
std::optional<unsigned> number_of_setting(const SpaceGroup& group);
/// Its short international name likewise.
std::optional<std::string_view> name_of_setting(const SpaceGroup& group);
/// The Schoenflies symbol of the point group, one of 32, as point_group() takes it.
std::string point_group_symbol(const SpaceGroup& group);
/// The symbol of the point group of the rotation parts of some operations that are a group.
std::string point_group_symbol(std::span<const SpaceOperation> operations);
/// "space(225,2,2,2; 0,0,0)", "layer(64,2,2)", "rod(41,3)".
/// \param group  the beginning of the name: "space(225", "rod(41", or Hall's symbol in quotation marks behind "space("
/// \param cells  those that are 0 are left out
std::string crystal_name(std::string_view group, const std::array<std::size_t, 3>& cells,
                         const std::vector<Rational>& position);

/// A space group modulo the translations by a, b and c cells, on the orbit of a position; its translations remain as those of a torus of
/// a x b x c cells. Coordinates: the matrices W, in the basis of the cell's edges.
///
/// The points are in the order of their coordinates (x, then y, then z; 0 <= x < a, ...). At a general position the action is regular, on |point
/// group| x (lattice points in a cell) x abc points; at a special one it is on the atoms of a structure, and on a small torus different
/// symmetries can be the same permutation.
///
/// \param cells  a, b, c; 0 for an edge along which a rod or a layer has no translations, and coordinates are not taken modulo cells
/// \param position  three rational numbers, in edges of the cell; none: a general position
/// \param name  text that parse_finite_group reads back
/// \throws DomainError if a number is 0 along an edge that has translations, or is not 0 along one that has none, if the point group takes axes with different numbers of cells to one another, or if the position has not
/// three coordinates; LimitError above max_named_degree points, for denominators above 10000, or through `task`
FiniteGroup crystal_group(const SpaceGroup& group, const std::array<std::size_t, 3>& cells,
                          const std::vector<Rational>& position, std::string name, const Task& task = {});

}  // namespace intertwine
