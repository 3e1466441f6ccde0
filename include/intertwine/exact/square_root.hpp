// Square roots in cyclotomic fields.
#pragma once
#include <optional>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// sqrt(a), positive or positive times i: a Gauss sum. \throws LimitError for a conductor above Cyclotomic::max_conductor.
/// \par Cost  divisions by the numbers up to the conductor, or up to the cube root of p q for a = p/q, then O(conductor).
Cyclotomic square_root(const Rational& a);

/// The square root of a whose real part is positive, or 0 with a positive imaginary part; nothing if it lies in no
/// cyclotomic field, as that of 1 + sqrt(2): by Kronecker and Weber, if Q(sqrt(a)) is not abelian. For rational and
/// quadratic numbers a = x + y sqrt(d) the norm x^2 - d y^2 decides: a square c^2 gives sqrt((x+c)/2) +- sqrt((x-c)/2),
/// and d c^2 a root in a cyclic field of degree 4, a Gauss sum of order 4 times one of the former kind. For numbers of
/// higher degree the root is found if they are rational multiples of 2 - 2 cos(2 pi k / n), n the conductor, as in
/// sqrt(2+sqrt(2+sqrt(2))).
/// \throws DomainError for others of degree above 2; LimitError for a conductor above Cyclotomic::max_conductor.
/// \par Cost  that of a few products in the field of the root; for degrees above 2, O(n^2).
std::optional<Cyclotomic> cyclotomic_square_root(const Cyclotomic& a, const Task& task = {});

}  // namespace intertwine
