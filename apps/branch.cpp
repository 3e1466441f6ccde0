// `branch`: a Schur functor of C^n restricted to S_n, O(n), Sp(n) or a finite group of matrices.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <regex>

#include "character_commands.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "restriction.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

SideCharacter character_of(const FiniteSide& side, const Context& context) {
  const FiniteGroup G = parse_group(side.group, {}, context.task);
  if (side.irrep > 0) {
    if (!side.rep.empty())
      throw DomainError("a representation and the number of an irreducible one are both given");
    const CharacterTable table = table_of(G, context);
    return {ClassFunction::irreducible(table, irreducible_row(table, side.irrep)),
            fmt::format("irrep({})", side.irrep)};
  }
  const std::string rep = !side.rep.empty() ? side.rep : G.coordinates().matrices ? "coordinates" : "perm";
  const Representation V = parse_representation(G, rep, {}, context.task);
  return {intertwine::character_of(V, table_of(G, context), context.task), rep};
}

void require_dimension(const SideCharacter& side, int n, const std::string& what) {
  if (side.character.degree() != Cyclotomic(n))
    throw DomainError(fmt::format("{} of {} has dimension {}, but {}", side.rep,
                                  side.character.table().group().name(), to_string(side.character.degree()),
                                  what));
}

namespace {

struct Options {
  std::string functor, from;
  FiniteSide to;
  bool latex = false;
};

/// "GL(4)", "GL4", "O(4)", ...: the number.
std::optional<int> number_in(const std::string& text, const std::string& name) {
  static const std::string number = R"(\s*(?:\(\s*(\d{1,6})\s*\)|(\d{1,6}))\s*)";
  std::smatch match;
  if (!std::regex_match(text, match, std::regex("\\s*" + name + number))) return std::nullopt;
  return std::stoi(match[1].matched ? match[1] : match[2]);
}

/// What is printed: a line for every constituent.
struct Constituents {
  std::string kind;  ///< "orthogonal", "symplectic", "symmetric" or "finite"
  std::string letter, latex_letter;
  int n = 0;
  std::vector<std::pair<Json, std::vector<std::string>>> lines;  ///< JSON; label, multiplicity, dimension
  std::string latex;
};

Constituents by_labels(const SchurSum& sum, const std::string& kind, const std::string& letter, int n) {
  Constituents result{kind, letter, letter, n, {}, {}};
  for (const SchurTerm& term : sum) {
    const Integer dimension = kind == "orthogonal"   ? dimension_of_orthogonal(term.partition, n)
                              : kind == "symplectic" ? dimension_of_symplectic(term.partition, n)
                                                     : number_of_standard_tableaux(term.partition);
    result.lines.push_back(
        {{{"label", to_json(term.partition)},
          {"multiplicity", to_string(term.coefficient)},
          {"dimension", to_string(dimension)}},
         {letter + to_string(term.partition), to_string(term.coefficient), to_string(dimension)}});
    result.latex += latex_coefficient(Rational(term.coefficient), result.latex.empty()) + letter + "_{" +
                    latex_parts(term.partition) + "}";
  }
  return result;
}

Constituents by_irreducibles(const Partition& lambda, const SideCharacter& side) {
  const CharacterTable& table = side.character.table();
  Constituents result{"finite", "", "\\chi", side.character.degree().to_integer().convert_to<int>(), {}, {}};
  const auto all = multiplicities(schur_power(lambda, side.character));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == 0) continue;
    result.lines.push_back(
        {{{"irrep", i},
          {"name", table.name(i)},
          {"multiplicity", to_string(all[i])},
          {"dimension", to_string(table.degree(i))}},
         {fmt::format("{}  {}", i + 1, table.name(i)), to_string(all[i]), to_string(table.degree(i))}});
    result.latex +=
        latex_coefficient(Rational(all[i]), result.latex.empty()) + fmt::format("\\chi_{{{}}}", i + 1);
  }
  return result;
}

Constituents constituents(const Options& options, const Partition& lambda, std::string& rep,
                          Context& context) {
  const auto& to = options.to;
  const bool named = to.rep.empty() && to.irrep == 0;
  if (const auto n = number_in(to.group, "O"); n && named)
    return by_labels(restrict_to_orthogonal(SchurSum(lambda), *n, context.task), "orthogonal", "o", *n);
  if (const auto n = number_in(to.group, "Sp"); n && named)
    return by_labels(restrict_to_symplectic(SchurSum(lambda), *n, context.task), "symplectic", "sp", *n);
  if (const auto n = number_in(to.group, "S"); n && named) {
    rep = "perm";
    return by_labels(restrict_to_symmetric_group(SchurSum(lambda), *n, context.task), "symmetric", "S^", *n);
  }
  const SideCharacter side = character_of(to, context);
  rep = side.rep;
  return by_irreducibles(lambda, side);
}

void run(const Options& options, Context& context) {
  const Partition lambda = parse_partition(options.functor);
  std::string rep;
  const Constituents found = constituents(options, lambda, rep, context);
  if (!options.from.empty()) {
    const auto n = number_in(options.from, "GL");
    if (!n) throw DomainError("branch --from takes GL(n), for example GL(4), not " + options.from);
    if (*n != found.n)
      throw DomainError(
          fmt::format("{}{} acts on a space of dimension {}, so that it is no subgroup of GL({})",
                      options.to.group, rep.empty() ? "" : " by " + rep, found.n, *n));
  }
  const Integer dimension = number_of_semistandard_tableaux(lambda, found.n);
  Json json = answer("branch");
  json["functor"] = to_json(lambda);
  json["n"] = found.n;
  json["group"] = options.to.group;
  json["kind"] = found.kind;
  if (!rep.empty()) json["rep"] = rep;
  json["dimension"] = to_string(dimension);
  json["constituents"] = Json::array();
  std::vector<std::vector<std::string>> rows{{"constituent", "multiplicity", "dimension"}};
  for (const auto& [entry, cells] : found.lines) {
    json["constituents"].push_back(entry);
    rows.push_back(cells);
  }
  std::string text;
  if (options.latex)
    text = wrapped(fmt::format("S_{{{}}}(\\mathbb{{C}}^{{{}}}) = {}", latex_parts(lambda), found.n,
                               found.latex.empty() ? "0" : found.latex),
                   context.width());
  else
    text =
        fmt::format("S_{}(C^{}) restricted from GL({}) to {}{}: dimension {}\n", to_string(lambda), found.n,
                    found.n, options.to.group, rep.empty() ? "" : " by " + rep, to_string(dimension)) +
        (found.lines.empty() ? "" : aligned(rows));
  finish(json, text, context);
}

}  // namespace

void add_branch(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "branch", "a Schur functor of GL(n) restricted to S_n, O(n), Sp(n) or a finite group");
  const auto options = std::make_shared<Options>();
  command->add_option("--functor", options->functor, "the partition of the Schur functor, for example [3,1]")
      ->required()
      ->type_name("LAMBDA");
  command->add_option("--from", options->from, "GL(n); by default n is what the subgroup acts on")
      ->type_name("GL(n)");
  command->add_option("--to", options->to.group, "O(n), Sp(n), S<n> or any group expression")
      ->required()
      ->type_name("GROUP");
  command
      ->add_option("--rep", options->to.rep,
                   "how the finite group acts on C^n (coordinates where it has them, else perm)")
      ->type_name("REP");
  command->add_option("--irrep", options->to.irrep, "it acts by irrep(K) of its table")
      ->check(CLI::PositiveNumber)
      ->type_name("K");
  add_format(*command, options->latex);
  command->footer(
      "Modules of O(n) are labelled by partitions whose first two columns have at most n cells together "
      "([1,...,1] of\n"
      "n cells is the determinant), those of Sp(n) by partitions with at most n/2 rows, those of S_n by "
      "Specht's\n"
      "partitions of n; irreducible characters of other groups are numbered from 1 as in `intertwine "
      "chartable`.\n"
      "Representations:\n" +
      indented(known_representations()) +
      "\nExamples:\n  intertwine branch --functor '[2,2]' --to 'O(4)'\n"
      "  intertwine branch --functor '[3,1]' --to S5\n"
      "  intertwine branch --functor '[4]' --to Oh --rep coordinates\n"
      "  intertwine branch --functor '[6]' --from 'GL(3)' --to A5 --irrep 2");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
