// `branch`: a Schur functor of C^n restricted to S_n, O(n), Sp(n) or a finite group of matrices; a representation of a
// reductive group restricted to a reductive subgroup.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <regex>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/branching_text.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/correlation_text.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/lie_text.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "restriction.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

SideCharacter character_of(const FiniteSide& side, const Context& context) {
  const FiniteGroup G = parse_group(side.group, context.task);
  if (!side.irrep.empty()) {
    if (!side.rep.empty())
      throw DomainError("a representation and the number of an irreducible one are both given");
    const CharacterTable table = character_table(G, context.task);
    return {ClassFunction::irreducible(table, irreducible_row(table, side.irrep)),
            fmt::format("irrep({})", side.irrep)};
  }
  const std::string rep = !side.rep.empty() ? side.rep : G.coordinates().matrices ? "coordinates" : "perm";
  const Representation V = parse_representation(G, rep, context.task);
  return {intertwine::character_of(V, character_table(G, context.task), context.task), rep};
}

void require_dimension(const SideCharacter& side, int n, const std::string& what) {
  if (side.character.degree() != Cyclotomic(n))
    throw DomainError(fmt::format("{} of {} has dimension {}, but {}", side.rep,
                                  side.character.table().group().name(), to_string(side.character.degree()),
                                  what));
}

namespace {

struct BranchOptions {
  std::string functor, from, subgroup;
  FiniteSide to;
  std::string matrix, vector;  // how a reductive subgroup lies in the group
  bool principal = false, maximal = false, sl = false;

  bool of_reductive() const { return !matrix.empty() || !vector.empty() || principal || maximal; }
  std::vector<std::string> embeddings;  // how a finite subgroup lies in it
};

/// The entries of a file as machine integers.
std::vector<std::vector<int>> restriction_matrix(const std::string& file, const Context& context) {
  const RationalMatrix A = read_exact_matrix(file, context.task);
  std::vector<std::vector<int>> matrix(A.rows(), std::vector<int>(A.cols()));
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const Rational entry = A(i, j);
      if (denominator(entry) != 1 || abs(numerator(entry)) > 1'000'000)
        throw DomainError(
            fmt::format("{}: entry ({}, {}) is {}; a matrix of weights has integers up to 1000000", file, i,
                        j, to_string(entry)));
      matrix[i][j] = static_cast<int>(numerator(entry));
    }
  return matrix;
}

/// "GL(4)", "GL4", "O(4)", ...: the number.
std::optional<int> number_in(const std::string& text, const std::string& name) {
  static const std::string number = R"(\s*(?:\(\s*(\d{1,6})\s*\)|(\d{1,6}))\s*)";
  std::smatch match;
  if (!std::regex_match(text, match, std::regex("\\s*" + name + number))) return std::nullopt;
  return std::stoi(match[1].matched ? match[1] : match[2]);
}

/// The restrictions of C^n by --embedding or --irrep; none if they are the usual ones.
std::vector<ClassFunction> given_vectors(const BranchOptions& options, const CharacterTable& table,
                                         const Context& context) {
  if (!options.to.irrep.empty() && !options.embeddings.empty())
    throw DomainError(
        "--embedding and --irrep both say what the vector representation becomes; give one of them");
  if (!options.to.irrep.empty())
    return {ClassFunction::irreducible(table, irreducible_row(table, options.to.irrep))};
  std::vector<ClassFunction> result;
  for (const std::string& rep : options.embeddings)
    result.push_back(intertwine::character_of(parse_representation(table.group(), rep, context.task), table,
                                              context.task));
  return result;
}

/// To a finite group.
Forms run_lie_to_finite(const BranchOptions& options, Context& context) {
  if (options.of_reductive())
    throw DomainError(
        "--matrix, --vector, --principal and --maximal are for reductive subgroups; how a finite one acts is "
        "said by "
        "--embedding");
  const CharacterTable table = character_table(parse_group(options.to.group, context.task), context.task);
  const std::vector<ClassFunction> vectors = given_vectors(options, table, context);
  const Task& task = context.task;
  if (const auto n = number_in(options.from, "O")) {
    if (vectors.size() > 1) throw DomainError(fmt::format("O({}) takes one --embedding", *n));
    const OrthogonalEmbedding f =
        vectors.empty() ? usual_orthogonal_embedding(*n, table, task) : OrthogonalEmbedding(vectors[0], task);
    if (f.n() != *n)
      throw DomainError(fmt::format("the representation of {} has dimension {}, but O({}) acts on R^{}",
                                    options.to.group, f.n(), *n, *n));
    return forms_of(Document("branch"),
                    FiniteRestricted{fmt::format("O({})", *n), options.to.rep, f.how(),
                                     parse_orthogonal_representation(f, options.to.rep, task)},
                    context);
  }
  const LieGroup from = parse_lie_group(options.from);
  const FiniteEmbedding f =
      vectors.empty() ? usual_embedding(from, table, task) : FiniteEmbedding(from, vectors, task);
  const LieCharacter chi = parse_lie_representation(from, options.to.rep, task);
  return forms_of(Document("branch"),
                  FiniteRestricted{from.name(), options.to.rep, f.how(), f.restrict(chi, task)}, context);
}

/// To O(n), SO+(p,q) or a product with a finite group, along --vector, a representation of it.
Forms run_along_vector(const BranchOptions& options, Context& context) {
  const Task& task = context.task;
  if (!number_in(options.from, "(?:SU|SL|U|GL)"))
    throw DomainError(
        fmt::format("SU(n), SL(n), U(n) and GL(n) are restricted to {}, along --vector, and not {}",
                    options.to.group, options.from));
  if (options.vector.empty() || !options.matrix.empty() || options.principal || options.maximal)
    throw DomainError(fmt::format(
        "how {} lies in {} is said by --vector, what the vector representation becomes, for example "
        "--vector 'harmonic(2)'",
        options.to.group, options.from));
  const ContinuousGroup from = parse_continuous_group(options.from, task),
                        to = parse_continuous_group(options.to.group, task);
  const ContinuousRepresentation vector = parse_continuous_representation(to, options.vector, task);
  hom::Restricted found{
      from.name(), options.to.rep, "vector = " + vector.to_string(),
      hom::decompose(
          restricted_along(parse_continuous_representation(from, options.to.rep, task), vector, task),
          BaseField::complex, task)};
  return forms_of(Document("branch"), std::move(found), context);
}

Forms run_lie(const BranchOptions& options, Context& context) {
  if (!options.functor.empty())
    throw DomainError("a representation of " + options.from + " is given by --rep, not by --functor");
  if (options.to.rep.empty())
    throw DomainError("--rep is missing: a representation of " + options.from + " such as adjoint");
  if (names_axial_group(options.to.group)) {
    if (number_in(options.from, "O") != 3)
      throw DomainError(fmt::format("{} lies in O(3), not in {}", options.to.group, options.from));
    if (options.of_reductive() || !options.embeddings.empty() || !options.to.irrep.empty())
      throw DomainError(options.to.group + " lies in O(3) in one way: leave out how it is embedded");
    const bool centre = axial_group_has_centre(options.to.group);
    return forms_of(
        Document("branch"),
        hom::Restricted{"O(3)", options.to.rep, "",
                        hom::decompose(parse_axial_representation(centre, options.to.rep, true, context.task),
                                       BaseField::complex, context.task)},
        context);
  }
  if (names_continuous_group(options.to.group) && !names_only_lie_groups(options.to.group))
    return run_along_vector(options, context);
  if (!names_lie_group(options.to.group)) return run_lie_to_finite(options, context);
  if (!options.to.irrep.empty() || !options.embeddings.empty())
    throw DomainError("--irrep and --embedding are for finite subgroups; how " + options.to.group +
                      " is embedded is said by --vector, --matrix, --principal or --maximal");
  if (number_in(options.from, "O"))
    throw DomainError(options.from + " is restricted to finite groups here; for " + options.to.group +
                      " take SO(n) in its place");
  if ((!options.matrix.empty()) + (!options.vector.empty()) + options.principal + options.maximal > 1)
    throw DomainError(
        "--matrix, --vector, --principal and --maximal say each how the subgroup is embedded; give one of "
        "them");
  const LieGroup from = parse_lie_group(options.from), to = parse_lie_group(options.to.group);
  const LieRestriction f =
      !options.matrix.empty()
          ? restriction_by_matrix(from, to, restriction_matrix(options.matrix, context), context.task)
      : !options.vector.empty()
          ? restriction_by_vector(from, to, parse_lie_representation(to, options.vector, context.task),
                                  context.task)
      : options.principal ? restriction_to_principal(from, to)
      : options.maximal   ? restriction_to_irregular(from, to, context.task)
                          : usual_restriction(from, to, context.task);
  const LieCharacter chi = parse_lie_representation(from, options.to.rep, context.task);
  return forms_of(Document("branch"), LieRestricted{f, options.to.rep, chi, restrict(chi, f, context.task)},
                  context);
}

bool is_point_group(const std::string& text) {
  try {
    return parse_point_group(text).structure().as<structure::PointGroup>() != nullptr;
  } catch (const Error&) {
    return false;
  }
}

/// Point groups: how the species of one become those of a subgroup.
Forms run_point_groups(const BranchOptions& options, Context& context) {
  const Task& task = context.task;
  CorrelationReport report{
      correlation_table(parse_point_group(options.from), parse_point_group(options.to.group), task), {}};
  const std::string& rep = options.to.irrep.empty() ? options.to.rep : options.to.irrep;
  if (!rep.empty()) report.rep = {rep, species_of(report.table.from, rep, task)};
  return forms_of(Document("branch"), std::move(report), context);
}

Branching branching_of(const BranchOptions& options, const Partition& lambda, const Context& context) {
  using Kind = Branching::Kind;
  const FiniteSide& to = options.to;
  if (to.rep.empty() && to.irrep.empty())
    for (const auto& [name, kind] :
         {std::pair{"O", Kind::orthogonal}, {"Sp", Kind::symplectic}, {"S", Kind::symmetric}})
      if (const auto n = number_in(to.group, name)) {
        Branching result = branch(lambda, kind, *n, context.task);
        if (kind == Kind::symmetric) result.rep = "perm";
        return result;
      }
  const SideCharacter side = character_of(to, context);
  Branching result = branch(lambda, side.character);
  result.rep = side.rep;
  return result;
}

/// --sl: GL(n) and U(n) become SL(n) and SU(n), whose partitions have no full columns.
void make_special(BranchOptions& options) {
  bool found = false;
  for (std::string* text : {&options.from, &options.to.group}) {
    const std::string special =
        std::regex_replace(std::regex_replace(*text, std::regex("\\bGL(?=\\s*[(0-9])"), "SL"),
                           std::regex("\\bU(?=\\s*[(0-9])"), "SU");
    found = found || special != *text;
    *text = special;
  }
  if (!found)
    throw DomainError("--sl takes GL(n) as SL(n) and U(n) as SU(n), and neither group is one of these");
}

/// GROUP SUBGROUP REP or LAMBDA GROUP REP: a REP such as 7 or [1,0] reads like a partition, and was taken for LAMBDA.
void place_words(BranchOptions& options) {
  if (!options.from.empty()) throw DomainError("branch --from GROUP takes one subgroup and its --rep");
  const bool continuous = names_lie_group(options.to.group) || names_continuous_group(options.to.group);
  if (options.functor.empty() || (continuous && options.to.rep.empty())) {
    options.from = std::exchange(options.to.group, options.subgroup);
    const bool partition = options.functor.starts_with('[') && number_in(options.from, "(?:GL|U)");
    if (!partition) options.to.rep += std::exchange(options.functor, {});
  } else {
    if (!options.to.rep.empty()) throw DomainError("branch LAMBDA takes one group and its representation");
    options.to.rep = options.subgroup;
  }
}

/// A partition of GL(n) or U(n), and a reductive subgroup or one that lies in it in a way of its own.
bool is_partition_of_reductive(const BranchOptions& options) {
  if (options.functor.empty() || !options.to.rep.empty()) return false;
  if (options.from.empty()) return !number_in(options.to.group, "Sp") && names_lie_group(options.to.group);
  return number_in(options.from, "U") || options.of_reductive() || !options.embeddings.empty() ||
         (!number_in(options.to.group, "Sp") && names_lie_group(options.to.group));
}

Forms run(const BranchOptions& given, Context& context) {
  BranchOptions options = given;
  if (!options.subgroup.empty()) place_words(options);
  if (options.sl) make_special(options);
  if (is_partition_of_reductive(options)) {
    if (options.from.empty())
      throw DomainError(
          fmt::format("--from is missing: the group that {} lies in, for example --from 'GL({})'",
                      options.to.group, number_in(options.to.group, "GL").value_or(3) + 1));
    options.to.rep = fmt::format("irrep({} as partition)", std::exchange(options.functor, {}));
  }
  if ((names_lie_group(options.from) || number_in(options.from, "O")) &&
      (options.functor.empty() || !number_in(options.from, "GL")))
    return run_lie(options, context);
  if (options.of_reductive() || !options.embeddings.empty())
    throw DomainError(
        "--matrix, --vector, --principal, --maximal and --embedding are for a reductive group in --from, "
        "such as SU(4)");
  if (options.functor.empty() && is_point_group(options.from) && is_point_group(options.to.group))
    return run_point_groups(options, context);
  if (options.functor.empty() && !options.from.empty())
    throw DomainError(
        fmt::format("{0} is no reductive group; how characters of finite groups restrict is said by "
                    "chartable {0} --subgroup {1}",
                    options.from, options.to.group));
  if (options.functor.empty()) throw DomainError("--functor is missing: a partition such as [3,1]");
  Branching found = branching_of(options, parse_partition(options.functor), context);
  found.group = options.to.group;
  if (!options.from.empty()) {
    const auto n = number_in(options.from, "GL");
    if (!n) throw DomainError("branch --from takes GL(n), for example GL(4), not " + options.from);
    if (*n != found.n)
      throw DomainError(
          fmt::format("{}{} acts on a space of dimension {}, so that it is no subgroup of GL({})",
                      found.group, found.rep.empty() ? "" : " by " + found.rep, found.n, *n));
  }
  verify(found);
  return forms_of(Document("branch"), std::move(found), context);
}

}  // namespace

void add_branch(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("branch",
                                     "a Schur functor of GL(n) restricted to S_n, O(n), Sp(n) or a finite "
                                     "group; reductive groups");
  const auto options = std::make_shared<BranchOptions>();
  command
      ->add_option("--functor,LAMBDA", options->functor,
                   "the partition of the Schur functor, for example [3,1]")
      ->check(partition());
  command
      ->add_option(
          "--from", options->from,
          "GL(n), by default n is what the subgroup acts on; or, without --functor, a reductive group")
      ->type_name("GROUP");
  command
      ->add_option("--to,GROUP", options->to.group,
                   "O(n), Sp(n), S<n> or any group expression; or a reductive subgroup")
      ->required()
      ->check(expression());
  command
      ->add_option(
          "SUBGROUP", options->subgroup,
          "without --from: GROUP is restricted to this one, as in branch 'SU(3)' 'SO(3)' adjoint or, point "
          "groups, branch Oh Td")
      ->check(expression());
  command
      ->add_option("--rep,REP", options->to.rep,
                   "how the finite group acts on C^n (coordinates where it has them, else perm); or the "
                   "representation "
                   "of the reductive group that is restricted")
      ->check(expression())
      ->type_name("REP");
  command
      ->add_option("--irrep", options->to.irrep,
                   "it acts by irrep(K) of its table: a number or a name, as T1u")
      ->type_name("K");
  command
      ->add_option(
          "--matrix", options->matrix,
          "how weights of a reductive group restrict: a row for each label of the subgroup, [[1,0],[1,1]]")
      ->type_name("FILE.json");
  command
      ->add_option("--vector", options->vector, "what the vector representation of a classical group becomes")
      ->type_name("REP");
  command->add_flag("--sl", options->sl,
                    "GL(n) as SL(n) and U(n) as SU(n), in both groups: without full columns and charges");
  command->add_flag("--principal", options->principal, "the principal SL(2)");
  command->add_flag("--maximal", options->maximal,
                    "the maximal subgroup of smaller rank where there is a regular one of its type too: A2 "
                    "in E6 and E7, A2 x A1 in E8");
  command
      ->add_option("--embedding", options->embeddings,
                   "what the vector representation of a classical group becomes on a finite group: a "
                   "representation of "
                   "it, once for every factor")
      ->type_name("REP");
  command->footer(
      "Modules of O(n) are labelled by partitions whose first two columns have at most n cells together "
      "([1,...,1] of\n"
      "n cells is the determinant), those of Sp(n) by partitions with at most n/2 rows, those of S_n by "
      "Specht's\n"
      "partitions of n; irreducible characters of other groups are numbered from 1 as in `intertwine "
      "chartable`.\n"
      "Representations:\n" +
      indented(known_representations()) + "Reductive groups:\n" + indented(known_lie_groups()) +
      "and their representations:\n" + indented(known_lie_representations()) +
      "Between classical groups the vector representation becomes the sum or the product of those of the "
      "factors; otherwise\n"
      "diagrams are folded, or the subgroup is found in the extended diagram, or it is a maximal one of "
      "smaller rank. The answer says which way was "
      "taken.\n"
      "To a finite group SU(n), U(n), SO(n), O(n), Sp(n) and their products are restricted by --embedding or "
      "--irrep, by "
      "default by the\n"
      "coordinates of the group or its first faithful representation that fits. Of O(n) there are "
      "harmonic(l), parity and\n"
      "irrep([2] as partition). To O(n), SO+(p,q) and products such as S3 x SO(3) GL(n) and SU(n) are "
      "restricted along --vector, any representation of it.\n"
      "\nExamples:\n  intertwine branch '[2,2]' 'O(4)'\n"
      "  intertwine branch '[3,1]' S5\n"
      "  intertwine branch '[4]' Oh --rep coordinates\n"
      "  intertwine branch --functor '[6]' --from 'GL(3)' --to A5 --irrep 2\n"
      "  intertwine branch --from E8 --to 'Lie(D8)' --rep 'irrep([1,0,0,0,0,0,0,1])'\n"
      "  intertwine branch --from E8 --to 'Lie(G2 x F4)' --rep adjoint\n"
      "  intertwine branch --from 'SU(3)' --to 'SO(3)' --rep adjoint\n"
      "  intertwine branch --from 'O(3)' --to Oh --rep 'harmonic(4)'\n"
      "  intertwine branch --from 'O(3)' --to 'D∞h' --rep 'harmonic(2)'\n"
      "  intertwine branch '[2,1]' --from 'GL(4)' --to 'GL(3)'\n"
      "  intertwine branch --from 'GL(5)' --to 'O(3)' --vector 'harmonic(2)' --rep 'sym(2, vector)'\n"
      "  intertwine branch --from 'SU(3)' --to 'PSL(2,7)' --irrep 2 --rep 'irrep([2,2])'");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
