#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct Options : LayerOptions {
  bool elements = false;
  bool no_picture = false;
};

struct Entry {
  std::uint64_t row, col;
  std::string value;
};

/// The elements of the only block, entries in row-major order.
std::vector<std::vector<Entry>> entries_of(const EquivariantBasis& basis, const Context& context) {
  std::vector<std::vector<Entry>> list;
  if (basis.blocks().empty())
    throw DomainError("EquivariantBasis: V or U has dimension 0, there is no table");
  const HomBasis& weights = basis.blocks().front().weights;
  if (!basis.field().is_rational()) {
    const IntertwinerSpace& space = weights.space();
    for (std::uint64_t k = 0; k < space.params(); ++k) {
      list.emplace_back();
      for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
        list.back().push_back({space.row()[e], space.col()[e], to_string(space.value(e))});
    }
    return list;
  }
  for (const SparseMatrix& element : weights.elements(context.task)) {
    list.emplace_back();
    for (const auto& e : element.entries()) list.back().push_back({e.row, e.col, to_string(e.value)});
  }
  return list;
}

Json elements(const EquivariantBasis& basis, const Context& context) {
  Json list = Json::array();
  for (const auto& element : entries_of(basis, context)) {
    Json entries = Json::array();
    for (const Entry& e : element) entries.push_back({e.row, e.col, e.value});
    list.push_back(std::move(entries));
  }
  return list;
}

/// Wrong extensions are refused before the work.
void require_known_extensions(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (std::filesystem::path(file).extension() != ".json" && !is_picture(file))
      throw DomainError("basis writes .json, .svg, .png and .html files, not " + file +
                        "; use `tie` for tables");
  }
}

/// "+", "-3/2", "+(E(5)+E(5)^4)" before a place.
std::string coefficient(const std::string& value) {
  const bool negative = value.front() == '-';
  const std::string size = negative ? value.substr(1) : value;
  if (value.find('E') != std::string::npos) return "+(" + value + ")";
  return (negative ? "-" : "+") + (size == "1" ? "" : size);
}

void print_elements(const std::vector<std::vector<Entry>>& elements, const Context& context) {
  std::uint64_t k = 0;
  for (const auto& element : elements) {
    context.out << fmt::format("B{}:", ++k);
    for (const Entry& e : element)
      context.out << fmt::format(" {}[{},{}]", coefficient(e.value), e.row + 1, e.col + 1);
    context.out << '\n';
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
  for (const std::string& file : context.outputs)
    if (is_picture(file)) require_drawable(file, layer);
  for (const std::string& file : context.outputs) {
    if (!is_picture(file)) {
      write_file(file, json.dump(2) + "\n");
      continue;
    }
    const WeightTable table = layer.basis.table(context.task);
    write_picture(file, table, caption(layer, table), context.task);
  }
  context.finish_progress();
  if (context.json) return context.print(json);
  context.out << describe(layer, context);
  const bool drawable = layer.basis.blocks().size() == 1 && layer.basis.is_tied();
  if (!options.no_picture && drawable)
    context.out << '\n'
                << terminal_picture(layer.basis.table(context.task), context.width(), context.colours());
  if (options.elements) print_elements(entries_of(layer.basis, context), context);
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
  command->footer("Representations:\n" + indented(known_representations()) +
                  "\n--output takes .json and the pictures .svg, .png and .html.\nExamples:\n  intertwine "
                  "basis S4 --in perm^2 --out perm^2\n"
                  "  intertwine basis 'p4m(8,8)' --in '16*perm' --out '32*perm' --output layer.svg\n"
                  "  intertwine basis M24 --out 'orbit({1,2,3,4,5,8,11,13})'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
