// Files of molecules: what is read has a point group within the tolerance.
// covers: src/io/files/molecule_file.cpp
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/molecule_file.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_atoms = 16;
  try {
    const std::vector<Atom> atoms =
        parse_xyz(std::string_view(reinterpret_cast<const char*>(data), size), "molecule.xyz");
    if (atoms.size() > most_atoms) return 0;
    const MolecularSymmetry m = molecular_symmetry(atoms);
    if (m.deviation > m.tolerance || m.oriented.size() != atoms.size()) std::abort();
  } catch (const InternalError&) {
    std::abort();
  } catch (const Error&) {
  }
  return 0;
}
