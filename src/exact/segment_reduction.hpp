// Lattice reduction in large ranks.
#pragma once
#include <optional>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Rows that generate the same lattice as these independent ones, size-reduced and with the condition of Lovasz (delta 0.99) as far as doubles show.
/// Nothing where entries would leave the range in which doubles are exact, or where doubles do not suffice.
///
/// \par Method  Segments of some rows are reduced one after the other, by numbers that are computed anew for each; in rank 500 a swap costs some
///              hundred operations in place of a million. Floating point numbers choose the steps; every step adds integral multiples of rows to
///              others, exactly.
/// \par Cost    r^2 n for every sweep over r rows of n entries, of which there are some log(index) / 25 where the rows come from a lattice of that index
/// \par Source  [Koy & Schnorr 2001]
std::optional<IntegerMatrix> segment_reduction(const IntegerMatrix& rows, const Task& task);

}  // namespace intertwine
