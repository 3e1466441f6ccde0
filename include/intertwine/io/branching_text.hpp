// Branching and matrices of Schur functors as JSON, text and LaTeX. JSON is one pretty-printed object without a newline at
// the end; integers and rationals are strings in it. Text breaks sums at `width` columns.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/sheet.hpp"

namespace intertwine {

/// {"functor", "n", "group", "kind", "rep", "dimension", "constituents": [{"label" or "irrep" and "name", "multiplicity",
/// "dimension"}]}.
std::string to_json(const Branching& branching);
std::string to_text(const Branching& branching, unsigned width = 80);
std::string to_latex(const Branching& branching);

/// {"functor", "rows", "cols", "dimension", "terms": [{"left", "right", "multiplicity", "dimension", "constituents"}],
/// "left_group", "right_group", "constituents", "checked", "pair"}.
std::string to_json(const HomFunctor& answer, const Task& task = {});
std::string to_text(const HomFunctor& answer, unsigned width = 80, const Task& task = {});
std::string to_latex(const HomFunctor& answer);
/// A line for every term, or for every pair of irreducible representations where it is restricted.
Sheet to_sheet(const HomFunctor& answer);

/// {"partition", "source", "target", "rows", "cols", "trace", "row_tableaux", "column_tableaux", "files", "matrix"}; the
/// matrix is left out where it is in files.
std::string to_json(const SchurFunctorMatrix& answer, std::span<const std::string> files = {});
/// The matrix with the tableaux ("112/23") beside its rows and above its columns, every column as wide as it needs.
std::string to_text(const SchurFunctorMatrix& answer);
std::string to_latex(const SchurFunctorMatrix& answer);
/// A sheet of the matrix between its tableaux.
Sheet to_sheet(const SchurFunctorMatrix& answer);
/// The matrix alone. \throws InternalError unless it is a system of computer algebra, as below
std::string to_system(Format system, const SchurFunctorMatrix& answer);

/// The value of a Schur polynomial: at numbers, or at the eigenvalues of a matrix, its trace on S_lambda.
struct SchurValue {
  Partition shape;
  std::vector<Cyclotomic> at;            ///< the numbers
  std::optional<std::size_t> rows = {};  ///< the rows of the square matrix, where it is a trace
  std::string matrix = {};               ///< the name of its file
  Cyclotomic value;
};
/// {"partition", "at", "value"}, or {"partition", "source", "target", "trace"}.
std::string to_json(const SchurValue& answer);
std::string to_text(const SchurValue& answer);
std::string to_latex(const SchurValue& answer);
/// One line: the partition, at what, the value.
Sheet to_sheet(const SchurValue& answer);
/// The number alone.
std::string to_system(Format system, const SchurValue& answer);

}  // namespace intertwine
