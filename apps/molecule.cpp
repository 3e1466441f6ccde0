// molecule: the point group of measured atoms, and what it says of their motions.
#include <memory>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/physics/molecular_motions.hpp"

namespace intertwine::app {

namespace {

struct MoleculeOptions {
  std::string file;
  double tolerance = 0.05;
  std::string target;
  bool coordinates = false, blocks = false, cluster = false;
};

void run_molecule(const MoleculeOptions& options, Context& context) {
  const std::vector<std::string> structures = structure_outputs(context);
  for (const std::string& file : structures)
    if (!file.ends_with("xyz")) throw DomainError("a molecule is written into .xyz files, not " + one_line(file));
  context.require_formats("molecule writes symmetrized atoms into .xyz, and", all_formats);
  std::vector<Atom> atoms = read_xyz(options.file, options.cluster);
  MolecularSymmetry symmetry =
      options.target.empty()
          ? molecular_symmetry(std::move(atoms), options.tolerance, context.task)
          : molecular_symmetry_towards(std::move(atoms), options.target, options.tolerance, context.task);
  MolecularMotions motions = molecular_motions(symmetry, context.task);
  MoleculeReport report{std::filesystem::path(context.streams.shown(options.file)).filename().string(),
                        std::move(symmetry),
                        std::move(motions),
                        {},
                        {}};
  if (options.coordinates) report.coordinates = symmetry_coordinates(report.symmetry, report.motions, context.task);
  if (options.blocks) report.blocks = force_constant_blocks(report.symmetry, context.task);
  for (const std::string& file : structures) context.save(file, xyz_text(report.symmetry));
  deliver_answer(context, "molecule", record(report));
}

}  // namespace

void add_molecule(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "molecule", "the point group of a molecule from an .xyz file, its vibrations and their activity");
  const auto options = std::make_shared<MoleculeOptions>();
  add_argument(*command, "FILE", options->file, "a molecule in the format .xyz; - is standard input");
  add_value(*command, "--tolerance", "DISTANCE", options->tolerance,
            "how far, in the unit of the file, an operation may take an atom beside its image (0.05)");
  add_value(*command, "--target", "GROUP", options->target,
            "take this group, one of those that `groups` names, in place of the largest within the tolerance");
  command->add_flag("--coordinates", options->coordinates,
                    "symmetry coordinates as well: an orthonormal basis of all displacements");
  command->add_flag("--force-constants", options->blocks,
                    "the pattern of a symmetric Hessian: for every kind of pair of atoms which second "
                    "derivatives are free, equal, opposite or 0");
  command->add_flag("--cluster", options->cluster,
                    "the atoms in one cell of a periodic file (Lattice=, pbc=) by themselves; such a file is "
                    "refused otherwise");
  command->footer(
      "An .xyz file has the number of atoms, a line of comment, and a line for every atom: its element and x, y, z.\n"
      "The atoms are measured, so the group is found within a tolerance, which is said together with the largest "
      "deviation;\n"
      "where others are near, `groups` says which there are within four times the tolerance and which within less;\n"
      "what follows from the group is exact. Species have Mulliken's names: the main axis is z, mirrors sigma_v and "
      "half\n"
      "turns C2' go through the most atoms, planar molecules of C2v lie in the plane yz. No masses are used: Gamma_3N "
      "less\n"
      "translations and rotations. IR: in x, y, z; Raman: in their squares and products; hyper-Raman: in their cubes.\n"
      "--output FILE.xyz writes the symmetrized atoms, in the frame of the group.\n\n"
      "Examples:\n"
      "  intertwine molecule water.xyz\n"
      "  intertwine molecule hydronium.xyz --target C3v --output symmetrized.xyz\n"
      "  intertwine molecule c60.xyz --tolerance 0.01 --force-constants\n"
      "  intertwine molecule - --coordinates --json < ferrocene.xyz");
  command->callback([options, &context] { run_molecule(*options, context); });
}

}  // namespace intertwine::app
