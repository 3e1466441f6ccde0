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
  return sum_forms("skew", {{"outer", outer}, {"inner", inner}},
                   skew_schur(outer, inner, options.box, context.task), context);
}

}  // namespace

void add_skew(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("skew", "a skew Schur function s_{outer/inner} in Schur functions");
  const auto options = std::make_shared<Options>();
  command->add_option("OUTER", options->outer, "a partition such as [3,2,1]")->required();
  command->add_option("INNER", options->inner, "a partition")->required();
  add_box(*command, options->box);
  command->footer("Example:\n  intertwine skew [3,2,1] [1]");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
