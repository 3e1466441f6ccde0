// Command `lr`: Littlewood-Richardson products, also quantum ones and those of SL(n).
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/systems_text.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct LrOptions {
  std::string lambda, mu, coefficient;
  PartitionBox box;
  int fusion = -1, sl = 0;
  bool quantum = false;
};

Sheet quantum_sheet(const std::vector<QuantumTerm>& terms) {
  Sheet sheet{"Quantum product", {"partition", "degree", "coefficient"}, {}, "lr"};
  for (const QuantumTerm& term : terms)
    sheet.rows.push_back(
        {to_string(term.partition), std::to_string(term.degree), to_string(term.coefficient)});
  return sheet;
}

/// The quantum product: q-degrees beside the terms.
Forms quantum_forms(const Partition& lambda, const Partition& mu, const LrOptions& options,
                    Context& context) {
  const auto terms = std::make_shared<std::vector<QuantumTerm>>(
      quantum_product(lambda, mu, options.box.rows, options.box.cols, context.task));
  return [=](Format format, unsigned width) -> Answer {
    if (format == Format::json)
      return Document("lr")
          .add_text("lambda", to_json(lambda))
          .add_text("mu", to_json(mu))
          .add_text("terms", to_json(*terms));
    if (format == Format::text) return wrapped_sum(to_string(*terms), width);
    if (format == Format::latex) {
      SumText sum(Notation::latex);
      for (const QuantumTerm& term : *terms)
        sum.add(term.coefficient, fmt::format("q^{{{}}} s_{{{}}}", term.degree, to_latex(term.partition)));
      return latex_equations({{"", sum.str()}});
    }
    return to_format({quantum_sheet(*terms)}, format);
  };
}

/// The product as modules of SL(n): without full columns, with degrees.
Forms sl_forms(const Partition& lambda, const Partition& mu, int n, Context& context) {
  struct Term {
    std::string partition, degree, multiplicity;
  };
  const auto terms = std::make_shared<std::vector<Term>>();
  for (const SchurTerm& term : schur_product(lambda, mu, {n}, context.task)) {
    std::vector<int> rows;
    const int full = term.partition[n - 1];
    for (int i = 0; i < std::min(term.partition.length(), n - 1); ++i)
      rows.push_back(term.partition[i] - full);
    const Partition reduced(rows);
    terms->push_back(
        {to_string(reduced), to_string(dimension(SchurSum(reduced), n)), to_string(term.coefficient)});
  }
  return [=](Format format, unsigned) -> Answer {
    if (format == Format::json) {
      std::string list;
      for (const Term& t : *terms)
        list += fmt::format("{}{{\"partition\": {}, \"degree\": \"{}\", \"multiplicity\": \"{}\"}}",
                            list.empty() ? "" : ", ", t.partition, t.degree, t.multiplicity);
      return Document("lr")
          .add_text("lambda", to_json(lambda))
          .add_text("mu", to_json(mu))
          .add("sl", n)
          .add_text("terms", "[" + list + "]");
    }
    if (format == Format::text) {
      std::string text;
      for (const Term& t : *terms)
        text += fmt::format("{}{} of degree {}\n", t.multiplicity == "1" ? "" : t.multiplicity + " ",
                            t.partition, t.degree);
      return text;
    }
    Sheet sheet{
        fmt::format("Product of modules of SL({})", n), {"partition", "degree", "multiplicity"}, {}, "lr"};
    for (const Term& t : *terms) sheet.rows.push_back({t.partition, t.degree, t.multiplicity});
    return to_format({sheet}, format);
  };
}

Forms run(const LrOptions& options, Context& context) {
  const Partition lambda = schur_index(options.lambda), mu = schur_index(options.mu);
  const bool bounded = options.box.rows != PartitionBox{}.rows;
  if (options.quantum) {
    if (!bounded || options.box.cols == PartitionBox{}.cols)
      throw DomainError("lr --quantum needs --rows and --cols, the box of the Grassmannian");
    return quantum_forms(lambda, mu, options, context);
  }
  if (options.sl > 0) {
    if (options.quantum || options.fusion >= 0 || !options.coefficient.empty() || bounded ||
        options.box.cols != PartitionBox{}.cols)
      throw DomainError("lr --sl N is the product for SL(N); it goes with no other option");
    if (std::max(lambda.length(), mu.length()) > options.sl)
      throw DomainError(fmt::format("{} has {} rows, and modules of SL({}) have at most {}",
                                    to_string(lambda.length() > mu.length() ? lambda : mu),
                                    std::max(lambda.length(), mu.length()), options.sl, options.sl));
    return sl_forms(lambda, mu, options.sl, context);
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
  command->add_option("--fusion", options->fusion, "the fusion product of this level for SU(rows)")
      ->check(CLI::NonNegativeNumber);
  add_value(*command, "--sl", "N", options->sl, "as modules of SL(N): degrees, full columns dropped")
      ->check(CLI::PositiveNumber);
  command->add_flag("--quantum", options->quantum,
                    "quantum cohomology of the Grassmannian with the box rows x cols");
  command->footer("Examples:\n  intertwine lr '[2,1]' '[2,1]'\n  intertwine lr '[2,1]' '[2,1]' --sl 3");
  set_run(command, options, context, run, all_formats);
}

}  // namespace intertwine::app
