// Sparse bases of spaces over number fields.
#pragma once
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// Independent rows with few and small coordinates that span what the rows of A span over its field K = Q(a): the cheapest of what sparsify() of
/// linear_algebra.hpp makes of their multiples by 1, a, a^2, ..., cheapest first. Coordinates are integral, those of a row without
/// common divisor. For K = Q the rows of sparsify() in their order. \throws DomainError if the rows are dependent; LimitError through `task`.
FieldMatrix sparsify(const FieldMatrix& A, const Task& task);

}  // namespace intertwine
