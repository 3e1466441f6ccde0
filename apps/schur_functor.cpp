#include "intertwine/gl/schur_functor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "character_commands.hpp"
#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/table_file.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  std::string partition, matrix, at;
  bool trace = false;
};

/// Matrices up to this many rows and columns are shown in the text form when no file is written.
constexpr std::size_t shown_side = 20;

void require_json(const std::string& file, const char* does) {
  if (std::filesystem::path(file).extension() != ".json")
    throw DomainError(
        fmt::format("schur-functor {} .json files (rows of exact numbers), not {}", does, file));
}

/// "112/23": the rows of a tableau, 1-based; letters from 10 on are set off by commas. "-" for the empty one.
std::string name(const Tableau& T, bool commas) {
  std::string text;
  for (const auto& row : T.rows()) {
    if (!text.empty()) text += '/';
    for (std::size_t j = 0; j < row.size(); ++j)
      text += (commas && j > 0 ? "," : "") + std::to_string(row[j] + 1);
  }
  return text.empty() ? "-" : text;
}

std::vector<std::string> names(const std::vector<Tableau>& basis, std::size_t n) {
  std::vector<std::string> result;
  for (const Tableau& T : basis) result.push_back(name(T, n > 9));
  return result;
}

Json tableaux_json(const std::vector<Tableau>& basis) {
  Json list = Json::array();
  for (const Tableau& T : basis) {
    Json rows = Json::array();
    for (std::vector<int> row : T.rows()) {
      for (int& entry : row) ++entry;
      rows.push_back(row);
    }
    list.push_back(std::move(rows));
  }
  return list;
}

/// The matrix with the tableaux beside its rows and above its columns, every column as wide as it needs.
std::string labelled(const RationalMatrix& B, const std::vector<std::string>& rows,
                     const std::vector<std::string>& cols) {
  std::vector<std::vector<std::string>> cells(1, cols);
  for (std::size_t i = 0; i < B.rows(); ++i) {
    cells.emplace_back();
    for (std::size_t j = 0; j < B.cols(); ++j) cells.back().push_back(to_string(B(i, j)));
  }
  std::size_t label = 0;
  for (const std::string& row : rows) label = std::max(label, row.size());
  std::vector<std::size_t> width(cols.size());
  for (const auto& line : cells)
    for (std::size_t j = 0; j < line.size(); ++j) width[j] = std::max(width[j], line[j].size());
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += fmt::format("  {:<{}} |", i == 0 ? "" : rows[i - 1], label);
    for (std::size_t j = 0; j < cols.size(); ++j) text += fmt::format(" {:>{}}", cells[i][j], width[j]);
    text += '\n';
    if (i > 0) continue;
    std::size_t line = 0;
    for (const std::size_t w : width) line += w + 1;
    text += "  " + std::string(label + 1, '-') + "+" + std::string(line, '-') + '\n';
  }
  return text;
}

Json matrix_rows(const RationalMatrix& B) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < B.rows(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < B.cols(); ++j) row.push_back(to_string(B(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The numbers of a list such as "2,1/3,E(5)+E(5)^4".
std::vector<Cyclotomic> numbers(const std::string& list) {
  std::vector<Cyclotomic> result;
  std::size_t from = 0;
  while (from <= list.size() && !list.empty()) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    try {
      result.push_back(parse_cyclotomic(list.substr(from, to - from)));
    } catch (const ParseError& e) {
      throw ParseError(e.what(), list, from + e.position());
    }
    from = to + 1;
  }
  return result;
}

/// s_lambda at the numbers of --at.
void run_at(const Options& options, Context& context) {
  const Partition lambda = parse_partition(options.partition);
  const std::vector<Cyclotomic> x = numbers(options.at);
  const Cyclotomic value = schur_polynomial(lambda, std::span<const Cyclotomic>(x), context.task);
  Json json = answer("schur-functor"), list = Json::array();
  std::string text;
  for (const Cyclotomic& a : x) {
    list.push_back(to_json(a));
    text += (text.empty() ? "" : ", ") + to_string(a);
  }
  json["partition"] = to_json(lambda);
  json["at"] = std::move(list);
  json["value"] = to_json(value);
  finish(json, fmt::format("s{}({}) = {}\n", to_string(lambda), text, to_string(value)), context);
}

/// s_lambda at the eigenvalues of the matrix, which are not computed.
void run_trace(const Options& options, Context& context) {
  const Partition lambda = parse_partition(options.partition);
  const RationalMatrix A = read_exact_matrix(options.matrix, context.task);
  const Rational trace = schur_at_eigenvalues(lambda, A, context.task);
  Json json = answer("schur-functor");
  json["partition"] = to_json(lambda);
  json["source"] = A.cols();
  json["target"] = A.rows();
  json["trace"] = to_string(trace);
  finish(json,
         fmt::format("trace of S_{}(A) for the {} x {} matrix of {}: {}\n", to_string(lambda), A.rows(),
                     A.cols(), options.matrix, to_string(trace)),
         context);
}

void run(const Options& options, Context& context) {
  if (options.matrix.empty() == options.at.empty())
    throw DomainError("schur-functor takes one of --matrix FILE and --at NUMBERS");
  if (options.trace && options.matrix.empty())
    throw DomainError("schur-functor --trace goes with --matrix FILE");
  if (!options.at.empty()) return run_at(options, context);
  require_json(options.matrix, "reads");
  if (options.trace) return run_trace(options, context);
  for (const std::string& file : context.outputs) require_json(file, "writes");
  const SchurFunctor S(parse_partition(options.partition));
  const RationalMatrix A = read_exact_matrix(options.matrix, context.task);
  const RationalMatrix B = S(A, context.task);
  for (const std::string& file : context.outputs) write_file(file, exact_matrix_json(B));
  context.finish_progress();
  const std::vector<Tableau> rows = S.basis(static_cast<int>(A.rows())),
                             cols = S.basis(static_cast<int>(A.cols()));
  const bool square = A.rows() == A.cols();
  if (context.json) {
    Json json = answer("schur-functor");
    json["partition"] = to_json(S.shape());
    json["source"] = A.cols();
    json["target"] = A.rows();
    json["rows"] = B.rows();
    json["cols"] = B.cols();
    json["trace"] = square ? Json(to_string(B.trace())) : Json(nullptr);
    json["row_tableaux"] = tableaux_json(rows);
    json["column_tableaux"] = tableaux_json(cols);
    json["files"] = context.outputs;
    if (context.outputs.empty()) json["matrix"] = matrix_rows(B);
    return context.print(json);
  }
  const std::string functor = "S_" + to_string(S.shape());
  context.out << fmt::format("{}(A) for the {} x {} matrix of {}\n", functor, A.rows(), A.cols(),
                             options.matrix)
              << fmt::format("  map      {}(Q^{}) -> {}(Q^{}), {} x {}\n", functor, A.cols(), functor,
                             A.rows(), B.rows(), B.cols());
  if (square) context.out << fmt::format("  trace    {}\n", to_string(B.trace()));
  for (const std::string& file : context.outputs)
    context.out << fmt::format("  wrote    {} ({})\n", file, format_bytes(std::filesystem::file_size(file)));
  if (!context.outputs.empty() || B.rows() == 0 || B.cols() == 0) return;
  if (B.rows() <= shown_side && B.cols() <= shown_side)
    context.out << "  basis    semistandard tableaux, row by row\n\n"
                << labelled(B, names(rows, A.rows()), names(cols, A.cols()));
  else
    context.out << fmt::format(
        "  larger than {} x {}: --output FILE.json writes the matrix, --json prints it\n", shown_side,
        shown_side);
}

}  // namespace

void add_schur_functor(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "schur-functor", "S_lambda(A) of an exact matrix A in the basis of semistandard tableaux");
  const auto options = std::make_shared<Options>();
  command->add_option("partition", options->partition, "lambda, for example [2,1]")->required();
  command
      ->add_option("--matrix", options->matrix,
                   "A: a .json file, rows of exact numbers, as strings or integers; m x n for a map from Q^n "
                   "to Q^m")
      ->type_name("FILE");
  command->add_flag("--trace", options->trace,
                    "only the trace, the Schur polynomial at the eigenvalues of A, by traces of powers");
  command
      ->add_option("--at", options->at,
                   "instead of a matrix numbers, as in 2,1/3,E(5): the value of the Schur polynomial")
      ->type_name("NUMBERS");
  command->footer(
      "S_[d] is the symmetric power (on monomials), S_[1,...,1] the exterior power (minors). The basis "
      "vector "
      "of a tableau is\nthe product, over its columns, of the minors of the first rows of a generic matrix; "
      "the "
      "tableaux are in\nlexicographic order of their rows. --output writes the matrix as a .json file that "
      "--matrix reads.\n"
      "Examples:\n  intertwine schur-functor '[2,1]' --matrix a.json --output b.json\n  intertwine "
      "schur-functor '[3,1]' --at '2,3,E(4)'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
