// Molecules: MolecularSymmetry with its motions as Molecule, Species, SymmetryCoordinate, ForceConstantBlock;
// CorrelationTable.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>

#include <filesystem>
#include <map>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "component_forms.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/correlation_text.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/correlation.hpp"
#include "intertwine/physics/molecular_motions.hpp"
#include "intertwine/physics/molecule.hpp"
#include "modes.hpp"
#include "records.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<Species> =
    std::tuple(&Species::rows, &Species::name, &Species::degree, &Species::total, &Species::translations,
               &Species::rotations, &Species::vibrations, &Species::infrared, &Species::raman, &Species::hyper_raman);
template <>
inline constexpr auto members<SymmetryCoordinate> =
    std::tuple(&SymmetryCoordinate::species, &SymmetryCoordinate::kind, &SymmetryCoordinate::copy,
               &SymmetryCoordinate::partner, &SymmetryCoordinate::vector);
template <>
inline constexpr auto members<ComponentForm> =
    std::tuple(&ComponentForm::rows, &ComponentForm::cols, &ComponentForm::names, &ComponentForm::independent,
               &ComponentForm::coefficients);
template <>
inline constexpr auto members<ForceConstantBlock> = std::tuple(&ForceConstantBlock::first, &ForceConstantBlock::second,
                                                               &ForceConstantBlock::pairs, &ForceConstantBlock::form);

namespace {

/// The facts found of a molecule. It is a value.
struct Molecule {
  MolecularSymmetry symmetry;
  MolecularMotions motions;
};

struct AtomsTag {
  static constexpr auto name = nb::detail::const_name(
      "str | os.PathLike[str] | collections.abc.Iterable[tuple[str, collections.abc.Sequence[float]]] | "
      "object");
};

std::vector<Atom> atoms_of(nb::handle source, bool cluster) {
  if (nb::isinstance<nb::str>(source) || nb::hasattr(source, "__fspath__")) {
    Path path;
    if (!nb::try_cast(source, path)) throw DomainError("molecule: the name of the file is no text");
    return read_xyz(path.value, cluster);
  }
  const nb::object of_package = nb::module_::import_("intertwine._structures").attr("molecule_of")(source, cluster);
  std::vector<Atom> atoms;
  try {
    for (const nb::handle item : nb::iter(of_package.is_none() ? source : nb::handle(of_package))) {
      const auto pair = nb::cast<std::pair<std::string, nb::object>>(item);
      std::vector<double> position;
      for (const nb::handle x : nb::iter(pair.second)) position.push_back(nb::cast<double>(nb::float_(nb::borrow(x))));
      if (position.size() != 3) throw DomainError("molecule: a position has x, y and z");
      atoms.push_back({pair.first, {position[0], position[1], position[2]}});
    }
  } catch (const nb::cast_error&) {
    throw DomainError(
        "molecule: give the name of an .xyz file, atoms of ASE, a Molecule of pymatgen, or a list such as "
        "[(\"O\", (0, 0, 0)), ...]");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    throw DomainError(
        "molecule: give the name of an .xyz file, atoms of ASE, a Molecule of pymatgen, or a list such as "
        "[(\"O\", (0, 0, 0)), ...]");
  }
  return atoms;
}

nb::object array_of(const std::vector<Vector3>& rows) {
  std::vector<double> numbers;
  for (const Vector3& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
  return owned_array<const double>(std::move(numbers), {rows.size(), 3});
}

nb::list atoms_list(const std::vector<Atom>& atoms) {
  nb::list list;
  for (const Atom& a : atoms)
    list.append(nb::make_tuple(a.element, nb::make_tuple(a.position[0], a.position[1], a.position[2])));
  return list;
}

void bind_species(nb::module_& m) {
  nb::class_<Species> c(m, "Species", nb::is_final(),
                        "A real irreducible representation of a molecule's point group, and how often it "
                        "occurs among the displacements.");
  c.def_prop_ro(
      "name", [](const Species& s) { return s.name; }, "Mulliken's: \"A1\", \"T2g\", \"Πu\".");
  c.def_prop_ro(
      "rows", [](const Species& s) { return s.rows; },
      "Its rows of the character table, 0-based: one, or two that are conjugate.");
  c.def_prop_ro(
      "degree", [](const Species& s) { return s.degree; }, "Over the real numbers.");
  c.def_prop_ro(
      "total", [](const Species& s) { return s.total; }, "How often it occurs among all 3N displacements.");
  c.def_prop_ro(
      "translations", [](const Species& s) { return s.translations; }, "Among the translations.");
  c.def_prop_ro(
      "rotations", [](const Species& s) { return s.rotations; }, "Among the rotations.");
  c.def_prop_ro(
      "vibrations", [](const Species& s) { return s.vibrations; }, "Among the vibrations.");
  c.def_prop_ro(
      "infrared", [](const Species& s) { return s.infrared; }, "Does it occur in vectors?");
  c.def_prop_ro(
      "raman", [](const Species& s) { return s.raman; }, "In their symmetric square?");
  c.def_prop_ro(
      "hyper_raman", [](const Species& s) { return s.hyper_raman; }, "In their symmetric cube?");
  c.def("__repr__",
        [](const Species& s) { return "<Species " + s.name + ", " + std::to_string(s.vibrations) + " vibrations>"; });
  bind_record<Species>(c);
}

void bind_coordinate(nb::module_& m) {
  using S = SymmetryCoordinate;
  nb::class_<S> c(m, "SymmetryCoordinate", nb::is_final(),
                  "A displacement of all atoms that transforms as one row of an irreducible representation.");
  c.def_prop_ro(
      "species", [](const S& s) { return s.species; }, "The number of its species in Molecule.species.");
  c.def_prop_ro(
      "kind",
      [](const S& s) {
        return s.kind == S::Kind::translation ? "translation" : s.kind == S::Kind::rotation ? "rotation" : "vibration";
      },
      "\"translation\", \"rotation\" or \"vibration\".");
  c.def_prop_ro(
      "copy", [](const S& s) { return s.copy; }, "Which of the equal representations, 0-based.");
  c.def_prop_ro(
      "partner", [](const S& s) { return s.partner; }, "Which of its vectors, 0-based.");
  c.def_prop_ro(
      "vector",
      [](const S& s) {
        return Typed<DoubleArrayTag>{owned_array<const double>(s.vector, {s.vector.size() / 3, 3})};
      },
      "Displacements [atoms, 3] in the molecule's frame, of length 1 in all.");
  c.def("__repr__", [](const S& s) {
    return "<SymmetryCoordinate, partner " + std::to_string(s.partner) + " of copy " + std::to_string(s.copy) +
           " of species " + std::to_string(s.species) + ">";
  });
  bind_record<S>(c);
}

void bind_force_constants(nb::module_& m) {
  using B = const ForceConstantBlock&;
  nb::class_<ForceConstantBlock> c(m, "ForceConstantBlock", nb::is_final(),
                                   "What a molecule's point group leaves free of the force constants between two "
                                   "atoms, and all pairs equivalent to them.");
  c.def_prop_ro(
      "atoms", [](B b) { return std::pair(b.first, b.second); }, "The pair, 0-based, in increasing order.");
  c.def_prop_ro(
      "pairs", [](B b) { return b.pairs; }, "How many pairs are equivalent to it, itself included.");
  c.def_prop_ro(
      "independent", [](B b) { return b.form.independent; }, "The free components (row, column), 0-based.");
  c.def_prop_ro(
      "coefficients", [](B b) { return Matrix(b.form.coefficients); },
      "9 x independent: component 3 row + column of the block by the free ones.");
  c.def_prop_ro(
      "entries", [](B b) { return entries_of(b.form); },
      "The 3 x 3 block as text, in the molecule's frame: \"xy\" is the derivative by x of the first atom and "
      "y of "
      "the second; \"-xx\", \"0\".");
  c.def("__repr__", [](B b) {
    return "<ForceConstantBlock of atoms " + std::to_string(b.first) + " and " + std::to_string(b.second) + ", " +
           std::to_string(b.constants()) + " constants>";
  });
  bind_record<ForceConstantBlock>(c);
}

void bind_frame(nb::class_<Molecule>& c) {
  using M = const Molecule&;
  c.def_prop_ro(
      "atoms", [](M m) { return atoms_list(m.symmetry.atoms); },
      nb::sig("def atoms(self) -> list[tuple[str, tuple[float, float, float]]]"), "As they were given.");
  c.def_prop_ro(
      "positions", [](M m) { return Typed<DoubleArrayTag>{array_of(m.symmetry.oriented)}; },
      "The atoms [N, 3] in the frame of the point group: turned, and not moved against one another.");
  c.def_prop_ro(
      "symmetrized", [](M m) { return Typed<DoubleArrayTag>{array_of(m.symmetry.symmetrized)}; },
      "The nearest positions [N, 3] with exactly this symmetry, in the frame.");
  c.def_prop_ro(
      "centre",
      [](M m) {
        return Typed<DoubleArrayTag>{owned_array<const double>({m.symmetry.centre.begin(), m.symmetry.centre.end()},
                                                               {m.symmetry.centre.size()})};
      },
      "The mean of the positions, which is the origin of the frame.");
  c.def_prop_ro(
      "rotation",
      [](M m) {
        const Matrix3& R = m.symmetry.rotation;
        return Typed<DoubleArrayTag>{array_of({R.begin(), R.end()})};
      },
      "[3, 3]: position in the frame = rotation @ (position - centre).");
  c.def_prop_ro(
      "orbits", [](M m) { return m.symmetry.orbits; }, "The number of its orbit for every atom.");
  c.def_prop_ro(
      "tolerance", [](M m) { return m.symmetry.tolerance; }, "In the unit of the positions.");
  c.def_prop_ro(
      "deviation", [](M m) { return m.symmetry.deviation; },
      "The largest distance of an atom, taken along by an operation, from an atom: at most the tolerance.");
  c.def_prop_ro(
      "displacement", [](M m) { return m.symmetry.displacement; },
      "The largest distance of an atom from its symmetrized place.");
  c.def_prop_ro(
      "ladder",
      [](M m) {
        nb::list rungs;
        for (const SymmetryRung& rung : m.symmetry.ladder)
          rungs.append(nb::make_tuple(rung.schoenflies, rung.deviation));
        return rungs;
      },
      nb::sig("def ladder(self) -> list[tuple[str, float]]"),
      "The largest groups within ever smaller distances and their deviations, from four times the tolerance "
      "down to a "
      "fiftieth of it.\n"
      "The group of the molecule is the first one within the tolerance.");
}

void bind_molecule(nb::module_& m) {
  using M = const Molecule&;
  nb::class_<Molecule> c(m, "Molecule", nb::is_final(),
                         R"(A molecule, its point group and what that says of its motions.

`molecule(atoms)` makes one, and says which parameters it takes and what it refuses.

Attributes
----------
schoenflies, hermann_mauguin : str
    the names of the point group, such as "C2v" and "mm2".
group : Group
    the point group; C8v or D8h for linear molecules and Oh for an atom.
character_table : CharacterTable
    the characters of `group`.
species : list of Species
    the irreducible representations, each with its vibrations and their activity.
force_constants, internal_force_constants : int
    the free entries of the Hessian, and of its part for vibrations.

Examples
--------
>>> from intertwine.chem import molecule
>>> water = molecule([("O", (0, 0, 0.12)), ("H", (0, 0.76, -0.48)), ("H", (0, -0.76, -0.48))])
>>> water, len(water), water.hermann_mauguin
(<Molecule of 3 atoms, C2v>, 3, 'mm2')

See Also
--------
molecule : the function that makes one.
Crystal : a periodic structure.
)");
  c.def_prop_ro(
      "schoenflies", [](M m) { return m.symmetry.schoenflies; }, "\"C2v\", \"D∞h\", \"Kh\" for an atom.");
  c.def_prop_ro(
      "hermann_mauguin", [](M m) { return m.symmetry.hermann_mauguin; }, "\"mm2\", \"∞/mm\".");
  c.def_prop_ro(
      "group", [](M m) { return m.symmetry.group; },
      "The point group; C8v or D8h for linear molecules and Oh for an atom, in which nothing falls together "
      "that vectors contain.");
  c.def_prop_ro(
      "character_table", [](M m) { return m.motions.table; }, "That of the group.");
  bind_frame(c);
  c.def_prop_ro(
      "species", [](M m) { return m.motions.species; }, "The irreducible representations, a list of Species.");
  c.def_prop_ro(
      "force_constants", [](M m) { return m.motions.force_constants; },
      "Independent entries of a symmetric 3N x 3N matrix that commutes with the group.");
  c.def_prop_ro(
      "internal_force_constants", [](M m) { return m.motions.internal_force_constants; },
      "The same for the vibrations alone.");
  def_limited(
      c, "force_constant_blocks",
      [](const Limits& limits, M m) {
        return limits.run([&](const Task& task) { return force_constant_blocks(m.symmetry, task); });
      },
      "The pattern of a symmetric Hessian that commutes with the group, exactly: a ForceConstantBlock for "
      "every "
      "orbit of pairs of atoms.\n"
      "The block of atoms g(i), g(j) is R B R^T, with R the matrix of g; together they have force_constants "
      "free "
      "components.");
  def_limited(
      c, "atom_rep",
      [](const Limits& limits, M m) {
        return limits.run([&](const Task& task) { return m.symmetry.atom_representation(task); });
      },
      "The permutation representation of the group on the atoms.");
  def_limited(
      c, "symmetry_coordinates",
      [](const Limits& limits, M m) {
        return limits.run([&](const Task& task) { return symmetry_coordinates(m.symmetry, m.motions, task); });
      },
      "An orthonormal basis of all displacements, without masses, adapted to the group: a list of "
      "SymmetryCoordinate.\n"
      "Equal representations have equal matrices. Cost: (3N)^2 doubles.");
  c.def(
      "_species",
      [](M m) {
        std::vector<Permutation> elements;
        for (const auto& g : m.symmetry.operations) elements.push_back(g.element);
        return species_characters(m.motions.table, m.motions.species, elements);
      },
      nb::sig(species_signature), "For labels of modes: species with the characters of _operations.");
  c.def(
      "_operations",
      [](M m) {
        nb::list out;
        for (const auto& g : m.symmetry.operations) {
          std::vector<Point> images;
          for (Point i = 0; i < m.symmetry.atoms.size(); ++i) images.push_back(g.atoms(i));
          out.append(nb::make_tuple(images, array_of({g.matrix.begin(), g.matrix.end()})));
        }
        return out;
      },
      nb::sig("def _operations(self) -> list[tuple[list[int], object]]"),
      "For labels of modes: where each operation takes the atoms, and its matrix in the frame.");
  c.def(
      "label_modes",
      [](const nb::object& self, const Typed<ArrayLikeTag>& vectors, const std::optional<std::string>& modes) {
        return Typed<ModeLabelsTag>{
            nb::module_::import_("intertwine._modes").attr("label_molecule")(self, vectors.object, modes)};
      },
      nb::arg("vectors"), nb::kw_only(), nb::arg("modes") = nb::none(),
      R"(Names computed modes by the species that they belong to.

Parameters
----------
vectors : array_like
    [M, N, 3], or a matrix with a side 3N: Cartesian eigenvectors or displacements of the N atoms as they were given,
    in their axes and order. ASE's `get_modes()` is one.
modes : {"rows", "columns"}, optional
    which of a square matrix they are: "columns" of what `numpy.linalg.eigh` gives.

Returns
-------
list of ModeLabel
    for every mode its `name` and `weight`, and `mixing` by name.

Raises
------
DomainError
    for another number of atoms, a mode that is 0, or a square matrix without `modes`.

Examples
--------
>>> from intertwine.chem import molecule
>>> water = molecule([('O', (0, 0, 0)), ('H', (0.76, 0, 0.59)), ('H', (-0.76, 0, 0.59))])
>>> water.label_modes([[[0, 0, 0], [0.6, 0, 0.4], [-0.6, 0, 0.4]]])
[<ModeLabel A1>])");
  c.def(
      "describe",
      [](M m) {
        return to_text(record(MoleculeReport{"molecule", m.symmetry, m.motions, {}, {}}));
      },
      "All of it for people, as the program says it.");
  c.def(
      "to_json",
      [](M m) {
        return to_json(record(MoleculeReport{"molecule", m.symmetry, m.motions, {}, {}}));
      },
      "All of it as a JSON object.");
  bind_format<[](M m, const Task&) { return record(MoleculeReport{"molecule", m.symmetry, m.motions, {}, {}}); }>(c);
  def_limited(
      c, "write",
      [](const Limits& limits, M m, const Path& path) {
        if (!path.value.filename().string().ends_with("xyz"))
          throw DomainError("Molecule.write: a molecule is written into .xyz files");
        limits.run([&](const Task&) {
          write_file(path.value, xyz_text(m.symmetry));
          return 0;
        });
      },
      nb::arg("path"), "Writes the symmetrized atoms in the frame of the group: a file .xyz. FileError, DomainError.");
  c.def("__len__", [](M m) { return m.symmetry.atoms.size(); });
  c.def("__repr__", [](M m) {
    return "<Molecule of " + std::to_string(m.symmetry.atoms.size()) + " atoms, " + m.symmetry.schoenflies + ">";
  });
  const auto question = [](M m) {
    return nb::make_tuple(nb::tuple(atoms_list(m.symmetry.atoms)), m.symmetry.tolerance);
  };
  bind_by<Molecule>(c, question);
  c.def(
      "__reduce__",
      [question](M m) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr("molecule"), question(m));
      },
      nb::sig(reduce_signature));
  def_limited(
      m, "molecule",
      [](const Limits& limits, const Typed<AtomsTag>& atoms, double tolerance, bool cluster,
         const std::optional<std::string>& target) {
        std::vector<Atom> given = atoms_of(atoms.object, cluster);
        return limits.run([&](const Task& task) {
          MolecularSymmetry symmetry = target ? molecular_symmetry_towards(std::move(given), *target, tolerance, task)
                                              : molecular_symmetry(std::move(given), tolerance, task);
          MolecularMotions motions = molecular_motions(symmetry, task);
          return Molecule{std::move(symmetry), std::move(motions)};
        });
      },
      nb::arg("atoms"), nb::arg("tolerance") = 0.05, nb::arg("cluster") = false, nb::arg("target") = nb::none(),
      R"(The point group of a molecule and its vibrations.

The group is found from measured positions within a tolerance, exactly from there on.

Parameters
----------
atoms : str, os.PathLike, Atoms, Molecule or iterable of (str, (float, float, float))
    the name of an .xyz file, atoms of ASE, a molecule of pymatgen, or pairs of an element and a position.
tolerance : float
    how far an operation may move an atom from another one, in the unit of the positions.
cluster : bool
    takes the atoms in one cell of a periodic file or structure by themselves, which is refused otherwise.
target : str, optional
    the symbol of another group, one of those in `ladder`.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Molecule
    `schoenflies`, `group`, `species`, `ladder` and others.

Raises
------
FileError
    for a file that cannot be read.
DomainError
    for positions that coincide, or a periodic file.

See Also
--------
Crystal : a periodic structure.

Examples
--------
>>> water = [('O', (0, 0, 0)), ('H', (0.76, 0, 0.59)), ('H', (-0.76, 0, 0.59))]
>>> molecule(water).schoenflies
'C2v')");
}

FiniteGroup point_or_double_group_of(const std::variant<std::string, FiniteGroup>& group) {
  const auto* text = std::get_if<std::string>(&group);
  return text != nullptr ? parse_point_or_double_group(*text) : std::get<FiniteGroup>(group);
}

void bind_correlation(nb::module_& m) {
  using C = const CorrelationTable&;
  nb::class_<CorrelationTable> c(m, "CorrelationTable", nb::is_final(),
                                 "How the species of a point group become those of a subgroup, in every way in "
                                 "which it has the subgroup.");
  c.def_prop_ro(
      "group", [](C t) { return t.from.table.group(); }, "The larger group.");
  c.def_prop_ro(
      "subgroup", [](C t) { return t.to.table.group(); }, "The smaller group.");
  c.def_prop_ro(
      "settings",
      [](C t) {
        std::vector<std::map<std::string, std::map<std::string, std::uint64_t>>> list;
        for (const CorrelationSetting& setting : t.settings) {
          list.emplace_back();
          for (std::size_t i = 0; i < t.from.rows.size(); ++i)
            for (std::size_t k = 0; k < t.to.rows.size(); ++k)
              if (const std::uint64_t n = setting.multiplicities[i][k]; n != 0)
                list.back()[t.from.rows[i].name()][t.to.rows[k].name()] = n;
        }
        return list;
      },
      "For every way, by the species of the larger group, how often those of the smaller one occur: "
      "[{\"Eg\": {\"A1\": 1, \"B1\": 1}}].");
  c.def_prop_ro(
      "classes",
      [](C t) {
        std::vector<std::map<std::string, std::string>> list;
        for (const CorrelationSetting& setting : t.settings) {
          list.emplace_back();
          for (std::size_t k = 0; k < setting.fusion.size(); ++k)
            list.back()[to_string(t.to.columns[k].label)] = to_string(t.from.columns[setting.fusion[k]].label);
        }
        return list;
      },
      "For every way what the classes of the smaller group are in the larger one.");
  c.def(
      "to_latex",
      [](C t) {
        return to_latex(record(CorrelationReport{t, {}}));
      },
      "A displayed table.");
  c.def(
      "to_json",
      [](C t) {
        return to_json(record(CorrelationReport{t, {}}));
      },
      "A JSON object.");
  bind_format<[](C t, const Task&) { return record(CorrelationReport{t, {}}); }>(c);
  c.def("__str__", [](C t) { return to_text(record(CorrelationReport{t, {}})); });
  c.def("__repr__", [](C t) {
    return "<CorrelationTable of " + t.from.schoenflies + " and " + t.to.schoenflies + ", " +
           std::to_string(t.settings.size()) + (t.settings.size() == 1 ? " way>" : " ways>");
  });
  const auto question = [](C t) { return nb::make_tuple(t.from.table.group(), t.to.table.group()); };
  bind_by<CorrelationTable>(c, question);
  c.def(
      "__reduce__",
      [question](C t) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr("correlation_table"), question(t));
      },
      nb::sig(reduce_signature));
  def_limited(
      m, "correlation_table",
      [](const Limits& limits, const std::variant<std::string, FiniteGroup>& group,
         const std::variant<std::string, FiniteGroup>& subgroup) {
        return limits.run([&](const Task& task) {
          return correlation_table(point_or_double_group_of(group), point_or_double_group_of(subgroup), task);
        });
      },
      nb::arg("group"), nb::arg("subgroup"),
      R"(Descent in symmetry: the species of a point group restricted to a subgroup.

Parameters
----------
group, subgroup : str or Group
    point groups by Schoenflies or international symbols, or two double groups such as 2.Oh.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
CorrelationTable
    by Mulliken's names, a column for each way in which the subgroup lies in the group.

Raises
------
DomainError
    where there is no such subgroup.)");
}

}  // namespace

void bind_physics(nb::module_& m) {
  bind_species(m);
  bind_coordinate(m);
  bind_force_constants(m);
  bind_molecule(m);
  bind_correlation(m);
}

}  // namespace intertwine::python
