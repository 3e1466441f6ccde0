// From a sublattice with a basis over Z[a] to the whole lattice.
#pragma once
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// L = Z^r is a module over Z[a] by `multiplication`: a e_i is row i. The rows of `vectors` are r / m vectors,
/// m = [Q(a) : Q], independent over Q(a). Returns as many whose span over Z[a] contains theirs, all of L if possible.
///
/// As long as the index is divisible by a prime p: some x = (1/pi) sum l_j c_j is in L for a prime ideal (pi) over p,
/// l_j integers modulo p, and takes the place of a c_i with l_i = 1. Stops where no prime ideal of degree 1 over p is
/// found to be principal, or the index has no small prime factor.
IntegerMatrix enlarged_to_basis(IntegerMatrix vectors, const IntegerMatrix& multiplication,
                                const AbelianField& K, const Task& task);

}  // namespace intertwine
