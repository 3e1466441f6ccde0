// Crystals: CrystalSymmetry with its modes as Crystal, CrystalSite, CrystalModes, Mode.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "crystals.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "intertwine/physics/crystal_report.hpp"
#include "intertwine/physics/force_constants.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"
#include "modes.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

/// A species with how often it occurs in one of the three parts.
struct Mode {
  std::string name;
  std::uint64_t multiplicity, degree;
  bool ir, raman, hyper_raman;
};
struct ModeLists {
  std::vector<Mode> mechanical, acoustic, optical;
};
}  // namespace

/// A tuple, which has a hash.
template <>
struct Written<Vector3> {
  static nb::object to(const Vector3& x) { return nb::make_tuple(x[0], x[1], x[2]); }
  static Vector3 from(nb::handle o) { return nb::cast<Vector3>(o); }
};
template <>
inline constexpr auto members<Mode> =
    std::tuple(&Mode::name, &Mode::multiplicity, &Mode::degree, &Mode::ir, &Mode::raman, &Mode::hyper_raman);
template <>
inline constexpr auto members<ModeLists> =
    std::tuple(&ModeLists::mechanical, &ModeLists::acoustic, &ModeLists::optical);
template <>
inline constexpr auto members<CrystalSite> =
    std::tuple(&CrystalSite::element, &CrystalSite::wyckoff, &CrystalSite::multiplicity, &CrystalSite::site_symmetry,
               &CrystalSite::schoenflies, &CrystalSite::position, &CrystalSite::atoms);

nb::tuple cell_tuple(const CrystalStructure& crystal) {
  std::vector<Vector3> positions;
  std::vector<std::string> symbols;
  for (const Atom& atom : crystal.atoms) {
    positions.push_back(atom.position);
    symbols.push_back(atom.element);
  }
  const auto rows = [](const auto& list) {
    nb::list out;
    for (const Vector3& x : list) out.append(nb::make_tuple(x[0], x[1], x[2]));
    return nb::tuple(out);
  };
  nb::list names;
  for (const std::string& symbol : symbols) names.append(symbol);
  return nb::make_tuple(rows(crystal.cell), rows(positions), nb::tuple(names));
}

namespace {

struct CrystalVectorTag {
  static constexpr auto name = nb::detail::const_name("collections.abc.Sequence[int | fractions.Fraction | str]");
};

struct StructureTag {
  static constexpr auto name = nb::detail::const_name("str | os.PathLike[str] | object");
};

struct MomentsTag {
  static constexpr auto name =
      nb::detail::const_name("tuple[float, ...] | tuple[tuple[float, float, float], ...] | None");
};

/// A file, or what intertwine/_structures.py takes for a structure.
CrystalStructure structure_of(nb::handle source, const std::string& occupancy) {
  if (nb::isinstance<nb::str>(source) || nb::hasattr(source, "__fspath__")) {
    Path path;
    if (!nb::try_cast(source, path)) throw DomainError("Crystal: the name of the file is no text");
    return read_crystal(path.value, occupancy_named(occupancy));
  }
  const auto [cell, positions, kinds] =
      nb::cast<std::tuple<Matrix3, std::vector<Vector3>, std::vector<std::variant<std::string, unsigned>>>>(
          nb::module_::import_("intertwine._structures").attr("cell_of")(source, occupancy));
  CrystalStructure crystal{cell, {}};
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const auto* symbol = std::get_if<std::string>(&kinds[k]);
    crystal.atoms.push_back({symbol != nullptr ? *symbol : element_symbol(std::get<unsigned>(kinds[k])), positions[k]});
  }
  return crystal;
}

/// By the library's search, or where it was built without one by the Python package spglib.
SpaceGroupMatch match_of(const CrystalStructure& crystal, double tolerance) {
  if (has_space_group_search()) return find_space_group(crystal, tolerance);
  const auto found = nb::cast<std::tuple<std::string, Matrix3, Vector3, std::string, std::vector<std::string>>>(
      nb::module_::import_("intertwine._structures").attr("match_of")(cell_tuple(crystal), tolerance));
  const std::string& letters = std::get<3>(found);
  return {
      std::get<0>(found), std::get<1>(found), std::get<2>(found), {letters.begin(), letters.end()}, std::get<4>(found)};
}

/// The moments as numbers or vectors, for the constructor; None if there are none.
nb::object moments_tuple(const CrystalStructure& crystal) {
  if (crystal.moments.empty()) return nb::none();
  nb::list out;
  for (const Vector3& x : crystal.moments)
    out.append(crystal.collinear ? nb::cast(x[2]) : nb::make_tuple(x[0], x[1], x[2]));
  return nb::tuple(out);
}

/// Moments that the constructor was given, by intertwine/_magnetic.py.
void take_moments(CrystalStructure& crystal, nb::handle moments) {
  const auto [rows, collinear] = nb::cast<std::pair<std::vector<Vector3>, bool>>(
      nb::module_::import_("intertwine._magnetic").attr("moment_rows")(moments, crystal.atoms.size()));
  crystal.moments = rows;
  crystal.magnetic_name.clear();
  crystal.collinear = collinear;
}

std::optional<MagneticSymmetry> magnetic_of(const CrystalSymmetry& symmetry) {
  if (symmetry.crystal.moments.empty()) return {};
  return magnetic_symmetry(symmetry);
}

intertwine::Record record_of(const Crystal& x) {
  return record(CrystalReport{"crystal", x.symmetry, x.modes, {}, {}, magnetic_of(x.symmetry)});
}

ModeLists lists_of(const CrystalModes& modes) {
  const auto part = [&](std::uint64_t Species::*member) {
    std::vector<Mode> list;
    for (const Species& s : modes.species)
      if (s.*member != 0) list.push_back({s.name, s.*member, s.degree, s.infrared, s.raman, s.hyper_raman});
    return list;
  };
  return {part(&Species::total), part(&Species::translations), part(&Species::vibrations)};
}

std::string sum_of(const std::vector<Mode>& modes) {
  std::string text;
  for (const Mode& m : modes)
    text += (text.empty() ? "" : " + ") + (m.multiplicity == 1 ? "" : std::to_string(m.multiplicity) + " ") + m.name;
  return text.empty() ? "0" : text;
}

nb::object rows_array(const Matrix3& rows) {
  std::vector<double> numbers;
  for (const Vector3& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
  return owned_array<const double>(std::move(numbers), {3, 3});
}

void bind_modes(nb::module_& m) {
  nb::class_<Mode> c(m, "Mode", nb::is_final(), "A species of modes, and how often it occurs.");
  c.def_prop_ro(
      "name", [](const Mode& s) { return s.name; }, "Mulliken's: \"A1g\", \"T2g\".");
  c.def_prop_ro(
      "multiplicity", [](const Mode& s) { return s.multiplicity; }, "How often it occurs.");
  c.def_prop_ro(
      "degree", [](const Mode& s) { return s.degree; }, "Over the real numbers.");
  c.def_prop_ro(
      "ir", [](const Mode& s) { return s.ir; }, "Does it occur in vectors?");
  c.def_prop_ro(
      "raman", [](const Mode& s) { return s.raman; }, "In their symmetric square?");
  c.def_prop_ro(
      "hyper_raman", [](const Mode& s) { return s.hyper_raman; }, "In their symmetric cube?");
  c.def("__repr__", [](const Mode& s) { return "<Mode " + std::to_string(s.multiplicity) + " " + s.name + ">"; });
  bind_record<Mode>(c);
  nb::class_<ModeLists> lists(m, "CrystalModes", nb::is_final(),
                              "The modes of a crystal at the centre of the Brillouin zone: see Crystal.modes.");
  lists.def_prop_ro(
      "mechanical", [](const ModeLists& l) { return l.mechanical; },
      "All displacements that are equal in every cell, a list of Mode.");
  lists.def_prop_ro(
      "acoustic", [](const ModeLists& l) { return l.acoustic; }, "The translations among them.");
  lists.def_prop_ro(
      "optical", [](const ModeLists& l) { return l.optical; }, "The others.");
  lists.def("__repr__", [](const ModeLists& l) { return "<CrystalModes, optical " + sum_of(l.optical) + ">"; });
  bind_record<ModeLists>(lists);
}

void bind_site(nb::module_& m) {
  nb::class_<CrystalSite> c(m, "CrystalSite", nb::is_final(), "Equivalent atoms of a crystal.");
  c.def_prop_ro(
      "element", [](const CrystalSite& s) { return s.element; }, "Its symbol.");
  c.def_prop_ro(
      "wyckoff", [](const CrystalSite& s) { return std::string(1, s.wyckoff); }, "The Wyckoff letter.");
  c.def_prop_ro(
      "multiplicity", [](const CrystalSite& s) { return s.multiplicity; },
      "How many of its atoms are in the standard cell: 4 of 4f.");
  c.def_prop_ro(
      "site_symmetry", [](const CrystalSite& s) { return s.site_symmetry; },
      "The symbol of its site as tables print it, along the axes of the cell: \"m.2m\".");
  c.def_prop_ro(
      "point_group", [](const CrystalSite& s) { return s.schoenflies; }, "That group by Schoenflies: \"C2v\".");
  c.def_prop_ro(
      "position", [](const CrystalSite& s) { return std::tuple(s.position[0], s.position[1], s.position[2]); },
      "The place of its first atom in edges of the standard cell, symmetrized.");
  c.def_prop_ro(
      "atoms", [](const CrystalSite& s) { return s.atoms; },
      "The numbers of its atoms among those of the primitive cell.");
  c.def("__repr__", [](const CrystalSite& s) {
    return "<CrystalSite " + s.element + " " + std::to_string(s.multiplicity) + s.wyckoff + ">";
  });
  bind_record<CrystalSite>(c);
}

void bind_crystal(nb::module_& m) {
  using C = const Crystal&;
  nb::class_<Crystal> c(m, "Crystal", nb::is_final(),
                        R"(A crystal, its space group, sites and modes.

spglib searches the space group of measured positions within a tolerance; its operations are exact, and so is what
follows.

Parameters
----------
structure : str, os.PathLike, Atoms, PhonopyAtoms, Structure or (cell, positions, symbols)
    the name of a CIF, a POSCAR, an extended .xyz file, a phonopy.yaml or a geometry.in; atoms of ASE or phonopy, a
    Structure of pymatgen; or, as spglib takes them, the edges [3, 3] of the cell as rows, positions [N, 3] in edges,
    and symbols or atomic numbers. None of these packages is needed for the others.
tolerance : float
    how far, in the unit of the cell, an operation may take an atom beside its image.
moments : array of float [N] or [N, 3], optional
    magnetic moments, numbers of a collinear order or Cartesian vectors, instead of those of the file; see
    `magnetic_group`.
occupancy : str
    what becomes of sites of a CIF, or of pymatgen, with partial occupancies: "average" takes the species of a place for
    one kind of atom, "Fe0.5Co0.5", "split" gives each species a site of its own, "refuse" refuses them.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Attributes
----------
space_group : SpaceGroup
    the group in the setting of `sites`, the usual one.
point_group : Group
    its operations modulo translations.
sites : list of CrystalSite
    the orbits of atoms, in the order of first atoms.
structure : tuple
    what was given: cell, positions and symbols.

Raises
------
FileError
    for a file that cannot be read.
DomainError
    for a cell of no volume, positions that coincide, or no group within the tolerance.
LimitError
    for a structure beyond the limits of memory and time.

Examples
--------
>>> from intertwine.chem import Crystal
>>> salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ['Na', 'Cl']))
>>> salt.space_group, salt.modes()
(SpaceGroup(225), <CrystalModes, optical T1u>)

See Also
--------
molecule : a structure that is not periodic.
)");
  def_limited(
      c, "__init__",
      [](const Limits& limits, Crystal* self, const Typed<StructureTag>& structure, double tolerance,
         const std::optional<Typed<ArrayLikeTag>>& moments, const std::string& occupancy) {
        CrystalStructure given = structure_of(structure.object, occupancy);
        if (moments) take_moments(given, moments->object);
        require_crystal(given, tolerance);
        const SpaceGroupMatch match = match_of(given, tolerance);
        new (self) Crystal(limits.run([&](const Task& task) {
          CrystalSymmetry symmetry = crystal_symmetry(std::move(given), match, tolerance, task);
          CrystalModes modes = crystal_modes(symmetry, task);
          return Crystal{std::move(symmetry), std::move(modes)};
        }));
      },
      nb::arg("structure"), nb::arg("tolerance") = 0.01, nb::arg("moments") = nb::none(),
      nb::arg("occupancy") = "refuse");
  c.def_prop_ro(
      "moments", [](C x) { return Typed<MomentsTag>{moments_tuple(x.symmetry.crystal)}; },
      "The magnetic moments of the atoms as they were given: numbers of a collinear order, or Cartesian "
      "vectors. None "
      "if there are none.");
  def_limited(
      c, "_magnetic",
      [](const Limits& limits, C x, double tolerance) {
        return limits.run(
            [&](const Task& task) { return to_json(record(magnetic_symmetry(x.symmetry, tolerance, task)), task); });
      },
      nb::arg("tolerance"), "For magnetic_group.");
  c.def_prop_ro(
      "structure", [](C x) { return Typed<CellTag>{cell_tuple(x.symmetry.crystal)}; },
      "As it was given: (cell, positions, symbols), positions in edges of the cell.");
  c.def_prop_ro(
      "space_group", [](C x) { return x.symmetry.group; }, "In the setting of `sites`: the usual one.");
  c.def_prop_ro(
      "point_group", [](C x) { return x.symmetry.point_group; },
      "Operations modulo translations, as a named point group.");
  c.def_prop_ro(
      "sites", [](C x) { return x.symmetry.sites; }, "A list of CrystalSite, in the order of first atoms.");
  c.def(
      "modes", [](C x) { return lists_of(x.modes); },
      "The modes at the centre of the Brillouin zone by species: CrystalModes, with the lists mechanical,\n"
      "acoustic and optical. Factor group analysis, by exact characters.");
  c.def_prop_ro(
      "site_modes",
      [](C x) {
        std::vector<std::map<std::string, std::uint64_t>> list;
        for (const auto& counts : x.modes.sites) {
          list.emplace_back();
          for (std::size_t k = 0; k < counts.size(); ++k)
            if (counts[k] != 0) list.back()[x.modes.species[k].name] = counts[k];
        }
        return list;
      },
      "For every site how often the species occur among the displacements of its atoms: [{\"A2u\": 1, "
      "...}].");
  c.def_prop_ro(
      "cell", [](C x) { return Typed<DoubleArrayTag>{rows_array(x.symmetry.cell)}; },
      "The edges [3, 3] of the standard cell, with a along x and b in the plane xy, symmetrized.");
  c.def_prop_ro(
      "transformation", [](C x) { return Typed<DoubleArrayTag>{rows_array(x.symmetry.transformation)}; },
      "[3, 3]: position in the standard cell = transformation @ position + shift, in edges of either cell.");
  c.def_prop_ro(
      "shift",
      [](C x) {
        const Vector3& s = x.symmetry.shift;
        return Typed<DoubleArrayTag>{owned_array<const double>({s[0], s[1], s[2]}, {3})};
      },
      "The shift of the origin, in edges of the standard cell.");
  c.def_prop_ro(
      "primitive", [](C x) { return x.symmetry.primitive; },
      "For every atom as given the number of its atom in the primitive cell.");
  c.def_prop_ro(
      "tolerance", [](C x) { return x.symmetry.tolerance; }, "In the unit of the cell.");
  c.def_prop_ro(
      "deviation", [](C x) { return x.symmetry.deviation; },
      "The largest distance of an atom, taken along by an exact operation, from an atom.");
  c.def_prop_ro(
      "displacement", [](C x) { return x.symmetry.displacement; },
      "The largest distance of an atom from its symmetrized place.");
  def_limited(
      c, "atom_rep",
      [](const Limits& limits, C x) {
        return limits.run([&](const Task& task) { return x.symmetry.atom_representation(task); });
      },
      "The permutation representation of the point group on the atoms of a primitive cell.");
  c.def(
      "irreps_at",
      [](C x, const Typed<CrystalVectorTag>& k, bool spinors) {
        constexpr unsigned grey = 2;
        const std::optional<MagneticSymmetry> magnetic = magnetic_of(x.symmetry);
        if (magnetic && magnetic->type != grey)
          throw DomainError(
              "irreps_at is about the group of atoms without moments, and this crystal has some: ask "
              "magnetic_group(crystal).group.irreps_at(k), or give moments of 0");
        return nb::cast<LittleGroup>(nb::cast(x.symmetry.group).attr("irreps_at")(k.object, spinors));
      },
      nb::arg("k"), nb::arg("spinors") = false,
      "The irreducible representations of the little group of a wave vector, three rational numbers in the "
      "basis dual to\n"
      "the edges of the standard cell: see SpaceGroup.irreps_at.");
  c.def(
      "_species",
      [](C x) {
        std::vector<Permutation> elements;
        for (const SpaceOperation& g : x.symmetry.group.operations())
          elements.push_back(
              std::ranges::find(x.symmetry.operations, g.W, [](const auto& o) { return o.operation.W; })->element);
        return species_characters(x.modes.table, x.modes.species, elements);
      },
      nb::sig(species_signature), "For labels of modes: species with the characters of space_group.operations.");
  c.def(
      "label_modes",
      [](const nb::object& self, const Typed<ArrayLikeTag>& vectors, const std::optional<Typed<CrystalVectorTag>>& k,
         const std::optional<std::string>& modes, const std::string& phases) {
        return Typed<ModeLabelsTag>{
            nb::module_::import_("intertwine._modes")
                .attr("label_crystal")(self, vectors.object, k ? k->object : nb::none(), modes, phases)};
      },
      nb::arg("vectors"), nb::arg("k") = nb::none(), nb::kw_only(), nb::arg("modes") = nb::none(),
      nb::arg("phases") = "atoms",
      R"(Names computed modes by the irreducible representations that they belong to.

Parameters
----------
vectors : array_like
    [M, N, 3], or a matrix with a side 3N: Cartesian eigenvectors or displacements of the N atoms as they were given,
    in their order. ASE's `get_modes()` is one.
k : sequence of rational numbers, optional
    the wave vector in the basis dual to the edges of the cell as it was given; the centre of the zone without it.
modes : {"rows", "columns"}, optional
    which of a square matrix they are: "columns" of what `numpy.linalg.eigh` and phonopy give.
phases : {"atoms", "cells"}
    how a mode goes on in other cells: by exp(2 pi i k.r) with the places r of atoms, as in phonopy, or of cells.

Returns
-------
list of ModeLabel
    for every mode its `name` and `weight`, `mixing` by name, and what is `lost` to other wave vectors.

Raises
------
DomainError
    for another number of atoms, a mode that is 0, a square matrix without `modes`, or a wave vector that is not rational.

Examples
--------
>>> import numpy as np
>>> from intertwine.chem import Crystal
>>> salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ['Na', 'Cl']))
>>> [mode.name for mode in salt.label_modes(np.eye(6), modes='rows')]
['T1u', 'T1u', 'T1u', 'T1u', 'T1u', 'T1u'])");
  def_limited(
      c, "write",
      [](const Limits& limits, C x, const Path& path) {
        limits.run([&](const Task&) {
          write_file(path.value, structure_text(x.symmetry, path.value.filename().string()));
          return 0;
        });
      },
      nb::arg("path"),
      "Writes the symmetrized structure in the standard cell: a file .cif, .xyz, .vasp, or POSCAR. "
      "FileError, DomainError.");
  def_limited(
      c, "force_constants",
      [](const Limits& limits, C x, unsigned order, const std::array<unsigned, 3>& supercell,
         std::optional<double> cutoff, bool sum_rules) {
        const ForceConstantQuestion question{order, supercell, cutoff, sum_rules};
        return limits.run([&](const Task& task) {
          AskedForceConstants asked{x, question, {}};
          if (cutoff)
            asked.count = asked.constants(task).count();
          else
            asked.count = count_force_constants(x.symmetry, question, task);
          return asked;
        });
      },
      nb::arg("order"), nb::arg("supercell") = std::array<unsigned, 3>{1, 1, 1}, nb::arg("cutoff") = nb::none(),
      nb::arg("sum_rules") = true,
      "The force constants of order 2, 3 or 4 of a supercell (a, b, c) of cells as they were given: "
      "ForceConstants.\n"
      "They are tied by the space group and the exchange of indices; with sum_rules, a translation of all "
      "atoms costs\n"
      "nothing. With a cutoff, in the unit of the cell, they are 0 unless any two of their atoms are "
      "closer.\n\n"
      ">>> from intertwine.chem import Crystal\n"
      ">>> salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ['Na', 'Cl']))\n"
      ">>> salt.force_constants(2, (2, 2, 2)).dimension\n"
      "11");
  c.def(
      "describe", [](C x) { return to_text(record_of(x)); }, "All of it for people, as the program says it.");
  c.def(
      "to_json", [](C x) { return to_json(record_of(x)); }, "All of it as a JSON object.");
  bind_format<[](C x, const Task&) { return record_of(x); }>(c);
  c.def("__len__", [](C x) { return x.symmetry.crystal.atoms.size(); });
  c.def("__repr__", [](C x) {
    return "<Crystal of " + std::to_string(x.symmetry.crystal.atoms.size()) + " atoms, " + x.symmetry.setting.name +
           ">";
  });
  bind_by<Crystal>(c, [](C x) {
    return nb::make_tuple(cell_tuple(x.symmetry.crystal), x.symmetry.tolerance, moments_tuple(x.symmetry.crystal));
  });
  c.def(
      "__reduce__",
      [](C x) {
        return reduced(nb::type<Crystal>(), cell_tuple(x.symmetry.crystal), x.symmetry.tolerance,
                       moments_tuple(x.symmetry.crystal));
      },
      nb::sig(reduce_signature));
}

}  // namespace

void bind_crystals(nb::module_& m) {
  bind_modes(m);
  bind_site(m);
  bind_supercell_constants(m);
  bind_crystal(m);
}

}  // namespace intertwine::python
