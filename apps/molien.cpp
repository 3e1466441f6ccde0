// molien: how many invariant and equivariant polynomials there are, of finite and of continuous groups.
#include <memory>

#include "context.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct MolienOptions {
  std::string group, rep, out, irrep;
  std::size_t degree = 12;
};

MolienReport of_continuous_group(const MolienOptions& options, const Task& task) {
  if (!options.irrep.empty())
    throw DomainError("--irrep numbers the characters of finite groups; the maps to a representation of " +
                      options.group + " are counted with --out REP");
  const ContinuousGroup G = parse_continuous_group(options.group, task);
  const auto read = [&](const std::string& text, ContinuousRepresentation otherwise) {
    return text.empty() ? std::move(otherwise) : parse_continuous_representation(G, text, task);
  };
  const ContinuousRepresentation V = read(options.rep, natural_representation(G)),
                                 W = read(options.out, trivial_representation(G));
  return {G.name(),      options.rep.empty() ? V.to_string() : options.rep,
          V.dimension(), options.out.empty() ? "trivial" : options.out,
          std::nullopt,  molien_series(V, W, options.degree + 1, task)};
}

MolienReport of_finite_group(const MolienOptions& options, const Task& task) {
  if (!options.irrep.empty() && !options.out.empty())
    throw DomainError("--irrep and --out say each what is counted; give one of them");
  const FiniteGroup G = parse_group(options.group, task);
  const std::string rep = options.rep.empty() ? "perm" : options.rep;
  const Representation V = parse_representation(G, rep, task);
  const CharacterTable table = character_table(G, task);
  const ClassFunction chi = character_of(V, table, task);
  if (!options.out.empty()) {
    const Representation W = parse_representation(G, options.out, task);
    return {G.name(),      rep,
            V.dimension(), options.out,
            std::nullopt,  molien_series(chi, character_of(W, table, task), options.degree + 1, task)};
  }
  const std::size_t row = irreducible_row(table, options.irrep.empty() ? "1" : options.irrep);
  return {
      G.name(),      rep,
      V.dimension(), table.name(row),
      row,           molien_series(chi, ClassFunction::irreducible(table, row), options.degree + 1, task)};
}

void run_molien(const MolienOptions& options, Context& context) {
  context.require_formats("molien", all_formats);
  const MolienReport report = names_continuous_group(options.group)
                                  ? of_continuous_group(options, context.task)
                                  : of_finite_group(options, context.task);
  context.deliver([&](Format format, unsigned width) {
    return answer_in(format, width, Document("molien"), report, context.task);
  });
}

}  // namespace

void add_molien(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("molien", "the number of invariant or equivariant polynomials of each degree");
  const auto options = std::make_shared<MolienOptions>();
  add_group_argument(*command, options->group);
  command
      ->add_option("--rep,REP", options->rep,
                   "a representation, see below; by default perm, of a continuous group its own")
      ->check(expression());
  command->add_option("--degree,DEGREE", options->degree, "the last degree (12)")
      ->check(CLI::Range(0, 99'999));
  command
      ->add_option(
          "--irrep", options->irrep,
          "count this irreducible character instead of invariants: its number from 1, or its name, as T1u")
      ->type_name("I");
  command
      ->add_option("--out", options->out,
                   "count the polynomial maps to this representation instead of invariants")
      ->type_name("REP")
      ->check(expression());
  command->footer(
      "Representations:\n" + known_representations() + "\n" + continuous_groups_help() +
      "The closed form is printed where it is proved: for finite groups, and where the torus of the "
      "group and REP are small.\n"
      "\nExamples:\n  intertwine molien S4 perm\n  intertwine molien A5 perm --irrep 2 --degree 20\n"
      "  intertwine molien 'SU(2)' 'sym(4, vector)'\n"
      "  intertwine molien 'SO(3)' '2*vector' --out vector");
  command->callback([options, &context] { run_molien(*options, context); });
}

}  // namespace intertwine::app
