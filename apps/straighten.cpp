// Command `straighten`: products of minors as sums of standard bitableaux.
#include <memory>

#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct StraightenOptions {
  MatrixSize size;
  std::string product;
  bool check = false, graded = false;
};

Forms run(const StraightenOptions& options, Context& context) {
  const BitableauTerm product = parse_product_of_minors(options.product, options.size);
  Straightening found = straightening_of(product, options.size, options.graded, context.task);
  if (options.check) verify(found, context.task);
  found.checked = options.check;
  return forms_of(Document("straighten"), record(std::move(found)), context);
}

}  // namespace

void add_straighten(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("straighten", "a product of minors in standard bitableaux");
  const auto options = std::make_shared<StraightenOptions>();
  add_matrix_size(*command, options->size);
  command
      ->add_option("PRODUCT", options->product,
                   "minors [rows|columns], for example '[1,2|1,3][2|2]'; other orders of rows and columns "
                   "change the sign")
      ->required()
      ->check([](const std::string& text) {
        return text.find('|') != std::string::npos ? "" : "a product of minors is written [1,2|1,3][2|2]";
      });
  command->add_flag("--check", options->check, "compare with the expansion in the polynomial ring");
  command->add_flag("--graded", options->graded,
                    "the product in the associated graded algebra: only the terms of the product's shape");
  command->footer(
      "Examples:\n  intertwine straighten '[1|2][2|1]' 2 2\n"
      "  intertwine straighten '[1|2][2|1]' 2 2 --graded");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
