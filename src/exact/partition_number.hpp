// The partition function.
#pragma once
#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// p(n), the number of partitions of n.
/// \par Cost  nearly linear in the digits of the answer, about 1.1 sqrt(n).
/// \par Source  FLINT's evaluation of the Hardy-Ramanujan-Rademacher series with error bounds [Johansson2012].
Integer partition_number(unsigned long n);

}  // namespace intertwine
