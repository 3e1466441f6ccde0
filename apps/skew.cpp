#include <memory>

#include "symmetric.hpp"

namespace intertwine::app {

void add_skew(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("skew", "a skew Schur function s_{outer/inner} in Schur functions");
  struct Options {
    std::string outer, inner;
    Box box;
    bool latex = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("OUTER", options->outer, "a partition such as [3,2,1]")->required();
  command->add_option("INNER", options->inner, "a partition")->required();
  add_box(*command, options->box);
  add_format(*command, options->latex);
  command->footer("Example:\n  intertwine skew [3,2,1] [1]");
  command->callback([options, &context] {
    const Partition outer = parse_partition(options->outer), inner = parse_partition(options->inner);
    const SchurSum sum = skew_schur(outer, inner, options->box, context.task);
    Json json = answer("skew");
    json["outer"] = to_json(outer);
    json["inner"] = to_json(inner);
    json["terms"] = to_json(sum);
    finish(json, sum_text(sum, options->latex, context.width()), context);
  });
}

}  // namespace intertwine::app
