// Command `schur-functor`: Schur functors of matrices and Schur polynomials of numbers.
#include <fmt/format.h>

#include <filesystem>

#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/ring_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct SchurFunctorOptions {
  std::string partition, matrix, at;
  bool trace = false;
};

/// Matrices up to this many rows and columns are shown in the text form when no file is written.
constexpr std::size_t shown_side = 20;

void require_json(const std::string& file) {
  if (std::filesystem::path(file).extension() != ".json")
    throw DomainError(fmt::format("schur-functor reads .json files (rows of exact numbers), not {}", file));
}

/// s_lambda at the numbers of --at.
SchurValue value_at_numbers(const SchurFunctorOptions& options, const Context& context) {
  const Partition lambda = parse_partition(options.partition);
  std::vector<Cyclotomic> x = parse_cyclotomic_list(options.at, context.task);
  Cyclotomic value = schur_polynomial(lambda, std::span<const Cyclotomic>(x), context.task);
  return {lambda, std::move(x), {}, {}, std::move(value)};
}

/// s_lambda at the eigenvalues of the matrix, which are not computed.
SchurValue trace(const SchurFunctorOptions& options, const Context& context) {
  const Partition lambda = parse_partition(options.partition);
  const RationalMatrix A = read_exact_matrix(options.matrix, context.task);
  return {lambda, {}, A.rows(), options.matrix, schur_at_eigenvalues(lambda, A, context.task)};
}

/// The text on S_lambda(A), with the matrix if it is small and in no file. \param context where it is printed, not in a
/// file
std::string text_of(const SchurFunctorMatrix& found, const SchurFunctorOptions& options, const Context* context) {
  const RationalMatrix& B = found.matrix;
  const std::string functor = "S_" + to_string(found.shape);
  std::string text =
      fmt::format("{}(A) for the {} x {} matrix of {}\n", functor, found.target, found.source, options.matrix) +
      fmt::format("  map      {0}(Q^{1}) -> {0}(Q^{2}), {3} x {4}\n", functor, found.source, found.target, B.rows(),
                  B.cols());
  if (found.trace) text += fmt::format("  trace    {}\n", to_string(*found.trace));
  if (context != nullptr)
    for (const std::string& file : context->outputs)
      text += fmt::format("  wrote    {} ({})\n", file, format_bytes(std::filesystem::file_size(file)));
  if ((context != nullptr && !context->outputs.empty()) || B.rows() == 0 || B.cols() == 0) return text;
  if (context != nullptr && (B.rows() > shown_side || B.cols() > shown_side))
    return text +
           fmt::format("  larger than {0} x {0}: --output FILE.json writes the matrix, --json prints it\n", shown_side);
  return text + "  basis    semistandard tableaux, row by row\n\n" + to_text(record(found));
}

void run(const SchurFunctorOptions& options, Context& context) {
  if (options.matrix.empty() == options.at.empty())
    throw DomainError("schur-functor takes one of --matrix FILE and --at NUMBERS");
  if (options.trace && options.matrix.empty()) throw DomainError("schur-functor --trace goes with --matrix FILE");
  if (!options.matrix.empty()) require_json(options.matrix);
  if (!options.at.empty() || options.trace) {
    context.require_formats("schur-functor", all_formats);
    const SchurValue found = options.trace ? trace(options, context) : value_at_numbers(options, context);
    return deliver_answer(context, "schur-functor", record(found));
  }
  context.require_formats("schur-functor", all_formats, with_arrays(all_formats));
  const SchurFunctorMatrix found = schur_functor_matrix(SchurFunctor(parse_partition(options.partition)),
                                                        read_exact_matrix(options.matrix, context.task), context.task);
  // A .json file is the matrix alone, which --matrix reads; what is printed says then only where it is.
  std::vector<std::string> written;
  for (const std::string& file : context.outputs)
    if (format_of_file(file) == Format::json) written.push_back(file);
  context.deliver([&](Format format, unsigned width) -> Answer {
    const bool file = width == 0;
    if (format == Format::json && file) return exact_matrix_json(found.matrix);
    if (format == Format::text) return text_of(found, options, file ? nullptr : &context);
    return answer_in(format, width, Document("schur-functor"), record(found, written), context.task);
  });
}

}  // namespace

void add_schur_functor(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("schur-functor", "S_lambda(A) of an exact matrix A in the basis of semistandard tableaux");
  const auto options = std::make_shared<SchurFunctorOptions>();
  command->add_option("LAMBDA", options->partition, "lambda, for example [2,1]")->required();
  add_checked(*command, "--matrix,MATRIX", options->matrix, file_name(),
              "A: a .json file, rows of exact numbers, as strings or integers; m x n for a map from Q^n to Q^m");
  command->add_flag("--trace", options->trace,
                    "only the trace, the Schur polynomial at the eigenvalues of A, by traces of powers");
  add_checked(*command, "--at,NUMBERS", options->at, expression(),
              "instead of a matrix numbers, as in 2,1/3,E(5): the value of the Schur polynomial");
  command->footer(
      "S_[d] is the symmetric power (on monomials), S_[1,...,1] the exterior power (minors). The basis "
      "vector of a tableau is\nthe product, over its columns, of the minors of the first rows of a generic "
      "matrix; the tableaux are in\nlexicographic order of their rows. --output FILE.json writes the matrix "
      "as --matrix reads it,\n.csv, .tex, .g, .sage, .m, .md and .html as others do, .npy and .npz as "
      "doubles.\n"
      "Examples:\n  intertwine schur-functor '[2,1]' a.json --output b.json\n  intertwine schur-functor "
      "'[3,1]' '2,3,E(4)'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
