// Decompositions of polynomial functors under GL(m) x GL(n), and of powers of small modules under SL(n).
#pragma once
#include <vector>

#include "intertwine/combinatorics/symmetric_function.hpp"

namespace intertwine {

/// multiplicity * S_left(C^m) (x) S_right(C^n).
struct GlGlTerm {
  Partition left, right;
  Integer multiplicity;
  friend bool operator==(const GlGlTerm&, const GlGlTerm&) = default;
};

/// Sym^d(C^m (x) C^n) = sum of S_lambda (x) S_lambda over partitions of d with at most min(m, n) rows
/// (Cauchy). For Sym^d(Hom(V, W)) = Sym^d(W (x) V*) read left as a functor of W = C^m and right as one of V*
/// = C^n. Sorted by left, then right, as every list here. \throws DomainError if d, m or n is negative.
std::vector<GlGlTerm> cauchy_decomposition(int d, int m, int n, const Task& task = {});
/// Lambda^d(C^m (x) C^n) = sum of S_lambda (x) S_lambda', at most m rows and n columns (dual Cauchy).
std::vector<GlGlTerm> dual_cauchy_decomposition(int d, int m, int n, const Task& task = {});
/// S_nu(C^m (x) C^n) = sum g_{nu lambda mu} S_lambda (x) S_mu with Kronecker coefficients.
/// \par Cost one Kronecker product for each partition of |nu| with at most m rows (and columns, where that is
/// cheaper).
std::vector<GlGlTerm> schur_functor_decomposition(const Partition& nu, int m, int n, const Task& task = {});
/// sum of multiplicity * dim S_left(C^m) * dim S_right(C^n).
Integer dimension(const std::vector<GlGlTerm>& terms, int m, int n);

/// multiplicity * S_first(C^a) (x) S_second(C^b) (x) S_third(C^c).
struct GlTripleTerm {
  Partition first, second, third;
  Integer multiplicity;
  friend bool operator==(const GlTripleTerm&, const GlTripleTerm&) = default;
};
/// Sym^d(C^a (x) C^b (x) C^c); the multiplicities are Kronecker coefficients. Sorted. \throws DomainError as
/// above.
std::vector<GlTripleTerm> symmetric_power_of_triple(int d, int a, int b, int c, const Task& task = {});

/// A highest weight of GL(n): n weakly decreasing integers, which may be negative.
struct GlWeightTerm {
  std::vector<int> weight;
  Integer multiplicity;
  friend bool operator==(const GlWeightTerm&, const GlWeightTerm&) = default;
};
/// S_lambda(V) (x) S_mu(V*) for V = C^n, weights lexicographically decreasing. Zero if lambda or mu has more
/// than n rows. \throws DomainError if n < 1.
std::vector<GlWeightTerm> tensor_with_dual(const Partition& lambda, const Partition& mu, int n, const Task& task = {});
/// Weyl's dimension formula. \throws DomainError if the weight increases.
Integer dimension_of_weight(const std::vector<int>& weight);

/// A highest weight of SL(n) by its Dynkin labels, n-1 non-negative integers.
struct SlTerm {
  std::vector<int> labels;
  Integer multiplicity;
  friend bool operator==(const SlTerm&, const SlTerm&) = default;
};
/// The restriction of a GL(n) character to SL(n); partitions of more than n rows vanish. Labels
/// lexicographically decreasing. \throws DomainError if n < 1.
std::vector<SlTerm> restrict_to_sl(const SchurSum& f, int n, const Task& task = {});
std::vector<SlTerm> restrict_to_sl(const std::vector<GlWeightTerm>& terms);
/// Sym^d and Lambda^d of the adjoint module of SL(n), from gl(n) = sl(n) + 1 and Cauchy's formulas.
/// \throws DomainError if d < 0 or n < 1.
std::vector<SlTerm> symmetric_power_of_adjoint(int d, int n, const Task& task = {});
std::vector<SlTerm> exterior_power_of_adjoint(int d, int n, const Task& task = {});

}  // namespace intertwine
