// classes and chartable.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "context.hpp"
#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/character_proof.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/correlation_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lean_text.hpp"
#include "intertwine/io/point_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/correlation.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "watch.hpp"

namespace intertwine::app {

namespace {

std::optional<FiniteGroup> subgroup_of(const std::optional<std::string>& expression, const Task& task) {
  if (!expression) return std::nullopt;
  return parse_finite_group(*expression, task);
}

struct ClassesOptions {
  std::string group;
  std::optional<std::string> subgroup;
  bool partial = false;
};

void run_classes(const ClassesOptions& options, Context& context) {
  if (options.partial) extend_watch(10);  // what is known is shown after the limit
  context.require_formats("classes", all_formats);
  const FiniteGroup G = parse_finite_group(options.group, context.task);
  const auto H = subgroup_of(options.subgroup, context.task);
  const ClassReport report =
      options.partial ? partial_class_report(G, H, context.task) : class_report(G, H, context.task);
  deliver_answer(context, "classes", record(report));
}

struct TableOptions {
  std::string group, notation = "gap", method = "auto";
  std::optional<std::string> subgroup;
  bool partial = false, details = false, proof = false, cubic = false;
};

CharacterTable table_by(const std::string& method, const FiniteGroup& G, const Task& task) {
  if (method == "monomial") return character_table_by_monomial_representations(G, task);
  if (method == "class-matrices") return character_table_by_class_matrices(G, task);
  if (method == "induction") return character_table_by_induction(G, task);
  return character_table(G, task);
}

CharacterTableReport report_of(const TableOptions& options, const Context& context) {
  const Task& task = context.task;
  const FiniteGroup G = parse_finite_group(options.group, task);
  if (context.writes(Format::lean)) require_fits_lean(G, task);
  const auto H = subgroup_of(options.subgroup, task);
  CharacterTableReport report{G, {}, {}, {}, {}};
  if (options.partial)
    report.known = partial_character_table(G, task);
  else
    report.known.table = table_by(options.method, G, task);
  if (!report.known.table) return report;
  if (options.details) report.details = character_details(*report.known.table, task);
  if (H) report.subgroup = subgroup_characters(*report.known.table, *H, task);
  if (options.proof) report.proof = character_proof(*report.known.table, task);
  return report;
}

/// Prints the table as chemists do.
void run_schoenflies(const TableOptions& options, Context& context) {
  if (options.subgroup || options.details || options.partial || options.proof || options.method != "auto")
    throw DomainError(
        "chartable --notation schoenflies goes with --cubic only; leave out the notation for --subgroup, "
        "--details, --method, --partial and --proof");
  context.require_formats("chartable --notation schoenflies", all_formats);
  const PointGroupTable table =
      point_group_table(parse_point_or_double_group(options.group), options.cubic, context.task);
  deliver_answer(context, "chartable", record(table));
}

/// Two point groups: how the species of one become those of the other, as chemists ask; false for other groups.
bool run_correlation(const TableOptions& options, Context& context) {
  if (!options.subgroup || options.details || options.partial || options.proof || options.method != "auto")
    return false;
  const FiniteGroup G = parse_finite_group(options.group, context.task),
                    H = parse_finite_group(*options.subgroup, context.task);
  const auto both = [&](const auto& is_one) { return is_one(G) && is_one(H); };
  if (!both([](const FiniteGroup& group) { return group.structure().as<structure::PointGroup>(); }) &&
      !both([](const FiniteGroup& group) { return group.structure().as<structure::DoubleGroup>(); }))
    return false;
  context.require_formats("chartable of two point groups", all_formats);
  const CorrelationReport report{correlation_table(G, H, context.task), {}};
  deliver_answer(context, "chartable", record(report));
  return true;
}

void run_chartable(const TableOptions& options, Context& context) {
  if (options.notation == "schoenflies" && !options.subgroup) return run_schoenflies(options, context);
  if (run_correlation(options, context)) return;
  if (options.notation == "schoenflies") return run_schoenflies(options, context);
  if (options.cubic) throw DomainError("chartable: --cubic is for --notation schoenflies, which lists functions");
  const bool whole = !context.format.empty() && context.format != "text" && !context.json;  // a table and nothing else
  if (whole && (options.details || options.subgroup))
    throw DomainError("chartable: --details and --subgroup are for --format text and json, not " + context.format);
  if (options.partial && options.method != "auto")
    throw DomainError("chartable: --partial chooses the method itself; leave out --method");
  if (options.partial && options.proof)
    throw DomainError("chartable: --proof is of a whole table; leave out --partial");
  if (options.partial) extend_watch(10);
  if (options.partial)
    context.require_formats("chartable --partial", {Format::text, Format::json});
  else
    context.require_formats("chartable", with_lean(all_formats), with_lean(with_arrays(all_formats)));
  if (options.proof) context.require_json("--proof");
  const CharacterTableReport report = report_of(options, context);
  const IrrationalNotation notation = options.notation == "atlas" ? IrrationalNotation::atlas
                                      : options.notation == "er"  ? IrrationalNotation::square_roots
                                                                  : IrrationalNotation::gap;
  deliver_answer(context, "chartable", record(report, notation));
}

}  // namespace

void add_classes(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("classes", "conjugacy classes of a group");
  const auto options = std::make_shared<ClassesOptions>();
  add_group_argument(*command, options->group);
  add_checked(*command, "--subgroup,SUBGROUP", options->subgroup, expression(),
              "the classes of this subgroup as well, and the class of GROUP that each is in");
  command->add_flag("--partial", options->partial, "at --time-limit or --max-memory give the classes found so far");
  command->footer(
      "Classes are numbered from 0, by element order, size and power maps. Where there are more than a "
      "million, their\n"
      "number and a description are given. A subgroup on fewer points fixes the others.\nExamples:\n  "
      "intertwine classes M11\n  intertwine classes 'S20 wr S5'\n  intertwine classes S6 --subgroup "
      "'<(1,2,3,4,5),(1,2)(3,4)>'");
  command->callback([options, &context] { run_classes(*options, context); });
}

void add_chartable(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("chartable", "the character table of a group");
  const auto options = std::make_shared<TableOptions>();
  add_group_argument(*command, options->group);
  add_value(*command, "--notation", "STYLE", options->notation,
            "irrational values in text, LaTeX, Markdown and HTML: gap (E(5)+E(5)^4), er (square roots, (-1+ER(5))/2) "
            "or atlas (b5, i3, r2, z7*3, y9); or schoenflies: the table of a point group as chemists print it")
      ->check(CLI::IsMember({"gap", "er", "atlas", "schoenflies"}));
  command->add_flag("--cubic", options->cubic, "with --notation schoenflies functions of degree 3 as well");
  command->add_flag(
      "--details", options->details,
      "in text and JSON for every character its field, kernel, centre, determinant, Schur index over Q (and "
      "the primes and inf where the local index is above 1) and algebraic conjugates");
  add_checked(*command, "--subgroup,SUBGROUP", options->subgroup, expression(),
              "in text and JSON the classes and characters of this subgroup: fusion, restriction and "
              "induction; of two point groups, as Oh Td, the correlation table");
  add_value(*command, "--method", "METHOD", options->method,
            "auto (formulas where there are some, otherwise the fastest), monomial (supersolvable groups "
            "only), class-matrices or induction; all give the same values, formulas also name the rows")
      ->check(CLI::IsMember({"auto", "monomial", "class-matrices", "induction"}));
  command->add_flag("--partial", options->partial,
                    "at --time-limit or --max-memory give the classes and characters found so far");
  command->add_flag("--proof", options->proof,
                    "in JSON what a stranger proves the table from: checkers/check_characters.py FILE.json");
  command->footer(
      "The text has, from above: the powers of the primes in the centralizer orders, the names of the "
      "classes (element\n"
      "order and letter), the classes of p-th powers, then a row for every irreducible character with its\n"
      "Frobenius-Schur indicator (+ real, o complex, - quaternionic). A dot is 0; letters are explained "
      "below, /A is the\n"
      "complex conjugate of A. E(n) is exp(2 pi i / n). --output FILE.npy has the values as complex128, .npz "
      "the\nsizes and orders of the classes and the indicators as well. --format lean and --output FILE.lean "
      "write what "
      "Lean 4\nproves the table from, for groups of at most 120 elements.\nExamples:\n  intertwine chartable "
      "A5\n"
      "  intertwine chartable 'SL(2,3)' --format latex\n  intertwine chartable M11 --output m11.json "
      "--output m11.g\n  intertwine chartable M11 --proof --output m11.json --quiet\n  intertwine chartable "
      "A5 --output A5.lean --quiet\n  intertwine chartable "
      "S5 S4\n  intertwine chartable 'GL(2,3)' --details");
  command->callback([options, &context] { run_chartable(*options, context); });
}

}  // namespace intertwine::app
