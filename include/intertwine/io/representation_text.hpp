// Matrices of representations, and Molien series, as text, LaTeX, GAP input and .npy.
#pragma once
#include <string>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Rows between brackets, columns aligned to the right, zeros as dots; every line begins with `indent`.
std::string to_text(const FieldMatrix& A, const std::string& indent);
std::string to_text(const RootMatrix& A, const std::string& indent);
/// \\begin{pmatrix} ... \\end{pmatrix} on one line, an array between parentheses from 11 columns on.
std::string to_latex(const FieldMatrix& A);
/// A displayed formula: the matrix of every generator of V's group.
std::string to_latex(const Representation& V, const Task& task = {});
/// A GAP expression for the homomorphism that takes the generators of V's group to their matrices, transposed: GAP acts on row
/// vectors from the right, and multiplies permutations from left to right. Without generators: the trivial one.
std::string to_gap(const Representation& V, const Task& task = {});

/// The change of basis [inclusion | inclusion | ...] in doubles, as the bytes of a .npy file.
/// \throws DomainError without components, or if one is over a field that is not real.
std::string to_npy(const Decomposition& d);

/// The coefficients, and the closed form where it was found: "  1 0 1 0 1\n  = (1) / ((1 - t^2))\n".
std::string to_text(const MolienSeries& series);

}  // namespace intertwine
