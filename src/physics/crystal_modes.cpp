// Factor group analysis.
#include "intertwine/physics/crystal_modes.hpp"

#include <algorithm>
#include <map>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "physics/species_content.hpp"

namespace intertwine {

namespace {

/// How many of these atoms every class leaves where they are, modulo translations.
ClassFunction atoms_kept(const CrystalSymmetry& crystal, const std::vector<std::uint32_t>& atoms,
                         const CharacterTable& table) {
  std::map<Permutation, const Permutation*> images;
  for (const auto& g : crystal.operations) images.emplace(g.element, &g.atoms);
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Permutation& image = *images.at(table.classes()[c].representative);
    values.emplace_back(static_cast<long>(
        std::ranges::count_if(atoms, [&](std::uint32_t i) { return image(static_cast<Point>(i)) == i; })));
  }
  return {table, std::move(values)};
}

}  // namespace

CrystalModes crystal_modes(const CrystalSymmetry& crystal, const Task& task) {
  const CharacterTable table = character_table(crystal.point_group, task);
  const ClassFunction vectors = character_of(coordinate_representation(crystal.point_group), table, task);
  CrystalModes modes{table, named_species(table), {}};
  const auto moved = species_content(vectors, modes.species),
             second = species_content(symmetric_power(2, vectors), modes.species),
             third = species_content(symmetric_power(3, vectors), modes.species);
  for (std::size_t k = 0; k < modes.species.size(); ++k) {
    Species& s = modes.species[k];
    s.translations = moved[k].convert_to<std::uint64_t>();
    s.infrared = moved[k] != 0;
    s.raman = second[k] != 0;
    s.hyper_raman = third[k] != 0;
  }
  Integer dimension = 0;
  for (const CrystalSite& site : crystal.sites) {
    const auto content = species_content(atoms_kept(crystal, site.atoms, table) * vectors, modes.species);
    modes.sites.emplace_back();
    for (std::size_t k = 0; k < modes.species.size(); ++k) {
      modes.sites.back().push_back(content[k].convert_to<std::uint64_t>());
      modes.species[k].total += modes.sites.back().back();
      dimension += content[k] * modes.species[k].degree;
    }
  }
  if (dimension != 3 * crystal.atoms.size())
    throw InternalError("crystal_modes: the species do not add up to three for every atom");
  for (Species& s : modes.species) {
    if (s.total < s.translations) throw InternalError("crystal_modes: more acoustic modes than modes in " + s.name);
    s.vibrations = s.total - s.translations;
  }
  return modes;
}

}  // namespace intertwine
