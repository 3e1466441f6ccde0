// Command `symmetrize`: the mean of a weight matrix over the group.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/weight_matrix_file.hpp"
#include "layer.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct SymmetrizeOptions : LayerOptions {
  std::string weights;
  bool exact = false;
};

/// Matrices up to this many rows and columns are shown when no file is written.
constexpr std::size_t printed_side = 16;

std::string text_of(const Symmetrization& found, const SymmetrizeOptions& options, const BasisNames& names,
                    const std::string& group, double seconds, const Context& context) {
  std::string text = fmt::format("{}: S(W) for the weights of {}\n", options.group, options.weights) +
                     to_text(record(found, names, group)) + fmt::format("  time         {}\n", format_seconds(seconds));
  for (const std::string& file : context.outputs)
    text += fmt::format("  wrote        {} ({})\n", file, format_bytes(std::filesystem::file_size(file)));
  const bool shown = context.outputs.empty() && found.rows <= printed_side && found.cols <= printed_side;
  return shown ? text + "\n" + matrix_text(found) : text;
}

/// The projection that symmetrizes, and the words on its group.
struct Projection {
  std::shared_ptr<const EquivariantProjection> S;
  BasisNames names;
  std::string group_text;
  Document document;
};

Projection projection_of(const SymmetrizeOptions& options, const Task& task) {
  const auto [V, U, names] = parse_sides(options, task);
  Document document("symmetrize");
  document.add("group", V.group().name());
  std::string text = V.group().name();
  if (const auto degree = V.group().degree()) {
    const std::string order = V.group().order(task)->str();
    document.add("order", order);
    text = fmt::format("order {}, degree {}", order, *degree);
  }
  return {hom::symmetrizer(V, U, task), names, text,
          document.add("rep_in", V.to_string()).add("rep_out", U.to_string())};
}

void run(const SymmetrizeOptions& options, Context& context) {
  context.require_text_or_json();
  require_weight_files(options.weights, context.outputs, options.exact);
  const auto start = std::chrono::steady_clock::now();
  const Projection p = projection_of(options, context.task);
  const WeightMatrix W = read_weight_matrix(options.weights, p.S->rows(), p.S->cols(), options.exact, context.task);
  const Symmetrization found =
      std::visit([&](const auto& values) { return symmetrize(*p.S, values, context.task); }, W.values);
  write_weight_matrix(context.outputs, found, W.single);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  context.finish_progress();
  if (context.silent()) return;
  if (context.json)
    return context.print(
        Document(p.document).add_all(record(found, p.names, p.group_text, context.outputs), context.task));
  context.out << text_of(found, options, p.names, p.group_text, seconds, context);
}

}  // namespace

void add_symmetrize(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("symmetrize", "S(W), the mean of a weight matrix W over the group");
  const auto options = std::make_shared<SymmetrizeOptions>();
  add_layer_options(*command, *options);
  add_checked(*command, "--weights,WEIGHTS", options->weights, file_name(),
              "W: a .npy file (float32 or float64, out x in) or a .json file (rows of exact numbers: "
              "integers, or strings like \"-5/2\", \"sqrt(5)\", \"E(3)\")")
      ->required();
  command->add_flag("--exact", options->exact, "exact arithmetic for .npy weights too; a .npy result is rounded once");
  command->footer("Representations:\n" + indented(known_representations()) + "\n" + continuous_groups_help() +
                  "\nWeights of .json files are always symmetrized exactly. --output takes .npy (in the type of the "
                  "input) and, for exact results, .json. Weights between representations over fields that are not real "
                  "have to be exact. For orthogonal representations S(W) is the equivariant matrix nearest to W. Of "
                  "continuous groups that are not compact it is the projection that they have in the place of a mean.\n"
                  "Example:\n  intertwine symmetrize S4 perm^2 perm w.npy --output s.npy");
  command->callback([options, &context] {
    complete(*options);
    run(*options, context);
  });
}

}  // namespace intertwine::app
