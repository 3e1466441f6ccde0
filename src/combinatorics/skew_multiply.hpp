// Multiplication of a whole sum by one skew Schur function, used inside products, Kronecker products and gl.
#pragma once
#include "intertwine/combinatorics/symmetric_function.hpp"

namespace intertwine::detail {

/// f * s_{outer/inner} in the box; inner is contained in outer.
SchurSum multiply_by_skew(const SchurSum& f, const Partition& outer, const Partition& inner, const PartitionBox& box,
                          const Task& task);

}  // namespace intertwine::detail
