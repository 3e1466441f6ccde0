// Makes bases of polynomial maps out of linear maps of symmetric powers, and checks them, in whatever way the group
// is given.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A row or column of a matrix: places and values.
using MatrixLine = std::vector<std::pair<std::uint32_t, Cyclotomic>>;

/// A generator of a group, or of a Lie algebra.
struct GeneratorLines {
  std::string name;
  bool algebra;
  std::vector<MatrixLine> rows_in, columns_out;  ///< the lines of its matrices on V and on W
};

namespace polynomials {

/// The monomials of degree d in n variables in lexicographic order of their weakly increasing lists of variables: the
/// basis of sym(d, V).
std::vector<Monomial> all_monomials(std::uint64_t n, unsigned d);
/// Compares two monomials of one degree by their lists of variables, each as often as its exponent says.
bool comes_before(const Monomial& a, const Monomial& b);
/// d! / a!, by which a column of a linear map is multiplied.
Integer multinomial(const Monomial& monomial);
/// The terms of a map with coefficients as PolynomialBasis wants them.
std::vector<PolynomialTerm> scaled(std::vector<PolynomialTerm> terms);
/// Sorts the maps, whose terms have numbers in `monomials`, and drops the monomials that no map has. \throws
/// InternalError if the maps are not as many as characters count.
void finish(PolynomialBasis& result, const std::vector<Monomial>& monomials);

/// F(g x) = g F(x) or, of a Lie algebra, F'(x) X x = X F(x), for every map. \throws VerificationError
void require_equivariant(const PolynomialBasis& F, const GeneratorLines& generator, const Task& task);
/// The maps are linearly independent. \throws VerificationError
void require_independent(const PolynomialBasis& F, const Task& task);
/// They are as many as characters count. \throws VerificationError
void require_count(const PolynomialBasis& F, const Integer& count);

}  // namespace polynomials

}  // namespace intertwine
