// Expressions in symmetric functions: "s[2,1]*h[2] - 2*e[3]", "h[3][s[2]]", "(p[1]^2 + p[2])/2".
#pragma once
#include <string_view>

#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The symmetric function that an expression names, in the Schur basis: the character of a polynomial module of GL(n),
/// where it is one.
///
/// s[2,1], p[...], h[...], e[...], m[...], f[...] are the classical bases; numbers p or p/q, `+`, `-`, `*`, division by a
/// number, `^` with an exponent, parentheses; f[g] is the plethysm of f with g, g written with letters: h[2][s[1,1]],
/// (s[2]+s[1])[h[3]]; f∘g is the same, as h[2]∘s[1,1], and binds more than ^. A character given by its weights is a sum of m's.
///
/// \throws ParseError with the position; LimitError for degrees above 60 where p, m, f or the plethysm of sums is
/// involved, above 1000 otherwise, for more than 200 nested brackets and for coefficients of more than 2^20 bits.
/// \par Example parse_symmetric_function("h[2][s[2]]") = s[4] + s[2,2]
SymmetricFunction parse_symmetric_function(std::string_view text, const Task& task = {});

}  // namespace intertwine
