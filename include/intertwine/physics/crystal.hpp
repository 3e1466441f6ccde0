// The space group of a crystal, found from measured positions within a stated tolerance, and its sites.
//
// A search finds which space group it is and how its standard cell lies in the measured one. From then on the group is one
// of the library's, with exact operations: every one of them is shown to take the atoms to one another, and the
// permutations of the atoms of a primitive cell are exact.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/physics/molecule.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Atoms that repeat in three directions.
struct CrystalStructure {
  Matrix3 cell;             ///< rows: the edges a, b, c, in any unit of length; that of the tolerance
  std::vector<Atom> atoms;  ///< positions in edges of the cell
  /// Magnetic moments, one for each atom, Cartesian in any unit; empty if there are none.
  std::vector<Vector3> moments = {};
  /// The moments are numbers, the third coordinate, of an order along one direction that is not said.
  bool collinear = false;
  /// The lines of a file that the atoms stand in, from 1, for messages; empty if there is no file.
  std::vector<std::size_t> lines = {};
  std::string magnetic_name = {};  ///< what a file calls the magnetic group; empty if it does not
};

/// The species of a site that is partly empty or shared, "Fe0.5Co0.5" or "Na0.9", with their shares; empty for elements
/// and for other texts.
std::vector<std::pair<std::string, double>> site_species(std::string_view element);

/// The volume of the cell, with the sign of its hand.
double cell_volume(const CrystalStructure& crystal);
/// Cartesian positions in edges of the cell. \throws DomainError for a cell without volume
std::vector<Vector3> in_edges(const Matrix3& cell, const std::vector<Vector3>& positions);

/// Atoms are elements, or species of site_species. Two different partial ones, "Fe0.5" and "Co0.5", may be at one
/// place.
/// \throws DomainError if there is no atom, an element is unknown, a number is none, the cell has no volume, the tolerance is not
///         positive or too large for the cell, or two atoms are closer than twice the tolerance; LimitError above 10,000 atoms
void require_crystal(const CrystalStructure& crystal, double tolerance);

/// The space group of measured atoms, as a search finds it.
struct SpaceGroupMatch {
  std::string hall;        ///< Hall's symbol of the setting
  Matrix3 transformation;  ///< position in the setting = transformation position + shift, both in edges of their cells
  Vector3 shift;
  std::vector<char> wyckoff;               ///< the letter of every atom; A for the 27th, α
  std::vector<std::string> site_symmetry;  ///< the symbol of every atom's site as tables print it, "m.2m"
};

/// Was the library built with spglib, which find_space_group calls?
bool has_space_group_search();
/// The space group of the largest symmetry within the tolerance, in its usual setting (SpaceGroup::numbered), by spglib
/// [Togo & Shinohara & Tanaka 2024]. \throws DomainError without it, or where it finds no group; and as require_crystal
SpaceGroupMatch find_space_group(const CrystalStructure& crystal, double tolerance = 0.01);

/// Equivalent atoms.
struct CrystalSite {
  std::string element;
  char wyckoff;                      ///< its letter
  std::uint64_t multiplicity;        ///< how many of its atoms are in the standard cell
  std::string site_symmetry;         ///< "m.2m"
  std::string schoenflies;           ///< "C2v"
  Vector3 position;                  ///< that of its first atom in the standard setting, symmetrized; from 0 to 1
  std::vector<std::uint32_t> atoms;  ///< their numbers in CrystalSymmetry::atoms
};

/// A crystal in the standard setting of its space group. A value.
struct CrystalSymmetry {
  CrystalStructure crystal;  ///< as it was given
  double tolerance;
  SpaceGroup group;
  SpaceSetting setting;  ///< its number and name
  /// The standard cell, without what the group does not allow; a is along x, b in the plane xy. position in the setting =
  /// transformation position + shift.
  Matrix3 cell;
  Matrix3 transformation;
  Vector3 shift;
  std::vector<Atom> atoms;               ///< those of a primitive cell, in edges of the standard cell, symmetrized
  std::vector<std::uint32_t> primitive;  ///< for every atom as given its number in `atoms`
  FiniteGroup point_group;               ///< operations modulo translations, as a named point group
  /// An element of the point group, the operation modulo translations that it stands for, and where this takes `atoms`.
  struct Operation {
    Permutation element;
    SpaceOperation operation;
    Permutation atoms;
  };
  std::vector<Operation> operations;  ///< the identity first
  std::vector<CrystalSite> sites;     ///< in the order of first atoms
  double deviation;     ///< the largest distance of an atom, taken along by an exact operation, from an atom
  double displacement;  ///< the largest distance of an atom from its symmetrized place

  std::string hermann_mauguin() const;  ///< the short symbol, "P4_2/mnm"
  /// The permutation representation of the point group on `atoms`, proved to be one.
  Representation atom_representation(const Task& task = {}) const;
};

/// The named point group stands in the axes of the standard cell: x along a, z along c, in monoclinic groups z along b. Where its
/// elements are not those of the group then (3m1, -4m2, ...), it is turned about z by 30 or 45 degrees; so are D6h and
/// C6v, where B1 and B2 are then as papers on graphite, MoS2 and wurtzite have them. C2' of D4h and D6 is along a; B1, B2, B3
/// of D2h tell the half turns about c, b, a.
///
/// \param tolerance  in the unit of the cell: how far an operation may take an atom beside another one
/// \par Method  spglib finds the group; its exact operations, from Hall's symbol, are tried on the atoms.
/// \par Cost    that of spglib, and the operations times the square of the atoms in a primitive cell.
/// \throws DomainError if no group is found, or exact operations do not fit within four times the tolerance; and as
///         require_crystal
CrystalSymmetry crystal_symmetry(CrystalStructure crystal, double tolerance = 0.01, const Task& task = {});
/// The symmetry by a group that another search has found.
CrystalSymmetry crystal_symmetry(CrystalStructure crystal, const SpaceGroupMatch& match, double tolerance,
                                 const Task& task = {});

}  // namespace intertwine
