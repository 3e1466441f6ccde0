// Command `lr`: Littlewood-Richardson products, also quantum ones and those of SL(n).
#include <memory>

#include "intertwine/combinatorics/schur_products.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct LrOptions {
  std::string lambda, mu, coefficient;
  PartitionBox box;
  int fusion = -1, sl = 0;
  bool quantum = false;
};

Forms run(const LrOptions& options, Context& context) {
  const Partition lambda = schur_index(options.lambda), mu = schur_index(options.mu);
  const bool bounded = options.box.rows != PartitionBox{}.rows;
  if (options.quantum) {
    if (!bounded || options.box.cols == PartitionBox{}.cols)
      throw DomainError("lr --quantum needs --rows and --cols, the box of the Grassmannian");
    return forms_of(Document("lr"),
                    record(QuantumProduct{
                        lambda, mu, quantum_product(lambda, mu, options.box.rows, options.box.cols, context.task)}),
                    context);
  }
  if (options.sl > 0) {
    if (options.quantum || options.fusion >= 0 || !options.coefficient.empty() || bounded ||
        options.box.cols != PartitionBox{}.cols)
      throw DomainError("lr --sl N is the product for SL(N); it goes with no other option");
    return forms_of(Document("lr"), record(special_linear_product(lambda, mu, options.sl, context.task)), context);
  }
  SchurSum sum;
  if (!options.coefficient.empty()) {
    const Partition nu = schur_index(options.coefficient);
    sum = littlewood_richardson(nu, lambda, mu, context.task) * SchurSum(nu);
  } else if (options.fusion >= 0) {
    if (!bounded) throw DomainError("lr --fusion LEVEL needs --rows N for SU(N)");
    sum = fusion_product(lambda, mu, options.box.rows, options.fusion, context.task);
  } else {
    sum = schur_product(lambda, mu, options.box, context.task);
  }
  return sum_forms("lr", {{"lambda", lambda}, {"mu", mu}}, std::move(sum), context);
}

}  // namespace

void add_lr(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("lr", "the product of two Schur functions (Littlewood-Richardson)");
  const auto options = std::make_shared<LrOptions>();
  command->add_option("LAMBDA", options->lambda, "a partition such as [3,2,1]")->required();
  command->add_option("MU", options->mu, "a partition")->required();
  add_box(*command, options->box);
  command->add_option("--coefficient,NU", options->coefficient, "only the coefficient of this partition");
  add_checked(*command, "--fusion", options->fusion, CLI::NonNegativeNumber,
              "the fusion product of this level for SU(rows)");
  add_value(*command, "--sl", "N", options->sl, "as modules of SL(N): degrees, full columns dropped")
      ->check(CLI::PositiveNumber);
  command->add_flag("--quantum", options->quantum, "quantum cohomology of the Grassmannian with the box rows x cols");
  command->footer("Examples:\n  intertwine lr '[2,1]' '[2,1]'\n  intertwine lr '[2,1]' '[2,1]' --sl 3");
  set_run(command, options, context, run, all_formats);
}

}  // namespace intertwine::app
