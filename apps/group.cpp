// Command `group`: the facts found out about a group.
#include <memory>

#include "context.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"

namespace intertwine::app {

namespace {

struct GroupOptions {
  std::string group;
  bool full = false;
};

void run(const GroupOptions& options, Context& context) {
  context.require_formats("group", all_formats);
  const FiniteGroup G = parse_finite_group(options.group, context.task);
  const GroupReport report = options.full ? group_report_in_full(G, context.task) : group_report(G, context.task);
  deliver_answer(context, "group", record(report));
}

}  // namespace

void add_group(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("group", "order, structure and generators of a group");
  const auto options = std::make_shared<GroupOptions>();
  add_argument(*command, "GROUP", options->group, "a group expression, see below");
  command->add_flag("--full", options->full, "decide everything, however long it takes");
  command->footer("Groups:\n" + known_groups() +
                  "\nExamples:\n  intertwine group 'PSL(2,7)'\n  intertwine group 'S20 wr S5' --json");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
