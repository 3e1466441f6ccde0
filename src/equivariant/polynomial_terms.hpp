// Makes polynomial maps out of linear maps of symmetric powers.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// The monomials of degree d in n variables in lexicographic order of their weakly increasing lists of variables: the
/// basis of sym(d, V).
std::vector<Monomial> all_monomials(std::uint64_t n, unsigned d);
/// Compares two monomials of one degree by their lists of variables, each as often as its exponent says.
bool comes_before(const Monomial& a, const Monomial& b);
/// d! / a!, by which a column of a linear map is multiplied.
Integer multinomial(const Monomial& monomial);
/// The terms of a map with coefficients as PolynomialBasis wants them.
std::vector<PolynomialTerm> scaled(std::vector<PolynomialTerm> terms);
/// Sorts the maps, whose terms have numbers in `monomials`, and drops the monomials that no map has. \throws InternalError if the maps
/// are not as many as characters count.
void finish(PolynomialBasis& result, const std::vector<Monomial>& monomials);

}  // namespace intertwine
