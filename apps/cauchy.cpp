// `cauchy`: S_nu(Hom(V, W)) under GL(W) x GL(V), or restricted to finite groups that act on W and V.
#include <fmt/format.h>

#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/restriction_question.hpp"
#include "intertwine/io/row_name.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct CauchyOptions {
  MatrixSize size;
  int degree = -1;
  std::string functor;
  FiniteSide left, right;
  std::vector<std::string> pair;
  bool by_term = false, check = false;
};

/// One side's character; the group acts trivially where none is given.
SideCharacter side_of(FiniteSide side, int n, const char* what, const Context& context) {
  if (side.group.empty()) {
    if (!side.rep.empty() || !side.irrep.empty())
      throw DomainError(fmt::format("cauchy: a representation is given for {}, but no group", what));
    side.group = "S1";
    side.rep = fmt::format("{}*trivial", n);
  }
  SideCharacter result = parse_side(side, context.task);
  if (result.character.degree() != Cyclotomic(n))
    throw DomainError(fmt::format("{} of {} has dimension {}, but {} has dimension {}", result.rep,
                                  result.character.table().group().name(), to_string(result.character.degree()), what,
                                  n));
  return result;
}

void require_sense(const CauchyOptions& options) {
  if ((options.degree < 0) == options.functor.empty())
    throw DomainError("cauchy takes one of --degree d and --functor [3,1]");
  const bool finite = !options.left.group.empty() || !options.right.group.empty();
  if (!finite && (options.by_term || options.check || !options.pair.empty() || !options.left.rep.empty() ||
                  !options.right.rep.empty() || !options.left.irrep.empty() || !options.right.irrep.empty()))
    throw DomainError("cauchy: representations, --pair, --by-term and --check go with --left-group or --right-group");
}

HomFunctor restricted(const CauchyOptions& options, const Partition& nu, const Context& context) {
  const SideCharacter left = side_of(options.left, options.size.rows, "W", context),
                      right = side_of(options.right, options.size.cols, "V", context);
  HomFunctorOptions wanted{options.by_term, {}};
  if (!options.pair.empty())
    wanted.pair = {irreducible_row(left.character.table(), options.pair[0]),
                   irreducible_row(right.character.table(), options.pair[1])};
  HomFunctor found = functor_of_hom(nu, left.character, right.character, wanted, context.task);
  found.left_rep = left.rep;
  found.right_rep = right.rep;
  if (options.check) verify(found, context.task);
  found.checked = options.check;
  return found;
}

Forms run(const CauchyOptions& options, Context& context) {
  require_sense(options);
  const Partition nu = options.functor.empty() ? Partition{options.degree} : parse_partition(options.functor);
  const bool finite = !options.left.group.empty() || !options.right.group.empty();
  return forms_of(Document("cauchy"),
                  record(finite ? restricted(options, nu, context)
                                : functor_of_hom(nu, options.size.rows, options.size.cols, context.task)),
                  context);
}

void add_side(CLI::App& command, const std::string& side, const char* space, FiniteSide& to) {
  command
      .add_option("--" + side + "-group", to.group, fmt::format("restrict to this finite group acting on {}", space))
      ->type_name("GROUP");
  command.add_option("--" + side + "-rep", to.rep, "how it acts (coordinates where it has them, else perm)")
      ->type_name("REP");
  command.add_option("--" + side + "-irrep", to.irrep, "it acts by irrep(K) of its table: a number or a name, as T1u")
      ->type_name("K");
}

}  // namespace

void add_cauchy(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("cauchy", "a Schur functor of Hom(V, W) under GL(V) x GL(W) or finite groups");
  const auto options = std::make_shared<CauchyOptions>();
  add_matrix_size(*command, options->size);
  add_checked(*command, "--degree,DEGREE", options->degree, CLI::NonNegativeNumber,
              "the symmetric power of this degree");
  add_checked(*command, "--functor,LAMBDA", options->functor, partition(),
              "the Schur functor of this partition instead");
  add_side(*command, "left", "W (the rows)", options->left);
  add_side(*command, "right", "V (the columns; on V* by the dual)", options->right);
  command
      ->add_option("--pair", options->pair,
                   "I,J: how often the irreducible characters I (left) and J (right) occur in each term")
      ->delimiter(',')
      ->expected(2)
      ->type_name("I,J");
  command->add_flag("--by-term", options->by_term, "also the restriction of every term");
  command->add_flag("--check", options->check, "compare with sums over the pairs of classes");
  command->footer(
      "Irreducible characters are numbered from 1 as in `intertwine chartable`; a group that is not given is "
      "trivial.\n"
      "Examples:\n  intertwine cauchy 2 3 2\n"
      "  intertwine cauchy 3 4 3 --left-group Oh --right-group S4 --pair 1,1");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
