// Lattice reduction where only inner products are known.
#pragma once
#include "intertwine/exact/matrix.hpp"

namespace intertwine {

/// T with determinant 1 or -1 such that the rows of T B are LLL-reduced (delta 0.99), B being any rows whose inner products in some positive
/// definite form are `gram`.
IntegerMatrix gram_reduction(IntegerMatrix gram);

}  // namespace intertwine
