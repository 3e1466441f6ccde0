// irreps: irreducible representations by matrices.
#include <memory>
#include <string>

#include "context.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_text.hpp"

namespace intertwine::app {

namespace {

const std::vector<Format> forms_formats = {Format::text, Format::json, Format::latex, Format::gap};

struct IrrepsOptions {
  std::string group;
  BaseField over = BaseField::complex;
  std::string index;  ///< a number from 1, or a name; empty: all
};

IrreducibleForms forms_of(const IrrepsOptions& options, const Task& task) {
  const FiniteGroup G = parse_group(options.group, {}, task);
  const CharacterTable table = character_table(G, task);
  if (options.index.empty()) return irreducible_forms(table, options.over, task);
  return irreducible_form(table, irreducible_row(table, options.index), options.over, task);
}

void run_irreps(const IrrepsOptions& options, Context& context) {
  context.require_formats("irreps", forms_formats);
  const IrreducibleForms forms = forms_of(options, context.task);
  context.deliver([&](Format format, unsigned width) {
    if (format == Format::json) return Document("irreps").add_all(to_json(forms, context.task)).str();
    if (format == Format::latex) return to_latex(forms);
    if (format == Format::gap) return to_gap(forms);
    return to_text(forms, width != 0, context.task);
  });
}

}  // namespace

void add_irreps(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("irreps", "matrices of the irreducible representations of a group");
  const auto options = std::make_shared<IrrepsOptions>();
  add_group_argument(*command, options->group);
  command
      ->add_option("--index,K", options->index,
                   "only row K of the character table, from 1, or by its name: 4, [3,1]")
      ->check(expression());
  add_over(*command, options->over, "complex, real or rational (complex)");
  command->footer(
      "The images of the generators, over the field of the character wherever the representation exists "
      "there, otherwise\n"
      "over one of least degree (its Schur index), with small entries. Each is verified: a homomorphism, "
      "with "
      "the character\n"
      "of its row. Over the real or rational numbers conjugate characters belong to one representation. Rows "
      "that were not\n"
      "found are listed with the reason. Dots are zeros, E(n) is exp(2 pi i / n).\n"
      "Examples:\n  intertwine irreps A5\n  intertwine irreps 'SL(2,3)' 4 --over real\n"
      "  intertwine irreps M11 --output m11.json --output m11.g --quiet");
  command->callback([options, &context] { run_irreps(*options, context); });
}

}  // namespace intertwine::app
