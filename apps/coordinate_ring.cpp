#include <fmt/format.h>

#include <memory>

#include "intertwine/gl/coordinate_ring.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  MatrixSize size;
  int degree = 0;
  int hilbert = -1;
  bool bitableaux = false, highest_weight = false, isotypic = false, latex = false;
};

/// Lines of text, or of LaTeX with the shapes as comments.
struct Answer {
  Json pieces = Json::array();
  std::string text, table, lists;
};

template <class Item>
void add_list(const std::vector<Item>& items, const char* key, const char* title, const Partition& shape,
              Json& entry, Answer& all, const Context& context) {
  Json list = Json::array();
  all.lists += fmt::format("% {} of ({})\n", title, latex_parts(shape));
  for (const Item& item : items) {
    list.push_back(to_string(item));
    all.text += "    " + to_string(item) + "\n";
    all.lists += wrapped(to_latex(item), context.width());
  }
  entry[key] = std::move(list);
}

void add_piece(const FiltrationPiece& piece, const Options& options, Answer& all, Context& context) {
  Json entry = {{"shape", to_json(piece.shape)},
                {"dimension", to_string(piece.dimension)},
                {"left_dimension", to_string(piece.left_dimension)},
                {"right_dimension", to_string(piece.right_dimension)},
                {"at_least_dimension", to_string(filtration_dimension(piece.shape, options.size))}};
  all.text +=
      fmt::format("  s{}   dimension {} = {} * {}\n", to_string(piece.shape), to_string(piece.dimension),
                  to_string(piece.left_dimension), to_string(piece.right_dimension));
  all.table += fmt::format("({}) & {} & {} & {}", latex_parts(piece.shape), to_string(piece.dimension),
                           to_string(piece.left_dimension), to_string(piece.right_dimension));
  if (options.highest_weight) {
    const Bitableau top = highest_weight_vector(piece.shape, options.size);
    entry["highest_weight_vector"] = to_string(top);
    all.text += fmt::format("    highest weight vector {}\n", to_string(top));
    all.table += " & " + to_latex(top);
  }
  all.table += " \\\\\n";
  if (options.bitableaux)
    add_list(standard_bitableaux(piece.shape, options.size), "standard_bitableaux", "standard bitableaux",
             piece.shape, entry, all, context);
  if (options.isotypic)
    add_list(isotypic_basis(piece.shape, options.size, 100'000, context.task), "isotypic_basis",
             "basis of the isotypic piece", piece.shape, entry, all, context);
  all.pieces.push_back(std::move(entry));
}

/// The Hilbert function as a list and a line.
std::pair<Json, std::string> hilbert_function(const Options& options) {
  Json series = Json::array();
  std::string line;
  const auto variables =
      static_cast<unsigned long>(options.size.rows) * static_cast<unsigned long>(options.size.cols);
  for (int d = 0; d <= options.hilbert; ++d) {
    const Integer value = d == 0           ? Integer(1)
                          : variables == 0 ? Integer(0)
                                           : binomial(variables + static_cast<unsigned long>(d) - 1, d);
    series.push_back(to_string(value));
    line += " " + to_string(value);
  }
  return {std::move(series), line};
}

void run(const Options& options, Context& context) {
  Answer all;
  Integer total = 0;
  for (const FiltrationPiece& piece : filtration_pieces(options.degree, options.size)) {
    add_piece(piece, options, all, context);
    total += piece.dimension;
  }
  Json json = answer("coordinate-ring");
  json["rows"] = options.size.rows;
  json["cols"] = options.size.cols;
  json["degree"] = options.degree;
  json["dimension"] = to_string(total);
  json["pieces"] = std::move(all.pieces);
  std::string text =
      options.latex
          ? fmt::format(
                "\\begin{{array}}{{lrrr{}}}\n\\lambda & \\dim & \\dim S_\\lambda W^* & \\dim "
                "S_\\lambda V{} \\\\ \\hline\n{}\\end{{array}}\n{}",
                options.highest_weight ? "l" : "",
                options.highest_weight ? " & \\text{highest-weight vector}" : "", all.table,
                options.bitableaux || options.isotypic ? all.lists : "")
          : fmt::format("degree {} of the coordinate ring of {} x {} matrices, by shape\n{}dimension {}\n",
                        options.degree, options.size.rows, options.size.cols, all.text, to_string(total));
  if (options.hilbert >= 0) {
    auto [series, line] = hilbert_function(options);
    text += (options.latex ? "% Hilbert function:" : "Hilbert function") + line + "\n";
    json["hilbert_function"] = std::move(series);
  }
  finish(json, text, context);
}

}  // namespace

void add_coordinate_ring(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("coordinate-ring",
                                     "a degree of K[Hom(V, W)]: the filtration by shape and its pieces");
  const auto options = std::make_shared<Options>();
  add_matrix_size(*command, options->size);
  command->add_option("--degree", options->degree, "the degree")->required()->check(CLI::NonNegativeNumber);
  command->add_flag("--bitableaux", options->bitableaux, "list the standard bitableaux of every piece");
  command->add_flag("--highest-weight", options->highest_weight,
                    "give the highest-weight vector of every piece");
  command->add_flag("--isotypic", options->isotypic,
                    "give a basis of every isotypic piece (characteristic 0)");
  command->add_option("--hilbert", options->hilbert, "also the Hilbert function up to this degree")
      ->check(CLI::Range(0, 100'000));
  add_format(*command, options->latex);
  command->footer("Example:\n  intertwine coordinate-ring --rows 2 --cols 3 --degree 2 --highest-weight");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
