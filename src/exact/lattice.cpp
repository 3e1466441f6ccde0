// Lattices of integers: reduction, saturation and bases.
#include <flint/fmpz.h>
#include <flint/fmpz_lll.h>
#include <flint/fmpz_mat.h>

#include <algorithm>
#include <utility>

#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "segment_reduction.hpp"

namespace intertwine {

namespace {

/// A times a random matrix with entries in [-4, 4].
IntegerMatrix random_combinations(const IntegerMatrix& A, std::size_t width, Rng& rng) {
  IntegerMatrix R(A.cols(), width);
  for (std::size_t i = 0; i < R.rows(); ++i)
    for (std::size_t j = 0; j < width; ++j) fmpz_set_si(R.flint().entry(i, j), static_cast<long>(rng.below(9)) - 4);
  return A * R;
}

/// A triangular basis (rows) of the lattice that the columns of A and g Z^r generate in Z^r.
IntegerMatrix column_lattice(const IntegerMatrix& A, const Integer& g) {
  const std::size_t r = A.rows();
  if (g == 1) return IntegerMatrix::identity(r);
  IntegerMatrix columns(std::max(A.cols(), r), r);  // FLINT wants as many rows as columns
  const FlintInteger modulus(g);
  for (std::size_t j = 0; j < A.cols(); ++j)
    for (std::size_t i = 0; i < r; ++i) fmpz_mod(columns.flint().entry(j, i), A.flint().entry(i, j), modulus);
  fmpz_mat_howell_form_mod(columns.flint().m, modulus);
  FlintInteger excess;
  // By the Howell property the rows that begin in column i or later generate all such elements; where none
  // begins in column i, g e_i does.
  IntegerMatrix basis(r, r);
  for (std::size_t i = 0; i < r; ++i) basis.set(i, i, g);
  for (std::size_t k = 0; k < columns.rows(); ++k) {
    std::size_t lead = 0;
    while (lead < r && fmpz_is_zero(columns.flint().entry(k, lead))) ++lead;
    for (std::size_t i = lead; i < r; ++i) {
      fmpz* const x = basis.flint().entry(lead, i);
      fmpz_set(x, columns.flint().entry(k, i));
      fmpz_sub(excess, modulus, x);
      if (i > lead && fmpz_cmp(x, excess) > 0) fmpz_neg(x, excess);  // the nearest to 0: short vectors
    }
  }
  return basis;
}

/// The rows generate a lattice L of full rank r in its saturation S, and g S lies in L. A basis of S.
///
/// w A is integral exactly if v = g w has v A = 0 mod g, hence v H^T = 0 mod g for a basis H of the lattice of
/// the columns of A modulo g: v runs through the rows of g H^{-T}. The columns are replaced by r + 24 random
/// combinations; if those generate less, some v A is not 0 mod g, and all columns are taken.
IntegerMatrix saturate_modulo(const IntegerMatrix& A, const Integer& g, const Task& task) {
  if (g == 1 || A.rows() == 0) return A;
  Rng rng(1);
  const std::size_t width = A.rows() + 24;
  for (bool all = A.cols() <= width;; all = true) {
    task.poll();
    const IntegerMatrix H = column_lattice(all ? A : random_combinations(A, width, rng), g);
    const RationalMatrix V = Rational(g) * inverse(H, task).transpose();
    RationalMatrix S(V.numerator() * A, V.denominator() * g);
    if (S.is_integral()) return S.numerator();
    if (all) throw InternalError("saturate: the Howell form does not generate the columns");
  }
}

/// A basis (rows) of the lattice that the rows of A generate; A itself if they are independent. (FLINT 2.9 divides
/// by zero when it reduces some dependent rows.)
IntegerMatrix lattice_basis(const IntegerMatrix& A, const Task& task) {
  if (ModularMatrix(word_prime(0), A).rank() == A.rows()) return A;
  // In terms of the independent rows the others have the coordinates X / d, by columns.
  const RowReduction reduction = row_reduction(A.transpose(), task);
  const IntegerMatrix independent = A.select_rows(reduction.pivots);
  if (reduction.free.empty() || reduction.pivots.empty()) return independent;
  const IntegerMatrix H = column_lattice(reduction.X.numerator(), reduction.X.denominator());
  return exact_quotient(H * independent, reduction.X.denominator());
}

}  // namespace

IntegerMatrix primitive_rows(IntegerMatrix A) {
  FlintInteger content;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    fmpz_zero(content);
    int sign = 0;
    for (std::size_t j = 0; j < A.cols() && !fmpz_is_one(content); ++j) {
      const fmpz* entry = std::as_const(A).flint().entry(i, j);
      if (fmpz_is_zero(entry)) continue;
      if (sign == 0) sign = fmpz_sgn(entry);
      fmpz_gcd(content, content, entry);
    }
    if (sign < 0) fmpz_neg(content, content);
    if (fmpz_is_one(content) || fmpz_is_zero(content)) continue;
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (fmpz* entry = A.flint().entry(i, j); !fmpz_is_zero(entry)) fmpz_divexact(entry, entry, content);
  }
  return A;
}

IntegerMatrix gram_reduction(IntegerMatrix gram) {
  IntegerMatrix transformation = IntegerMatrix::identity(gram.rows());
  if (gram.rows() < 2) return transformation;
  fmpz_lll_t parameters;
  fmpz_lll_context_init(parameters, 0.99, 0.51, GRAM, EXACT);
  fmpz_lll(gram.flint().m, transformation.flint().m, parameters);
  return transformation;
}

IntegerMatrix lll(const IntegerMatrix& A, const Task& task) {
  constexpr std::size_t small_rank = 64;
  const IntegerMatrix basis = lattice_basis(A, task);
  if (basis.rows() == 0) return basis;
  if (basis.rows() > small_rank)
    if (auto reduced = segment_reduction(basis, task)) return std::move(*reduced);
  // Long rows enter by their inner products only.
  if (A.cols() > 4 * basis.rows()) return gram_reduction(basis * basis.transpose()) * basis;
  fmpz_lll_t parameters;
  IntegerMatrix B = basis;
  fmpz_lll_context_init(parameters, 0.99, 0.51, Z_BASIS, APPROX);
  fmpz_lll(B.flint().m, nullptr, parameters);
  return B;
}

// The index of L in its saturation is the greatest common divisor of the r x r minors of A, which divides
// det(A R) for every integral R (Cauchy & Binet); and the index times the saturation lies in L.
IntegerMatrix saturate(const IntegerMatrix& A, const Task& task) {
  std::vector<std::size_t> rows = rank_profile(ModularMatrix(word_prime(0), A), nullptr, task).rows;
  if (rows.size() < A.rows() && rows.size() < matrix_rank(A, task)) rows = row_reduction(A.transpose(), task).pivots;
  const IntegerMatrix independent = primitive_rows(A.select_rows(rows));
  if (independent.rows() == 0) return independent;
  Rng rng(2);
  FlintInteger g, minor;
  for (int trial = 0, useless = 0; trial < 8 && useless < 2 && !fmpz_is_one(g); ++trial) {
    task.poll();
    fmpz_mat_det(minor, random_combinations(independent, independent.rows(), rng).flint().m);
    fmpz_gcd(minor, minor, g);
    useless = fmpz_equal(minor, g) && !fmpz_is_zero(g) ? useless + 1 : 0;
    fmpz_set(g, minor);
  }
  if (fmpz_is_zero(g)) throw InternalError("saturate: eight random minors of independent rows are 0");
  return saturate_modulo(independent, integer_from(g), task);
}

// The primitive kernel vector of a free variable has an entry d there, and all others have 0: so w K integral
// makes w times the least common multiple of these d integral.
IntegerMatrix kernel_lattice(const RationalMatrix& A, const Task& task) {
  const RowReduction reduction = row_reduction(A.numerator(), task);
  const IntegerMatrix K = kernel_of(reduction);
  Integer g = 1;
  for (std::size_t i = 0; i < K.rows(); ++i) g = lcm(g, K(i, reduction.free[i]));
  return lll(saturate_modulo(K, g, task), task);
}

}  // namespace intertwine
