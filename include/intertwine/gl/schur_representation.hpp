// Schur functors of representations: S_lambda(V) of a finite group.
#pragma once
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// S_lambda(V), g acting by S_lambda(rho(g)) in the basis of semistandard tableaux of SchurFunctor: `schur([2,1], V)`.
/// S_[] is trivial, S_[k] is sym(k, V), S_[1,...,1] is alt(k, V), and zero if lambda has more rows than V dimensions.
/// The character comes from the traces of the powers of g and needs no matrix.
///
/// \throws LimitError if the dimension exceeds 2^64 - 1; matrices as SchurFunctor and Representation::matrix.
/// \par Cost of an action: the matrix S_lambda(rho(g)), which is kept for the elements used last. The weight spaces of
/// a monomial V are moved one by one, while the lengths of the columns have a product of factorials of at most 5000.
Representation schur_power(const Partition& lambda, const Representation& V);

}  // namespace intertwine
