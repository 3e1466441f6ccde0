// The modes of a crystal at the centre of the Brillouin zone, by its point group: factor group analysis.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/molecular_motions.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

struct CrystalModes {
  CharacterTable table;
  /// All of the point group: `total` is how often one occurs in the mechanical representation, `translations` among acoustic
  /// modes, `vibrations` among optical ones; `rotations` is 0.
  std::vector<Species> species;
  /// [site][species]: how often each species occurs among the displacements of the atoms of a site.
  std::vector<std::vector<std::uint64_t>> sites;
};

/// The displacements that are equal in all cells: (permutations of the atoms of a primitive cell) ⊗ (vectors), and its parts, by exact
/// characters. [Rousseau1981]
CrystalModes crystal_modes(const CrystalSymmetry& crystal, const Task& task = {});

}  // namespace intertwine
