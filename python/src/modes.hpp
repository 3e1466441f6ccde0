// The members of molecules and crystals that labels of computed modes need.
#pragma once
#include <nanobind/stl/complex.h>

#include <string>
#include <vector>

#include "bindings.hpp"
#include "intertwine/physics/molecular_motions.hpp"

namespace intertwine::python {

struct ModeLabelsTag {
  static constexpr auto name = nb::detail::const_name("list[_ModeLabel]");
};

inline constexpr const char* species_signature =
    "def _species(self) -> list[tuple[str, list[tuple[int, list[complex]]]]]";

/// [(name, [(degree, characters of the elements), ...]), ...], a pair for each row of the character table that the
/// species has.
inline nb::list species_characters(const CharacterTable& table, const std::vector<Species>& species,
                                   const std::vector<Permutation>& elements) {
  std::vector<std::size_t> classes;
  for (const Permutation& g : elements) classes.push_back(table.classes().index_of(g));
  nb::list out;
  for (const Species& s : species) {
    nb::list rows;
    for (const std::size_t r : s.rows) {
      nb::list characters;
      for (const std::size_t c : classes) characters.append(table(r, c).to_complex());
      rows.append(nb::make_tuple(table.degree(r).convert_to<std::uint64_t>(), characters));
    }
    out.append(nb::make_tuple(s.name, rows));
  }
  return out;
}

}  // namespace intertwine::python
