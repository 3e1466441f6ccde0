#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <variant>

#include "intertwine/equivariant/symmetrizer.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct SymmetrizeOptions : LayerOptions {
  std::string weights;
  bool exact = false;
};

/// Matrices up to this many rows and columns are shown when no file is written.
constexpr std::size_t shown_side = 16;

std::string extension(const std::string& file) { return std::filesystem::path(file).extension().string(); }

/// What can be refused before the work is.
void require_known_files(const SymmetrizeOptions& options, const Context& context) {
  const std::string type = extension(options.weights);
  if (type != ".npy" && type != ".json")
    throw DomainError(
        "symmetrize reads weights from .npy (float32, float64) or .json (rows of exact numbers), not " +
        options.weights);
  const bool exact = options.exact || type == ".json";
  for (const std::string& file : context.outputs) {
    if (extension(file) != ".npy" && extension(file) != ".json")
      throw DomainError("symmetrize writes .npy and .json files, not " + file);
    if (extension(file) == ".json" && !exact)
      throw DomainError(file + " would hold exact numbers: add --exact, or write .npy");
  }
}

void require_shape(const std::string& file, const std::vector<std::uint64_t>& shape, const Representation& V,
                   const Representation& U) {
  const bool fits = shape.size() == 2 && shape[0] == U.dimension() && shape[1] == V.dimension();
  if (!fits)
    throw DomainError(fmt::format("{}: the weights have the shape {}; maps from --in to --out have {}", file,
                                  shape_text(shape), shape_text({U.dimension(), V.dimension()})));
}

/// The numbers of a file as they stand: the doubles of a .npy file are fractions with a power of 2 below.
RationalMatrix exact_weights(const NpyArray& array) {
  std::vector<Rational> entries;
  entries.reserve(array.size());
  std::visit(
      [&](const auto& values) {
        for (const auto x : values) entries.emplace_back(x);
      },
      array.values);
  return {array.shape[0], array.shape[1], entries};
}

void require_finite(const NpyArray& array, const std::string& file) {
  const std::vector<double> values = to_doubles(array);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      throw DomainError(fmt::format("{}: entry ({}, {}) (0-based) is {}; weights must be finite", file,
                                    k / array.shape[1], k % array.shape[1], values[k]));
}

/// `values` in the type of the input where that is a floating-point type, otherwise float64.
NpyArray as_array(const std::vector<double>& values, const std::vector<std::uint64_t>& shape, bool single) {
  if (!single) return {shape, values};
  return {shape, std::vector<float>(values.begin(), values.end())};
}

std::vector<double> rounded(const RationalMatrix& A) {
  std::vector<double> values;
  values.reserve(A.rows() * A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) values.push_back(static_cast<double>(A(i, j)));
  return values;
}

/// S(W) and what is said of it.
struct Symmetrized {
  std::uint64_t rows, cols;
  bool exact, single = false;
  RationalMatrix matrix;       ///< if exact
  std::vector<double> values;  ///< otherwise
  double residual = 0;
  std::string squared_residual;  ///< if exact
  double defect = 0;
  bool orbits = false;
};

Symmetrized symmetrize(const SymmetrizeOptions& options, const Representation& V, const Representation& U,
                       const Task& task) {
  std::variant<RationalMatrix, NpyArray> weights;
  Symmetrized result{U.dimension(),
                     V.dimension(),
                     options.exact || extension(options.weights) == ".json",
                     false,
                     {},
                     {},
                     0,
                     {},
                     0,
                     false};
  if (extension(options.weights) == ".json") {
    RationalMatrix W = read_exact_matrix(options.weights, task);
    if (W.rows() == 0 && result.rows == 0) W = RationalMatrix(0, result.cols);  // [] has no width
    require_shape(options.weights, {W.rows(), W.cols()}, V, U);
    weights = std::move(W);
  } else {
    NpyArray array = read_npy(options.weights, task);
    require_shape(options.weights, array.shape, V, U);
    require_finite(array, options.weights);
    result.single = std::holds_alternative<std::vector<float>>(array.values);
    if (result.exact)
      weights = exact_weights(array);
    else
      weights = std::move(array);
  }
  const Symmetrizer S(V, U, task);
  result.orbits = S.method() == Symmetrizer::Method::orbits;
  if (result.exact) {
    const auto& W = std::get<RationalMatrix>(weights);
    result.matrix = S(W, task);
    if (!S.is_equivariant(result.matrix))
      throw InternalError("symmetrize: the mean over the group is not equivariant");
    const Rational squared = S.squared_residual(W, task);
    result.squared_residual = to_string(squared);
    result.residual = std::sqrt(static_cast<double>(squared));
    return result;
  }
  const std::vector<double> W = to_doubles(std::get<NpyArray>(weights));
  result.values.resize(W.size());
  S.apply(W, result.values, task);
  result.residual = S.residual(W, task);
  result.defect = S.defect(result.values);
  return result;
}

void write_weights(const std::string& file, const Symmetrized& result) {
  if (extension(file) == ".json") return write_file(file, exact_matrix_json(result.matrix));
  write_npy(file, as_array(result.exact ? rounded(result.matrix) : result.values, {result.rows, result.cols},
                           result.single));
}

Json matrix_rows(const Symmetrized& result) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < result.rows; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < result.cols; ++j) {
      if (result.exact)
        row.push_back(to_string(result.matrix(i, j)));
      else
        row.push_back(result.values[i * result.cols + j]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The entries in columns that line up.
std::string matrix_text(const Symmetrized& result) {
  std::vector<std::string> cells;
  std::size_t width = 0;
  for (std::size_t i = 0; i < result.rows; ++i)
    for (std::size_t j = 0; j < result.cols; ++j) {
      cells.push_back(result.exact ? to_string(result.matrix(i, j))
                                   : fmt::format("{:.6g}", result.values[i * result.cols + j]));
      width = std::max(width, cells.back().size());
    }
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k)
    text += fmt::format("{}{:>{}}{}", k % result.cols == 0 ? "  " : " ", cells[k], width,
                        (k + 1) % result.cols == 0 ? "\n" : "");
  return text;
}

void run(const SymmetrizeOptions& options, Context& context) {
  require_known_files(options, context);
  const auto start = std::chrono::steady_clock::now();
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  const Representation V = parse_representation(G, options.in, {}, context.task);
  const Representation U = parse_representation(G, options.out, {}, context.task);
  const Symmetrized result = symmetrize(options, V, U, context.task);
  for (const std::string& file : context.outputs) write_weights(file, result);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  context.finish_progress();
  const bool small = result.rows <= shown_side && result.cols <= shown_side;
  if (context.json) {
    Json json = answer("symmetrize");
    json["group"] = G.name();
    json["order"] = G.order().str();
    json["rep_in"] = V.to_string();
    json["rep_out"] = U.to_string();
    json["rows"] = result.rows;
    json["cols"] = result.cols;
    json["exact"] = result.exact;
    json["residual"] = result.residual;
    json["squared_residual"] = result.exact ? Json(result.squared_residual) : Json(nullptr);
    json["defect"] = result.defect;
    json["files"] = context.outputs;
    if (context.outputs.empty()) json["matrix"] = matrix_rows(result);
    json["seconds"] = seconds;
    return context.print(json);
  }
  const std::string generators = counted(std::to_string(G.generators().size()), "generator", "generators");
  context.out
      << fmt::format("{}: S(W) for the weights of {}\n", options.group, options.weights)
      << fmt::format("  group        order {}, degree {}, {}\n", G.order().str(), G.degree(), generators)
      << fmt::format("  matrix       {} -> {}, {} x {}, {}\n", options.in, options.out, result.rows,
                     result.cols, result.exact ? "exact" : "in double precision")
      << fmt::format("  residual     |W - S(W)| / |W| = {:.6g}{}\n", result.residual,
                     result.exact && result.squared_residual.size() <= 40 && result.squared_residual != "0"
                         ? ", the square root of " + result.squared_residual
                         : "")
      << (result.exact
              ? fmt::format("  equivariant  yes: S(W) commutes exactly with {}\n", generators)
              : fmt::format("  equivariant  to rounding: no entry moves by more than {:.2g} under {}\n",
                            result.defect, generators))
      << fmt::format("  method       {}\n", result.orbits
                                                ? "means over the orbits of the entries"
                                                : "means over the transversals of the stabilizer chain")
      << "  time         " << format_seconds(seconds) << '\n';
  for (const std::string& file : context.outputs)
    context.out << fmt::format("  wrote        {} ({})\n", file,
                               format_bytes(std::filesystem::file_size(file)));
  if (context.outputs.empty() && small) context.out << '\n' << matrix_text(result);
}

}  // namespace

void add_symmetrize(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("symmetrize", "S(W), the mean of a weight matrix W over the group");
  const auto options = std::make_shared<SymmetrizeOptions>();
  add_layer_options(*command, *options);
  command
      ->add_option("--weights", options->weights,
                   "W: a .npy file (float32 or float64, out x in) or a .json file (rows of exact numbers, as "
                   "strings or "
                   "integers)")
      ->type_name("FILE")
      ->required();
  command->add_flag("--exact", options->exact,
                    "exact arithmetic for .npy weights too; a .npy result is rounded once");
  command->footer(
      "Representations:\n" + indented(known_representations()) +
      "\nWeights of .json files are always symmetrized exactly. --output takes .npy (in the type of the "
      "input) and, "
      "for exact results, .json. For orthogonal representations S(W) is the equivariant matrix nearest to "
      "W.\n"
      "Example:\n  intertwine symmetrize S4 --in perm^2 --out perm --weights w.npy --output s.npy");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
