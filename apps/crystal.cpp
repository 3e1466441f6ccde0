// crystal: the space group of measured atoms that repeat, and their modes at the centre of the zone.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/irrep_labels.hpp"
#include "intertwine/io/little_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "intertwine/physics/crystal_report.hpp"
#include "intertwine/physics/force_constants.hpp"
#include "intertwine/physics/magnetic_structure.hpp"

namespace intertwine::app {

namespace {

struct CrystalOptions {
  std::string file;
  double tolerance = 0.01, moment_tolerance = 0.02;
  std::string occupancy = "refuse";
  std::string magmom;  // empty: those of the file
  unsigned order = 0;  // of force constants; 0: none are asked for
  std::vector<unsigned> supercell{1, 1, 1};
  std::optional<double> cutoff;
  std::string space_group, magnetic, k, along, labels;  // empty: none
  bool spinors = false;
  std::optional<unsigned> kp;
};

/// The question that the options put about a wave vector of a group.
template <class Group>
WaveVectorReport at_wave_vector(const Group& group, const CrystalOptions& options, const Task& task) {
  const SpinKind spin = options.spinors ? SpinKind::half : SpinKind::none;
  WaveVectorReport report{little_group(group, parse_wave_vector(options.k, task), spin, task)};
  if (!options.labels.empty()) report.labels = cdml_labels(report.at, options.labels);
  if (!options.along.empty()) report.line = little_group_along(report.at, parse_wave_vector(options.along, task), task);
  if (options.kp) report.kp = kp_of_levels(report.at, *options.kp, task);
  return report;
}

/// Without a file: a space group by name, or a magnetic one, at a wave vector.
void run_group_alone(const CrystalOptions& options, const std::vector<std::string>& structures, Context& context) {
  const std::string option = options.space_group.empty() ? "--magnetic" : "--space-group";
  if (options.k.empty())
    throw DomainError("crystal " + option +
                      " takes a wave vector, --k 1/2,0,0; `group` knows space groups as finite groups");
  if (!structures.empty())
    throw DomainError("a structure has atoms, so " + one_line(structures.front()) + " cannot be written from " +
                      option);
  if (options.magnetic.empty())
    return deliver_answer(context, "crystal",
                          record(at_wave_vector(SpaceGroup::named(options.space_group), options, context.task)));
  const MagneticSpaceGroup group = MagneticSpaceGroup::named(options.magnetic, context.task);
  WaveVectorReport report = at_wave_vector(group, options, context.task);
  report.name = one_line(options.magnetic);
  if (const unsigned uni = has_magnetic_numbers() ? magnetic_number(group) : 0; uni != 0)
    report.kind = magnetic_kind(uni, context.task);
  deliver_answer(context, "crystal", record(report));
}

void run_crystal(const CrystalOptions& options, Context& context) {
  const std::vector<std::string> structures = structure_outputs(context);
  context.require_formats("crystal writes structures into .cif, .xyz, .vasp and POSCAR, and", all_formats);
  const bool alone = !options.space_group.empty() || !options.magnetic.empty();
  if (options.file.empty() != alone)
    throw DomainError(options.file.empty()
                          ? "crystal takes a FILE with a crystal, or --space-group or --magnetic NAME with --k"
                          : "crystal takes a FILE or the name of a group, and here are both: leave out one of them");
  if (alone) return run_group_alone(options, structures, context);
  CrystalStructure structure = read_crystal(options.file, occupancy_named(options.occupancy));
  if (!options.magmom.empty()) give_moments(structure, options.magmom);
  CrystalSymmetry symmetry = crystal_symmetry(std::move(structure), options.tolerance, context.task);
  CrystalModes modes = crystal_modes(symmetry, context.task);
  CrystalReport report{std::filesystem::path(context.streams.shown(options.file)).filename().string(),
                       std::move(symmetry),
                       std::move(modes),
                       {}};
  if (options.order != 0) {
    const auto& cells = options.supercell;
    const ForceConstantQuestion question{options.order, {cells[0], cells[1], cells[2]}, options.cutoff, true};
    report.force_constants = {question, count_force_constants(report.symmetry, question, context.task)};
  }
  if (!report.symmetry.crystal.moments.empty())
    report.magnetic = magnetic_symmetry(report.symmetry, options.moment_tolerance, context.task);
  constexpr unsigned grey = 2;
  if (!options.k.empty() && report.magnetic && report.magnetic->type != grey)
    throw DomainError(
        fmt::format("{} has magnetic moments, and --k of a FILE is about the group of atoms without any: take crystal "
                    "--magnetic {} --k {}, in the axes of that group, or leave the moments out by --magmom '{}*0'",
                    report.name, report.magnetic->kind ? report.magnetic->kind->bns_number : "NAME", options.k,
                    report.symmetry.crystal.atoms.size()));
  if (!options.k.empty()) report.at_k = at_wave_vector(report.symmetry.group, options, context.task);
  for (const std::string& file : structures) context.save(file, structure_text(report.symmetry, file));
  deliver_answer(context, "crystal", record(report));
}

}  // namespace

void add_crystal(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "crystal", "the space group of a crystal from a CIF, POSCAR or extended .xyz file, its sites and modes");
  const auto options = std::make_shared<CrystalOptions>();
  add_value(*command, "FILE", "", options->file,
            "a crystal in CIF, POSCAR, extended .xyz, phonopy.yaml, geometry.in of FHI-aims or .cell of "
            "CASTEP; - is standard input");
  add_value(*command, "--tolerance", "DISTANCE", options->tolerance,
            "how far, in the unit of the file, an operation may take an atom beside its image (0.01)");
  add_value(*command, "--occupancy", "WORD", options->occupancy,
            "what becomes of sites of a CIF with partial occupancies: average (one atom of a mixed kind), "
            "split (a site for each species) or refuse (refuse)");
  add_value(*command, "--magmom", "TEXT", options->magmom,
            "magnetic moments as VASP's MAGMOM has them, '2*5 2*-5 4*0': a number for every atom, or three");
  add_value(*command, "--moment-tolerance", "NUMBER", options->moment_tolerance,
            "how far, in the unit of the moments, an operation may take one beside the moment there (0.02)");
  auto* forces = add_value(*command, "--force-constants", "ORDER", options->order,
                           "count the force constants of order 2, 3 or 4 of a supercell, with and without "
                           "translational sum rules")
                     ->check(CLI::Range(2, 4));
  command
      ->add_option("--supercell", options->supercell,
                   "how many cells of the file it has along a, b and c, as in 2,2,2 (1,1,1)")
      ->delimiter(',')
      ->expected(3)
      ->type_name("A,B,C")
      ->needs(forces);
  add_value(*command, "--cutoff", "DISTANCE", options->cutoff,
            "constants of atoms that are not closer to one another than this are 0, in the unit of the file")
      ->needs(forces);
  auto* k = add_value(*command, "--k", "A,B,C", options->k,
                      "the irreducible representations at a wave vector, in the basis dual to the edges of the "
                      "standard cell, as in 1/2,0,0");
  command->add_flag("--spinors", options->spinors, "those of spinors: double groups")->needs(k);
  add_value(*command, "--along", "A,B,C", options->along,
            "also those of the line from k in this direction, and how they are in those at k")
      ->needs(k);
  add_value(*command, "--kp", "ORDER", options->kp, "the matrices of k.p Hamiltonians of every level, up to this order")
      ->check(CLI::Range(0, 20))
      ->needs(k);
  add_value(*command, "--labels", "FOLDER", options->labels,
            "label the irreps at k as the Bilbao server does, by the tables in this folder of the Python "
            "package irreptables")
      ->needs(k);
  auto* space_group = add_value(*command, "--space-group", "NAME", options->space_group,
                                "a space group instead of a file, for --k: 'P4/nmm', 227, 'P 21/n'")
                          ->excludes(forces);
  add_value(*command, "--magnetic", "NAME", options->magnetic,
            "a magnetic space group, for --k: a BNS symbol, \"Pn'm'a\" or P_c4/mnc, an OG symbol, "
            "\"P_2cmm'2'\" or og:P_C222, or a BNS, OG or UNI number, 62.448")
      ->excludes(forces)
      ->excludes(space_group);
  command->footer(
      "The atoms are measured, so the group is found within a tolerance (by spglib), which is said together with the\n"
      "largest deviation. Its operations are exact, and so is what follows: the mechanical representation of the "
      "atoms\n"
      "in a primitive cell at Gamma, its acoustic and optical parts by Mulliken's names, and their activity. IR: in "
      "x,\n"
      "y, z; Raman: in their squares and products; hyper-Raman: in their cubes. Sites have their Wyckoff letters.\n"
      "Names follow the axes of the standard cell: `intertwine help conventions` says how.\n"
      "--output FILE writes the symmetrized structure in the standard cell into files .cif, .xyz, .vasp and POSCAR.\n"
      "Force constants are derivatives of the energy of a supercell by displacements. They are tied by its space group "
      "and\n"
      "the exchange of indices; sum rules say that a translation of all atoms costs nothing. Distances are those of "
      "nearest\n"
      "images.\n"
      "Moments are read from magnetic CIF (_atom_site_moment), from columns magmoms or initial_magmoms of extended\n"
      ".xyz, from initial_moment of geometry.in, or from --magmom. Then the magnetic space group is found, and which\n"
      "moments it allows at every site. One number an atom is a collinear order, which no direction is said of.\n"
      "At a wave vector k the operations that leave it where it is have the representations that --k lists, with "
      "exact\n"
      "characters. Type a, b or c says what time reversal makes of one: nothing, two copies together, or a pair of\n"
      "different ones; x is where nothing that reverses time leaves k. Levels are as degenerate as they say.\n"
      "--labels has those of Cracknell, Davies, Miller and Love, X1 or GM4-, at wave vectors of highest symmetry; the "
      "folder\n"
      "is what python3 -c 'import irreptables; print(irreptables.__path__[0])' prints.\n"
      "--kp has a basis of the Hermitian matrices that symmetry allows near k: H(k + g q) = D(g) H(k + q) D(g)^-1.\n\n"
      "Examples:\n"
      "  intertwine crystal rutile.cif\n"
      "  intertwine crystal POSCAR --tolerance 0.001 --json\n"
      "  intertwine crystal relaxed.vasp --output symmetrized.cif\n"
      "  intertwine crystal POSCAR --force-constants 3 --supercell 2,2,2 --cutoff 5\n"
      "  intertwine crystal rutile.cif --k 0,0,1/2\n"
      "  intertwine crystal --space-group P4/nmm --k 1/2,1/2,0 --spinors\n"
      "  intertwine crystal --space-group 227 --k 1,0,0 --along 1,0,0\n"
      "  intertwine crystal --space-group P6/mmm --k 1/3,1/3,0 --kp 1\n"
      "  intertwine crystal --magnetic \"Pn'm'a\" --k 1/2,0,0\n"
      "  intertwine crystal MnF2.mcif\n"
      "  intertwine crystal POSCAR --magmom '5 -5 4*0'\n"
      "  intertwine crystal - < relaxed.xyz");
  command->callback([options, &context] { run_crystal(*options, context); });
}

}  // namespace intertwine::app
