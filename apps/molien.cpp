// molien: how many invariant and equivariant polynomials there are, of groups of every kind.
#include <limits>
#include <memory>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/hom/series.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/row_name.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct MolienOptions {
  std::string group, rep, out, irrep;
  std::size_t degree = 12;
};

/// By an irreducible character, of a row of the table.
MolienReport of_row(const MolienOptions& options, const hom::Representation& V, const std::string& written,
                    const Task& task) {
  const auto* R = V.as<Representation>();
  if (R == nullptr)
    throw DomainError("--irrep numbers the characters of finite groups; the maps to a representation of " +
                      options.group + " are counted with --out REP");
  const CharacterTable table = character_table(R->group(), task);
  const std::size_t row = irreducible_row(table, options.irrep.empty() ? "1" : options.irrep);
  const ClassFunction chi = character_of(*R, table, task);
  return {R->group().name(),
          written,
          R->dimension(),
          table.name(row),
          row,
          molien_series(chi, ClassFunction::irreducible(table, row), options.degree + 1, task)};
}

MolienReport report_of(const MolienOptions& options, const Task& task) {
  if (!options.irrep.empty() && !options.out.empty())
    throw DomainError("--irrep and --out say each what is counted; give one of them");
  const hom::Group G = parse_any_group(options.group, task);
  const auto read = [&](const std::string& text) {
    return parse_any_representation(G, text, Form::matrices, task);
  };
  const hom::Representation V = options.rep.empty() ? hom::natural_representation(G) : read(options.rep);
  const std::string written = options.rep.empty() ? V.to_string() : options.rep;
  // The name of the trivial character is that of its row, where there is a table.
  if (!options.irrep.empty() || (options.out.empty() && G.as<FiniteGroup>() != nullptr))
    return of_row(options, V, written, task);
  const hom::Representation W = read(options.out.empty() ? "trivial" : options.out);
  const Integer dimension = V.dimension();
  if (dimension < 0 || dimension > std::numeric_limits<std::int64_t>::max())
    throw DomainError("molien takes a representation, and " + written + " has dimension " + dimension.str());
  return {G.name(),
          written,
          static_cast<std::uint64_t>(dimension),
          options.out.empty() ? "trivial" : options.out,
          std::nullopt,
          hom::molien_series(V, W, options.degree + 1, task)};
}

void run_molien(const MolienOptions& options, Context& context) {
  context.require_formats("molien", all_formats);
  const MolienReport report = report_of(options, context.task);
  deliver_answer(context, "molien", report);
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
  add_value(*command, "--irrep", "I", options->irrep,
            "count this irreducible character instead of invariants: its number from 1, or its name, as T1u");
  add_value(*command, "--out", "REP", options->out,
            "count the polynomial maps to this representation instead of invariants")
      ->check(expression());
  command->footer(
      "Representations:\n" + known_representations() + "\n" + continuous_groups_help() +
      "The closed form is printed where it is proved: for finite groups, and where the torus of the group "
      "and REP are small.\n"
      "\nExamples:\n  intertwine molien S4 perm\n  intertwine molien A5 perm --irrep 2 --degree 20\n"
      "  intertwine molien 'SU(2)' 'sym(4, vector)'\n"
      "  intertwine molien 'SO(3)' '2*vector' --out vector");
  command->callback([options, &context] { run_molien(*options, context); });
}

}  // namespace intertwine::app
