// `coproduct`: a symmetric function of two sets of variables.
#include <memory>

#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/symmetric_expression.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct CoproductOptions {
  std::string expression;
};

/// "[3,2,1]" and "321", as the other commands take them, for s[3,2,1].
bool is_partition(const std::string& text) { return text.find_first_not_of("0123456789,[] ") == std::string::npos; }

Forms run(const CoproductOptions& options, Context& context) {
  const SymmetricFunction f = is_partition(options.expression)
                                  ? basis_element(SymmetricBasis::schur, parse_partition(options.expression))
                                  : parse_symmetric_function(options.expression, context.task);
  return forms_of(Document("coproduct").add("expression", options.expression), record(coproduct(f, context.task)),
                  context);
}

}  // namespace

void add_coproduct(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("coproduct", "a symmetric function of two sets of variables: sums of s_left # s_right");
  const auto options = std::make_shared<CoproductOptions>();
  command
      ->add_option("EXPRESSION", options->expression,
                   "a partition such as [3,2,1], or symmetric functions: 's[2,1] + h[2]*e[1]'")
      ->required();
  command->footer(
      "The coefficient of s[lambda] # s[mu] in the coproduct of s[nu] is that of s[nu] in s[lambda]*s[mu].\n"
      "Examples:\n  intertwine coproduct '[2,1]'\n  intertwine coproduct 'p[2]'");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
