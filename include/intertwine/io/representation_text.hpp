// Matrices of representations as text, LaTeX and GAP input.
#pragma once
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// Rows between brackets, columns aligned to the right, zeros as dots; every line begins with `indent`.
std::string to_text(const FieldMatrix& A, const std::string& indent);
/// \begin{pmatrix} ... \end{pmatrix} on one line, an array between parentheses from 11 columns on.
std::string to_latex(const FieldMatrix& A);
/// A GAP expression for the homomorphism that takes the generators of G to these matrices, transposed: GAP acts on row
/// vectors from the right, and multiplies permutations from left to right. Without generators: the trivial one.
std::string to_gap(const FiniteGroup& G, const std::vector<FieldMatrix>& images, std::size_t dimension);

}  // namespace intertwine
