#include <fmt/format.h>

#include <iostream>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct Options : LayerOptions {
  bool elements = false;
  bool no_picture = false;
};

Json sparse(const SparseMatrix& matrix) {
  Json entries = Json::array();
  for (const auto& e : matrix.entries()) entries.push_back({e.row, e.col, to_string(e.value)});
  return entries;
}

Json elements(const EquivariantBasis& basis, const Context& context) {
  Json list = Json::array();
  for (const SparseMatrix& element : basis.elements(context.task)) list.push_back(sparse(element));
  return list;
}

void run(const Options& options, Context& context) {
  // Pictures and elements are of one matrix; a mere description keeps unequal multiplicities apart.
  const bool one_matrix = options.elements || !context.outputs.empty();
  const Layer layer = make_layer(options, context, one_matrix);
  Json json = answer("basis");
  describe(layer, json);
  if (options.elements) json["elements"] = elements(layer.basis, context);
  if (!context.outputs.empty()) {
    const auto rows = code_rows(layer.basis, context);
    const TableHeader header = layer.basis.table_header();
    for (const std::string& file : context.outputs) {
      if (write_picture(file, layer.basis, header, *rows)) continue;
      if (std::filesystem::path(file).extension() != ".json")
        throw DomainError("basis writes .json, .svg and .png files, not " + file + "; use `tie` for tables");
      write_file(file, json.dump(2) + "\n");
    }
  }
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << describe(layer, context);
  const bool drawable =
      layer.basis.blocks().size() == 1 &&
      layer.basis.blocks().front().pattern.rows() * layer.basis.blocks().front().pattern.cols() > 0;
  if (!options.no_picture && drawable) {
    const auto rows = code_rows(layer.basis, context);
    std::cout << '\n'
              << terminal_picture(layer.basis.table_header(), *rows, terminal_width(), colour_terminal());
  }
  if (options.elements) {
    std::uint64_t k = 0;
    for (const SparseMatrix& element : layer.basis.elements(context.task)) {
      std::cout << fmt::format("B{}:", ++k);
      for (const auto& e : element.entries())
        std::cout << fmt::format(" {}[{},{}]", e.value < 0 ? "-" : "+", e.row + 1, e.col + 1);
      std::cout << '\n';
    }
  }
}

}  // namespace

void add_basis(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "basis", "the exact basis of Hom_G(V, U) and of the invariant bias, with its certificate");
  const auto options = std::make_shared<Options>();
  add_layer_options(*command, *options);
  command->add_flag("--elements", options->elements,
                    "list the basis elements (0-based in JSON, 1-based in text)");
  command->add_flag("--no-picture", options->no_picture, "no picture in the terminal");
  command->footer("Representations: " + known_representations() +
                  "\n--output takes .json, .svg and .png.\nExamples:\n  intertwine basis S4 --in perm^2 "
                  "--out perm^2\n  intertwine basis M24 --in perm --out 'orbit({1,2,3,4,5,8,11,13})'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
