// Bases of modules over the integers of quadratic fields, by Euclid's algorithm and short vectors.
#pragma once
#include <optional>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A basis over Z[a], K = Q(a) of degree 2, of the module that the rows generate over it, of short vectors; nothing where none was found.
///
/// \par Method  Lattice reduction over Z[a]: lengths of orthogonal parts are compared by their norm to Q, and multiples are
///              taken off by the nearest number in Z[a] under all embeddings. Dependent vectors become 0, as in Euclid's algorithm, where
///              such numbers are near enough, which they are where the field has Euclidean integers. Floating point numbers only choose the
///              steps, each of which takes a multiple of one vector off another or swaps two.
/// \par Source  [Pohst 1987] over Z; [Fieker & Stehle 2010] for norms and embeddings
/// \param rows  small vectors, the coordinates at a^l in columns l n, ..., l n + n - 1; the result has the same form.
std::optional<IntegerMatrix> euclidean_basis(const IntegerMatrix& rows, const AbelianField& K,
                                             const Task& task);

}  // namespace intertwine
