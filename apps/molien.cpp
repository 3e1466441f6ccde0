// molien: how many invariant and equivariant polynomials there are, of groups of every kind.
#include <memory>

#include "context.hpp"
#include "intertwine/io/molien_question.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

void run_molien(const MolienQuestion& question, Context& context) {
  context.require_formats("molien", all_formats);
  deliver_answer(context, "molien", record(answer_molien(question, context.task)));
}

}  // namespace

void add_molien(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("molien", "the number of invariant or equivariant polynomials of each degree");
  const auto question = std::make_shared<MolienQuestion>();
  add_group_argument(*command, question->group);
  add_checked(*command, "--rep,REP", question->rep, expression(),
              "a representation, see below; by default perm, of a continuous group its own");
  add_checked(*command, "--degree,DEGREE", question->degree, CLI::Range(0, 99'999), "the last degree (12)");
  add_value(*command, "--irrep", "I", question->irrep,
            "count this irreducible character instead of invariants: its number from 1, or its name, as T1u");
  add_value(*command, "--out", "REP", question->out,
            "count the polynomial maps to this representation instead of invariants")
      ->check(expression());
  command->footer(
      "Representations:\n" + known_representations() + "\n" + continuous_groups_help() +
      "The closed form is printed where it is proved: for finite groups where the coefficients that it takes "
      "cost seconds, and where the torus of the group and REP are small.\n"
      "\nExamples:\n  intertwine molien S4 perm\n  intertwine molien A5 perm --irrep 2 --degree 20\n"
      "  intertwine molien 'SU(2)' 'sym(4, vector)'\n"
      "  intertwine molien 'SO(3)' '2*vector' --out vector");
  command->callback([question, &context] { run_molien(*question, context); });
}

}  // namespace intertwine::app
