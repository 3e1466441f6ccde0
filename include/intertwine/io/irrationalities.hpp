// Irrational numbers as people write them.
#pragma once
#include <optional>
#include <string>

#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine {

/// How irrational values are written: as GAP prints them, E(5)+E(5)^4; with square roots where the number is quadratic,
/// (-1+ER(5))/2; or as the ATLAS of Finite Groups does, b5.
enum class IrrationalNotation { gap, square_roots, atlas };

/// a = (x + y sqrt(d)) / z in lowest terms, d != 1 squarefree, z > 0; sqrt(d) is positive or has positive imaginary part.
struct QuadraticForm {
  Integer x, y, z, d;
};
/// Nothing unless a is irrational and quadratic. Exact: the sign of y is that of a real cyclotomic number.
std::optional<QuadraticForm> quadratic_form(const Cyclotomic& a);

/// The number in this notation.
///
/// ATLAS: rN = sqrt(N), iN = i sqrt(N) (i for N = 1), bN = (-1 + sqrt(N)) / 2 for N = 1 mod 4 and (-1 + i sqrt(N)) / 2
/// for N = 3 mod 4, and sums of an integer and a multiple of these, as in 2-3r5 or -1-b7; zN*k = exp(2 pi i k / N) and
/// yN*k = zN*k + zN*-k, without *1. Other numbers are written as in GAP. [Conway et al., ATLAS of Finite
/// Groups, ch. 7, sect. 10]
std::string in_notation(const Cyclotomic& a, IrrationalNotation notation);
/// The number in this notation, in LaTeX.
std::string latex_in_notation(const Cyclotomic& a, IrrationalNotation notation);

}  // namespace intertwine
