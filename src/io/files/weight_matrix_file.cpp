// Reads and writes matrices of weights.
#include "intertwine/io/weight_matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string extension(const std::filesystem::path& file) { return file.extension().string(); }

/// The numbers of a file as they stand: doubles are fractions with a power of 2 below.
RationalMatrix exact_values(const NpyArray& array) {
  std::vector<Rational> entries;
  entries.reserve(array.size());
  std::visit(
      [&](const auto& values) {
        for (const auto x : values) entries.emplace_back(x);
      },
      array.values);
  return {array.shape[0], array.shape[1], entries};
}

void require_shape(const std::string& file, const std::vector<std::uint64_t>& shape,
                   const std::vector<std::uint64_t>& expected) {
  if (shape != expected)
    throw DomainError(fmt::format("{}: the weights have the shape {}; maps between the representations have {}", file,
                                  shape_text(shape), shape_text(expected)));
}

/// Entry (i, j) as a function of a function of exact numbers or doubles.
template <class Write>
auto entry(const Symmetrization& result, std::size_t i, std::size_t j, Write write) {
  if (const auto* matrix = std::get_if<FieldMatrix>(&result.matrix)) return write((*matrix)(i, j));
  return write(std::get<std::vector<double>>(result.matrix)[i * result.cols + j]);
}

struct AsText {
  std::string operator()(const Cyclotomic& a) const { return to_string(a); }
  std::string operator()(double a) const { return fmt::format("{:.6g}", a); }
};
struct AsJson {
  OrderedJson operator()(const Cyclotomic& a) const { return json_value(a); }
  OrderedJson operator()(double a) const { return a; }
};
struct AsDouble {
  double operator()(const Cyclotomic& a) const { return a.to_complex().real(); }
  double operator()(double a) const { return a; }
};

}  // namespace

void require_weight_files(const std::string& weights, std::span<const std::string> outputs, bool exact) {
  const std::string type = extension(weights);
  if (type != ".npy" && type != ".json")
    throw DomainError("symmetrize reads weights from .npy (float32, float64) or .json (rows of exact numbers), not " +
                      weights);
  for (const std::string& file : outputs) {
    if (extension(file) != ".npy" && extension(file) != ".json")
      throw DomainError("symmetrize writes .npy and .json files, not " + file);
    if (extension(file) == ".json" && !exact && type != ".json")
      throw DomainError(file + " would hold exact numbers: ask for them, or write .npy", Remedy::exact);
  }
}

WeightMatrix read_weight_matrix(const std::filesystem::path& path, std::uint64_t rows, std::uint64_t cols, bool exact,
                                const Task& task) {
  const std::string name = shown_path(path);
  require_weight_files(path.string(), {}, exact);
  if (extension(path) == ".json") {
    FieldMatrix W = read_field_matrix(path, task);
    if (W.rows() == 0 && rows == 0) W = FieldMatrix(AbelianField(), 0, cols);  // [] has no width
    require_shape(name, {W.rows(), W.cols()}, {rows, cols});
    return {std::move(W), false};
  }
  const NpyArray array = read_npy(path, task);
  require_shape(name, array.shape, {rows, cols});
  std::vector<double> values = to_doubles(array);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      throw DomainError(fmt::format("{}: entry ({}, {}) (0-based) is {}; weights must be finite", name,
                                    k / array.shape[1], k % array.shape[1], values[k]));
  const bool single = std::holds_alternative<std::vector<float>>(array.values);
  if (exact) return {exact_values(array), single};
  return {std::move(values), single};
}

void write_weight_matrix(std::span<const std::string> files, const Symmetrization& result, bool single) {
  const std::size_t rows = result.rows, cols = result.cols;
  const auto* exact = std::get_if<FieldMatrix>(&result.matrix);
  for (const std::string& file : files)
    if (extension(file) != ".json" && exact != nullptr && !(exact->conjugate() == *exact))
      throw DomainError(fmt::format("{} holds real numbers, and S(W) has others, over {}: write .json", file,
                                    exact->field().to_string()));
  for (const std::string& file : files) {
    if (extension(file) == ".json") {
      write_file(file, exact_matrix_json(std::get<FieldMatrix>(result.matrix)));
      continue;
    }
    std::vector<double> values;
    values.reserve(rows * cols);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) values.push_back(entry(result, i, j, AsDouble()));
    if (single)
      write_npy(file, {{rows, cols}, std::vector<float>(values.begin(), values.end())});
    else
      write_npy(file, {{rows, cols}, std::move(values)});
  }
}

namespace {

OrderedJson fields_of(const Symmetrization& result, std::span<const std::string> files) {
  const std::size_t rows = result.rows, cols = result.cols;
  OrderedJson object = {{"rows", rows},
                        {"cols", cols},
                        {"exact", result.is_exact()},
                        {"field", nullptr},
                        {"residual", result.residual},
                        {"squared_residual", nullptr},
                        {"defect", result.defect},
                        {"files", files}};
  if (const auto* matrix = std::get_if<FieldMatrix>(&result.matrix)) object["field"] = matrix->field().to_string();
  if (result.squared_residual) object["squared_residual"] = json_value(*result.squared_residual);
  if (!files.empty()) return object;
  OrderedJson& matrix = object["matrix"] = OrderedJson::array();
  for (std::size_t i = 0; i < rows; ++i) {
    OrderedJson& row = matrix.emplace_back(OrderedJson::array());
    for (std::size_t j = 0; j < cols; ++j) row.push_back(entry(result, i, j, AsJson()));
  }
  return object;
}

std::string text_of(const Symmetrization& result, const BasisNames& names, const std::string& group) {
  const std::string generators = counted(std::to_string(result.generators), "generator", "generators"),
                    squared = result.squared_residual ? to_string(*result.squared_residual) : "0";
  std::string how = "in double precision";
  if (const auto* matrix = std::get_if<FieldMatrix>(&result.matrix))
    how = matrix->field().is_rational() ? "exact" : "exact, over " + matrix->field().to_string();
  return fmt::format("  group        {}, {}\n", group, generators) +
         fmt::format("  matrix       {} -> {}, {} x {}, {}\n", names.in, names.out, result.rows, result.cols, how) +
         fmt::format("  residual     |W - S(W)| / |W| = {:.6g}{}\n", result.residual,
                     squared.size() <= 40 && squared != "0" ? ", the square root of " + squared : "") +
         (result.is_exact() ? fmt::format("  equivariant  yes: S(W) commutes exactly with {}\n", generators)
                            : fmt::format("  equivariant  to rounding: no entry moves by more than {:.2g} under {}\n",
                                          result.defect, generators)) +
         fmt::format("  method       {}\n", result.method);
}

}  // namespace

std::string matrix_text(const Symmetrization& result) {
  const std::size_t rows = result.rows, cols = result.cols;
  std::vector<std::string> cells;
  std::size_t width = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      cells.push_back(entry(result, i, j, AsText()));
      width = std::max(width, cells.back().size());
    }
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k)
    text += fmt::format("{}{:>{}}{}", k % cols == 0 ? "  " : " ", cells[k], width, (k + 1) % cols == 0 ? "\n" : "");
  return text;
}

Record record(Kept<Symmetrization> result, const BasisNames& names, const std::string& group,
              const std::vector<std::string>& files) {
  return {.fields = at_once([=](const Task&) { return fields_of(*result, files); }),
          .text = [=](unsigned, const Task&) { return text_of(*result, names, group); }};
}

}  // namespace intertwine
