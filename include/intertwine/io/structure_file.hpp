// Symmetrized crystals and molecules as files of structures: CIF, POSCAR and .xyz.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/molecule.hpp"

namespace intertwine {

/// Lengths of the edges, then the angles between b and c, a and c, a and b in degrees.
std::array<double, 6> cell_parameters(const Matrix3& cell);

/// "x-y,-y,z+1/3": the operation as CIF files have it, followed by a translation in twelfths.
std::string operation_text(const SpaceOperation& g, const std::array<int, 3>& translation = {});

/// Does the name of a file say CIF (.cif), POSCAR (POSCAR, CONTCAR, .vasp, .poscar) or .xyz?
bool names_structure(const std::string& file);

/// The symmetrized atoms in the standard cell, in the format that the name of the file says. A CIF has the operations and one
/// atom of every site; the others have all atoms of the standard cell. \throws DomainError for other names
std::string structure_text(const CrystalSymmetry& crystal, const std::string& file);
/// The symmetrized atoms in the frame of the point group, in the format .xyz.
std::string xyz_text(const MolecularSymmetry& molecule);

}  // namespace intertwine
