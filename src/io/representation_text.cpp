#include "intertwine/io/representation_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace intertwine {

std::string to_text(const FieldMatrix& A, const std::string& indent) {
  std::vector<std::vector<std::string>> cells(A.rows(), std::vector<std::string>(A.cols()));
  std::vector<std::size_t> widths(A.cols(), 1);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const Cyclotomic entry = A(i, j);
      cells[i][j] = entry.is_zero() ? "." : to_string(entry);
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

std::string to_latex(const FieldMatrix& A) {
  constexpr std::size_t columns_of_pmatrix = 10;  // amsmath's MaxMatrixCols
  const bool wide = A.cols() > columns_of_pmatrix;
  std::string text = wide ? "\\left(\\begin{array}{" + std::string(A.cols(), 'r') + "}" : "\\begin{pmatrix}";
  for (std::size_t i = 0; i < A.rows(); ++i) {
    text += i == 0 ? " " : " \\\\ ";
    for (std::size_t j = 0; j < A.cols(); ++j) text += (j == 0 ? "" : " & ") + to_latex(A(i, j));
  }
  return text + (wide ? " \\end{array}\\right)" : " \\end{pmatrix}");
}

std::string to_gap(const FiniteGroup& G, const std::vector<FieldMatrix>& images, std::size_t dimension) {
  if (images.empty())
    return fmt::format("GroupHomomorphismByImages(Group(()),Group(IdentityMat({0})),[()],[IdentityMat({0})])",
                       dimension);
  std::string generators, matrices;
  for (std::size_t k = 0; k < images.size(); ++k) {
    generators += (k == 0 ? "" : ",") + G.generators()[k].to_string();
    matrices += k == 0 ? "[" : ",\n [";
    for (std::size_t j = 0; j < images[k].cols(); ++j) {
      matrices += j == 0 ? "[" : ",[";
      for (std::size_t i = 0; i < images[k].rows(); ++i)
        matrices += (i == 0 ? "" : ",") + to_string(images[k](i, j));
      matrices += "]";
    }
    matrices += "]";
  }
  return fmt::format(
      "CallFuncList(function(g,m) return GroupHomomorphismByImages(Group(g),Group(m),g,m); end,\n"
      "[[{}],\n[{}]])",
      generators, matrices);
}

}  // namespace intertwine
