#include <memory>

#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  std::string outer, inner;
  PartitionBox box;
};

Forms run(const Options& options, Context& context) {
  const Partition outer = parse_partition(options.outer), inner = parse_partition(options.inner);
  return sum_forms("plethysm", {{"outer", outer}, {"inner", inner}},
                   plethysm(outer, inner, options.box, context.task), context);
}

}  // namespace

void add_plethysm(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("plethysm", "s_outer[s_inner], the Schur functor S_outer of S_inner(V)");
  const auto options = std::make_shared<Options>();
  command->add_option("OUTER", options->outer, "a partition such as [2]")->required();
  command->add_option("INNER", options->inner, "a partition")->required();
  add_box(*command, options->box);
  command->footer("Example:\n  intertwine plethysm [2] [2]");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
