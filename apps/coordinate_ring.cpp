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
  bool bitableaux = false, highest_weight = false, isotypic = false;
};

void run(const Options& options, Context& context) {
  Json pieces = Json::array();
  Integer total = 0;
  std::string text = fmt::format("degree {} of the coordinate ring of {} x {} matrices, by shape\n",
                                 options.degree, options.size.rows, options.size.cols);
  for (const FiltrationPiece& piece : filtration_pieces(options.degree, options.size)) {
    Json entry = {{"shape", to_json(piece.shape)},
                  {"dimension", to_string(piece.dimension)},
                  {"left_dimension", to_string(piece.left_dimension)},
                  {"right_dimension", to_string(piece.right_dimension)},
                  {"at_least_dimension", to_string(filtration_dimension(piece.shape, options.size))}};
    text +=
        fmt::format("  s{}   dimension {} = {} * {}\n", to_string(piece.shape), to_string(piece.dimension),
                    to_string(piece.left_dimension), to_string(piece.right_dimension));
    if (options.highest_weight) {
      const Bitableau top = highest_weight_vector(piece.shape, options.size);
      entry["highest_weight_vector"] = to_string(top);
      text += fmt::format("    highest weight vector {}\n", to_string(top));
    }
    if (options.bitableaux) {
      Json list = Json::array();
      for (const Bitableau& b : standard_bitableaux(piece.shape, options.size)) {
        list.push_back(to_string(b));
        text += "    " + to_string(b) + "\n";
      }
      entry["standard_bitableaux"] = std::move(list);
    }
    if (options.isotypic) {
      Json list = Json::array();
      for (const MatrixPolynomial& f : isotypic_basis(piece.shape, options.size, 100'000, context.task)) {
        list.push_back(to_string(f));
        text += "    " + to_string(f) + "\n";
      }
      entry["isotypic_basis"] = std::move(list);
    }
    total += piece.dimension;
    pieces.push_back(std::move(entry));
  }
  Json json = answer("coordinate-ring");
  json["rows"] = options.size.rows;
  json["cols"] = options.size.cols;
  json["degree"] = options.degree;
  json["dimension"] = to_string(total);
  json["pieces"] = std::move(pieces);
  text += fmt::format("dimension {}\n", to_string(total));
  if (options.hilbert >= 0) {
    Json series = Json::array();
    text += "Hilbert function";
    const auto variables =
        static_cast<unsigned long>(options.size.rows) * static_cast<unsigned long>(options.size.cols);
    for (int d = 0; d <= options.hilbert; ++d) {
      const Integer value = d == 0           ? Integer(1)
                            : variables == 0 ? Integer(0)
                                             : binomial(variables + static_cast<unsigned long>(d) - 1, d);
      series.push_back(to_string(value));
      text += " " + to_string(value);
    }
    text += "\n";
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
  command->footer("Example:\n  intertwine coordinate-ring --rows 2 --cols 3 --degree 2 --highest-weight");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
