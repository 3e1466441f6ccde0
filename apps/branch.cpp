// `branch`: a Schur functor of C^n restricted to S_n, O(n), Sp(n) or a finite group of matrices; a representation of a
// reductive group restricted to a reductive subgroup.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "intertwine/error.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/restriction_question.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct BranchOptions {
  RestrictionQuestion question;
  std::string subgroup, matrix;
  bool sl = false;
};

/// The entries of a file as machine integers.
std::vector<std::vector<int>> restriction_matrix(const std::string& file, const Context& context) {
  const RationalMatrix A = read_exact_matrix(file, context.task);
  std::vector<std::vector<int>> matrix(A.rows(), std::vector<int>(A.cols()));
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const Rational entry = A(i, j);
      if (denominator(entry) != 1 || abs(numerator(entry)) > 1'000'000)
        throw DomainError(fmt::format("{}: entry ({}, {}) is {}; a matrix of weights has integers up to 1000000", file,
                                      i, j, to_string(entry)));
      matrix[i][j] = static_cast<int>(numerator(entry));
    }
  return matrix;
}

/// 'E6 -> SO(10) x U(1)' 27 is E6 'SO(10) x U(1)' 27.
void split_arrow(RestrictionQuestion& question, std::string& subgroup) {
  const std::string both = question.to.group;
  for (const std::string arrow : {"->", "→"}) {
    const std::size_t at = both.find(arrow);
    if (at == std::string::npos || at == 0) continue;
    if (!question.functor.empty() || !question.from.empty() || (!subgroup.empty() && !question.to.rep.empty()))
      throw DomainError("behind a group, an arrow and its subgroup stands one representation and no more");
    if (!subgroup.empty()) question.to.rep = subgroup;
    question.to.group = both.substr(0, both.find_last_not_of(' ', at - 1) + 1);
    subgroup = both.substr(std::min(both.find_first_not_of(' ', at + arrow.size()), both.size()));
    return;
  }
}

Forms run(const BranchOptions& options, Context& context) {
  RestrictionQuestion question = options.question;
  std::string subgroup = options.subgroup;
  split_arrow(question, subgroup);
  if (!subgroup.empty()) place_words(question, subgroup);
  if (options.sl) make_special(question);
  if (!options.matrix.empty()) question.matrix = restriction_matrix(options.matrix, context);
  return std::visit([&](auto found) { return forms_of(Document("branch"), record(std::move(found)), context); },
                    answer_restriction(question, context.task));
}

}  // namespace

void add_branch(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "branch", "a Schur functor of GL(n) restricted to S_n, O(n), Sp(n) or a finite group; reductive groups");
  const auto options = std::make_shared<BranchOptions>();
  add_checked(*command, "--functor,LAMBDA", options->question.functor, partition(),
              "the partition of the Schur functor, for example [3,1]");
  add_value(*command, "--from", "GROUP", options->question.from,
            "GL(n), by default n is what the subgroup acts on; or, without --functor, a reductive group");
  command
      ->add_option("--to,GROUP", options->question.to.group,
                   "O(n), Sp(n), S<n> or any group expression; or a reductive subgroup")
      ->required()
      ->check(expression());
  add_checked(*command, "SUBGROUP", options->subgroup, expression(),
              "without --from: GROUP is restricted to this one, as in branch 'SU(3)' 'SO(3)' adjoint "
              "or, point groups, branch Oh Td");
  add_value(*command, "--rep,REP", "REP", options->question.to.rep,
            "how the finite group acts on C^n (coordinates where it has them, else perm); or the "
            "representation of the reductive group that is restricted")
      ->check(expression());
  add_value(*command, "--irrep", "K", options->question.to.irrep,
            "it acts by irrep(K) of its table: a number or a name, as T1u");
  add_value(*command, "--matrix", "FILE.json", options->matrix,
            "how weights of a reductive group restrict: a row for each label of the subgroup, [[1,0],[1,1]]");
  add_value(*command, "--vector", "REP", options->question.vector,
            "what the vector representation of a classical group becomes");
  command->add_flag("--sl", options->sl,
                    "GL(n) as SL(n) and U(n) as SU(n), in both groups: without full columns and charges");
  command->add_flag("--principal", options->question.principal, "the principal SL(2)");
  command->add_flag("--maximal", options->question.maximal,
                    "the maximal subgroup of smaller rank where there is a regular one of its type too: A2 "
                    "in E6 and E7, A2 x A1 in E8");
  add_value(*command, "--embedding", "REP", options->question.embeddings,
            "what the vector representation of a classical group becomes on a finite group: a representation "
            "of it, once for every factor");
  command->footer(
      "Modules of O(n) are labelled by partitions whose first two columns have at most n cells together ([1,...,1] of\n"
      "n cells is the determinant), those of Sp(n) by partitions with at most n/2 rows, those of S_n by Specht's\n"
      "partitions of n; irreducible characters of other groups are numbered from 1 as in `intertwine chartable`.\n"
      "Representations:\n" +
      indented(known_representations()) + "Reductive groups:\n" + indented(known_lie_groups()) +
      "and their representations:\n" + indented(known_lie_representations()) +
      "Between classical groups the vector representation becomes the sum or the product of those of the "
      "factors; otherwise\n"
      "diagrams are folded, or the subgroup is found in the extended diagram, or it is a maximal one of "
      "smaller rank. The answer says which way was taken.\n"
      "To a finite group SU(n), U(n), SO(n), O(n), Sp(n) and their products are restricted by --embedding or "
      "--irrep, by default by the\n"
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
      "  intertwine branch 'E6 -> SO(10) x U(1)' 27\n  intertwine branch --from 'SU(3)' --to 'SO(3)' --rep adjoint\n"
      "  intertwine branch --from 'O(3)' --to Oh --rep 'harmonic(4)'\n"
      "  intertwine branch --from 'O(3)' --to 'D∞h' --rep 'harmonic(2)'\n"
      "  intertwine branch 'double(Oh)' 'double(D4h)'\n"
      "  intertwine branch '[2,1]' --from 'GL(4)' --to 'GL(3)'\n"
      "  intertwine branch --from 'GL(5)' --to 'O(3)' --vector 'harmonic(2)' --rep 'sym(2, vector)'\n"
      "  intertwine branch --from 'SU(3)' --to 'PSL(2,7)' --irrep 2 --rep 'irrep([2,2])'");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
