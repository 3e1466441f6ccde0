// sdp: a semidefinite program in a file, reduced by its symmetry.
#include <chrono>
#include <memory>
#include <utility>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/graph_file.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/model_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/sdpa_file.hpp"
#include "intertwine/io/solution_file.hpp"
#include "intertwine/sdp/graph_bounds.hpp"
#include "intertwine/sdp/solution.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"

namespace intertwine::app {

namespace {

struct SdpOptions {
  std::string file, group, action = "perm", variant = "lovasz", lift;
  bool find = false;
};

bool is_npz(const std::string& file) { return file.ends_with(".npz"); }

/// Before the work: the names of files say their formats.
void require_names(const Context& context, bool lifts) {
  for (const std::string& file : context.outputs)
    if (lifts && !is_npz(file) && (!file.ends_with(".json") || file.ends_with(".mof.json")))
      throw DomainError("sdp --lift writes .json and .npz files, not " + one_line(file));
  if (lifts) return;
  for (const std::string& file : context.outputs)
    if (!is_npz(file) && !file.ends_with(".dat-s") && !file.ends_with(".cbf") && !file.ends_with(".mof.json"))
      throw DomainError("sdp writes .dat-s, .cbf, .mof.json and .npz files, not " + one_line(file));
}

/// How the optimum of the model comes from that of the reduced problem; empty where they are one.
std::string optimum_of(const sdp::Model& model) {
  if (!model.maximize && model.constant == 0) return "";
  return "the optimum of the model is " + model.constant.str() + (model.maximize ? " - " : " + ") +
         "that of the reduced problem, which minimizes";
}

/// A problem and the group on its rows.
std::pair<sdp::Model, Representation> question(const SdpOptions& options, const Task& task) {
  const auto stated = [&] {
    return parse_representation(parse_finite_group(options.group, task), options.action, task);
  };
  if (!names_graph(options.file)) {
    if (options.variant != "lovasz")
      throw DomainError("--variant is of the theta of a graph, and " + one_line(options.file) + " names none");
    sdp::Model model = read_model(options.file, task);
    Representation rows = options.group.empty() ? sdp::symmetries(model.problem, task) : stated();
    return {std::move(model), std::move(rows)};
  }
  const LabelledGraph graph = read_plain_graph(options.file, task).graph;
  sdp::ThetaProblem theta =
      sdp::theta_problem(graph, options.group.empty() ? sdp::vertex_symmetries(graph, task) : stated(),
                         sdp::theta_variant(options.variant), task);
  return {{std::move(theta.problem), true}, std::move(theta.rows)};
}

Answer reduced_file(const std::string& file, const sdp::Model& model, const sdp::Reduction& reduction,
                    const SdpOptions& options, const Context& context) {
  if (is_npz(file)) return in_format(record(reduction), Format::npz, 0, context.task);
  const ModelFormat format = model_format(file);
  if (format != ModelFormat::sdpa)
    return to_model_text(sdp::to_problem(reduction.problem(), context.task), model.maximize, model.constant, format,
                         context.task);
  const std::string optimum = optimum_of(model);
  return to_sdpa(reduction.problem(), one_line(options.file) + " reduced by a group of order " +
                                          to_string(reduction.group_order()) + (optimum.empty() ? "" : "; " + optimum));
}

void lift_solution(const SdpOptions& options, const sdp::Model& model, const sdp::Reduction& reduction,
                   Context& context) {
  const sdp::Solution solution =
      sdp::lifted(model, reduction, read_solution(options.lift, reduction.problem(), context.task), context.task);
  const Record found = record(sdp::NamedSolution{model, solution});
  const auto document = [&] {
    return Document("sdp")
        .add("file", context.streams.shown(options.file))
        .add("lift", context.streams.shown(options.lift))
        .add_all(found, context.task);
  };
  for (const std::string& file : context.outputs)
    context.save(file, is_npz(file) ? Answer(in_format(found, Format::npz, 0, context.task)) : Answer(document()));
  if (context.silent()) return;
  if (context.printed_format({Format::text, Format::json}) == Format::json)
    context.print(document());
  else
    context.print(to_text(found));
}

void run_sdp(const SdpOptions& options, Context& context) {
  context.require_text_or_json();
  require_names(context, !options.lift.empty());
  if (options.find && !options.group.empty())
    throw DomainError("--find looks for the group that --group states; leave out one of them");
  const auto started = std::chrono::steady_clock::now();
  const auto [model, rows] = question(options, context.task);
  const sdp::Reduction reduction = sdp::reduce(model.problem, rows, context.task);
  if (!options.lift.empty()) {
    lift_solution(options, model, reduction, context);
    return;
  }
  for (const std::string& file : context.outputs)
    context.save(file, reduced_file(file, model, reduction, options, context));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  if (context.silent()) return;
  if (context.printed_format({Format::text, Format::json}) == Format::json) {
    context.print(Document("sdp")
                      .add("file", context.streams.shown(options.file))
                      .add_all(record(reduction), context.task)
                      .add("maximize", model.maximize)
                      .add("constant", model.constant.str())
                      .add("seconds", seconds.count()));
    return;
  }
  const std::string optimum = optimum_of(model);
  context.print(to_text(record(reduction)) + (optimum.empty() ? "" : optimum + "\n"));
}

}  // namespace

void add_sdp(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("sdp", "a semidefinite program reduced by its symmetry, exactly");
  const auto options = std::make_shared<SdpOptions>();
  add_argument(*command, "FILE", options->file,
               "a problem: .dat-s of SDPA, .cbf of MOSEK and CBLIB, .mof.json of JuMP; or a graph for its "
               "theta: .g6 .s6 .edges .col .mtx .gml .graphml");
  add_value(*command, "--group", "GROUP", options->group,
            "the group that fixes the problem; without it one is looked for")
      ->check(expression());
  add_value(*command, "--action", "REP", options->action,
            "how the group permutes the rows of all blocks, one after the other, with signs or without (perm)")
      ->check(expression());
  add_value(*command, "--variant", "NAME", options->variant,
            "of the theta of a graph: lovasz, schrijver (entries >= 0) or szegedy (entries <= 0 on edges)")
      ->check(known_words({"lovasz", "schrijver", "szegedy"}));
  command->add_flag("--find", options->find, "look for the permutations of rows that fix the problem: the default");
  add_value(*command, "--lift", "SOLUTION", options->lift,
            "a solution of the reduced problem: of CSDP, SDPA or JSON; the solution of FILE is written");
  command->footer(
      "The mean of a solution over the group is a solution with the same value. Invariant matrices have one block for\n"
      "every irreducible representation, whose size is how often it occurs. --output writes the reduced problem, with\n"
      "the same optimum, as .dat-s, .cbf, .mof.json or .npz; constraints that follow from others are left out. "
      "Decimals\n"
      "in the file are taken as the exact numbers that they write. Blocks of complex and quaternionic type are in "
      "real\n"
      "form, of twice the size. The theta of a graph is minus the optimum of its problem. A .dat-s or .npz file "
      "minimizes without the constant of the model; the answer says how\n"
      "the optimum of the model comes from its own.\n\n"
      "--lift takes what a solver wrote of the reduced .dat-s: the file of CSDP, the output of SDPA, or in JSON a "
      "list\n"
      "with a symmetric matrix for each block. --output writes the solution as .json or .npz then. The group has to be "
      "the one\n"
      "that reduced the problem, stated or found.\n\n"
      "Examples:\n"
      "  intertwine sdp petersen.dat-s --output reduced.dat-s\n"
      "  intertwine sdp model.cbf --output reduced.mof.json\n"
      "  intertwine sdp petersen.g6 --variant schrijver --output reduced.cbf\n"
      "  intertwine sdp petersen.dat-s --group S5 --action 'subsets(2)'\n"
      "  intertwine sdp petersen.dat-s --lift reduced.sol --output solution.npz");
  command->callback([options, &context] { run_sdp(*options, context); });
}

}  // namespace intertwine::app
