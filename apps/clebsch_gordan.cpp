// clebsch-gordan: how a product of two irreducible representations holds the others, by exact coefficients.
#include <memory>
#include <utility>
#include <variant>

#include "context.hpp"
#include "intertwine/io/couplings_question.hpp"
#include "intertwine/io/records.hpp"

namespace intertwine::app {

namespace {

void run_clebsch_gordan(const CouplingsQuestion& question, Context& context) {
  context.require_formats("clebsch-gordan", all_formats, with_arrays(all_formats));
  std::visit([&](const auto& found) { deliver_answer(context, "clebsch-gordan", record(found)); },
             answer_couplings(question, context.task));
}

}  // namespace

void add_clebsch_gordan(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("clebsch-gordan",
                                     "exact Clebsch-Gordan coefficients of SU(2), SO(3), SO+(1,3), SU(n), "
                                     "... and every finite group; 3j symbols");
  const auto question = std::make_shared<CouplingsQuestion>();
  add_argument(*command, "GROUP", question->group, "SU(2), SO(3), SO+(1,3), SU(n), O(n), ... or a group expression");
  add_checked(*command, "LEFT", question->left, expression(),
              "j1 such as 2 or 3/2; of finite groups a row of the character table, or its name; of "
              "SU(n) a partition; of others a representation");
  add_checked(*command, "RIGHT", question->right, expression(), "j2 likewise");
  add_value(*command, "--index,K", "K", question->index,
            "only this constituent: j, a row of the table, a partition or a representation (all)");
  add_value(*command, "--basis", "BASIS", question->basis,
            "complex: |j m> with the phases of Condon and Shortley; real: real spherical harmonics (complex)")
      ->check(CLI::IsMember({"complex", "real"}));
  command->add_flag("--3j", question->symbols, "Wigner's 3j symbols; with --basis real e3nn's wigner_3j");
  add_value(*command, "--m1", "M", question->m1, "with --m2: only the coefficients of these two basis vectors");
  add_value(*command, "--m2", "M", question->m2, "see --m1");
  add_value(*command, "--up-to", "L", question->up_to, "all products of spins up to L, at most 20")
      ->check(CLI::Range(0, 20));
  command->footer(
      "SU(2), SO(3): <j1 m1 j2 m2|j m> = sign sqrt(square), by Racah's formula; m runs from -j to j. Real "
      "spherical harmonics are in the order m = -l, ..., l:\n"
      "y, z, x for l = 1; their coefficients are real by the phase (-i)^(l1+l2-l), and equal to e3nn's.\n"
      "SO+(1,3), SL(2,C): representations (a,b), such as (1/2,0) for spinors and (1/2,1/2) for vectors (or "
      "vector); coefficients are products of those of the spins a and b, m is the pair (alpha,beta).\n"
      "Finite groups: matrices T with (R_i (x) R_j)(g) T = T R_k(g) for the matrices of `irreps`, one for "
      "each copy of R_k. Their columns are the vectors of the copy in the basis e_a (x) f_b. They are "
      "orthogonal, and T divided by the root of its norm is an isometry for the forms that the "
      "representations leave fixed.\n"
      "SU(n), U(n), SO(n), O(n), Sp(2n): the same for irreducible representations. Those of SU(n) and U(n) "
      "are partitions (of SU(n) adjoint and irrep([1,1]) too), and all constituents are found; others are "
      "written as for `basis`, and --index says which constituent.\n"
      "Examples:\n  intertwine clebsch-gordan 'SU(2)' 1 1/2\n  intertwine clebsch-gordan 'SO(3)' 2 1 --index "
      "2 --basis real\n  intertwine clebsch-gordan 'SU(2)' 200 200 --index 100 --m1 17 --m2=-5\n"
      "  intertwine clebsch-gordan 'SO+(1,3)' '(1/2,1/2)' '(1/2,1/2)' --index '(1,0)'\n"
      "  intertwine clebsch-gordan 'SO(3)' --up-to 10 --output table.csv --quiet\n  intertwine "
      "clebsch-gordan S4 4 4 --index '[3,1]'\n  intertwine clebsch-gordan 'SU(3)' '[2,1]' '[2,1]' --index "
      "'[2,1]'\n"
      "  intertwine clebsch-gordan 'SO(4)' vector vector --index 'harmonic(2)'");
  command->callback([question, &context] { run_clebsch_gordan(*question, context); });
}

}  // namespace intertwine::app
