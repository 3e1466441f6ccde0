// Command `kronecker`: products of irreducible characters of symmetric groups.
#include <memory>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct KroneckerOptions {
  std::string lambda, mu, nu;
};

Forms run(const KroneckerOptions& options, Context& context) {
  const Partition lambda = schur_index(options.lambda), mu = schur_index(options.mu);
  SchurSum sum;
  if (options.nu.empty()) {
    sum = kronecker_product(lambda, mu, context.task);
  } else {
    const Partition nu = schur_index(options.nu);
    sum = kronecker_coefficient(lambda, mu, nu, context.task) * SchurSum(nu);
  }
  return sum_forms("kronecker", {{"lambda", lambda}, {"mu", mu}}, std::move(sum), context);
}

}  // namespace

void add_kronecker(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("kronecker", "the product of two irreducible characters of a symmetric group");
  const auto options = std::make_shared<KroneckerOptions>();
  command->add_option("LAMBDA", options->lambda, "a partition such as [3,2,1]")->required();
  command->add_option("MU", options->mu, "a partition of the same number")->required();
  command->add_option("--coefficient,NU", options->nu, "only the coefficient of this partition");
  command->footer("Example:\n  intertwine kronecker '[2,1]' '[2,1]'");
  set_run(command, options, context, run, all_formats);
}

}  // namespace intertwine::app
