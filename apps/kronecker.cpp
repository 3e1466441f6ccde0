#include <memory>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

void add_kronecker(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("kronecker", "the product of two irreducible characters of a symmetric group");
  struct Options {
    std::string lambda, mu, nu;
    bool latex = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("LAMBDA", options->lambda, "a partition such as [3,2,1]")->required();
  command->add_option("MU", options->mu, "a partition of the same number")->required();
  command->add_option("--coefficient", options->nu, "only the coefficient of this partition");
  add_format(*command, options->latex);
  command->footer("Example:\n  intertwine kronecker [2,1] [2,1]");
  command->callback([options, &context] {
    const Partition lambda = parse_partition(options->lambda), mu = parse_partition(options->mu);
    SchurSum sum;
    if (options->nu.empty()) {
      sum = kronecker_product(lambda, mu, context.task);
    } else {
      const Partition nu = parse_partition(options->nu);
      sum = kronecker_coefficient(lambda, mu, nu, context.task) * SchurSum(nu);
    }
    Json json = answer("kronecker");
    json["lambda"] = to_json(lambda);
    json["mu"] = to_json(mu);
    json["terms"] = to_json(sum);
    finish(json, sum_text(sum, options->latex, context.width()), context);
  });
}

}  // namespace intertwine::app
