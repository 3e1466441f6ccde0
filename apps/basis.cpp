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

/// Wrong extensions are refused before the work.
void require_known_extensions(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const auto type = std::filesystem::path(file).extension();
    if (type != ".json" && type != ".svg" && type != ".png")
      throw DomainError("basis writes .json, .svg and .png files, not " + file + "; use `tie` for tables");
  }
}

void print_elements(const std::vector<SparseMatrix>& elements) {
  std::uint64_t k = 0;
  for (const SparseMatrix& element : elements) {
    std::cout << fmt::format("B{}:", ++k);
    for (const auto& e : element.entries())
      std::cout << fmt::format(" {}{}[{},{}]", e.value < 0 ? "-" : "+",
                               abs(e.value) == 1 ? "" : to_string(Rational(abs(e.value))), e.row + 1,
                               e.col + 1);
    std::cout << '\n';
  }
}

void run(const Options& options, Context& context) {
  require_known_extensions(context.outputs);
  // Pictures and elements are of one matrix; a mere description keeps unequal multiplicities apart.
  const bool one_matrix = options.elements || !context.outputs.empty();
  const Layer layer = make_layer(options, context, one_matrix);
  Json json = answer("basis");
  describe(layer, json);
  if (options.elements) json["elements"] = elements(layer.basis, context);
  if (!context.outputs.empty() && !layer.basis.is_tied()) {
    for (const std::string& file : context.outputs) {
      if (is_picture(file))
        throw DomainError(
            "pictures show tied entries, and this basis is not one of tied entries; write a .json");
      write_file(file, json.dump(2) + "\n");
    }
  } else if (!context.outputs.empty()) {
    const auto rows = code_rows(layer.basis, context);
    const TableHeader header = layer.basis.table_header();
    for (const std::string& file : context.outputs) {
      if (!write_picture(file, layer, header, *rows)) write_file(file, json.dump(2) + "\n");
    }
  }
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << describe(layer, context);
  const bool drawable = layer.basis.blocks().size() == 1 && layer.basis.is_tied() &&
                        layer.basis.block_elements().rows() * layer.basis.block_elements().cols() > 0;
  if (!options.no_picture && drawable) {
    const auto rows = code_rows(layer.basis, context);
    std::cout << '\n'
              << terminal_picture(layer.basis.table_header(), *rows, terminal_width(), colour_terminal());
  }
  if (options.elements) print_elements(layer.basis.elements(context.task));
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
  command->footer(
      "Representations:\n" + indented(known_representations()) +
      "\n--output takes .json, .svg and .png.\nExamples:\n  intertwine basis S4 --in perm^2 --out perm^2\n"
      "  intertwine basis 'p4m(8,8)' --in '16*perm' --out '32*perm' --output layer.svg\n"
      "  intertwine basis M24 --out 'orbit({1,2,3,4,5,8,11,13})'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
