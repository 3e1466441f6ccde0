#include <memory>

#include "intertwine/error.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  std::string lambda, mu, coefficient;
  Box box;
  int fusion = -1;
  bool quantum = false, latex = false;
};

/// The quantum product: q-degrees beside the terms.
void run_quantum(const Options& options, Context& context, Json json) {
  const auto terms = quantum_product(parse_partition(options.lambda), parse_partition(options.mu),
                                     options.box.rows, options.box.cols, context.task);
  Json list = Json::array();
  std::string text;
  for (const QuantumTerm& term : terms) {
    list.push_back({{"partition", to_json(term.partition)},
                    {"multiplicity", to_string(term.coefficient)},
                    {"degree", term.degree}});
    text += text.empty() ? "" : " + ";
    if (term.coefficient != 1) text.append(to_string(term.coefficient)).append("*");
    if (term.degree > 0) text.append(term.degree == 1 ? "q*" : "q^" + std::to_string(term.degree) + "*");
    text.append("s").append(to_string(term.partition));
  }
  json["terms"] = std::move(list);
  finish(json, wrapped(text.empty() ? "0" : text, context.width()), context);
}

void run(const Options& options, Context& context) {
  const Partition lambda = parse_partition(options.lambda), mu = parse_partition(options.mu);
  Json json = answer("lr");
  json["lambda"] = to_json(lambda);
  json["mu"] = to_json(mu);
  const bool bounded = options.box.rows != Box{}.rows;
  if (options.quantum) {
    if (!bounded || options.box.cols == Box{}.cols)
      throw DomainError("lr --quantum needs --rows and --cols, the box of the Grassmannian");
    return run_quantum(options, context, std::move(json));
  }
  SchurSum sum;
  if (!options.coefficient.empty()) {
    const Partition nu = parse_partition(options.coefficient);
    sum = littlewood_richardson(nu, lambda, mu, context.task) * SchurSum(nu);
  } else if (options.fusion >= 0) {
    if (!bounded) throw DomainError("lr --fusion LEVEL needs --rows N for SU(N)");
    sum = fusion_product(lambda, mu, options.box.rows, options.fusion, context.task);
  } else {
    sum = schur_product(lambda, mu, options.box, context.task);
  }
  json["terms"] = to_json(sum);
  finish(json, sum_text(sum, options.latex, context.width()), context);
}

}  // namespace

void add_lr(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("lr", "the product of two Schur functions (Littlewood-Richardson)");
  const auto options = std::make_shared<Options>();
  command->add_option("LAMBDA", options->lambda, "a partition such as [3,2,1]")->required();
  command->add_option("MU", options->mu, "a partition")->required();
  add_box(*command, options->box);
  command->add_option("--coefficient", options->coefficient, "only the coefficient of this partition");
  command->add_option("--fusion", options->fusion, "the fusion product of this level for SU(rows)")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--quantum", options->quantum,
                    "quantum cohomology of the Grassmannian with the box rows x cols");
  add_format(*command, options->latex);
  command->footer("Example:\n  intertwine lr [2,1] [2,1]");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
