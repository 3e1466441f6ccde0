// Command `determinantal`: ideals of minors, their Hilbert functions, pieces and members.
#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct DeterminantalOptions {
  MatrixSize size;
  std::vector<int> minors;
  int power = 1, hilbert = -1, pieces = -1;
  bool symbolic = false, primary = false;
  std::string invariant, member;
};

void require_question(const DeterminantalOptions& options) {
  if (options.minors.empty() == options.invariant.empty())
    throw DomainError("determinantal takes one of --minors k and --invariant [2,1]");
  if (!options.invariant.empty() &&
      (!options.member.empty() || options.primary || options.symbolic || options.power != 1))
    throw DomainError("determinantal --invariant goes with --hilbert and --pieces only");
  if (options.minors.size() > 1 && options.symbolic)
    throw DomainError("determinantal --symbolic takes one size of minors");
  if (options.hilbert < 0 && options.pieces < 0 && options.member.empty() && !options.primary)
    throw DomainError("determinantal needs a question: --hilbert D, --pieces D, --member PRODUCT or --primary");
}

MinorIdeal ideal_of(const DeterminantalOptions& options) {
  if (!options.invariant.empty()) return MinorIdeal::invariant(options.size, parse_partition(options.invariant));
  return options.symbolic ? MinorIdeal::symbolic_power(options.size, options.minors[0], options.power)
                          : MinorIdeal::power(options.size, options.minors, options.power);
}

Forms run(const DeterminantalOptions& options, Context& context) {
  require_question(options);
  MinorIdealAnswer found{ideal_of(options), {}, {}, {}, {}, false, {}};
  const MinorIdeal& ideal = found.ideal;
  if (options.hilbert >= 0) found.hilbert_function = ideal.hilbert_function(options.hilbert, context.task);
  if (options.pieces >= 0) {
    found.degree = options.pieces;
    found.pieces = ideal.pieces(options.pieces);
  }
  if (!options.member.empty()) {
    found.product = parse_product_of_minors(options.member, options.size);
    found.member = ideal.contains(*found.product, context.task);
  }
  if (options.primary) found.primary_decomposition = ideal.primary_decomposition();
  return forms_of(Document("determinantal"), record(std::move(found)), context);
}

}  // namespace

void add_determinantal(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("determinantal", "ideals of minors: Hilbert functions, powers, membership (characteristic 0)");
  const auto options = std::make_shared<DeterminantalOptions>();
  add_matrix_size(*command, options->size);
  command
      ->add_option("--minors,MINORS", options->minors,
                   "the ideal of minors of this size; of several sizes, as in 3,2,2, the product of the ideals")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->expected(1, 64)
      ->allow_extra_args(false);
  add_checked(*command, "--power", options->power, CLI::Range(0, 1'000'000), "its power with this exponent");
  command->add_flag("--symbolic", options->symbolic, "the symbolic power instead");
  command->add_option("--invariant", options->invariant, "the invariant ideal of this partition instead");
  add_checked(*command, "--hilbert", options->hilbert, CLI::Range(0, 10'000),
              "dimensions of the degrees 0 to this of the quotient ring");
  add_checked(*command, "--pieces", options->pieces, CLI::Range(0, 100),
              "the shapes of this degree that lie in the ideal");
  command->add_option("--member", options->member, "does this product of minors lie in the ideal");
  command->add_flag("--primary", options->primary, "the primary decomposition");
  command->footer(
      "Examples:\n  intertwine determinantal 3 3 2 --hilbert 5\n"
      "  intertwine determinantal 4 4 3,2 --primary");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
