// Writes symmetrized structures.
#include "intertwine/io/structure_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "intertwine/error.hpp"
#include "io/answers/species_text.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

enum class StructureKind { none, cif, poscar, xyz };

StructureKind kind_of_structure(const std::string& file) {
  std::string low = file;
  for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto ends = [&](std::string_view end) { return low.ends_with(end); };
  if (ends(".cif")) return StructureKind::cif;
  if (ends(".xyz") || ends(".extxyz")) return StructureKind::xyz;
  if (ends(".vasp") || ends("poscar") || ends("contcar")) return StructureKind::poscar;
  return StructureKind::none;
}

/// A place from 0 to 1, or in Cartesian coordinates, without -0.
std::string written_place(const Vector3& x) {
  std::string text;
  for (const double v : x) text += fmt::format(" {:19.15f}", std::abs(v) < 5e-16 ? 0.0 : v);
  return text;
}

Vector3 within_cell(Vector3 x) {
  for (double& v : x) {
    v -= std::floor(v);
    if (v < 5e-11 || v > 1 - 5e-11) v = 0;
  }
  return x;
}

/// All atoms of the standard cell, those of an element behind one another, in the order of first atoms.
std::vector<Atom> atoms_of_cell(const CrystalSymmetry& crystal) {
  std::vector<Atom> atoms;
  for (const CrystalSite& site : crystal.sites)
    for (const std::uint32_t k : site.atoms)
      for (const auto& t : crystal.group.centring()) {
        Vector3 x = crystal.atoms[k].position;
        for (std::size_t i = 0; i < 3; ++i) x[i] += t[i] / 12.0;
        atoms.push_back({site.element, within_cell(x)});
      }
  std::vector<std::string> order;
  for (const Atom& atom : atoms)
    if (std::ranges::find(order, atom.element) == order.end()) order.push_back(atom.element);
  std::ranges::stable_sort(atoms, {},
                           [&](const Atom& atom) { return std::ranges::find(order, atom.element) - order.begin(); });
  return atoms;
}

bool has_partial_sites(const std::vector<Atom>& atoms) {
  return std::ranges::any_of(atoms, [](const Atom& atom) { return !site_species(atom.element).empty(); });
}

std::string cif_text(const CrystalSymmetry& m) {
  const auto cell = cell_parameters(m.cell);
  std::string text = fmt::format(
      "data_{}\n_cell_length_a    {:.10f}\n_cell_length_b    {:.10f}\n_cell_length_c    {:.10f}\n"
      "_cell_angle_alpha  {:.9f}\n_cell_angle_beta   {:.9f}\n_cell_angle_gamma  {:.9f}\n"
      "_space_group_IT_number        {}\n_space_group_name_H-M_alt     '{}'\n_space_group_name_Hall        "
      "{}{}{}\n",
      formula(m.atoms, true), cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], m.setting.number, m.setting.name,
      m.group.hall().find('"') == std::string::npos ? '"' : '\'', m.group.hall(),
      m.group.hall().find('"') == std::string::npos ? '"' : '\'');
  text += "loop_\n_space_group_symop_operation_xyz\n";
  for (const auto& t : m.group.centring())
    for (const SpaceOperation& g : m.group.operations()) text += operation_text(g, t) + "\n";
  const bool partial = has_partial_sites(m.atoms);
  text += fmt::format(
      "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
      "_atom_site_fract_z\n{}",
      partial ? "_atom_site_occupancy\n" : "");
  std::map<std::string, int> numbers;
  for (const CrystalSite& site : m.sites) {
    auto species = site_species(site.element);
    if (species.empty()) species = {{site.element, 1}};
    for (const auto& [symbol, share] : species)
      text += fmt::format("{}{} {}{}{}\n", symbol, ++numbers[symbol], symbol, written_place(site.position),
                          partial ? fmt::format(" {}", share) : "");
  }
  return text;
}

std::string poscar_text(const CrystalSymmetry& m) {
  const std::vector<Atom> atoms = atoms_of_cell(m);
  std::string text = fmt::format("{}, {}, symmetrized\n1.0\n", formula(m.atoms, true), m.setting.name), names, counts;
  for (const Vector3& edge : m.cell) text += written_place(edge) + "\n";
  for (std::size_t k = 0; k < atoms.size();) {
    std::size_t end = k;
    while (end < atoms.size() && atoms[end].element == atoms[k].element) ++end;
    names += " " + atoms[k].element;
    counts += " " + std::to_string(end - k);
    k = end;
  }
  text += names + "\n" + counts + "\nDirect\n";
  for (const Atom& atom : atoms) text += written_place(atom.position) + "\n";
  return text;
}

std::string extended_xyz_text(const CrystalSymmetry& m) {
  const std::vector<Atom> atoms = atoms_of_cell(m);
  std::string edges;
  for (const Vector3& edge : m.cell)
    for (const double x : edge) edges += fmt::format("{}{:.15g}", edges.empty() ? "" : " ", x);
  std::string text =
      fmt::format("{}\nLattice=\"{}\" Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n", atoms.size(), edges);
  for (const Atom& atom : atoms) {
    Vector3 x{};
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 3; ++i) x[j] += atom.position[i] * m.cell[i][j];
    text += fmt::format("{:<2}{}\n", atom.element, written_place(x));
  }
  return text;
}

}  // namespace

std::string operation_text(const SpaceOperation& g, const std::array<int, 3>& translation) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0) text += ',';
    std::string row;
    for (std::size_t j = 0; j < 3; ++j)
      if (const int c = g.W[i][j]; c != 0) row += fmt::format("{}{}", c < 0 ? "-" : row.empty() ? "" : "+", "xyz"[j]);
    if (const int w = (((g.w[i] + translation[i]) % 12) + 12) % 12; w != 0) {
      const int common = std::gcd(w, 12);
      row += fmt::format("+{}/{}", w / common, 12 / common);
    }
    text += row;
  }
  return text;
}

std::array<double, 6> cell_parameters(const Matrix3& cell) {
  const auto dot = [&](std::size_t i, std::size_t j) {
    return cell[i][0] * cell[j][0] + cell[i][1] * cell[j][1] + cell[i][2] * cell[j][2];
  };
  const auto angle = [&](std::size_t i, std::size_t j) {
    const double degrees = std::acos(dot(i, j) / std::sqrt(dot(i, i) * dot(j, j))) * 180 / std::numbers::pi;
    return std::abs(degrees - std::round(degrees)) < 1e-9 ? std::round(degrees) : degrees;
  };
  return {std::sqrt(dot(0, 0)), std::sqrt(dot(1, 1)), std::sqrt(dot(2, 2)), angle(1, 2), angle(0, 2), angle(0, 1)};
}

bool names_structure(const std::string& file) { return kind_of_structure(file) != StructureKind::none; }

std::string structure_text(const CrystalSymmetry& crystal, const std::string& file) {
  const StructureKind kind = kind_of_structure(file);
  if ((kind == StructureKind::poscar || kind == StructureKind::xyz) && has_partial_sites(crystal.atoms))
    throw DomainError(shown(file, 40) + " has no place for partial occupancies; write this structure into a file .cif");
  switch (kind) {
    case StructureKind::cif:
      return cif_text(crystal);
    case StructureKind::poscar:
      return poscar_text(crystal);
    case StructureKind::xyz:
      return extended_xyz_text(crystal);
    default:
      throw DomainError("a crystal is written into files .cif, .xyz, .vasp or POSCAR, not " + shown(file, 40));
  }
}

std::string xyz_text(const MolecularSymmetry& molecule) {
  std::string text = fmt::format("{}\n{} {}, symmetrized\n", molecule.atoms.size(), formula(molecule.atoms, false),
                                 molecule.schoenflies);
  for (std::size_t k = 0; k < molecule.atoms.size(); ++k)
    text += fmt::format("{:<2}{}\n", molecule.atoms[k].element, written_place(molecule.symmetrized[k]));
  return text;
}

}  // namespace intertwine
