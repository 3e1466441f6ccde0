// A molecule's motions by its point group: vibrations, their activity, symmetry coordinates, force constants.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/physics/component_form.hpp"
#include "intertwine/physics/molecule.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A real irreducible representation of the point group: a row of its character table, or two that are conjugate.
struct Species {
  std::vector<std::size_t> rows;
  std::string name;      ///< Mulliken's: "A1", "E", "T2g"; "Σg+", "Πu" for linear molecules
  std::uint64_t degree;  ///< over the real numbers
  /// How often it occurs among all displacements, and among these three parts of them.
  std::uint64_t total, translations, rotations, vibrations;
  bool infrared;     ///< in the vectors x, y, z
  bool raman;        ///< in Sym^2 of them: x², xy, ...
  bool hyper_raman;  ///< in Sym^3
};

/// Pairs of atoms that the group takes to one another, and what it leaves free of the second derivatives by their displacements.
struct ForceConstantBlock {
  std::uint32_t first, second;  ///< a pair of atoms, 0-based, first <= second
  /// The number of pairs that are equivalent to it, itself included; without order.
  std::uint64_t pairs;
  /// The 3 x 3 block B of the pair in the frame: component "xy" is the derivative by x of the first atom and y of the second. Where g takes
  /// the pair (i, j) to (k, l), the block of (k, l) is R B R^T with R the matrix of g; that of (l, k) is its transpose.
  ComponentForm form;

  std::uint64_t constants() const { return form.independent.size(); }
};

/// Coordinates that transform as row after row of one irreducible representation.
struct SymmetryCoordinate {
  enum class Kind { translation, rotation, vibration };
  std::size_t species;  ///< number of the species
  Kind kind;
  std::uint64_t copy, partner;  ///< 0-based: which of the equal representations, and which vector of it
  std::vector<double> vector;   ///< x, y, z of the atoms in order, in the frame
};

struct MolecularMotions {
  CharacterTable table;
  std::vector<Species> species;  ///< all of the group that Mulliken's table lists; those of linear molecules that occur
  /// Independent entries of a symmetric matrix of second derivatives that commutes with the group: of all displacements (3N x 3N), and
  /// of the vibrations only.
  Integer force_constants, internal_force_constants;
};

/// Γ_3N = (permutations of the atoms) ⊗ (vectors) and its parts, by exact characters.
MolecularMotions molecular_motions(const MolecularSymmetry& molecule, const Task& task = {});

/// An orthonormal basis of all displacements in the frame, without masses, adapted to the group: translations, rotations (about the
/// centre, at the symmetrized positions), and vibrations as all that is perpendicular to both, in the order of the species. Equal
/// representations have equal matrices, partner by partner; a vibrational copy lives on one orbit of atoms as far as translations
/// and rotations allow. Partners are even or odd under the operations that only change signs of x, y, z.
/// \par Cost  memory of (3N)^2 doubles, time |G| (3N)^2 and more.
/// \throws LimitError if the task does not allow the memory
std::vector<SymmetryCoordinate> symmetry_coordinates(const MolecularSymmetry& molecule, const MolecularMotions& motions,
                                                     const Task& task = {});

/// The pattern of a symmetric matrix of force constants (Hessian) that commutes with the group, exactly, orbit by orbit of pairs of atoms;
/// the constants add up to force_constants. By the stabilizers of the pairs, not by characters of the whole: two counts of one number.
/// For linear molecules under C8v or D8h, and for atoms under Oh, which leave of these blocks what the infinite groups do.
/// \par Cost  |G| N^2, and a kernel in 9 unknowns for every orbit of pairs.
/// \throws LimitError if the task does not allow the memory
std::vector<ForceConstantBlock> force_constant_blocks(const MolecularSymmetry& molecule, const Task& task = {});

/// The answers of `intertwine molecule`.
struct MoleculeReport {
  std::string name;
  MolecularSymmetry symmetry;
  MolecularMotions motions;
  std::optional<std::vector<SymmetryCoordinate>> coordinates;  ///< if asked for
  std::optional<std::vector<ForceConstantBlock>> blocks;       ///< if asked for
};

}  // namespace intertwine
