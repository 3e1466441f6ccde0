// sdp: a semidefinite program in a file, reduced by its symmetry.
#include <chrono>
#include <memory>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/sdpa_file.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"

namespace intertwine::app {

namespace {

struct SdpOptions {
  std::string file, group, action = "perm";
  bool find = false;
};

/// Before the work: files are in the format of the problem.
void require_sdpa_names(const Context& context) {
  for (const std::string& file : context.outputs)
    if (!file.ends_with(".dat-s"))
      throw DomainError("sdp writes .dat-s files, in the sparse format of SDPA, not " + one_line(file));
}

void run_sdp(const SdpOptions& options, Context& context) {
  context.require_text_or_json();
  require_sdpa_names(context);
  if (options.find && !options.group.empty())
    throw DomainError("--find looks for the group that --group states; leave out one of them");
  const auto started = std::chrono::steady_clock::now();
  const sdp::Problem problem = read_sdpa(options.file, context.task);
  const Representation rows =
      options.group.empty()
          ? sdp::symmetries(problem, context.task)
          : parse_representation(parse_group(options.group, context.task), options.action, context.task);
  const sdp::Reduction reduction = sdp::reduce(problem, rows, context.task);
  for (const std::string& file : context.outputs)
    context.save(file, to_sdpa(reduction.problem(), one_line(options.file) + " reduced by a group of order " +
                                                        to_string(reduction.group_order())));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  if (context.silent()) return;
  if (context.printed_format({Format::text, Format::json}) == Format::json)
    context.print(Document("sdp")
                      .add("file", context.streams.shown(options.file))
                      .add_all_of(reduction)
                      .add("seconds", seconds.count()));
  else
    context.print(to_text(reduction));
}

}  // namespace

void add_sdp(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("sdp", "a semidefinite program reduced by its symmetry, exactly");
  const auto options = std::make_shared<SdpOptions>();
  add_argument(*command, "FILE", options->file, "a problem in the sparse format of SDPA, .dat-s");
  command
      ->add_option("--group", options->group,
                   "the group that fixes the problem; without it one is looked for")
      ->type_name("GROUP")
      ->check(expression());
  command
      ->add_option(
          "--action", options->action,
          "how the group permutes the rows of all blocks, one after the other, with signs or without (perm)")
      ->type_name("REP")
      ->check(expression());
  command->add_flag("--find", options->find,
                    "look for the permutations of rows that fix the problem: the default");
  command->footer(
      "The mean of a solution over the group is a solution with the same value. Invariant matrices have one "
      "block for "
      "every\n"
      "irreducible representation, whose size is how often it occurs. --output FILE.dat-s writes the reduced "
      "problem, "
      "with the\n"
      "same optimum; constraints that follow from others are left out. Decimals in the file are taken as the "
      "exact "
      "numbers that\n"
      "they write. Blocks of complex and quaternionic type are in real form, of twice the size.\n"
      "\nExamples:\n  intertwine sdp petersen.dat-s --output reduced.dat-s\n"
      "  intertwine sdp petersen.dat-s --group S5 --action 'subsets(2)'");
  command->callback([options, &context] { run_sdp(*options, context); });
}

}  // namespace intertwine::app
