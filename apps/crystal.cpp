// crystal: the space group of measured atoms that repeat, and their modes at the centre of the zone.
#include <memory>

#include "context.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/crystal_file.hpp"

namespace intertwine::app {

namespace {

struct CrystalOptions {
  std::string file;
  double tolerance = 0.01;
};

void run_crystal(const CrystalOptions& options, Context& context) {
  context.require_formats("crystal", all_formats);
  CrystalSymmetry symmetry = crystal_symmetry(read_crystal(options.file), options.tolerance, context.task);
  CrystalModes modes = crystal_modes(symmetry, context.task);
  const CrystalReport report{std::filesystem::path(context.streams.shown(options.file)).filename().string(),
                             std::move(symmetry), std::move(modes)};
  context.deliver([&](Format format, unsigned width) {
    return answer_in(format, width, Document("crystal"), report, context.task);
  });
}

}  // namespace

void add_crystal(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "crystal",
      "the space group of a crystal from a CIF, POSCAR or extended .xyz file, its sites and modes");
  const auto options = std::make_shared<CrystalOptions>();
  add_argument(*command, "FILE", options->file,
               "a crystal in CIF, POSCAR or extended .xyz; - is standard input");
  command
      ->add_option("--tolerance", options->tolerance,
                   "how far, in the unit of the file, an operation may take an atom beside its image (0.01)")
      ->type_name("DISTANCE");
  command->footer(
      "The atoms are measured, so the group is found within a tolerance (by spglib), which is said together "
      "with the\n"
      "largest deviation. Its operations are exact, and so is what follows: the mechanical representation of "
      "the atoms\n"
      "in a primitive cell at Gamma, its acoustic and optical parts by Mulliken's names, and their activity. "
      "IR: in x,\n"
      "y, z; Raman: in their squares and products; hyper-Raman: in their cubes. Sites have their Wyckoff "
      "letters.\n"
      "Names follow the axes of the standard cell: `intertwine help conventions` says how.\n"
      "\nExamples:\n  intertwine crystal rutile.cif\n  intertwine crystal POSCAR --tolerance 0.001 --json\n"
      "  intertwine crystal - < relaxed.xyz");
  command->callback([options, &context] { run_crystal(*options, context); });
}

}  // namespace intertwine::app
