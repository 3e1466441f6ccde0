// Crystals from files.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "intertwine/physics/crystal.hpp"

namespace intertwine {

/// Sites with partial occupancies are refused; or the species of a place are one kind of atom,
/// "Fe0.5Co0.5", as in the average structure; or each species is a site of its own, "Fe0.5" and "Co0.5" at one place.
enum class Occupancy { refuse, average, split };
/// "refuse", "average" or "split". \throws DomainError for others
Occupancy occupancy_named(std::string_view word);

/// A crystal in the format CIF: the cell (_cell_length_a, ...), the operations (_space_group_symop_operation_xyz, or
/// _symmetry_equiv_pos_as_xyz), or else Hall's symbol, the Hermann-Mauguin symbol or the number of the space group, and the sites
/// (_atom_site_fract_x, ...), of which all images are taken; images of a site closer than 0.2 are one atom. A magnetic
/// CIF has the operations _space_group_symop_magn_operation.xyz and _centering.xyz, or else a BNS number or symbol, and
/// moments (_atom_site_moment.crystalaxis_x, ..., or .Cartn_x, ...). Names and operations of different groups, moments
/// that the operations do not allow, partial occupancies unless they are asked for, and symbols that may mean two
/// elements are refused.
/// \param name  for messages \throws FileError naming the line, counted from 1
CrystalStructure parse_cif(std::string_view text, const std::string& name, Occupancy occupancy = Occupancy::refuse);
/// POSCAR and CONTCAR. Where the line of elements is missing, as in VASP 4, the comment has them.
/// \throws FileError naming the line
CrystalStructure parse_poscar(std::string_view text, const std::string& name);
/// An extended .xyz file with Lattice= and no open direction in pbc=; moments are its columns magmoms or
/// initial_magmoms, of three numbers or one. \throws FileError naming the line
CrystalStructure parse_crystal_xyz(std::string_view text, const std::string& name);
/// phonopy.yaml and its like: the unit cell, or else the primitive cell, or else the supercell. \throws FileError naming the line
CrystalStructure parse_phonopy_yaml(std::string_view text, const std::string& name);
/// geometry.in of FHI-aims: lattice_vector, atom, atom_frac and initial_moment. \throws FileError naming the line
CrystalStructure parse_geometry_in(std::string_view text, const std::string& name);
/// A .cell file of CASTEP: the blocks LATTICE_CART or LATTICE_ABC, and POSITIONS_FRAC or POSITIONS_ABS, in their units,
/// angstrom otherwise; SPIN= behind an atom is its moment. Other blocks and keywords do not matter.
/// \throws FileError naming the line
CrystalStructure parse_castep_cell(std::string_view text, const std::string& name);
/// One of these by the name of the file (.cif, .mcif; .vasp, POSCAR, CONTCAR; .xyz, .extxyz; .yaml, .yml; .in; .cell),
/// otherwise by its contents: a line `data_...` begins CIF, a number of atoms .xyz, a line `lattice_vector ...` is of
/// FHI-aims, a line `unit_cell:` of phonopy, a line `%BLOCK LATTICE_...` of CASTEP.
CrystalStructure parse_crystal(std::string_view text, const std::string& name, Occupancy occupancy = Occupancy::refuse);
/// Moments as VASP's MAGMOM has them, with N*value for N values: one number an atom for a collinear order, or three.
/// \throws DomainError for other numbers of them
void give_moments(CrystalStructure& crystal, std::string_view magmom);
/// A file of at most 64 MiB. \throws FileError
CrystalStructure read_crystal(const std::filesystem::path& path, Occupancy occupancy = Occupancy::refuse);

}  // namespace intertwine
