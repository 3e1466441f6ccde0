// Writes representations by matrices.
#include "intertwine/io/representation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "io/answers/json_values.hpp"
#include "io/answers/latex_matrix.hpp"
#include "io/answers/matrix_values.hpp"
#include "io/answers/system_values.hpp"

namespace intertwine {

namespace {

/// Rows between brackets, columns aligned to the right.
template <class Entry>
std::string bracketed(std::size_t rows, std::size_t cols, const std::string& indent, Entry entry) {
  std::vector<std::vector<std::string>> cells(rows, std::vector<std::string>(cols));
  std::vector<std::size_t> widths(cols, 1);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const std::string value = entry(i, j);
      cells[i][j] = value == "0" ? "." : value;
      widths[j] = std::max(widths[j], cells[i][j].size());
    }
  std::string text;
  for (const auto& row : cells) {
    text += indent + "[";
    for (std::size_t j = 0; j < row.size(); ++j) text += fmt::format(" {:>{}}", row[j], widths[j]);
    text += " ]\n";
  }
  return text;
}

}  // namespace

std::string to_text(const FieldMatrix& A, const std::string& indent) {
  return bracketed(A.rows(), A.cols(), indent, [&](std::size_t i, std::size_t j) { return to_string(A(i, j)); });
}

std::string to_text(const RootMatrix& A, const std::string& indent) {
  return bracketed(A.matrix.rows(), A.matrix.cols(), indent,
                   [&](std::size_t i, std::size_t j) { return A.entry(i, j); });
}

std::string latex_matrix(const std::vector<std::vector<std::string>>& cells) {
  constexpr std::size_t columns_of_pmatrix = 10;  // amsmath's MaxMatrixCols
  const std::size_t columns = cells.empty() ? 0 : cells.front().size();
  const bool wide = columns > columns_of_pmatrix;
  std::string text = wide ? "\\left(\\begin{array}{" + std::string(columns, 'r') + "}" : "\\begin{pmatrix}";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += i == 0 ? " " : " \\\\ ";
    for (std::size_t j = 0; j < columns; ++j) text += (j == 0 ? "" : " & ") + cells[i][j];
  }
  return text + (wide ? " \\end{array}\\right)" : " \\end{pmatrix}");
}

std::string to_latex(const FieldMatrix& A) {
  std::vector<std::vector<std::string>> cells(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) cells[i].push_back(to_latex(A(i, j)));
  return latex_matrix(cells);
}

void require_matrix(const Representation& V, std::uint64_t written, const Task& task) {
  task.poll();
  task.require_memory(written + 48 * V.dimension() * V.dimension() * V.field().degree(), "the matrices as text");
}

namespace {

/// The transposed matrix as a list of its rows.
template <class Entry>
std::string transposed_rows(std::size_t rows, std::size_t cols, const Task& task, Entry entry) {
  const auto listed = [](std::size_t count, auto text) {
    std::string list = "[";
    for (std::size_t k = 0; k < count; ++k) list += (k == 0 ? "" : ",") + text(k);
    return list + "]";
  };
  return listed(cols, [&](std::size_t j) {
    task.poll();
    return listed(rows, [&](std::size_t i) { return to_string(entry(i, j)); });
  });
}

std::string gap_matrix(const FieldMatrix& A, bool in_coordinates, const Task& task) {
  if (!in_coordinates)
    return transposed_rows(A.rows(), A.cols(), task, [&](std::size_t i, std::size_t j) { return A(i, j); });
  std::string text;
  for (std::size_t c = 0; c < A.field().degree(); ++c)
    text += (c == 0 ? "[" : ",\n ") +
            transposed_rows(A.rows(), A.cols(), task, [&](std::size_t i, std::size_t j) -> Rational {
              return A.coefficients()(i, c * A.cols() + j);
            });
  return text + "]";
}

}  // namespace

std::string to_gap(const Representation& V, const Task& task) {
  const std::vector<Permutation>& of_group = V.group().generators();
  if (of_group.empty())
    return fmt::format("GroupHomomorphismByImages(Group(()),Group(IdentityMat({0})),[()],[IdentityMat({0})])",
                       V.dimension());
  std::string generators, matrices;
  const bool in_coordinates = has_long_entries(V);
  for (std::size_t k = 0; k < of_group.size(); ++k) {
    require_matrix(V, 2 * matrices.size(), task);
    const FieldMatrix A = V.field_matrix(of_group[k]).over(V.field());
    generators += (k == 0 ? "" : ",") + of_group[k].to_string();
    matrices += (k == 0 ? "" : ",\n ") + gap_matrix(A, in_coordinates, task);
  }
  matrices = "[" + matrices + "]";
  if (in_coordinates)
    matrices = fmt::format(
        "CallFuncList(function(c,a) return List(c,A->Sum([1..Length(A)],k->a^(k-1)*A[k])); end,\n[{},\n{}])", matrices,
        to_string(V.field().generator()));
  return fmt::format(
      "CallFuncList(function(g,m) return\n"
      "GroupHomomorphismByImagesNC(Group(g),GroupWithGenerators(m),g,m); end,\n"
      "[[{}],\n{}])",
      generators, matrices);
}

std::string to_latex(const Representation& V, const Task& task) {
  std::vector<Permutation> of_group = V.group().generators();
  if (of_group.empty()) of_group.push_back(Permutation::identity(V.group().degree()));
  std::string text = "\\begin{align*}\n";
  for (std::size_t k = 0; k < of_group.size(); ++k) {
    require_matrix(V, text.size(), task);
    text += of_group[k].to_string() + " &\\mapsto " + to_latex(V.field_matrix(of_group[k])) +
            (k + 1 < of_group.size() ? " \\\\\n" : "\n");
  }
  return text + "\\end{align*}\n";
}

void write_numbers(JsonWriter& json, const RootMatrix& A) {
  json.open_list();
  for (std::size_t i = 0; i < A.matrix.rows(); ++i) {
    OrderedJson row = OrderedJson::array();
    for (std::size_t k = 0; k < A.matrix.cols(); ++k) {
      const std::complex<double> z = A(i, k);
      row.push_back(A.matrix.field().is_real() ? OrderedJson(z.real()) : OrderedJson::array({z.real(), z.imag()}));
    }
    json.value(json_text(row, -1));
  }
  json.close();
}

void write_unitary(JsonWriter& json, const std::vector<RootMatrix>& matrices) {
  json.key("matrices").open_list();
  for (const RootMatrix& A : matrices) write_rows(json, A.matrix);
  json.close().key("numbers").open_list();
  for (const RootMatrix& A : matrices) write_numbers(json, A);
  json.close();
}

}  // namespace intertwine
