// From a sublattice with a basis over Z[a] to the whole lattice.
#pragma once
#include <optional>
#include <vector>

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

/// A vector that makes a basis of L over the integers of K out of d - 1 vectors (rows) whose span over the integers is a direct summand of
/// L, r = d m; short in the form `gram`, for which multiplication by a number and by its conjugate are adjoint. Nothing if the quotient, an ideal, is not
/// principal, or its generators are not among the small combinations of a reduced basis.
/// \param integers  the multiplications by a basis of the integers of K on L; `by_generator` the one by a
std::optional<IntegerMatrix> completing_vector(const IntegerMatrix& vectors,
                                               const std::vector<IntegerMatrix>& integers,
                                               const IntegerMatrix& by_generator, const IntegerMatrix& gram,
                                               const AbelianField& K, const Task& task);

}  // namespace intertwine
