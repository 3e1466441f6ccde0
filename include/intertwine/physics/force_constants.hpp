// Force constants of a supercell: derivatives of its energy by displacements, of order 2, 3 and 4.
//
// They are tied by the symmetries of the supercell and by the exchange of their indices. A translation of all atoms moves
// nothing, which makes linear relations between them: the translational sum rules. What is left are the numbers that
// measured or computed forces have to tell.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Which force constants.
struct ForceConstantQuestion {
  unsigned order = 2;                          ///< 2, 3 or 4
  std::array<unsigned, 3> supercell{1, 1, 1};  ///< how many cells, as they were given, along a, b and c
  /// Constants vanish unless any two of their atoms are closer than this, in the unit of the cell, with the nearest
  /// images in the supercell.
  std::optional<double> cutoff;
  bool sum_rules = true;  ///< does a translation of all atoms cost no energy?
};

/// How many there are.
struct ForceConstantCount {
  std::uint64_t atoms;       ///< of the supercell
  std::uint64_t operations;  ///< symmetries of the supercell
  Integer tied;              ///< constants that symmetry and the exchange of indices leave free
  Integer dimension;         ///< those that are free under the sum rules, too
};

/// Symmetries are the operations of the space group that take the lattice of the supercell to itself, modulo that lattice.
///
/// \par Method  Without a cutoff, characters: they are the invariants in the n-th symmetric power of the displacements modulo
///              translations. With one, the relations of ForceConstants are counted.
/// \throws DomainError if the order is not 2, 3 or 4, a number of cells is 0, the cutoff is no positive number, or a distance
///         is too near to it; LimitError above 10,000 atoms
ForceConstantCount count_force_constants(const CrystalSymmetry& crystal, const ForceConstantQuestion& question,
                                         const Task& task = {});

/// Equivalent sets of atoms and what symmetry leaves of their tensor.
struct ForceCluster {
  std::vector<std::uint32_t> atoms;  ///< numbers in the supercell of its first set, increasing; atoms may repeat
  std::uint64_t sets;                ///< how many there are in the supercell
  std::uint64_t constants;           ///< free numbers in the tensor, before sum rules
};

/// The force constants of a supercell that symmetry, exchange of indices and sum rules allow, as combinations of free
/// parameters. A value.
///
/// Atoms of the supercell are in phonopy's order: behind one another the images of each atom of the cell, along a first.
/// Displacements and forces are Cartesian, in the axes of the structure as it was given; the constants of order n are
/// d^n E / du_1 ... du_n. Of the constants those are written out whose first atom is the first image of an atom of the
/// cell.
class ForceConstants {
 public:
  /// \par Method  Orbits of sets of atoms under the group of the supercell. For the first set of each, the tensors that its
  ///              stabilizer leaves fixed, in edges of the lattice, where all matrices are integral. One sum rule for
  ///              each orbit of sets of n - 1 atoms; these are solved modulo a prime of 61 bits and lifted to rational
  ///              numbers, which are proved by their size to solve them over Q.
  /// \par Cost    sets of order n that contain an atom of the primitive cell, and the elimination of sum rules: below a
  ///              second for 64 atoms of silicon at n = 3. \throws as count_force_constants
  ForceConstants(const CrystalSymmetry& crystal, const ForceConstantQuestion& question, const Task& task = {});

  const ForceConstantQuestion& question() const;
  const ForceConstantCount& count() const;
  /// How many parameters: count().dimension.
  std::size_t dimension() const;
  const std::vector<ForceCluster>& clusters() const;
  /// The atoms of the supercell as given; their order is that of all arrays.
  const CrystalStructure& supercell() const;
  /// For every atom of the cell as given the number of its first image in the supercell.
  const std::vector<std::uint32_t>& first_images() const;

  /// Constants for these parameters: [atoms of the cell][atoms of the supercell]^(n-1)[3]^n. \throws DomainError, LimitError
  std::vector<double> constants(std::span<const double> parameters, const Task& task = {}) const;
  /// -dE/du for every parameter 1 and the others 0: [atoms of the supercell][3][dimension].
  /// \param displacements  [atoms of the supercell][3] \throws DomainError, LimitError
  std::vector<double> forces(std::span<const double> displacements, const Task& task = {}) const;
  /// The sums of products of these constants with those of every parameter 1 and the others 0: [dimension].
  /// \param constants  in the shape of constants() \throws DomainError
  std::vector<double> products(std::span<const double> constants, const Task& task = {}) const;
  /// The products of the constants of two parameters: [dimension][dimension]. gram() x = products(c) has the parameters of the allowed
  /// constants that are nearest to c as its solution. \throws LimitError
  std::vector<double> gram(const Task& task = {}) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
