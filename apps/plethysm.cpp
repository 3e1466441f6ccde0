// `skew` and `plethysm`: operations that take an outer and an inner partition.
#include <algorithm>
#include <memory>

#include "symmetric.hpp"

namespace intertwine::app {

namespace {

using Operation = SchurSum (*)(const Partition&, const Partition&, const PartitionBox&, const Task&);

struct PlethysmOptions {
  std::string name;
  Operation operation;
  std::string outer, inner, nu;
  PartitionBox box;
};

Forms run(const PlethysmOptions& options, Context& context) {
  const Partition outer = schur_index(options.outer), inner = schur_index(options.inner);
  PartitionBox box = options.box;
  SchurSum sum;
  if (options.nu.empty()) {
    sum = options.operation(outer, inner, box, context.task);
  } else {
    // No partition outside the rectangle around nu is looked at.
    const Partition nu = schur_index(options.nu);
    box.rows = std::min(box.rows, nu.length());
    box.cols = std::min(box.cols, nu.empty() ? 0 : nu[0]);
    sum = options.operation(outer, inner, box, context.task).coefficient(nu) * SchurSum(nu);
  }
  return sum_forms(options.name, {{"outer", outer}, {"inner", inner}}, std::move(sum), context);
}

void add(CLI::App& app, Context& context, const std::string& name, const std::string& help, Operation operation,
         const std::string& outer, const std::string& inner) {
  auto* command = app.add_subcommand(name, help);
  const auto options = std::make_shared<PlethysmOptions>(PlethysmOptions{name, operation, {}, {}, {}, {}});
  command->add_option("OUTER", options->outer, "a partition such as " + outer)->required();
  command->add_option("INNER", options->inner, "a partition")->required();
  command->add_option("--coefficient,NU", options->nu, "only the coefficient of this partition");
  add_box(*command, options->box);
  command->footer("Example:\n  intertwine " + name + " '" + outer + "' '" + inner + "'");
  set_run(command, options, context, run, all_formats);
}

}  // namespace

void add_skew(CLI::App& app, Context& context) {
  add(app, context, "skew", "a skew Schur function s_{outer/inner} in Schur functions", skew_schur, "[3,2,1]", "[1]");
}

void add_plethysm(CLI::App& app, Context& context) {
  add(app, context, "plethysm", "s_outer[s_inner], the Schur functor S_outer of S_inner(V)", plethysm, "[2]", "[2]");
}

}  // namespace intertwine::app
