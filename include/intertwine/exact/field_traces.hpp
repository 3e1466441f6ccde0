// Traces of matrices over number fields to subfields, entry by entry.
#pragma once
#include <vector>

#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// The traces to F, a subfield of the field K of A, of A, a A, ..., a^(r-1) A, entry by entry: r = [K : F], a the generator of K.
/// They span over F what the traces of all multiples of A span. Cost: those of 2 [K : Q] powers of a, and a product of matrices.
/// \throws DomainError unless F is in K.
std::vector<FieldMatrix> traces_of_multiples(const FieldMatrix& A, const AbelianField& F);

}  // namespace intertwine
