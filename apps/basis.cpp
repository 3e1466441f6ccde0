// Command `basis`: the elements of a basis of Hom(V, U), their pictures and tables.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/basis_elements.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct BasisOptions : LayerOptions {
  bool elements = false;
  bool no_picture = false;
  bool proof = false;
  std::string kernel;
};

/// The files asked for, each with what it holds.
struct BasisFiles {
  BasisFiles(const BasisOptions& options, const std::vector<std::string>& files) {
    const std::string whole = listed_extensions(TableContents::any);
    for (const std::string& file : files) {
      const LayerFile kind = layer_file(file, "basis", options.proof);
      if (kind == LayerFile::picture) {
        pictures.push_back(file);
        continue;
      }
      if (options.proof && kind == LayerFile::table && table_format(file) == TableFormat::cpp_header)
        throw DomainError(fmt::format("C++ headers hold no proofs; write {}, not {}", whole, file));
      if (options.proof && kind == LayerFile::answer)
        throw DomainError(fmt::format("--proof is written to a table, {}, not {}", whole, file));
      (kind == LayerFile::table ? tables : answers).push_back(file);
    }
    if (options.proof && tables.empty()) throw DomainError("--proof is written to a table: --output FILE" + whole);
  }
  std::vector<std::string> answers, tables, pictures;
};

/// Pictures, tables and elements are of one matrix; a mere description keeps unequal multiplicities apart.
bool needs_one_matrix(const BasisOptions& options, const Context& context, Format printed) {
  const auto is_text = [](const std::string& file) { return file.ends_with(".txt"); };
  return options.elements || is_of_elements(printed) || printed == Format::html ||
         !std::all_of(context.outputs.begin(), context.outputs.end(), is_text);
}

/// The options of the record of the basis.
Record record_of(const TimedBasis& layer, bool elements) {
  return record(
      layer.basis,
      BasisForm{.names = layer.names, .time = format_seconds(layer.seconds), .features = true, .elements = elements});
}

/// The basis in a format: its elements, its picture, or its description.
Answer answer_of(const TimedBasis& layer, const BasisOptions& options, Format format, const Context& context) {
  const hom::Basis& basis = layer.basis;
  const Task& task = context.task;
  if (format != Format::html) return answer_in(format, 80, Document("basis"), record_of(layer, options.elements), task);
  const WeightBlock table = basis.table({}, task).block();
  return html_picture(table, picture_text(shown(layer.names, context), table, basis), task);
}

void write_files(const TimedBasis& layer, const BasisOptions& options, const BasisFiles& files,
                 const Context& context) {
  for (const std::string& file : files.answers)
    context.save(file, answer_of(layer, options, format_of_file(file), context));
  if (files.tables.empty() && files.pictures.empty()) return;
  const WeightBlock table = layer.basis.table({.proof = options.proof}, context.task).block();
  for (const std::string& file : files.tables) write_table(file, table, context.task);
  for (const std::string& file : files.pictures)
    write_picture(file, table, picture_text(shown(layer.names, context), table, layer.basis), context.task);
}

void run(const BasisOptions& options, Context& context) {
  const BasisFiles files(options, context.outputs);
  const Format printed = context.printed_format(all_formats);
  const TimedBasis layer = make_layer(options, context, needs_one_matrix(options, context, printed), options.kernel);
  const hom::Basis& basis = layer.basis;
  write_files(layer, options, files, context);
  context.finish_progress();
  if (context.silent() || context.streams.writes()) return;
  if (printed != Format::text) return context.print(answer_of(layer, options, printed, context));
  context.out << to_text(record_of(layer, false), 80, context.task);
  if (!options.no_picture && !basis.is_empty() && !basis.is_several() && basis.is_tied())
    context.out << '\n' << terminal_picture(basis.table({}, context.task).block(), context.width(), context.colours());
  if (options.elements) context.out << elements_text(basis, context.task);
}

}  // namespace

void add_basis(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("basis", "the exact basis of Hom_G(V, U) and of the invariant bias, with its certificate");
  const auto options = std::make_shared<BasisOptions>();
  add_layer_options(*command, *options);
  add_kernel_option(*command, options->kernel);
  command->add_flag("--elements", options->elements, "list the basis elements (0-based in JSON, 1-based in text)");
  command->add_flag("--no-picture", options->no_picture, "no picture in the terminal");
  command->add_flag(
      "--proof", options->proof,
      "--output writes the weight table with the generators' images instead (.safetensors, .npz, .json), as "
      "tie does: checkers/check_table.py proves it complete without this program");
  command->footer("Representations:\n" + indented(known_representations()) + "\n" + continuous_groups_help() +
                  "\n--output takes .npy (the elements as doubles [P, rows, columns]), .json (what --json "
                  "prints; with --proof a table) and .txt, the elements as .tex, .csv, .md, .g, .sage\nand "
                  ".m, the table, as tie writes it, as .safetensors, .npz and .hpp, and the pictures .svg, "
                  ".png and .html.\nExamples:\n  intertwine basis S4 perm^2\n"
                  "  intertwine basis 'p4m(8,8)' '16*perm' '32*perm' --output layer.svg\n"
                  "  intertwine basis 'SO(3)' 'vector^2' vector\n"
                  "  intertwine basis M24 perm 'orbit({1,2,3,4,5,8,11,13})'");
  command->callback([options, &context] {
    complete(*options);
    run(*options, context);
  });
}

}  // namespace intertwine::app
