// Matrices of representations, decompositions and Molien series as text, JSON, LaTeX and GAP input.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/order_proof.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

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

/// For every representation what it is made of and the images of the generators; with `heading`, a line on the group above.
std::string to_text(const IrreducibleForms& forms, bool heading = false, const Task& task = {});
/// A JSON object, with the seeds of the representations (MultiplicityOneSeed).
std::string to_json(const IrreducibleForms& forms);
/// Its members, of which a row of a matrix is held at a time.
void write_json(JsonWriter& json, const IrreducibleForms& forms);
/// Representations with the proof of the order of their group, beside which the matrices prove themselves (docs/formats.md).
struct ProvedForms {
  IrreducibleForms forms;
  OrderProof order;
};
std::string to_json(const ProvedForms& proved);
void write_json(JsonWriter& json, const ProvedForms& proved);
/// The representations with their forms. The matrices in orthonormal bases stand in place of the others, in JSON beside
/// them.
std::string to_text(const OrthonormalForms& found, bool heading = false, const Task& task = {});
std::string to_json(const OrthonormalForms& found);
void write_json(JsonWriter& json, const OrthonormalForms& found);
/// Displayed formulas, one for every representation.
std::string to_latex(const IrreducibleForms& forms);
/// A line for every representation, with the matrix of every generator, [[1, 0], [0, 1]], in a column of its own.
Sheet to_sheet(const IrreducibleForms& forms);
/// A GAP expression: a list of homomorphisms.
std::string to_gap(const IrreducibleForms& forms, const Task& task = {});

/// A line for every constituent; with `columns`, where there are components, which columns of the change of basis are which
/// constituent, and the matrix itself up to 16 columns.
std::string to_text(const Decomposition& d, bool columns);
/// A JSON object.
std::string to_json(const Decomposition& d);
/// Its members, of which a row of a matrix is held at a time.
void write_json(JsonWriter& json, const Decomposition& d);
/// The change of basis [inclusion | inclusion | ...] in doubles, as the bytes of a .npy file.
/// \throws DomainError without components, or if one is over a field that is not real.
std::string to_npy(const Decomposition& d);

/// "perm of S4: how often [4] occurs in Sym^k"
std::string molien_heading(const MolienReport& report);
/// The coefficients, and the closed form where it was found: "  1 0 1 0 1\n  = (1) / ((1 - t^2))\n".
std::string to_text(const MolienSeries& series);
std::string to_text(const MolienReport& report);
/// A JSON object.
std::string to_json(const MolienReport& report);

}  // namespace intertwine
