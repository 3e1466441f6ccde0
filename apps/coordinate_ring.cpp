// Command `coordinate-ring`: a degree of the coordinate ring of matrices, piece by piece.
#include <memory>

#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct CoordinateRingOptions {
  MatrixSize size;
  int degree = 0;
  int hilbert = -1;
  CoordinateRingLists lists;
};

Forms run(const CoordinateRingOptions& options, Context& context) {
  CoordinateRingDegree found = coordinate_ring_degree(options.degree, options.size, options.lists, context.task);
  if (options.hilbert >= 0) found.hilbert_function = hilbert_function(options.size, options.hilbert);
  return forms_of(Document("coordinate-ring"), record(std::move(found)), context);
}

}  // namespace

void add_coordinate_ring(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("coordinate-ring", "a degree of K[Hom(V, W)]: the filtration by shape and its pieces");
  const auto options = std::make_shared<CoordinateRingOptions>();
  add_matrix_size(*command, options->size);
  command->add_option("--degree,DEGREE", options->degree, "the degree")->required()->check(CLI::NonNegativeNumber);
  command->add_flag("--bitableaux", options->lists.standard_bitableaux, "list the standard bitableaux of every piece");
  command->add_flag("--highest-weight", options->lists.highest_weight_vectors,
                    "give the highest-weight vector of every piece");
  command->add_flag("--isotypic", options->lists.isotypic_bases,
                    "give a basis of every isotypic piece (characteristic 0)");
  add_checked(*command, "--hilbert", options->hilbert, CLI::Range(0, 100'000),
              "also the Hilbert function up to this degree");
  command->footer("Example:\n  intertwine coordinate-ring 2 3 2 --highest-weight");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
