// The ring of symmetric functions over the rational numbers: products, plethysm, the scalar product and its adjoints, values.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine {

/// f += c g, in the basis of f. \throws as in_basis; LimitError for coefficients of more than 2^20 bits, as everything below.
void add_multiple(SymmetricFunction& f, const Rational& c, const SymmetricFunction& g, const Task& task = {});
/// c f.
SymmetricFunction multiple(const Rational& c, const SymmetricFunction& f);
/// Are they the same function, in whatever bases? \throws as in_basis, unless the bases are the same.
bool same_function(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task = {});
/// The largest weight of a term; 0 for zero.
int degree(const SymmetricFunction& f);

/// f[g]: for g = sum c_mu s_mu, p_k[g] = sum c_mu p_k[s_mu], and f in power sums. Both in any basis; the answer in Schur
/// functions. \throws LimitError if f has a degree above 60 and g is no Schur function, or the answer one above 1000.
SymmetricFunction plethysm(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task = {});

/// The involution with s_lambda -> s_lambda', p_k -> (-1)^(k-1) p_k. It exchanges h and e, m and f: the answer is in the other
/// basis then, without work.
SymmetricFunction omega_involution(const SymmetricFunction& f);
/// Hall's scalar product, for which the Schur functions are orthonormal. \throws as in_basis
Rational scalar_product(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task = {});
/// The adjoint of multiplication by g, <skew(f, g), h> = <f, g h>, in Schur functions. \throws as in_basis
SymmetricFunction skew(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task = {});
/// The product of characters of symmetric groups, degree by degree: s_lambda * s_mu = sum g_{lambda mu nu} s_nu. In power sums
/// where both are, otherwise in Schur functions. \throws as in_basis and kronecker_product
SymmetricFunction kronecker_product(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task = {});

/// coefficient * s_left (x) s_right.
struct SymmetricPair {
  Partition left, right;
  Rational coefficient;
  friend bool operator==(const SymmetricPair&, const SymmetricPair&) = default;
};
/// f(x, y), f of two sets of variables; for the character of a module of GL(m + n) that of its restriction to GL(m) x GL(n), as
/// long as partitions of more than m and n rows are left out.
struct Coproduct {
  SymmetricFunction function;
  std::vector<SymmetricPair> terms;  ///< sorted by left, then right; no zero coefficients
};
/// \throws as in_basis and schur_coproduct
/// \par Example  of p[2]: s[2] # 1 - s[1,1] # 1 + 1 # s[2] - 1 # s[1,1]
Coproduct coproduct(const SymmetricFunction& f, const Task& task = {});

/// f(x_1, ..., x_n), all other variables 0. \throws as schur_polynomial and, in the bases m and f, in_basis
Cyclotomic evaluate(const SymmetricFunction& f, std::span<const Cyclotomic> x, const Task& task = {});
/// f(x_1, ..., x_n) as a polynomial: exponents, a number for every variable, to coefficients.
/// \throws DomainError if n < 0; LimitError if there are more than 10^7 exponents; as in_basis
std::map<std::vector<int>, Rational> in_variables(const SymmetricFunction& f, int n, const Task& task = {});
/// For every degree d that occurs the coefficient of x_1 x_2 ... x_d, which is cheap to find in every basis: for characters of
/// symmetric groups their degree.
std::map<int, Rational> squarefree_coefficients(const SymmetricFunction& f);

}  // namespace intertwine
