// Molecules from files.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/physics/molecule.hpp"

namespace intertwine {

/// Atoms in the format .xyz: a line with their number, a line of comment, then a line for each, the element and x, y, z; what
/// follows on it is left. Elements are symbols in any case, with or without a number behind (Cl, CL, H12), or atomic numbers. Blank
/// lines may follow. In an extended .xyz file, Properties= in the comment says where these columns are.
/// \param name  for messages
/// \param cluster  take the atoms of one cell by themselves, if the comment says that they repeat: Lattice= without
/// pbc="F F F", pbc= with a T, or CELL of i-PI. Such a file is refused otherwise, since a crystal has another symmetry
/// \throws FileError naming the line, counted from 1
std::vector<Atom> parse_xyz(std::string_view text, const std::string& name, bool cluster = false);
/// The atoms of a file of at most 64 MiB. \throws FileError
std::vector<Atom> read_xyz(const std::filesystem::path& path, bool cluster = false);

}  // namespace intertwine
