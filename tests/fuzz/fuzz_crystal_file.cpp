// Files of crystals: what is read has numbers, and a symmetry that fits its atoms or a sentence.
// covers: src/io/files/cif_file.cpp src/io/files/cif_tokens.cpp src/io/files/crystal_file.cpp src/io/files/cell_file.cpp src/io/files/castep_file.cpp src/io/expressions/atom_words.cpp
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_atoms = 8;
  try {
    const CrystalStructure crystal =
        parse_crystal(std::string_view(reinterpret_cast<const char*>(data), size), "crystal");
    for (const Atom& atom : crystal.atoms)
      for (const double x : atom.position)
        if (std::isnan(x)) std::abort();
    if (crystal.atoms.size() > most_atoms || !has_space_group_search()) return 0;
    const CrystalSymmetry m = crystal_symmetry(crystal);
    if (m.deviation > 4 * m.tolerance || m.primitive.size() != crystal.atoms.size()) std::abort();
  } catch (const InternalError&) {
    std::abort();
  } catch (const Error&) {
  }
  return 0;
}
