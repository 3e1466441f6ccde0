// Crystals: CrystalSymmetry with its modes as Crystal, CrystalSite, CrystalModes, Mode.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include <filesystem>
#include <map>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/crystal_modes.hpp"
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
/// A crystal, its symmetry, and what that says of its modes. A value.
struct Crystal {
  CrystalSymmetry symmetry;
  CrystalModes modes;
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
inline constexpr auto members<CrystalSite> = std::tuple(
    &CrystalSite::element, &CrystalSite::wyckoff, &CrystalSite::multiplicity, &CrystalSite::site_symmetry,
    &CrystalSite::schoenflies, &CrystalSite::position, &CrystalSite::atoms);

namespace {

struct StructureTag {
  static constexpr auto name = nb::detail::const_name("str | os.PathLike[str] | object");
};

/// A file, or what intertwine/_structures.py takes for a structure.
CrystalStructure structure_of(nb::handle source) {
  if (nb::isinstance<nb::str>(source) || nb::hasattr(source, "__fspath__")) {
    Path path;
    if (!nb::try_cast(source, path)) throw DomainError("Crystal: the name of the file is no text");
    return read_crystal(path.value);
  }
  const auto [cell, positions, kinds] =
      nb::cast<std::tuple<Matrix3, std::vector<Vector3>, std::vector<std::variant<std::string, unsigned>>>>(
          nb::module_::import_("intertwine._structures").attr("cell_of")(source));
  CrystalStructure crystal{cell, {}};
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const auto* symbol = std::get_if<std::string>(&kinds[k]);
    crystal.atoms.push_back(
        {symbol != nullptr ? *symbol : element_symbol(std::get<unsigned>(kinds[k])), positions[k]});
  }
  return crystal;
}

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

/// By the library's search, or where it was built without one by the Python package spglib.
SpaceGroupMatch match_of(const CrystalStructure& crystal, double tolerance) {
  if (has_space_group_search()) return find_space_group(crystal, tolerance);
  const auto found =
      nb::cast<std::tuple<std::string, Matrix3, Vector3, std::string, std::vector<std::string>>>(
          nb::module_::import_("intertwine._structures").attr("match_of")(cell_tuple(crystal), tolerance));
  const std::string& letters = std::get<3>(found);
  return {std::get<0>(found),
          std::get<1>(found),
          std::get<2>(found),
          {letters.begin(), letters.end()},
          std::get<4>(found)};
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
    text += (text.empty() ? "" : " + ") + (m.multiplicity == 1 ? "" : std::to_string(m.multiplicity) + " ") +
            m.name;
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
  c.def("__repr__",
        [](const Mode& s) { return "<Mode " + std::to_string(s.multiplicity) + " " + s.name + ">"; });
  bind_record<Mode>(c);
  nb::class_<ModeLists> lists(
      m, "CrystalModes", nb::is_final(),
      "The modes of a crystal at the centre of the Brillouin zone: see Crystal.modes.");
  lists.def_prop_ro(
      "mechanical", [](const ModeLists& l) { return l.mechanical; },
      "All displacements that are equal in every cell, a list of Mode.");
  lists.def_prop_ro(
      "acoustic", [](const ModeLists& l) { return l.acoustic; }, "The translations among them.");
  lists.def_prop_ro(
      "optical", [](const ModeLists& l) { return l.optical; }, "The others.");
  lists.def("__repr__",
            [](const ModeLists& l) { return "<CrystalModes, optical " + sum_of(l.optical) + ">"; });
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
      "point_group", [](const CrystalSite& s) { return s.schoenflies; },
      "That group by Schoenflies: \"C2v\".");
  c.def_prop_ro(
      "position",
      [](const CrystalSite& s) { return std::tuple(s.position[0], s.position[1], s.position[2]); },
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
  nb::class_<Crystal> c(
      m, "Crystal", nb::is_final(),
      "A crystal, its space group, sites and modes: Crystal('rutile.cif').\n\n"
      "structure: the name of a CIF, a POSCAR or an extended .xyz file; atoms of ASE or phonopy, a Structure "
      "of\n"
      "pymatgen; or (cell, positions, symbols), with the edges [3, 3] of the cell as rows, positions [N, 3] "
      "in edges,\n"
      "and symbols or atomic numbers, as spglib takes them. Nothing of these is needed for the others.\n"
      "tolerance: how far, in the unit of the cell, an operation may take an atom beside its image.\n"
      "The search is spglib's; operations are exact, and so is what follows. FileError, DomainError, "
      "LimitError.\n\n"
      ">>> from intertwine.chem import Crystal\n"
      ">>> salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ['Na', 'Cl']))\n"
      ">>> salt.space_group, salt.modes()\n"
      "(SpaceGroup(225), <CrystalModes, optical T1u>)");
  def_limited(
      c, "__init__",
      [](const Limits& limits, Crystal* self, const Typed<StructureTag>& structure, double tolerance) {
        CrystalStructure given = structure_of(structure.object);
        require_crystal(given, tolerance);
        const SpaceGroupMatch match = match_of(given, tolerance);
        new (self) Crystal(limits.run([&](const Task& task) {
          CrystalSymmetry symmetry = crystal_symmetry(std::move(given), match, tolerance, task);
          CrystalModes modes = crystal_modes(symmetry, task);
          return Crystal{std::move(symmetry), std::move(modes)};
        }));
      },
      nb::arg("structure"), nb::arg("tolerance") = 0.01);
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
      "describe",
      [](C x) {
        return to_text(CrystalReport{"crystal", x.symmetry, x.modes});
      },
      "All of it for people, as the program says it.");
  c.def(
      "to_json",
      [](C x) {
        return to_json(CrystalReport{"crystal", x.symmetry, x.modes});
      },
      "All of it as a JSON object.");
  c.def("__len__", [](C x) { return x.symmetry.crystal.atoms.size(); });
  c.def("__repr__", [](C x) {
    return "<Crystal of " + std::to_string(x.symmetry.crystal.atoms.size()) + " atoms, " +
           x.symmetry.setting.name + ">";
  });
  bind_by<Crystal>(c,
                   [](C x) { return nb::make_tuple(cell_tuple(x.symmetry.crystal), x.symmetry.tolerance); });
  c.def(
      "__reduce__",
      [](C x) { return reduced(nb::type<Crystal>(), cell_tuple(x.symmetry.crystal), x.symmetry.tolerance); },
      nb::sig(reduce_signature));
}

}  // namespace

void bind_crystals(nb::module_& m) {
  bind_modes(m);
  bind_site(m);
  bind_crystal(m);
}

}  // namespace intertwine::python
