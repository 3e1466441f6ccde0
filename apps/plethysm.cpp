// `skew` and `plethysm`: operations that take an outer and an inner partition.
#include <memory>

#include "symmetric.hpp"

namespace intertwine::app {

namespace {

using Operation = SchurSum (*)(const Partition&, const Partition&, const PartitionBox&, const Task&);

struct PlethysmOptions {
  std::string name;
  Operation operation;
  std::string outer, inner;
  PartitionBox box;
};

Forms run(const PlethysmOptions& options, Context& context) {
  const Partition outer = schur_index(options.outer), inner = schur_index(options.inner);
  return sum_forms(options.name, {{"outer", outer}, {"inner", inner}},
                   options.operation(outer, inner, options.box, context.task));
}

void add(CLI::App& app, Context& context, const std::string& name, const std::string& help,
         Operation operation, const std::string& outer, const std::string& inner) {
  auto* command = app.add_subcommand(name, help);
  const auto options = std::make_shared<PlethysmOptions>(PlethysmOptions{name, operation, {}, {}, {}});
  command->add_option("OUTER", options->outer, "a partition such as " + outer)->required();
  command->add_option("INNER", options->inner, "a partition")->required();
  add_box(*command, options->box);
  command->footer("Example:\n  intertwine " + name + " '" + outer + "' '" + inner + "'");
  set_run(command, options, context, run, all_formats);
}

}  // namespace

void add_skew(CLI::App& app, Context& context) {
  add(app, context, "skew", "a skew Schur function s_{outer/inner} in Schur functions", skew_schur, "[3,2,1]",
      "[1]");
}

void add_plethysm(CLI::App& app, Context& context) {
  add(app, context, "plethysm", "s_outer[s_inner], the Schur functor S_outer of S_inner(V)", plethysm, "[2]",
      "[2]");
}

}  // namespace intertwine::app
