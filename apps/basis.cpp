#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
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

/// A file with what is printed.
bool is_text(const std::string& file) { return file.ends_with(".txt"); }
bool is_answer(const std::string& file) { return is_text(file) || file.ends_with(".json"); }

/// Pictures, tables and elements are of one matrix; a mere description keeps unequal multiplicities apart.
bool needs_one_matrix(const BasisOptions& options, const Context& context) {
  return options.elements || !std::all_of(context.outputs.begin(), context.outputs.end(), is_text);
}

/// Wrong extensions are refused before the work.
void require_known_extensions(const BasisOptions& options, const std::vector<std::string>& files) {
  if (options.proof && files.empty())
    throw DomainError("--proof is written to a table: --output FILE.safetensors, .npz or .json");
  for (const std::string& file : files) {
    if (options.proof && !is_picture(file)) {
      if (table_format(file) == TableFormat::cpp_header)
        throw DomainError("C++ headers hold no proofs; write .safetensors, .npz or .json, not " + file);
      continue;
    }
    if (!is_answer(file) && !is_picture(file))
      throw DomainError("basis writes .json, .txt, .svg, .png and .html files, not " + file +
                        "; use `tie` for tables");
  }
}

void write_tables(const std::vector<std::string>& files, const WeightTable& table, const Context& context) {
  for (const std::string& file : files)
    if (!is_picture(file)) write_table(file, table, context.task);
}

void run_continuous(const BasisOptions& options, Context& context) {
  const TimedContinuousBasis layer =
      make_continuous_layer(options, context, needs_one_matrix(options, context));
  const auto only = [&]() -> const ContinuousBasis& { return layer.basis.blocks.front().front(); };
  Document document("basis");
  document.add_all(to_json(layer.basis));
  if (options.elements) document.add_piece("elements", elements_json(only().weights));
  const auto text = [&] {
    return to_text(layer.basis, layer.names, format_seconds(layer.seconds)) + features(layer.basis) +
           (options.elements ? elements_text(only().weights) : "");
  };
  if (options.proof) write_tables(context.outputs, only().table(context.task, {.proof = true}), context);
  for (const std::string& file : context.outputs)
    if (is_picture(file)) {
      const WeightTable table = only().table(context.task);
      write_picture(file, table, picture_text(shown(layer.names, context), table, only()), context.task);
    } else if (!options.proof) {
      context.save(file, is_text(file) ? Answer(text()) : Answer(document));
    }
  context.finish_progress();
  if (context.silent()) return;
  if (context.json) return context.print(document);
  context.out << text();
}

void run(const BasisOptions& options, Context& context) {
  context.require_text_or_json();
  require_known_extensions(options, context.outputs);
  if (names_continuous_group(options.group)) {
    if (!options.kernel.empty())
      throw DomainError("--kernel is for finite groups; kernels takes SE(n) and E(n)");
    return run_continuous(options, context);
  }
  const TimedBasis layer = make_layer(options, context, needs_one_matrix(options, context), options.kernel);
  const EquivariantBasis& basis = layer.basis;
  Document document("basis");
  document.add_all(to_json(basis));
  if (options.elements) document.add_piece("elements", elements_json(basis, context.task));
  const auto text = [&] {
    return to_text(basis, options, format_seconds(layer.seconds), context.task) + features(basis);
  };
  const auto elements = [&] { return options.elements ? elements_text(basis, context.task) : std::string(); };
  if (options.proof) write_tables(context.outputs, basis.table(context.task, {.proof = true}), context);
  for (const std::string& file : context.outputs) {
    if (!is_picture(file)) {
      if (!options.proof) context.save(file, is_text(file) ? Answer(text() + elements()) : Answer(document));
      continue;
    }
    const WeightTable table = basis.table(context.task);
    write_picture(file, table, picture_text(shown(options, context), table), context.task);
  }
  context.finish_progress();
  if (context.silent()) return;
  if (context.json) return context.print(document);
  context.out << text();
  if (!options.no_picture && basis.blocks().size() == 1 && basis.is_tied())
    context.out << '\n' << terminal_picture(basis.table(context.task), context.width(), context.colours());
  context.out << elements();
}

}  // namespace

void add_basis(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "basis", "the exact basis of Hom_G(V, U) and of the invariant bias, with its certificate");
  const auto options = std::make_shared<BasisOptions>();
  add_layer_options(*command, *options);
  add_kernel_option(*command, options->kernel);
  command->add_flag("--elements", options->elements,
                    "list the basis elements (0-based in JSON, 1-based in text)");
  command->add_flag("--no-picture", options->no_picture, "no picture in the terminal");
  command->add_flag(
      "--proof", options->proof,
      "--output writes the weight table with the generators' images instead (.safetensors, .npz, .json), as "
      "tie does: checkers/check_table.py proves it complete without this program");
  command->footer("Representations:\n" + indented(known_representations()) + "\n" + continuous_groups_help() +
                  "\n--output takes .json and .txt (with --proof tables) and the pictures .svg, .png and "
                  ".html.\nExamples:\n  intertwine basis S4 perm^2\n"
                  "  intertwine basis 'p4m(8,8)' '16*perm' '32*perm' --output layer.svg\n"
                  "  intertwine basis 'SO(3)' 'vector^2' vector\n"
                  "  intertwine basis M24 perm 'orbit({1,2,3,4,5,8,11,13})'");
  command->callback([options, &context] {
    complete(*options);
    run(*options, context);
  });
}

}  // namespace intertwine::app
