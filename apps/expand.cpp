// `expand`: a symmetric function, or the character of a module of GL(n), in one of the classical bases.
#include <memory>

#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/symmetric_expression.hpp"
#include "intertwine/io/systems_text.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct ExpandOptions {
  std::string expression, basis = "s";
  int rows = -1;
};

Forms run(const ExpandOptions& options, Context& context) {
  SymmetricFunction f = parse_symmetric_function(options.expression, context.task);
  Document document("expand");
  document.add("expression", options.expression);
  if (options.rows >= 0) {
    f = as_character_of_gl(f, options.rows, context.task);
    document.add("rows", options.rows);
    document.add("dimension", to_string(dimension(f, options.rows, context.task)));
  }
  document.add("basis", options.basis);
  return forms_of(document, record(in_basis(f, symmetric_basis(options.basis[0]), context.task)), context);
}

}  // namespace

void add_expand(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "expand", "an expression in symmetric functions (a character of GL(n)) in Schur functions or another basis");
  const auto options = std::make_shared<ExpandOptions>();
  command->add_option("EXPRESSION", options->expression, "for example 's[2,1]*h[2] - e[5]'")->required();
  add_checked(*command, "--basis,BASIS", options->basis, CLI::IsMember({"s", "p", "h", "e", "m", "f"}),
              "s, p, h, e, m or f");
  add_checked(*command, "--rows", options->rows, CLI::NonNegativeNumber,
              "as a character of GL(ROWS): drops Schur functions of more rows first");
  command->footer(
      "Bases: s[...] Schur, p[...] power sums, h[...] complete (Sym), e[...] elementary (exterior), m[...] "
      "monomial (a\n"
      "weight and its permutations, so that a character given by its weights is a sum of m's), f[...] "
      "forgotten (omega of m). Operations: + - *,\n"
      "division by a number, ^ with an exponent, parentheses, and f[g] for plethysm (composition of functors).\n"
      "Examples:\n  intertwine expand 'h[2][s[1,1]] * s[1]'\n  intertwine expand 's[2,1]' p\n"
      "  intertwine expand --rows 3 'm[2,1] + 2*m[1,1,1]'");
  set_run(command, options, context, run, all_formats);
}

}  // namespace intertwine::app
