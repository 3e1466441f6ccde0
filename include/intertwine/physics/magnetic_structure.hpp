// Crystals with magnetic moments: their magnetic space group, and the moments that it allows at every site.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// One of the 1651 kinds of magnetic space groups, by its names.
struct MagneticKind {
  unsigned uni = 0;        ///< from 1 to 1651
  unsigned type = 0;       ///< 1 to 4, see MagneticSpaceGroup::type
  std::string bns_number;  ///< of Belov, Neronova and Smirnova: "62.448"
  std::string og_number;   ///< of Opechowski and Guccione: "62.8.509"
  std::string bns_symbol;  ///< "Pn'ma'"
  std::string og_symbol;   ///< that of BNS unless a translation reverses time: "P_2cmm'2'"
  friend bool operator==(const MagneticKind&, const MagneticKind&) = default;
};

/// By its UNI number, from spglib's database. The symbol is that of the tables of Litvin, in the usual setting; it
/// may have other axes than the operations there, as P2'2'2 has for P2'22'. \throws DomainError for other numbers,
/// or without spglib
MagneticKind magnetic_kind(unsigned uni, const Task& task = {});

/// An operation x -> W x + w in edges of any cell, perhaps followed by time reversal.
struct CellOperation {
  std::array<std::array<int, 3>, 3> W{};
  Vector3 w{};
  bool reverses_time = false;
};
/// The UNI number of the group that these are modulo translations by edges of the cell, by spglib; 0 where it finds
/// none.
/// \param cell  edges as rows \throws DomainError without spglib
unsigned magnetic_number(const Matrix3& cell, std::span<const CellOperation> operations);
/// Those of a magnetic group in a cell whose shape no more than the group fixes. \throws DomainError without spglib
unsigned magnetic_number(const MagneticSpaceGroup& group);

/// Atoms that the magnetic group takes to one another.
struct MagneticSite {
  std::string element;
  std::vector<std::uint32_t> atoms;  ///< their numbers in the crystal as it was given, from 0
  Vector3 position;                  ///< that of the first one, in edges of the cell as it was given
  Vector3 moment;       ///< its components along these edges; of a collinear order the third one is the moment
  std::string allowed;  ///< what the group allows the first one: "(mx,-mx,0)"; of a collinear order "m" or "0"
  unsigned freedom;     ///< the dimension of that
  friend bool operator==(const MagneticSite&, const MagneticSite&) = default;
};

/// The symmetry of a crystal with moments. A value.
struct MagneticSymmetry {
  std::optional<MagneticKind> kind;  ///< nothing if spglib does not name the group
  unsigned type = 0;
  bool collinear = false;
  std::size_t operations = 0;       ///< modulo translations that do not reverse time, with those that reverse time
  std::size_t antiunitary = 0;      ///< how many of them reverse time
  std::size_t cells = 1;            ///< primitive cells of the atoms in one of the magnetic crystal
  std::vector<MagneticSite> sites;  ///< in the order of first atoms
  double tolerance = 0;             ///< of moments
  double deviation = 0;             ///< the largest distance of a moment's image from the moment there
  std::vector<CellOperation> listed =
      {};          ///< the operations, in edges of `cell`, a primitive one of the magnetic crystal
  Matrix3 cell{};  ///< edges as rows, in the axes of CrystalSymmetry::cell
};

/// The operations of the space group, with or without time reversal, that keep the moments of the crystal. Moments
/// are axial vectors that time reversal turns round. Those of a collinear order are numbers, which operations of
/// space leave as they are, since nothing couples them to directions.
///
/// \param tolerance  how far, in the unit of the moments, the image of a moment may be from the moment there
/// \par Method  The operations of the atoms are exact, and each is tried on the moments. spglib names the group
/// that is found.
/// \throws DomainError if there are no moments, the tolerance is not positive, or it lies among the deviations, so
/// that the operations within it are no group
MagneticSymmetry magnetic_symmetry(const CrystalSymmetry& crystal, double tolerance = 0.02, const Task& task = {});

}  // namespace intertwine
