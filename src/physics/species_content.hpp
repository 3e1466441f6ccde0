// The species of a named point group, and how often they occur.
#pragma once
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/physics/molecular_motions.hpp"

namespace intertwine {

/// All species of the table by Mulliken's names, with nothing counted. \throws DomainError unless the group is a named point group
std::vector<Species> named_species(const CharacterTable& table);
/// The multiplicity in f of every species: that of its first row.
std::vector<Integer> species_content(const ClassFunction& f, const std::vector<Species>& species);

}  // namespace intertwine
