// Equivariant polynomial maps between representations of a finite group, F(rho_V(g) x) = rho_W(g) F(x); those of continuous groups
// have the same form (classical/continuous_polynomials.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// x_v^e * ... as (v, e) with v increasing, 0-based, and e > 0; 1 if empty.
using Monomial = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// "x1^2*x3", 1-based, in LaTeX "x_{1}^{2} x_{3}"; "1" for the empty one.
std::string to_string(const Monomial& monomial);
std::string to_latex(const Monomial& monomial);

/// coefficient * monomial in coordinate `output` (0-based).
struct PolynomialTerm {
  std::uint64_t output;
  std::uint32_t monomial;  ///< its number in PolynomialMaps::monomials
  Cyclotomic coefficient;
  friend bool operator==(const PolynomialTerm&, const PolynomialTerm&) = default;
  friend auto operator<=>(const PolynomialTerm&, const PolynomialTerm&) = default;
};

/// A basis of homogeneous polynomial maps of one degree: sparse monomial tables. Coefficients are algebraic integers of `field`, the first one of
/// a map the least positive integer that makes the others so (over Q: integers without a common factor, the first one
/// positive); the terms of a map are sorted by output, then monomial, the maps by their first terms and then by what follows.
struct PolynomialBasis {
  std::uint64_t variables = 0, outputs = 0;
  unsigned degree = 0;
  AbelianField field;  ///< the smallest one with those of V and W in it
  /// The monomials that occur, in lexicographic order of their lists of variables.
  std::vector<Monomial> monomials;
  std::vector<std::vector<PolynomialTerm>> maps;
  /// How many there are as counted by characters; equals maps.size().
  Integer character_dimension;
  std::string route;  ///< how it was counted, see Certificate

  /// Terms of all maps.
  std::size_t terms() const;
  /// F_k(x). \throws DomainError if k >= maps.size() or x has not one entry for each variable, and for rational x
  /// unless the coefficients are rational.
  std::vector<Rational> operator()(std::size_t k, std::span<const Rational> x) const;
  std::vector<Cyclotomic> operator()(std::size_t k, std::span<const Cyclotomic> x) const;
  /// Coordinate `output` of F_k: "2*x1*x2 - x3^2". \throws DomainError if there is no such map or coordinate.
  std::string coordinate(std::size_t k, std::uint64_t output, Notation notation = Notation::text) const;
};

/// A basis of the homogeneous polynomial maps F: V -> W of one degree with F(rho_V(g) x) = rho_W(g) F(x), as many as
/// dim Hom_G(Sym^d V, W).
struct PolynomialMaps : PolynomialBasis {
  Representation source, target;
};

/// The equivariant polynomial maps of degree d. d = 0: the invariant vectors of W; d = 1: Hom_G(V, W).
///
/// A linear map L: Sym^d V -> W, Sym^d V with the basis of monomials e^a in the basis vectors, gives the polynomial map
/// F(x) = L(x^d), and x^d = sum over a of d!/a! x^a e^a. So the coefficient of x^a in F is the multinomial coefficient
/// d!/a! times column a of the matrix of L: the functions of x that belong to the basis e^a are d! times the divided
/// powers x^a/a!, not the monomials x^a. F is equivariant exactly when L is.
///
/// \par Method   equivariant_basis of Sym^d V -> W, part by part where V (d = 1) and W are sums, its elements scaled.
/// \throws DomainError if the groups differ; LimitError if dim Sym^d V exceeds 10^7, or through `task`.
/// \par Example  V = W = perm of S_3, d = 2: x1^2, x1*(x2+x3), x2^2+x3^2 and x2*x3 in coordinate 1, and so on: 4 maps
PolynomialMaps polynomial_maps(const Representation& V, const Representation& W, unsigned d, const Task& task = {});

/// Does F have the form described above: monomials and terms that exist, of the right degree, sorted and scaled? Nothing is
/// said of equivariance. \throws VerificationError naming the first fault.
void require_well_formed(const PolynomialBasis& F);

/// Proves that F is what it says: that it is well-formed; that F(rho_V(g) x) - rho_W(g) F(x), multiplied
/// out, is the zero polynomial for every generator g and every map; that the maps are independent; and that there are as
/// many as hom_dimension counts. Nothing of polynomial_maps is used.
/// \throws VerificationError naming the first claim that fails; LimitError through `task`.
/// \par Cost  for every generator the monomials that occur, multiplied out in the moved variables.
void verify(const PolynomialMaps& F, const Task& task = {});

}  // namespace intertwine
