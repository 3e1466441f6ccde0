// irreps: irreducible representations by matrices.
#include <memory>
#include <optional>
#include <string>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/order_proof.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lean_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/io/systems_text.hpp"
#include "intertwine/representations/representation_proof.hpp"

namespace intertwine::app {

namespace {

struct IrrepsOptions {
  std::string group;
  BaseField over = BaseField::complex;
  std::string index;  ///< a number from 1, or a name; empty: all
  bool proof = false;
  bool orthonormal = false;
};

IrreducibleForms forms_of(const IrrepsOptions& options, const Task& task) {
  const FiniteGroup G = parse_finite_group(options.group, task);
  const CharacterTable table = character_table(G, task);
  if (options.index.empty()) return irreducible_forms(table, options.over, task);
  return irreducible_form(table, irreducible_row(table, options.index), options.over, task);
}

/// With what a stranger proves them from.
void run_proved(const IrrepsOptions& options, Context& context) {
  context.require_formats("irreps --proof", {Format::text, Format::json});
  context.require_json("--proof");
  if (options.over != BaseField::complex)
    throw DomainError("irreps: --proof is of representations over the complex numbers; leave out --over");
  if (options.orthonormal)
    throw DomainError("irreps: --proof is of matrices over the field of the character; leave out --orthonormal");
  ProvedForms found{forms_of(options, context.task), {}};
  found.order = order_proof(found.forms.table.group(), context.task);
  deliver_answer(context, "irreps", record(found));
}

void run_orthonormal(const IrrepsOptions& options, Context& context) {
  context.require_formats("irreps --orthonormal", {Format::text, Format::json});
  const OrthonormalForms found = orthonormal_forms(forms_of(options, context.task), context.task);
  deliver_answer(context, "irreps", record(found));
}

void run_irreps(const IrrepsOptions& options, Context& context) {
  if (options.proof) return run_proved(options, context);
  if (options.orthonormal) return run_orthonormal(options, context);
  context.require_formats("irreps", with_lean(all_formats), with_lean(with_arrays(all_formats)));
  if (context.writes(Format::lean)) require_fits_lean(parse_finite_group(options.group, context.task), context.task);
  const IrreducibleForms forms = forms_of(options, context.task);
  deliver_answer(context, "irreps", record(forms));
}

}  // namespace

void add_irreps(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("irreps", "matrices of the irreducible representations of a group");
  const auto options = std::make_shared<IrrepsOptions>();
  add_group_argument(*command, options->group);
  add_checked(*command, "--index,K", options->index, expression(),
              "only row K of the character table, from 1, or by its name: 4, [3,1]");
  add_over(*command, options->over, "complex, real or rational (complex)");
  command->add_flag("--proof", options->proof,
                    "in JSON what a stranger proves the matrices from: checkers/check_characters.py FILE.json");
  command->add_flag("--orthonormal", options->orthonormal,
                    "unitary matrices (orthogonal over the real numbers): in a basis that is orthonormal for "
                    "the invariant form, which is printed");
  command->footer(
      "The images of the generators, over the field of the character wherever the representation exists "
      "there, otherwise\n"
      "over one of least degree (its Schur index), with small entries. Each is verified: a homomorphism, "
      "with the character\n"
      "of its row. Over the real or rational numbers conjugate characters belong to one representation. Rows "
      "that were not\n"
      "found are listed with the reason. Dots are zeros, E(n) is exp(2 pi i / n).\n"
      "--output FILE.npz has the matrices of the generators as arrays, FILE.npy those of one --index;\n"
      "FILE.lean what Lean 4 proves them from, for groups of at most 120 elements.\n"
      "Examples:\n  intertwine irreps A5\n  intertwine irreps 'SL(2,3)' 4 --over real\n"
      "  intertwine irreps S4 '[3,1]' --orthonormal\n"
      "  intertwine irreps M11 --output m11.json --output m11.g --quiet");
  command->callback([options, &context] { run_irreps(*options, context); });
}

}  // namespace intertwine::app
